/** Mutations of prompts and of completion. */
import type { JsonObject } from '../../../../server/protocol/json-rpc.ts';
import { errorCode, isObject } from '../../../../server/protocol/json-rpc.ts';
import type { Revision } from '../../../../server/protocol/revisions.ts';
import { allRevisions, statelessRevision } from '../../../../server/protocol/revisions.ts';
import { declaring, editing, resultOf, withError, withResult, without } from '../edits.ts';
import type { Mutation } from '../mutation.ts';
import { from, mutation } from '../mutation.ts';

type Given = Parameters<typeof mutation>[0];

function editingResult(
  method: string,
  rule: string,
  description: string,
  edit: (message: JsonObject) => JsonObject,
  rest: Partial<Given> = {},
): Mutation {
  return mutation({
    rule,
    revisions: allRevisions,
    description,
    change: { outgoing: editing(resultOf(method), edit) },
    ...rest,
  });
}

/** Another code for errors of a method whose message begins in a certain way. */
function recoding(
  rule: string,
  description: string,
  method: string,
  beginning: RegExp,
  rest: Partial<Given> = {},
): Mutation {
  return mutation({
    rule,
    revisions: allRevisions,
    description,
    change: {
      outgoing: editing(
        (about, message) =>
          about.kind === 'error' &&
          about.method === method &&
          beginning.test(String((message.error as JsonObject).message)),
        withError({ code: errorCode.internal }),
      ),
    },
    ...rest,
  });
}

const schemaOfMessages = ['prompts/get-message-schema'];

const prompts: readonly Mutation[] = [
  editingResult(
    'prompts/get',
    'prompts/get-result-schema',
    'The messages of a prompt are a text.',
    withResult((result) => ('messages' in result ? { messages: 'Hello' } : {})),
  ),
  recoding(
    'prompts/errors-missing-arguments',
    'A missing prompt argument is an internal error.',
    'prompts/get',
    /^The argument/,
  ),
  mutation({
    rule: 'prompts/get-argument-validation',
    revisions: allRevisions,
    description: 'A number for an argument ends up as the text of the prompt.',
    alsoBreaks: [...schemaOfMessages, 'meta/server-info-inclusion'],
    change: {
      outgoing: editing(
        (about, message) =>
          about.kind === 'error' &&
          about.method === 'prompts/get' &&
          String((message.error as JsonObject).message).startsWith('Prompt arguments'),
        (message, about) => ({
          jsonrpc: '2.0',
          id: message.id,
          result: {
            ...(about.era === 'stateless' ? { resultType: 'complete' } : {}),
            messages: [{ role: 'user', content: { type: 'text', text: 1 } }],
          },
        }),
      ),
    },
  }),
  recoding('prompts/errors-unknown-name', 'An unknown prompt is an internal error.', 'prompts/get', /^Unknown prompt/, {
    alsoBreaks: ['errors/code-invalid-params'],
  }),
];

const sinceCapability: readonly Revision[] = [...from('2025-03-26'), statelessRevision];

const completion: readonly Mutation[] = [
  mutation({
    rule: 'completion/capability-declaration',
    revisions: sinceCapability,
    description: 'Completion is offered but not declared, even for prompts that do not exist.',
    alsoBreaks: ['completion/errors-unsupported', 'capabilities/server-advertisement', 'meta/server-info-inclusion'],
    change: {
      outgoing: (message, about) => {
        const stripped = declaring((declared) => without(declared, 'completions'))(message, about);
        if (about.method !== 'completion/complete' || about.kind !== 'error') return stripped;
        const complete = about.era === 'stateless' ? { resultType: 'complete' } : {};
        return [{ jsonrpc: '2.0', id: message.id, result: { ...complete, completion: { values: ['someone'] } } }];
      },
    },
  }),
  mutation({
    rule: 'completion/errors-unsupported',
    revisions: sinceCapability,
    description: 'A server without completion calls a request for it invalid.',
    change: {
      capabilities: (declared) => without(declared, 'completions'),
      outgoing: editing(
        (about) => about.kind === 'error' && about.method === 'completion/complete',
        withError({ code: errorCode.invalidRequest }),
      ),
    },
  }),
  mutation({
    rule: 'completion/server-input-validation',
    revisions: sinceCapability,
    description: 'A reference of an unknown type has no completions, instead of being refused.',
    alsoBreaks: ['meta/server-info-inclusion'],
    change: {
      outgoing: editing(
        (about, message) =>
          about.kind === 'error' &&
          about.method === 'completion/complete' &&
          String((message.error as JsonObject).message).startsWith('Unknown type'),
        (message, about) => ({
          jsonrpc: '2.0',
          id: message.id,
          result: { ...(about.era === 'stateless' ? { resultType: 'complete' } : {}), completion: { values: [] } },
        }),
      ),
    },
  }),
  recoding(
    'completion/errors-missing-arguments',
    'A completion request without its argument is an internal error.',
    'completion/complete',
    /^The parameter argument/,
    { revisions: sinceCapability },
  ),
  recoding(
    'completion/errors-prompt-name',
    'Completion for an unknown prompt is an internal error.',
    'completion/complete',
    /^Unknown prompt/,
    { revisions: sinceCapability },
  ),
  editingResult(
    'completion/complete',
    'completion/result-value-maximum',
    'A completion has 150 values.',
    withResult(({ completion: found }) =>
      isObject(found)
        ? { completion: { ...found, values: Array.from({ length: 150 }, (_, index) => `value ${index}`), total: 150 } }
        : {},
    ),
    { revisions: sinceCapability, alsoBreaks: ['completion/result-schema'] },
  ),
];

export const promptMutations: readonly Mutation[] = [...prompts, ...completion];
