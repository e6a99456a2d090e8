/** Steps that use what the server lists: tools, prompts, resources, and the lists themselves. */
import { promptNearMisses } from '../../../core/json-schema/near-miss.ts';
import type { Step } from '../../../core/model/rules/rule.ts';
import type { Answer } from '../../peer/peer.ts';
import { callsOf, leftOut } from '../../offers/choose-tools.ts';
import { mostRounds } from '../../peer/input-rounds.ts';
import { choosePrompts, chooseResources, templateResources } from '../../offers/choose-offered.ts';
import { completeValues } from '../../offers/completions.ts';
import { surveyTarget, walkList, type Choice, type Listing } from '../../offers/survey.ts';
import { callBriefly, isAffordable, isBrief, noteDuration, noteTimeout, skipForTime } from '../support/slow-uses.ts';
import { noteCreatedTask } from '../../peer/task-polls.ts';
import { isStateless, methodFor, sendRequest } from '../support/send-request.ts';
import { partOf, type Json, type ObjectStep, type StepWork, type WordStep } from '../support/step-kind.ts';
import type { StepContext } from '../support/step-scope.ts';
import { asObject, asText } from '../../../core/model/json.ts';

const rounds = {
  description:
    'Stateless era: the number of results that ask for input to answer, by a repeated request; all of them if absent, none with 0.',
  type: 'integer',
  minimum: 0,
  maximum: mostRounds,
};

export const featureSteps: readonly ObjectStep[] = [
  {
    name: 'paginate',
    says: 'Fetch all pages of a list, at most the limit.',
    schema: {
      paginate: { type: 'string' },
      limit: { type: 'integer', minimum: 1 },
      meta: { type: 'object' },
      as: partOf('name'),
    },
    traits: { lists: true },
    run: async (step, { scope }) =>
      void (await walkList(scope.peer, asText(step.paginate), {
        limit: Number(step.limit ?? 100),
        followsRepeated: true,
        ...(step.meta === undefined ? {} : { meta: step.meta as Json }),
      })),
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
        description:
          'Only tools whose execution.taskSupport is one of these, the first ones first; a tool without it counts as forbidden. Left out: all but required.',
        type: 'array',
        minItems: 1,
        items: { enum: ['forbidden', 'optional', 'required'] },
      },
      nearMisses: {
        description:
          'At most this many calls with arguments that violate the inputSchema in one place each (one left out, a wrong type, no allowed value, out of bounds); none if nothing is certainly wrong.',
        ...partOf('nearMisses'),
      },
      otherValues: {
        description:
          'At most this many calls of a tool, each with another value of one switch or choice; none if the user gave the arguments. Arguments that decide about harm stay unchanged.',
        type: 'integer',
        minimum: 1,
        maximum: 10,
      },
      wrongTypes: { description: 'true: a text stands for every argument that may be no text.', const: true },
      brief: { description: 'true: only tools whose earlier calls all ended quickly.', const: true },
      swapCase: {
        description: 'true: upper and lower case of the name are exchanged; left out when that is a name of its own.',
        const: true,
      },
      wait: { type: 'boolean' },
      then: {
        description: 'Steps after each call, which can refer to its answer by the name given with as.',
        ...partOf('steps'),
      },
      deviation: partOf('deviation'),
    },
    traits: ({ callTool }) => ({
      callsTools: true,
      asksClient: callTool === 'asks-client',
      waits: callTool === 'slow',
      takesTime: callTool === 'reports-progress',
    }),
    within: ({ then }) => (then === undefined ? [] : [then as Step[]]),
    run: callTool,
  },
  {
    name: 'ifTool',
    says: 'Steps only where the step callTool that is given would find a tool; it is not called by that.',
    heading: () => 'Where there is such a tool',
    schema: { ifTool: { ...partOf('step'), type: 'object', required: ['callTool'] }, then: partOf('steps') },
    required: ['ifTool', 'then'],
    within: ({ then }) => [then as Step[]],
    async run(step, work) {
      if ((await callsFor(step.ifTool as Json, work)).length > 0) await work.runAll(step.then as Step[]);
    },
  },
  {
    name: 'getPrompt',
    says: 'Get a prompt of the listing, with values for its required arguments.',
    schema: {
      getPrompt: partOf('choice'),
      each: partOf('each'),
      arguments: partOf('arguments'),
      nearMisses: {
        description: 'Gets it with one required argument left out each, at most so many.',
        ...partOf('nearMisses'),
      },
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
    schema: {
      readResource: partOf('choice'),
      each: partOf('each'),
      as: partOf('name'),
      meta: { type: 'object' },
      headers: partOf('headers'),
      rounds,
    },
    run: async (step, work) =>
      useChosen(
        'resources/read',
        chooseResources(await work.context.listing(work.scope.peer), Number(step.each ?? 1)),
        step,
        work,
      ),
  },
  {
    name: 'eachResource',
    says: 'Subscribe to the resources of the listing, at most so many, or end that.',
    schema: { eachResource: { enum: ['resources/subscribe', 'resources/unsubscribe'] }, each: partOf('each') },
    run: eachResource,
  },
  {
    name: 'readTemplate',
    says: 'Read what the templates of the listing, at most so many, make of the values that the step complete brought. In the stateless era also what they make of a guess: there may be no such resource; a server says so. Templates of web addresses and of files are left out.',
    schema: { readTemplate: { type: 'integer', minimum: 1, maximum: 10 } },
    run: async (step, work) => {
      const { peer, completed } = work.scope;
      await useChosen(
        'resources/read',
        templateResources(await work.context.listing(peer), Number(step.readTemplate), completed, isStateless(peer)),
        step,
        work,
      );
    },
  },
  {
    name: 'complete',
    says: 'Have the server complete the arguments that prompts require, or the variables of templates, where it declares that: later steps of the list use the values. Asks nothing of other servers.',
    schema: { complete: { enum: ['prompts', 'templates'] } },
    run: async (step, { scope, context }) =>
      completeValues(
        scope.peer,
        await context.listing(scope.peer),
        step.complete as 'prompts' | 'templates',
        scope.completed,
      ),
  },
];

