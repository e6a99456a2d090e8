/** Prompts: one with arguments, one plain, one with content other than text. */
import type { JsonObject } from '../protocol/json-rpc.ts';
import { errorCode, isObject, RpcError } from '../protocol/json-rpc.ts';
import type { RequestContext } from '../session/request-context.ts';
import { atLeast } from '../protocol/revisions.ts';
import { fixturePrompts } from './fixtures/fixture-offers.ts';
import { askingPrompt, changedPrompt } from './fixtures/fixture-rounds.ts';
import type { Prompt } from './kinds/offers.ts';
import { listPage } from './kinds/lists.ts';
import { pngBase64, wavBase64 } from './kinds/samples.ts';

function said(text: string): JsonObject {
  return { role: 'user', content: { type: 'text', text } };
}

const prompts: readonly Prompt[] = [
  {
    name: 'greet',
    title: 'Greet',
    description: 'Asks for a greeting.',
    arguments: [
      { name: 'name', description: 'Who is greeted.', required: true },
      { name: 'style', description: 'formal, friendly or funny.', required: false },
    ],
    render: (given) => [said(`Write a ${String(given.style ?? 'friendly')} greeting for ${String(given.name)}.`)],
  },
  {
    name: 'summary',
    title: 'Summary',
    description: 'Asks for a summary of the conversation.',
    render: () => [said('Summarise what was said so far.')],
  },
  {
    name: 'review',
    title: 'Review',
    description: 'Asks for a review of a note, a picture and, where the revision has audio, a sound.',
    render: (_given, context) => [
      said('Review what is attached.'),
      {
        role: 'user',
        content: { type: 'resource', resource: { uri: 'demo://notes/1', mimeType: 'text/plain', text: 'Note 1' } },
      },
      { role: 'user', content: { type: 'image', data: pngBase64, mimeType: 'image/png' } },
      ...(atLeast(context.revision, '2025-03-26')
        ? [{ role: 'user', content: { type: 'audio', data: wavBase64, mimeType: 'audio/wav' } }]
        : []),
    ],
  },
];

const bonusPrompt: Prompt = {
  name: 'bonus',
  title: 'Bonus',
  description: 'Listed only while the lists are extended by change-lists.',
  render: () => [said('Say bonus.')],
};

function available(context: RequestContext): Prompt[] {
  const offered = [...(context.host.fixtures ? [askingPrompt, ...fixturePrompts] : []), ...prompts].filter(
    ({ since = context.revision }) => context.revision >= since,
  );
  return [
    ...offered,
    ...(context.world.bonus ? [bonusPrompt] : []),
    ...(context.world.fixturePrompt ? [changedPrompt] : []),
  ];
}

export function findPrompt(name: unknown, context: RequestContext): Prompt | undefined {
  return available(context).find((prompt) => prompt.name === name);
}

export function listPrompts(params: JsonObject, context: RequestContext): JsonObject {
  const items = available(context).map((prompt) => ({
    name: prompt.name,
    ...(atLeast(context.revision, '2025-06-18') ? { title: prompt.title } : {}),
    description: prompt.description,
    ...(prompt.arguments === undefined ? {} : { arguments: prompt.arguments }),
  }));
  return listPage('prompts', items, params, context);
}

/** @throws RpcError -32602 for an unknown prompt or a missing or malformed argument */
export async function getPrompt(params: JsonObject, context: RequestContext): Promise<JsonObject> {
  if (!context.host.keeps('check-required-params') && params.name === undefined) return { messages: [] };
  const prompt = findPrompt(params.name, context);
  if (prompt === undefined) throw new RpcError(errorCode.invalidParams, 'Unknown prompt', { reason: 'params' });
  const given = params.arguments ?? {};
  if (!isObject(given) || Object.values(given).some((value) => typeof value !== 'string')) {
    throw new RpcError(errorCode.invalidParams, 'Prompt arguments have to be strings', { reason: 'params' });
  }
  const missing = (prompt.arguments ?? []).find((argument) => argument.required && given[argument.name] === undefined);
  if (missing !== undefined)
    throw new RpcError(errorCode.invalidParams, `The argument ${missing.name} is missing`, { reason: 'params' });
  return { description: prompt.description, messages: await prompt.render(given, context) };
}
