/** Steps that use what the server lists: tools, prompts, resources, and the lists themselves. */
import { promptNearMisses } from '../../json-schema/near-miss.ts';
import type { Step } from '../../model/rules/rule.ts';
import { callsOf } from '../choose-tools.ts';
import { mostRounds } from '../client/answers/input-rounds.ts';
import { choosePrompts, chooseResources, guessResources, walkList, type Choice, type Listing } from '../survey.ts';
import { isBrief, noteDuration } from './slow-uses.ts';
import { isStateless, methodFor, sendRequest } from './send-request.ts';
import { partOf, type Json, type ObjectStep, type StepWork } from './step-kind.ts';
import type { StepContext } from './step-scope.ts';
import { asObject, asText } from '../../model/json.ts';

const rounds = { description: 'Stateless era: so many results that ask for input are answered, by the request sent anew; all of them when absent, none with 0.', type: 'integer', minimum: 0, maximum: mostRounds };

export const featureSteps: readonly ObjectStep[] = [
  {
    name: 'paginate',
    says: 'Fetch all pages of a list, at most the limit.',
    schema: { paginate: { type: 'string' }, limit: { type: 'integer', minimum: 1 }, meta: { type: 'object' }, as: partOf('name') },
    traits: { lists: true },
    run: async (step, { scope }) =>
      void (await walkList(scope.peer, asText(step.paginate), { limit: Number(step.limit ?? 100), followsRepeated: true, ...(step.meta === undefined ? {} : { meta: step.meta as Json }) })),
  },
  {
    name: 'callTool',
    says: 'Call a tool of the listing with arguments made from its schema. Tools marked destructive are left out.',
    schema: {
      callTool: partOf('choice'),
      each: partOf('each'),
      arguments: partOf('arguments'),
      as: partOf('name'),
      progressToken: { type: ['boolean', 'string', 'integer'] },
      headers: partOf('headers'),
      meta: { type: 'object' },
      task: { description: 'Sent as params.task: the call is to run as a task.', type: 'object' },
      rounds,
      taskSupport: {
        description: 'Only tools whose execution.taskSupport is one of these, the first ones first; a tool without it counts as forbidden. Left out: all but required.',
        type: 'array',
        minItems: 1,
        items: { enum: ['forbidden', 'optional', 'required'] },
      },
      nearMisses: {
        description: 'Calls with arguments that miss the inputSchema by one thing each (one left out, a wrong type, no allowed value, out of bounds), at most so many; none when nothing is certainly wrong.',
        ...partOf('nearMisses'),
      },
      wrongTypes: { description: 'true: a text stands for every argument that may be no text.', const: true },
      brief: { description: 'true: only tools of which each call so far was over soon.', const: true },
      swapCase: { description: 'true: upper and lower case of the name are exchanged; left out when that is a name of its own.', const: true },
      wait: { type: 'boolean' },
      then: { description: 'Steps after each call, which can refer to its answer by the name given with as.', ...partOf('steps') },
      deviation: partOf('deviation'),
    },
    traits: ({ callTool }) => ({ callsTools: true, asksClient: callTool === 'asks-client', waits: callTool === 'slow' }),
    within: ({ then }) => (then === undefined ? [] : [then as Step[]]),
    run: callTool,
  },
  {
    name: 'getPrompt',
    says: 'Get a prompt of the listing, with values for its required arguments.',
    schema: {
      getPrompt: partOf('choice'),
      each: partOf('each'),
      arguments: partOf('arguments'),
      nearMisses: { description: 'Gets it with one required argument left out each, at most so many.', ...partOf('nearMisses') },
      as: partOf('name'),
      meta: { type: 'object' },
      rounds,
      deviation: partOf('deviation'),
    },
    run: getPrompt,
  },
  {
    name: 'readResource',
    says: 'Read a resource of the listing.',
    schema: { readResource: partOf('choice'), each: partOf('each'), as: partOf('name'), meta: { type: 'object' }, rounds },
    run: async (step, work) => useChosen('resources/read', chooseResources(await work.context.listing(work.scope.peer), Number(step.each ?? 1)), step, work),
  },
  {
    name: 'eachResource',
    says: 'Subscribe to the resources of the listing, at most so many, or end that.',
    schema: { eachResource: { enum: ['resources/subscribe', 'resources/unsubscribe'] }, each: partOf('each') },
    run: eachResource,
  },
  {
    name: 'readTemplate',
    says: 'Stateless era: read what the templates of the listing, at most so many, make of a guess. There may be no such resource; a server says so. Templates of web addresses and of files are left out.',
    schema: { readTemplate: { type: 'integer', minimum: 1, maximum: 10 } },
    run: async (step, work) => {
      if (isStateless(work.scope.peer)) await useChosen('resources/read', guessResources(await work.context.listing(work.scope.peer), Number(step.readTemplate)), step, work);
    },
  },
];

