/** Facts of all connections of a trace together: the versions that were asked for (the `trace` subject). */
import { asObject, asText } from '../../model/json.ts';
import { append } from '../../model/lists.ts';
import type { Definitions, Feature, Hooks, Surroundings } from '../core/plugin.ts';

interface Initialization {
  seq: number;
  requested: unknown;
  answered: unknown;
  outcome: string;
  errorCode: unknown;
  events: readonly number[];
}

const kept = 2000;

const targetFacts: Definitions = {
  unechoed: {
    says: 'Those that asked for a version that the server names elsewhere, and got another.',
    rests: ['start', 'order'],
  },
  echoes: {
    says: 'initialize requests that were answered with the version asked for: count (how many) and newest (the newest known revision among these versions).',
    rests: ['start', 'order'],
  },
  fallback: { says: 'Version that a request for an unknown version was answered with.', rests: ['start', 'order'] },
  unsupportedOutcomes: {
    says: 'How requests for unknown versions ended: other-version, same-version, error, timeout or closed (where a later connection was served), or unclear.',
  },
};

export const target: Feature = {
  name: 'target',
  kinds: { trace: 'All connections of the trace together. Complete at the end.' },
  facts: { trace: targetFacts },
  create: createTarget,
};

function createTarget({ knownRevisions }: Surroundings): Hooks {
  const initializations: Initialization[] = [];
  const versionSeqs: number[] = [];

  /** A request without a version, or with something else in its place, shows no fallback. */
  function isUnknownVersion(requested: unknown): boolean {
    return typeof requested === 'string' && !knownRevisions.includes(requested);
  }

  return {
    answered(record) {
      if (record.from !== 'client' || record.method !== 'initialize' || initializations.length >= kept)
        return undefined;
      const result = asObject(asObject(record.reply)?.result);
      initializations.push({
        seq: record.seq,
        requested: asObject(asObject(record.message)?.params)?.protocolVersion,
        answered: result?.protocolVersion,
        outcome: record.outcome ?? 'unanswered',
        errorCode: asObject(asObject(record.reply)?.error)?.code,
        events: record.events,
      });
      append(versionSeqs, record.events);
      return undefined;
    },
    traceOver() {
      const unknown = initializations.filter((one) => isUnknownVersion(one.requested)).flatMap(({ events }) => events);
      const named = new Set(initializations.map((one) => one.answered).filter((one) => typeof one === 'string'));
      const echoed = initializations.filter((one) => one.answered !== undefined && one.answered === one.requested);
      const unechoed = initializations.filter(
        (one) => named.has(one.requested as string) && one.outcome === 'result' && one.answered !== one.requested,
      );
      return {
        cites: {
          unechoed: unechoed.flatMap(({ events }) => events),
          unsupportedOutcomes: unknown,
          fallback: unknown,
          echoes: echoed.flatMap(({ events }) => events),
        },
        events: versionSeqs,
        facts: {
          // Without the events, which are not reported.
          unechoed: unechoed.map(({ events: _events, ...one }) => one),
          echoes: {
            count: echoed.length,
            newest: echoed
              .map((one) => asText(one.answered))
              .filter((version) => knownRevisions.includes(version))
              .sort()
              .at(-1),
          },
          fallback: initializations.find((one) => one.outcome === 'result' && isUnknownVersion(one.requested))
            ?.answered,
          unsupportedOutcomes: initializations.flatMap((one, index) =>
            isUnknownVersion(one.requested) ? [unsupportedOutcome(one, index, initializations)] : [],
          ),
        },
      };
    },
  };
}

/**
 * Outcome of a request for a version that does not exist. A closed connection counts only if the server still served a
 * later one, and no earlier one was lost. Otherwise it may have concerned the connection, or a server that was already
 * gone, rather than the version. A time-out counts if a later request was served.
 *
 * @param all in the order in which they ended
 */
function unsupportedOutcome(one: Initialization, index: number, all: readonly Initialization[]): string {
  switch (one.outcome) {
    case 'result':
      if (typeof one.answered !== 'string') return 'unclear';
      return one.answered === one.requested ? 'same-version' : 'other-version';
    case 'closed': {
      const isGone = all.slice(0, index).some(({ outcome }) => outcome === 'closed');
      const serves = all.slice(index + 1).some(({ outcome }) => outcome === 'result');
      return serves && !isGone ? 'closed' : 'unclear';
    }
    case 'timeout':
      return all.some((other) => other.seq > one.seq && other.outcome === 'result') ? 'timeout' : 'unclear';
    case 'error':
      return 'error';
    default:
      return 'unclear';
  }
}
