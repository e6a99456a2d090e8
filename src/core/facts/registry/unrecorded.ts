/**
 * Facts that a trace cannot supply, because their source was not recorded (imported captures). A rule that asks for
 * such a fact leaves the subject undecided, so a gap in a capture makes no rule fail or pass.
 */
import type { SubjectKind } from '../../model/rules/subject-kind.ts';
import type { Recorded, TransportKind } from '../../model/trace.ts';
import { compilePath, givesList, mostPathValues, type Resolve } from '../values/json-path.ts';
import type { FactDefinition, Gaps, Part } from '../core/plugin.ts';
import { factsOf, factTable, restsOf, sessionFactTable } from './registry.ts';
import type { MethodTable, Subject } from '../state/subject.ts';

/** Thrown by readers of facts that the trace does not contain, or that exceed a limit; judges treat it as undecided. */
class NotRecordedError extends Error {
  constructor() {
    super('a fact was asked for that was not recorded');
    this.name = 'NotRecordedError';
  }
}

/** One for all: it is thrown for nearly every subject of a capture, and a stack would cost far more than judging. */
export const notRecorded = new NotRecordedError();

/** Reads a path for a condition; of more values than are looked at nothing is judged. It throws NotRecordedError then. */
export function judgedPath(path: string): Resolve {
  let judged = judgedPaths.get(path);
  if (!judged) judgedPaths.set(path, (judged = givesList(path) ? bounded(compilePath(path)) : compilePath(path)));
  return judged;
}

/** By the paths of rules. */
const judgedPaths = new Map<string, Resolve>();

function bounded(resolve: Resolve): Resolve {
  return (value) => {
    const found = resolve(value);
    if (Array.isArray(found) && found.length > mostPathValues) throw notRecorded;
    return found;
  };
}

export interface Unrecorded {
  /** Adds the names of its hidden facts to the subject; undefined if everything is unknown. */
  hide(subject: Subject): Subject | undefined;
}

/** Hidden facts of every subject of a kind. */
interface Fixed {
  hidden: ReadonlySet<string>;
  all: boolean;
  /** Facts whose value, as it happens to be, may come from a gap. */
  doubtful: [name: string, isDoubtful: NonNullable<FactDefinition<never>['doubtful']>][];
  /** Hidden and doubtful facts, by name: nearly every subject of a capture has some, in few combinations. */
  widened: Map<string, ReadonlySet<string>>;
}

/** Recorded parts of a live conversation, or of a trace of mcpc. */
export const everything: Recorded = {
  transport: true,
  exchanges: true,
  streams: true,
  timing: true,
  bytes: true,
  start: true,
  order: true,
  direction: true,
};

/**
 * Recorded parts of a trace after a lost message: nothing that needs the order of all messages, since the lost one may
 * be in between. If it belonged to the handshake, nothing that needs that either.
 */
export function recordedAfterLoss(recorded: Recorded = everything, lost: 'handshake' | 'message'): Recorded {
  return { ...recorded, order: false, ...(lost === 'handshake' ? { start: false } : {}) };
}

/** @returns undefined for a trace in which everything was recorded */
export function createUnrecorded(
  recorded: Recorded | undefined,
  transport: TransportKind,
  methods: MethodTable,
): Unrecorded | undefined {
  if (recorded === undefined) return undefined;
  const none = recorded.transport && transport === 'stdio';
  // Where there were no exchanges, none can be missing.
  const reported: Recorded = {
    ...recorded,
    lines: recorded.lines ?? recorded.bytes,
    ...(none ? { exchanges: true, streams: true } : {}),
  };
  const lost = (Object.keys(reported) as Part[]).filter((part) => !reported[part]);
  if (lost.length === 0) return undefined;
  const gaps: Gaps = {
    recorded: reported,
    wholeOrder: reported.start && reported.direction && reported.order,
    methods,
  };
  const lacking = (parts: readonly Part[] | undefined): boolean =>
    parts === undefined || parts.some((part) => lost.includes(part));
  const ofSession = Object.keys(sessionFactTable).filter((name) => lacking(restsOf('connection', name)));
  const fixed = new Map<SubjectKind, Fixed>();
  function fixedFor(kind: SubjectKind): Fixed {
    let found = fixed.get(kind);
    if (!found) {
      const names = Object.keys(factTable[kind].facts);
      const own = names.filter((name) => lacking(restsOf(kind, name)));
      found = {
        hidden: new Set([...own.map((name) => `subject.${name}`), ...ofSession.map((name) => `session.${name}`)]),
        all: own.length === names.length,
        doubtful: [...factsOf(kind)].flatMap(([name, { definition }]): Fixed['doubtful'] =>
          definition.doubtful ? [[name, definition.doubtful]] : [],
        ),
        widened: new Map(),
      };
      fixed.set(kind, found);
    }
    return found;
  }

  function widen({ hidden, widened }: Fixed, names: readonly string[]): ReadonlySet<string> {
    // A single name is its own key, without text to be made.
    const key = names.length === 1 ? names[0]! : names.join(' ');
    let found = widened.get(key);
    if (!found) widened.set(key, (found = new Set([...hidden, ...names.map((name) => `subject.${name}`)])));
    return found;
  }

  /** An unreadable fact is not a gap: its reader gets the reason. */
  function isSo(isDoubtful: Fixed['doubtful'][number][1], facts: Subject['facts']): boolean {
    try {
      return isDoubtful(facts, gaps);
    } catch {
      return false;
    }
  }

  return {
    hide(subject) {
      const { kind, facts } = subject;
      const sort = fixedFor(kind);
      const { hidden, all, doubtful } = sort;
      if (all) return undefined;
      const here: string[] = [];
      for (const [name, isDoubtful] of doubtful) if (isSo(isDoubtful, facts)) here.push(name);
      // The values of a group are hidden one by one, as conditions name them.
      const lists = kind === 'group' && hidden.has('subject.values');
      if (lists) for (const name of Object.keys(facts)) if (name.startsWith('values.')) here.push(name);
      if (subject.hidden) for (const name of subject.hidden) here.push(name.slice('subject.'.length));
      const { beginning } = subject;
      // Facts that the capture lacks have no beginning either.
      if (beginning)
        subject.beginning = new Set(
          [...beginning].filter((name) => !hidden.has(name) && !(lists && name.startsWith('subject.values.'))),
        );
      subject.hidden = here.length === 0 ? hidden : widen(sort, here);
      return subject;
    },
  };
}