/** Steps about what is offered that are one word. */
export const featureWords: readonly WordStep[] = [
  {
    name: 'ownTools',
    says: 'List the tools again on this connection, where the client declares other capabilities: tools offered only to such a client can then be called.',
    traits: { lists: true },
    run: async ({ scope: { peer }, context }) => {
      const [{ tools }, known] = [await surveyTarget(peer, 'tools/list'), await context.listing(peer)];
      const others = tools.filter(({ name }) => !known.tools.some((one) => one.name === name));
      context.ownTools.set(peer, others);
      for (const one of leftOut(others, context.permission)) context.skip(one);
    },
  },
];

async function eachResource(step: Json, work: StepWork): Promise<void> {
  const method = await methodFor(asText(step.eachResource), step, work.scope.peer);
  if (method !== undefined)
    await useChosen(
      method,
      chooseResources(await work.context.listing(work.scope.peer), Number(step.each ?? 2)),
      step,
      work,
    );
}

async function getPrompt(step: Json, work: StepWork): Promise<void> {
  const listing = await work.context.listing(work.scope.peer);
  const chosen = choosePrompts(listing, step.getPrompt as Choice, Number(step.each ?? 1), work.scope.completed);
  const { nearMisses: most } = step;
  const misses = (given: Json): Json[] =>
    promptNearMisses(
      listing.prompts.find(({ name }) => name === given.name),
      given,
    ).slice(0, Number(most));
  await useChosen('prompts/get', most === undefined ? chosen : chosen.flatMap(misses), step, work);
}

async function callTool(step: Json, work: StepWork): Promise<void> {
  const then = step.then === undefined ? undefined : () => work.runAll(step.then as Step[]);
  await useChosen('tools/call', await callsFor(step, work), step, work, then);
}

/** Params of a step callTool. */
async function callsFor(step: Json, { scope, context }: StepWork): Promise<Json[]> {
  const shared = await context.listing(scope.peer);
  const listing = usableTools(
    { ...shared, tools: [...(context.ownTools.get(scope.peer) ?? []), ...shared.tools] },
    step,
    context,
  );
  return callsOf(step, listing, context);
}

/**
 * The listing without the tools that did not answer in time (a hanging one is not called again). On request only those
 * with a task, or quick ones.
 */
function usableTools(listing: Listing, { callTool: choice, brief }: Json, context: StepContext): Listing {
  const { unanswered, tasked, slow } = context;
  const isUsable = (name: string): boolean =>
    !unanswered.has(`tools/call ${name}`) &&
    isAffordable('tools/call', name, context) &&
    (choice !== 'became-task' || tasked.has(name)) &&
    (brief !== true || isBrief('tools/call', name, slow));
  return { ...listing, tools: listing.tools.filter(({ name }) => isUsable(asText(name))) };
}

/** Timeouts after which a step with `each` is left: the target is slow, and more of the same would take long. */
const mostTimeouts = 2;

/** @param then done after each request that was not left out */
export async function useChosen(
  method: string,
  chosen: Json[],
  step: Json,
  { scope, context }: StepWork,
  then?: () => Promise<void>,
): Promise<void> {
  let timeouts = 0;
  const use = async (params: Json): Promise<void> => {
    if (!scope.peer.alive || timeouts >= mostTimeouts) return;
    const name = asText(params.name ?? params.uri);
    const key = `${method} ${name}`;
    // Once is enough to see that something is not answered.
    if (context.unanswered.has(key)) return;
    if (!isAffordable(method, name, context)) {
      if (method === 'tools/call') skipForTime(name, context);
      return;
    }
    const began = performance.now();
    const send = (given: Json): Promise<Answer | undefined> =>
      sendRequest(
        method,
        'arguments' in step ? { ...given, arguments: step.arguments } : given,
        step,
        scope,
        Number(step.rounds ?? mostRounds),
      );
    const answer = await (method === 'tools/call' ? callBriefly(params, step, scope, context, send) : send(params));
    if (answer?.kind !== 'timeout') {
      noteCreatedTask(scope.peer, answer);
      if (answer?.kind === 'response' && asObject(answer.message.result)?.resultType === 'task')
        context.tasked.add(name);
      if (answer?.kind === 'response')
        noteDuration(
          method,
          name,
          { ms: performance.now() - began, plainMs: scope.peer.slowestMs },
          await context.listing(scope.peer),
          context,
        );
      await then?.();
      return;
    }
    context.unanswered.add(key);
    noteTimeout(context);
    if (method === 'tools/call')
      context.skip({ what: `tool ${name}`, why: 'it did not answer in time (--timeout gives it more)' });
    timeouts += 1;
  };
  // Deliberate faults are sent alone, and so are requests that others refer to.
  const isApart = then !== undefined || step.deviation !== undefined || step.as !== undefined;
  const together = isApart || method === 'resources/read' ? 1 : context.atOnce();
  for (let from = 0; from < chosen.length; from += together)
    await Promise.all(chosen.slice(from, from + together).map(use));
}
