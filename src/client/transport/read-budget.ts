/**
 * Limits on held and unpacked data for all connections of one run together. The limits of one message say nothing of a
 * hundred that are being read at once, nor of a hundred bodies that each unpack to a thousand times their size.
 */
import type { EventSink } from '../../core/model/trace.ts';

export interface ReadBudgetLimits {
  /** Bytes of unfinished lines, bodies and events that are held at a time. */
  maxHeldBytes: number;
  /** Bytes that may come out of decoders (gzip, deflate, brotli) in the whole run. */
  maxUnpackedBytes: number;
}

/** One reader's part of the budget. */
export interface Holding {
  /** Holds so many bytes from now on, instead of what it held before; false, and nothing is held, where the run holds too much. */
  hold(bytes: number): boolean;
}

export interface ReadBudget {
  readonly limits: ReadBudgetLimits;
  /** A share for one reader, which gives it back with `hold(0)`. */
  share(): Holding;
  /** Takes note of unpacked bytes; false when there were too many in the run. */
  unpacked(bytes: number): boolean;
}

const MiB = 1024 * 1024;

export const defaultReadBudget: ReadBudgetLimits = { maxHeldBytes: 48 * MiB, maxUnpackedBytes: 512 * MiB };

export function createReadBudget(limits: ReadBudgetLimits = defaultReadBudget): ReadBudget {
  let held = 0;
  let unpacked = 0;
  return {
    limits,
    share() {
      let mine = 0;
      return {
        hold(bytes) {
          const fits = bytes <= mine || held - mine + bytes <= limits.maxHeldBytes;
          const next = fits ? bytes : 0;
          held += next - mine;
          mine = next;
          return fits;
        },
      };
    },
    unpacked(bytes) {
      unpacked += bytes;
      return unpacked <= limits.maxUnpackedBytes;
    },
  };
}

const budgets = new WeakMap<EventSink, ReadBudget>();

/** Why a reader was refused more, for the trace. */
export function heldReason({ limits }: ReadBudget): string {
  return `the connections of the run held more than ${limits.maxHeldBytes} unread bytes together`;
}

/** The same for bytes out of decoders. */
export function unpackedReason({ limits }: ReadBudget): string {
  return `packed replies of the run unpacked to more than ${limits.maxUnpackedBytes} bytes together`;
}

/** The budget of the run that records into the sink. */
export function budgetOf(sink: EventSink): ReadBudget {
  let budget = budgets.get(sink);
  if (!budget) budgets.set(sink, (budget = createReadBudget()));
  return budget;
}
