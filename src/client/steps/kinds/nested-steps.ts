/** Steps with other steps in them: under a condition, side by side, several times, on a connection of their own. */
import { resolvePath } from '../../../core/facts/values/json-path.ts';
import type { Step } from '../../../core/model/rules/rule.ts';
import { changedIn } from '../../offers/readings.ts';
import { listMethods } from '../../offers/survey.ts';
import { partOf, type Json, type ObjectStep, type StepWork } from '../support/step-kind.ts';
import { untilNotified } from './waiting-steps.ts';
import { asObject, asText } from '../../../core/model/json.ts';

const internalError = -32603;

/** Capabilities that came later than what they stand for, with the revision that brought them. */
const declarableSince: Readonly<Record<string, string>> = { completions: '2025-03-26' };

export const nestedSteps: readonly ObjectStep[] = [
  {
    name: 'forEachList',
    says: "Steps for each list method that the server's capabilities promise; {{method}} stands for it. Lists that are only walked are walked side by side.",
    heading: () => 'For each list that the server promises, {{method}} being its method',
    schema: { forEachList: partOf('steps') },
    within: ({ forEachList }) => [forEachList as Step[]],
    run: forEachList,
  },
  {
    name: 'ifDeclared',
    says: 'Steps only where the server declared the capability (or, with a leading !, did not).',
    heading: ({ ifDeclared }) =>
      asText(ifDeclared).startsWith('!')
        ? `Where the server does not declare ${asText(ifDeclared).slice(1)}`
        : `Where the server declares ${asText(ifDeclared)}`,
    schema: { ifDeclared: { type: 'string' }, then: partOf('steps') },
    required: ['ifDeclared', 'then'],
    within: ({ then }) => [then as Step[]],
    async run(step, { scope, runAll }) {
      const name = asText(step.ifDeclared);
      const wanted = !name.startsWith('!');
      const declared = resolvePath(scope.peer.serverCapabilities ?? {}, `$.${name.replace(/^!/, '')}`) !== undefined;
      if (declared === wanted) await runAll(step.then as Step[]);
    },
  },
  {
    name: 'ifUndeclarable',
    says: 'Steps only where the revision of the connection has no word by which a server could declare the capability, and the server does not declare it all the same.',
    heading: ({ ifUndeclarable }) => `Where the revision cannot declare ${asText(ifUndeclarable)}`,
    schema: { ifUndeclarable: { enum: Object.keys(declarableSince) }, then: partOf('steps') },
    required: ['ifUndeclarable', 'then'],
    within: ({ then }) => [then as Step[]],
    async run(step, { scope, runAll }) {
      const { revision, serverCapabilities = {} } = scope.peer;
      const name = asText(step.ifUndeclarable);
      if (revision < declarableSince[name]! && serverCapabilities[name] === undefined)
        await runAll(step.then as Step[]);
    },
  },
  {
    name: 'ifChanged',
    says: 'If a resource that was read twice on the connection changed: wait for a notification of that method, then run the steps. The wait is the time for late answers, or half the possible duration of the change if that is longer.',
    heading: ({ ifChanged }) =>
      `Where a resource gave something else than at the reading before, when ${asText(ifChanged)} came or did not come in time`,
    traits: { waits: true },
    schema: { ifChanged: { type: 'string' }, then: partOf('steps') },
    required: ['ifChanged', 'then'],
    within: ({ then }) => [then as Step[]],
    async run(step, { scope, context, runAll }) {
      const ms = changedIn(scope.readings);
      if (ms === undefined) return;
      // A little more than half: timers and reads take their time, too.
      await untilNotified(
        scope.peer,
        asText(step.ifChanged),
        Math.min(context.timing.answerMs, Math.max(context.timing.lateMs, ms * 0.6)),
      );
      await runAll(step.then as Step[]);
    },
  },
  {
    name: 'quietly',
    says: 'Steps while no other connection has a tool at work, where the server is one for all connections (over HTTP): what changes is changed by these steps, or by itself.',
    heading: () => 'While no other connection calls a tool',
    schema: { quietly: partOf('steps') },
    within: ({ quietly }) => [quietly as Step[]],
    async run(step, { scope, runAll }) {
      const run = (): Promise<void> => runAll(step.quietly as Step[]);
      if (scope.peer.transport === 'stdio') await run();
      else await scope.turns.quietly(scope.peer, run);
    },
  },
  {
    name: 'ifChallenged',
    says: 'Steps only where some request on the connection was answered with 401 or 403.',
    heading: () => 'Where a request was answered with 401 or 403',
    schema: { ifChallenged: partOf('steps') },
    within: ({ ifChallenged }) => [ifChallenged as Step[]],
    async run(step, { scope, runAll }) {
      if (scope.peer.challenge) await runAll(step.ifChallenged as Step[]);
    },
  },
  {
    name: 'ifTestToken',
    says: 'Steps only where the check has a test token of that name (--test-as, --foreign-token-env), which is put in place of mcpc-test-token-NAME.',
    heading: ({ ifTestToken }) => `Where the check has the test token called ${asText(ifTestToken)}`,
    schema: { ifTestToken: partOf('name'), then: partOf('steps') },
    required: ['ifTestToken', 'then'],
    within: ({ then }) => [then as Step[]],
    async run(step, { scope, runAll }) {
      if (scope.peer.testTokens.has(step.ifTestToken as string)) await runAll(step.then as Step[]);
    },
  },
  {
    name: 'ifRefused',
    says: 'Steps to run only if the named request was refused, by an error that is not an internal failure.',
    heading: ({ ifRefused }) => `Where the request called ${asText(ifRefused)} was refused`,
    schema: { ifRefused: partOf('name'), then: partOf('steps') },
    required: ['ifRefused', 'then'],
    within: ({ then }) => [then as Step[]],
    async run(step, { scope, runAll }) {
      const answer = await scope.pending.get(asText(step.ifRefused))?.answer;
      const code = answer?.kind === 'response' ? asObject(answer.message.error)?.code : undefined;
      if (code !== undefined && code !== internalError) await runAll(step.then as Step[]);
    },
  },
  {
    name: 'parallel',
    says: 'Lists of steps side by side.',
    heading: () => 'Side by side',
    schema: { parallel: { type: 'array', minItems: 2, items: partOf('steps') } },
    within: ({ parallel }) => parallel as Step[][],
    run: runSideBySide,
  },
  {
    name: 'repeat',
    says: 'The steps several times.',
    heading: ({ repeat }) => `${asText(repeat)} times`,
    schema: { repeat: { type: 'integer', minimum: 1, maximum: 200 }, steps: partOf('steps') },
    required: ['repeat', 'steps'],
    within: ({ steps }) => [steps as Step[]],
    async run(step, { runAll }) {
      for (let round = 0; round < Number(step.repeat); round += 1) await runAll(step.steps as Step[]);
    },
  },
  {
    name: 'newSession',
    says: 'The steps on a connection of their own, opened and closed here.',
    heading: () => 'On a connection of its own',
    schema: { newSession: partOf('steps') },
    traits: { opensAnother: true },
    within: ({ newSession }) => [newSession as Step[]],
    // If only one connection is supported, the outer one is closed for it.
    runsWithoutConnection: (context) => context.oneAtATime(),
    run: runOnNewSession,
  },
];

