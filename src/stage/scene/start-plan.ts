/**
 * From the situations of rules to starts of the client: what is equal is met once, what only asks is asked in one start,
 * and what disturbs the conversation has a start of its own. It must not know how a situation is played.
 */
import type {
  ClientAct,
  Situation,
  SituationAsk,
  SituationGuard,
  SituationOffers,
} from '../../core/model/rules/situation.ts';
import type { CompiledRule } from '../../core/model/rules/rule.ts';
import { hasOwnStart } from '../../check/reporting/undecided/client-acts.ts';
import type { TransportKind } from '../../core/model/trace.ts';

/** One start of the client, and what it meets there. */
export interface PlannedStart {
  /** A short name, the beginning of the names of its connections in the trace. */
  name: string;
  /** What is special about it, for a reader. */
  title: string;
  situation: Situation;
  /** Rules that it is for; every other rule is judged by it as well. */
  rules: string[];
  /** The scenario of the official suite; derived from the acts when absent. */
  official?: { name: string; context?: Record<string, unknown> };
}

/** What a client does that nobody drives, where it does anything. */
const usualActs: ClientAct[] = [
  { act: 'connect' },
  { act: 'list', of: 'tools' },
  { act: 'call', tool: 'add_numbers', arguments: { a: 5, b: 3 } },
];

/**
 * The starts for the rules that hold in the revision and on the transport: an ordinary one, and one for each situation that
 * changes what the server answers.
 *
 * @param revision undefined where it is not known yet: then the situations of all revisions
 */
export function planStarts(
  rules: readonly CompiledRule[],
  { transport, revision }: { transport: TransportKind; revision: string | undefined },
): PlannedStart[] {
  const ordinary: PlannedStart = {
    name: '',
    title: 'a faultless server that asks for what the client offers',
    situation: { asks: [], drive: [...usualActs] },
    rules: [],
  };
  const starts = new Map<string, PlannedStart>();
  for (const rule of rules) {
    const { situation, id, role, transports, at } = rule;
    const holds = transports.includes(transport) && (revision === undefined || Object.hasOwn(at, revision));
    if (role !== 'client' || situation === undefined || !holds) continue;
    const { needs, unless, drive = [], offers, ...special } = situation;
    delete special.asks;
    const asks = (situation.asks ?? []).map((ask) => ({
      ...ask,
      ...(needs ? { needs } : {}),
      ...(unless ? { unless } : {}),
    }));
    if (!hasOwnStart(situation)) {
      join(ordinary, { asks, drive }, id);
      continue;
    }
    const key = JSON.stringify({ ...special, offers });
    const found = starts.get(key);
    if (found) join(found, { asks, drive }, id);
    else
      starts.set(key, {
        name: '',
        title: rule.title,
        situation: { ...special, ...(offers ? { offers } : {}), asks: [...asks], drive: merged(actsAt(offers), drive) },
        rules: [id],
      });
  }
  // A lost session comes last: what a client begins anew is then not taken for the next start.
  const special = [...starts.values()];
  const order = ({ situation: { closes, guard } }: PlannedStart): number =>
    closes !== undefined ? 3 : guard === undefined ? 0 : isPlain(guard) ? 1 : 2;
  return [ordinary, ...[0, 1, 2, 3].flatMap((place) => special.filter((start) => order(start) === place))].map(
    (start, index) => ({ ...start, name: `c${index + 1}` }),
  );
}

/** The guard of a correct server, for which nothing is arranged. */
export function isPlain({ client, differs = [] }: SituationGuard): boolean {
  return client === undefined && differs.length === 0;
}

/** What a client is asked to do at a server: nothing for which the server declares no capability. */
function actsAt(offers: SituationOffers | undefined): ClientAct[] {
  return offers?.withoutCapabilities?.includes('tools') ? [{ act: 'connect' }] : usualActs;
}

function join(start: PlannedStart, { asks, drive }: { asks: SituationAsk[]; drive: ClientAct[] }, rule: string): void {
  start.situation.asks = merged(start.situation.asks ?? [], asks);
  start.situation.drive = merged(start.situation.drive ?? [], drive);
  start.rules.push(rule);
}

/** Both lists, each entry once. */
function merged<T>(one: readonly T[], other: readonly T[]): T[] {
  const known = new Set(one.map((entry) => JSON.stringify(entry)));
  return [...one, ...other.filter((entry) => !known.has(JSON.stringify(entry)))];
}
