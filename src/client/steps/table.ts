/** All steps, what is known of a list of them before it runs, and the schema of a stimulus, which is made of them. */
import type { Step } from '../../core/model/rules/rule.ts';
import { announcingSteps, announcingWords } from './kinds/announcing-steps.ts';
import { featureSteps, featureWords } from './kinds/feature-steps.ts';
import { httpSteps } from './kinds/http-steps.ts';
import { messageSteps } from './kinds/message-steps.ts';
import { nestedSteps } from './kinds/nested-steps.ts';
import { sessionSteps, sessionWords } from './kinds/session-steps.ts';
import type { Json, ObjectStep, StepTraits, WordStep } from './support/step-kind.ts';
import { headerSteps } from './stateless/header-steps.ts';
import { roundTripSteps } from './stateless/round-trip-steps.ts';
import { extensionTaskSteps } from './stateless/extension-task-steps.ts';
import { subscriptionSteps } from './stateless/subscription-steps.ts';
import { taskSteps } from './kinds/task-steps.ts';
import { waitingSteps } from './kinds/waiting-steps.ts';
import { workWords } from './kinds/work-steps.ts';

/** Steps that are one word. */
export const wordSteps: readonly WordStep[] = [...sessionWords, ...featureWords, ...announcingWords, ...workWords];
/** Steps that are an object, each with a member of its own. */
export const objectSteps: readonly ObjectStep[] = [
  ...sessionSteps,
  ...messageSteps,
  ...waitingSteps,
  ...httpSteps,
  ...featureSteps,
  ...announcingSteps,
  ...taskSteps,
  ...headerSteps,
  ...roundTripSteps,
  ...subscriptionSteps,
  ...extensionTaskSteps,
  ...nestedSteps,
];

const words = new Map(wordSteps.map((kind) => [kind.name, kind]));
const objects = new Map(objectSteps.map((kind) => [kind.name, kind]));

/** The kind of a step that is one word. @throws Error for a word that is no step; loading rules finds it before */
export function wordStep(word: string): WordStep {
  const kind = words.get(word);
  if (!kind) throw new Error(`unknown step "${word}"`);
  return kind;
}

/** The kind of a step that is an object, by the member that names it. @throws Error when none does */
export function objectStep(step: Json): ObjectStep {
  // No name is a member of another step as well.
  for (const member in step) {
    const kind = objects.get(member);
    if (kind) return kind;
  }
  throw new Error(`unknown step ${JSON.stringify(step).slice(0, 100)}`);
}

/** Traits of steps and of all steps within them: a trait of any one. */
export function traitsOfSteps(steps: readonly Step[]): StepTraits {
  const all: StepTraits = {};
  for (const step of steps) {
    for (const [name, has] of Object.entries(traitsOf(step))) if (has === true) all[name as keyof StepTraits] = true;
  }
  return all;
}

/** Traits of a step itself, without its inner steps. */
export function ownTraits(step: Step): StepTraits {
  if (typeof step === 'string') return wordStep(step).traits ?? {};
  const { traits = {} } = objectStep(step);
  return typeof traits === 'function' ? traits(step) : traits;
}

function traitsOf(step: Step): StepTraits {
  const own = ownTraits(step);
  if (typeof step === 'string') return own;
  return {
    ...own,
    ...(typeof step.deviation === 'string' ? { deviates: true } : {}),
    ...traitsOfSteps(stepsWithin(step).flat()),
  };
}

/** The lists of steps within a step. */
export function stepsWithin(step: Json): Step[][] {
  return objectStep(step).within?.(step) ?? [];
}

/** The parts of the schema that several steps share. */
const parts = {
  steps: { type: 'array', minItems: 1, items: { $ref: '#/$defs/step' } },
  name: { type: 'string', pattern: '^[a-z][a-zA-Z0-9]*$' },
  headers: {
    description:
      'Changes to the headers that a correct client sends; null leaves one out, true keeps the spelling of its name.',
    type: 'object',
    additionalProperties: { anyOf: [{ type: ['string', 'null', 'object'] }, { const: true }] },
  },
  deviation: {
    description: 'Which rule of the protocol the checker breaks on purpose here.',
    type: 'string',
    minLength: 3,
  },
  arguments: {
    description: 'Sent as params.arguments in place of generated ones; a list where the call is to be malformed.',
    type: ['object', 'array'],
  },
  nearMisses: { type: 'integer', minimum: 1, maximum: 10 },
  each: {
    description:
      'Use all that fit, one after another, at most this many, and not only the best. Only tools that clearly do no harm.',
    type: 'integer',
    minimum: 2,
    maximum: 50,
  },
  message: {
    type: 'object',
    properties: {
      request: { type: 'string' },
      notify: { type: 'string' },
      params: {},
      id: {},
      as: { $ref: '#/$defs/name' },
    },
    additionalProperties: false,
    oneOf: [{ required: ['request'] }, { required: ['notify'] }],
  },
  choice: {
    description: 'Which tool, prompt or resource of the listing. The step is left out when there is none.',
    enum: [
      'any',
      'no-arguments',
      'with-arguments',
      'slow',
      'reports-progress',
      'asks-client',
      'logs',
      'announces',
      'unremarkable',
      'fails',
      'with-output-schema',
      'with-typed-arguments',
      'with-param-headers',
      'became-task',
    ],
  },
};

/** The JSON Schema of a stimulus: rules/language/stimulus.schema.json. */
export function stimulusSchema(): Json {
  const step = {
    oneOf: [
      { description: wordSteps.map(({ name, says }) => `${name}: ${says}`).join(' '), enum: [...words.keys()] },
      { type: 'string', pattern: '^use:[a-z][a-z0-9-]*$', description: 'A step list of rules/language/shared.json.' },
      ...objectSteps.map(({ name, says, schema, required }) => ({
        description: says,
        type: 'object',
        properties: schema,
        required: required ?? [name],
        additionalProperties: false,
      })),
    ],
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'stimulus.schema.json',
    title: 'The steps of a stimulus',
    description: 'The closed set of acts on the wire. A list of steps runs in order on one connection.',
    type: 'array',
    minItems: 1,
    items: { $ref: '#/$defs/step' },
    $defs: { ...parts, step },
  };
}