async function forEachList(step: Json, { scope, runAll }: StepWork): Promise<void> {
  const lists = stepsOfLists(step, scope.peer.serverCapabilities ?? {});
  // Pages come one after another; those of one list have nothing to do with those of another.
  const isWalk = lists.flat().every((one) => typeof one === 'object' && 'paginate' in one);
  if (isWalk) await Promise.all(lists.map((one) => runAll(one)));
  else for (const one of lists) await runAll(one);
}

/** The steps of a `forEachList`, once for each list that the capabilities promise, with its method put in. */
export function stepsOfLists({ forEachList: steps }: Json, capabilities: Json): Step[][] {
  const text = JSON.stringify(steps);
  return listMethods
    .filter(({ capability }) => capability in capabilities)
    .map(({ method }) => JSON.parse(text.replaceAll('{{method}}', method)) as Step[]);
}

async function runSideBySide(step: Json, { context, runAll }: StepWork): Promise<void> {
  const branches = step.parallel as Step[][];
  const apart = branches.every(([first]) => typeof first === 'object' && 'newSession' in first);
  if (apart && context.oneAtATime()) for (const branch of branches) await runAll(branch);
  else await Promise.all(branches.map((branch) => runAll(branch)));
}

async function runOnNewSession(step: Json, { scope, context, runAll }: StepWork): Promise<void> {
  if (context.oneAtATime()) await scope.peer.close();
  const peer = await context.open();
  try {
    await runAll(step.newSession as Step[], peer);
  } finally {
    await peer.close();
  }
}