async function eachResource(step: Json, work: StepWork): Promise<void> {
  const method = await methodFor(asText(step.eachResource), step, work.scope.peer);
  if (method !== undefined) await useChosen(method, chooseResources(await work.context.listing(work.scope.peer), Number(step.each ?? 2)), step, work);
}

async function getPrompt(step: Json, work: StepWork): Promise<void> {
  const listing = await work.context.listing(work.scope.peer);
  const chosen = choosePrompts(listing, step.getPrompt as Choice, Number(step.each ?? 1));
  const { nearMisses: most } = step;
  const misses = (given: Json): Json[] => promptNearMisses(listing.prompts.find(({ name }) => name === given.name), given).slice(0, Number(most));
  await useChosen('prompts/get', most === undefined ? chosen : chosen.flatMap(misses), step, work);
}

async function callTool(step: Json, work: StepWork): Promise<void> {
  const { scope, context } = work;
  const listing = usableTools(await context.listing(scope.peer), step, context);
  await useChosen('tools/call', callsOf(step, listing, context), step, work, () => work.runAll((step.then ?? []) as Step[]));
}

/** The listing without the tools that did not answer in time (one that hangs is not called again), and where it is wanted with those alone of which a call became a task, or that are quick. */
function usableTools(listing: Listing, { callTool: choice, brief }: Json, { unanswered, tasked, slow }: StepContext): Listing {
  const isUsable = (name: string): boolean => !unanswered.has(`tools/call ${name}`) && (choice !== 'became-task' || tasked.has(name)) && (brief !== true || isBrief('tools/call', name, slow));
  return { ...listing, tools: listing.tools.filter(({ name }) => isUsable(asText(name))) };
}

/** Timeouts after which a step with `each` is left: the target is slow, and more of the same would take long. */
const mostTimeouts = 2;

/** @param then done after each request that was not left out */
async function useChosen(method: string, chosen: Json[], step: Json, { scope, context }: StepWork, then?: () => Promise<void>): Promise<void> {
  let timeouts = 0;
  for (const params of chosen) {
    if (!scope.peer.alive || timeouts >= mostTimeouts) return;
    const key = `${method} ${asText(params.name ?? params.uri)}`;
    // Once is enough to see that something is not answered.
    if (context.unanswered.has(key)) continue;
    const began = performance.now();
    const answer = await sendRequest(method, 'arguments' in step ? { ...params, arguments: step.arguments } : params, step, scope, Number(step.rounds ?? mostRounds));
    if (answer?.kind !== 'timeout') {
      if (answer?.kind === 'response' && asObject(answer.message.result)?.resultType === 'task') context.tasked.add(asText(params.name));
      if (answer?.kind === 'response') noteDuration(method, asText(params.name ?? params.uri), performance.now() - began, await context.listing(scope.peer), context);
      await then?.();
      continue;
    }
    context.unanswered.add(key);
    if (method === 'tools/call') context.skip({ what: `tool ${asText(params.name)}`, why: 'it did not answer in time' });
    timeouts += 1;
  }
}
