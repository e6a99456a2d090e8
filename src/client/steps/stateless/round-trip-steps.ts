/**
 * Multi round-trips up to their second request, which is correct, or wrong in one way: missing, surplus or no answers,
 * or a state that is missing, changed, invented or from another request (2026-07-28: basic/patterns/mrtr). Each begins
 * with a call of its own.
 */
import { asObject, asText } from '../../../core/model/json.ts';
import { forgedState } from '../../../core/model/made-up-tokens.ts';
import { callsOf } from '../../offers/choose-tools.ts';
import type { Inputs } from '../../peer/answers/client-behavior.ts';
import { inputRequired } from '../../peer/input-rounds.ts';
import type { Answer, Peer } from '../../peer/peer.ts';
import { partOf, type Json, type ObjectStep, type StepWork } from '../support/step-kind.ts';
import type { StepContext } from '../support/step-scope.ts';
import { alteredText } from './altered-text.ts';

const ways = [
  'faultless',
  'without-state',
  'forged-state',
  'altered-state',
  'altered-end',
  'other-state',
  'left-out',
  'unanswered',
  'extra',
  'list',
  'text',
  'misshapen',
] as const;
type Way = (typeof ways)[number];

export const roundTripSteps: readonly ObjectStep[] = [
  {
    name: 'roundTrip',
    says: 'Stateless era: call tools that ask for input, and repeat the call with answers. The retry is correct, or has no state, an invented state, a state altered in the middle or near its end, or that of another call. Or one answer or all are missing, there is one too many, a list or a string replaces them, or answers have the wrong shape.',
    schema: { roundTrip: { enum: [...ways] }, each: partOf('each'), deviation: partOf('deviation') },
    traits: { asksClient: true, callsTools: true },
    run: playRoundTrips,
  },
  {
    name: 'roundTripElsewhere',
    says: 'Stateless era over HTTP: repeat the correct retry of the first tool that asked for input with a requestState and then completed. Send it twice on another connection, and then on the original one.',
    schema: { roundTripElsewhere: { const: true } },
    traits: { asksClient: true, callsTools: true, opensAnother: true },
    run: (_step, work) => playElsewhere(work),
  },
];

/** Tools that are tried until one gives out a state. */
export const mostAskers = 5;

async function playElsewhere({ scope: { peer }, context }: StepWork): Promise<void> {
  if (peer.transport !== 'http' || context.oneAtATime()) return;
  const listing = await context.listing(peer);
  for (const params of callsOf({ callTool: 'asks-client', each: mostAskers }, listing, context)) {
    const key = `tools/call ${asText(params.name)}`;
    if (!peer.alive || context.unanswered.has(key)) continue;
    const result = inputRequired(await peer.request('tools/call', params).answer);
    const inputs =
      result?.requestState === undefined ? undefined : await peer.inputsFor(result, { method: 'tools/call', params });
    if (!inputs || inputs.deviation !== undefined) continue;
    const retry = { ...params, ...inputs.members };
    const again = (on: Peer): Promise<Answer> => on.request('tools/call', retry).answer;
    if (!isComplete(await again(peer))) continue;
    await elsewhere(context, async (other) => {
      await again(other);
      await again(other);
    });
    await again(peer);
    return;
  }
}

function isComplete(answer: Answer): boolean {
  const result = answer.kind === 'response' ? asObject(answer.message.result) : undefined;
  return result?.resultType === 'complete' && result.isError !== true;
}

/** Does something on a connection that is opened for it. */
export async function elsewhere(context: StepContext, run: (other: Peer) => Promise<void>): Promise<void> {
  const other = await context.open();
  try {
    await other.handshake();
    await run(other);
  } finally {
    await other.close();
  }
}

async function playRoundTrips(step: Json, { scope: { peer }, context }: StepWork): Promise<void> {
  const listing = await context.listing(peer);
  /** The state of the call before. */
  let other: unknown;
  for (const params of callsOf({ callTool: 'asks-client', each: step.each }, listing, context)) {
    const key = `tools/call ${asText(params.name)}`;
    if (!peer.alive || context.unanswered.has(key)) continue;
    const first = await peer.request('tools/call', params).answer;
    if (first.kind === 'timeout') context.unanswered.add(key);
    const result = inputRequired(first);
    const inputs = result && (await peer.inputsFor(result, { method: 'tools/call', params }));
    const members = inputs && membersFor(step.roundTrip as Way, inputs, other);
    other = result?.requestState ?? other;
    if (!members) continue;
    const second = await peer.request(
      'tools/call',
      { ...params, ...members },
      typeof step.deviation === 'string' ? { deviation: step.deviation } : {},
    ).answer;
    if (second.kind === 'timeout') context.unanswered.add(key);
  }
}

/** Additions to the params; undefined if the variant does not apply. */
function membersFor(way: Way, { members }: Inputs, other: unknown): Json | undefined {
  const { inputResponses, requestState, ...none } = members;
  const answers = inputResponses === undefined ? none : { inputResponses };
  const state = requestState === undefined ? none : { requestState };
  const changed = (text: string | undefined): Json | undefined =>
    requestState === undefined || text === undefined || text === requestState
      ? undefined
      : { ...answers, requestState: text };
  const names = Object.keys(inputResponses ?? {});
  switch (way) {
    case 'faultless':
      return members;
    case 'without-state':
      return requestState === undefined ? undefined : answers;
    case 'forged-state':
      return changed(`${forgedState}state`);
    case 'altered-state':
      return changed(requestState === undefined ? undefined : alteredText(requestState, [0.3, 0.5, 0.65]));
    case 'altered-end':
      return changed(requestState === undefined ? undefined : alteredText(requestState, [0.8, 0.86, 0.92]));
    case 'other-state':
      return changed(typeof other === 'string' ? other : undefined);
    case 'left-out':
      return names.length === 0
        ? undefined
        : { inputResponses: Object.fromEntries(Object.entries(inputResponses!).slice(1)), ...state };
    case 'unanswered':
      return names.length === 0 ? undefined : { inputResponses: {}, ...state };
    case 'extra':
      return inputResponses === undefined
        ? undefined
        : { inputResponses: { ...inputResponses, 'mcpc-nobody-asked': { action: 'decline' } }, ...state };
    case 'list':
      return names.length === 0 ? undefined : { inputResponses: Object.values(inputResponses!), ...state };
    case 'text':
      return names.length === 0 ? undefined : { inputResponses: 'mcpc', ...state };
    case 'misshapen':
      return names.length === 0
        ? undefined
        : {
            inputResponses: Object.fromEntries(names.map((name) => [name, misshapen(inputResponses![name])])),
            ...state,
          };
  }
}

/** An answer of its kind that lacks what it cannot be without. */
function misshapen(answer: unknown): Json {
  return asObject(answer)?.action === undefined ? { mcpc: true } : { action: 'mcpc' };
}
