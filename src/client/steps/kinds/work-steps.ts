/**
 * Observes from outside if work ends with its cancellation. For a tool whose work shows in a resource (hint `slow: {
 * seen-in: uri }`) one call runs to its end and another is cancelled. The resource is read before, meanwhile and
 * afterwards. It makes no judgement.
 */
import { createWorkPace } from '../../../core/facts/features/work-pace.ts';
import { asObject } from '../../../core/model/json.ts';
import { toolSeenAtWork } from '../../offers/choose-tools.ts';
import type { Answer, Peer, Pending } from '../../peer/peer.ts';
import { cancelCall } from './message-steps.ts';
import type { StepWork, WordStep } from '../support/step-kind.ts';
import { askSentinel, type StepContext } from '../support/step-scope.ts';
import { pause } from '../../peer/task-polls.ts';

export const workWords: readonly WordStep[] = [
  {
    name: 'cancelSeenWork',
    traits: { callsTools: true, waits: true, cancels: true, needsQuiet: true },
    says: 'For a slow tool whose progress shows in a resource (hint slow.seen-in). Read the resource twice. Call the tool, and read until it answers. Read twice more. Call it again, read until the resource changes, cancel the call, and read five times more. Left out without the hint.',
    run: cancelSeenWork,
  },
];

/** Reads between which work that goes on would show, when it has been cancelled. */
const lateReads = 5;
/** Of the time for late answers, what lies between two reads at first. */
const shareOfLate = 20;
/** And how much of it the resource is left alone before a call, at least. */
const shareAlone = 4;
/** A read comes no sooner than after so much of the time that the call has taken. */
const shareOfElapsed = 10;

async function cancelSeenWork({ scope, context }: StepWork): Promise<void> {
  const { peer } = scope;
  const found = toolSeenAtWork(await context.listing(peer), context);
  if (!found || context.unanswered.has(`tools/call ${found.tool.name}`)) return;
  const { tool, uri } = found;
  const { lateMs } = context.timing;
  const shortest = Math.ceil(lateMs / shareOfLate);
  const look: Look = { peer, context, shortest, read: () => contentsOf(peer, uri) };
  const call = (): Pending =>
    peer.request('tools/call', { name: tool.name, arguments: tool.arguments }, { progressToken: true });
  if ((await look.read()) === undefined) return;
  await pause(lateMs / shareAlone);
  const untouched = await look.read();
  const whole = await follow(call(), untouched, look);
  if (whole.end === 'timeout') context.unanswered.add(`tools/call ${tool.name}`);
  if (whole.end !== 'response' || whole.longestPause === undefined || !peer.alive) return;
  const apart = Math.min(lateMs, Math.max(shortest, whole.longestPause * 1.25));
  await look.read();
  await pause(lateMs / shareAlone + (lateReads + 1) * apart);
  const before = await look.read();
  const pending = call();
  const begun = await follow(pending, before, look, { untilChanged: true });
  if (begun.end !== undefined || !peer.alive) return;
  await cancelCall(pending, peer, 'no longer needed');
  await askSentinel(peer);
  for (let count = 0; count < lateReads && peer.alive; count += 1) {
    await pause(apart);
    await look.read();
  }
}

interface Look {
  peer: Peer;
  context: StepContext;
  shortest: number;
  read(): Promise<string | undefined>;
}

interface Followed {
  /** End of the call, if it ended. */
  end: Answer['kind'] | undefined;
  longestPause: number | undefined;
}

/** Reads until the call is answered, or the resource has changed where nothing more is wanted. */
async function follow(
  { answer }: Pending,
  first: string | undefined,
  { peer, shortest, read }: Look,
  { untilChanged = false } = {},
): Promise<Followed> {
  let end: Answer['kind'] | undefined;
  void answer.then(({ kind }) => (end = kind));
  const began = performance.now();
  const pace = createWorkPace(began);
  let last = first;
  while (peer.alive) {
    await Promise.race([answer, pause(Math.max(shortest, (performance.now() - began) / shareOfElapsed))]);
    if (end !== undefined) break;
    const next = await read();
    if (next === undefined) break;
    pace.look(next !== last, performance.now());
    last = next;
    if (untilChanged && pace.changes > 0) break;
  }
  return { end, longestPause: pace.longestPause(performance.now()) };
}

async function contentsOf(peer: Peer, uri: string): Promise<string | undefined> {
  const answer = await peer.request('resources/read', { uri }).answer;
  const result = answer.kind === 'response' ? asObject(answer.message.result) : undefined;
  return result === undefined ? undefined : JSON.stringify(result.contents);
}
