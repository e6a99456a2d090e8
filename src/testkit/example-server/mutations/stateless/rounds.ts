/** Mutations of multi round-trips (2026-07-28: basic/patterns/mrtr). */
import type { Duty } from '../../../../server/session/behaviour.ts';
import type { JsonObject } from '../../../../server/protocol/json-rpc.ts';
import { errorCode, isObject } from '../../../../server/protocol/json-rpc.ts';
import { statelessRevision } from '../../../../server/protocol/revisions.ts';
import { metaKey } from '../../../../server/dispatch/stateless-meta.ts';
import { editing, refuse, resultOf } from '../edits.ts';
import type { Mutation } from '../mutation.ts';
import { mutation } from '../mutation.ts';

type Given = Parameters<typeof mutation>[0];

function rounds(given: Given): Mutation {
  return mutation({ transports: ['stdio', 'http'], revisions: [statelessRevision], ...given });
}

function omission(rule: string, description: string, neglects: readonly Duty[], rest: Partial<Given> = {}): Mutation {
  return rounds({ rule, description, change: { neglects }, ...rest });
}

const asker = 'list-roots';

function paramsOf(message: JsonObject): JsonObject {
  return isObject(message.params) ? message.params : {};
}

/** True if a retry has an acceptance, or lacks one. */
function declines(message: JsonObject): boolean {
  const { inputResponses } = paramsOf(message);
  return (
    isObject(inputResponses) &&
    Object.values(inputResponses).some((one) => isObject(one) && (one.action === 'decline' || one.action === 'cancel'))
  );
}

/** True if a retry has an empty object in place of answers. */
function bringsNothing(message: JsonObject): boolean {
  const { inputResponses } = paramsOf(message);
  return isObject(inputResponses) && Object.keys(inputResponses).length === 0;
}

function bringsMore(message: JsonObject): boolean {
  const { inputResponses } = paramsOf(message);
  return isObject(inputResponses) && Object.keys(inputResponses).some((key) => key.includes('nobody'));
}

/** True if a call of the tool that asks for roots is a new one, by a client that can be asked. */
function begins(message: JsonObject): boolean {
  const { name, requestState, _meta } = paramsOf(message);
  const capabilities = isObject(_meta) ? _meta[metaKey.clientCapabilities] : undefined;
  return (
    message.method === 'tools/call' &&
    name === asker &&
    requestState === undefined &&
    isObject(capabilities) &&
    isObject(capabilities.roots)
  );
}

export const roundMutations: readonly Mutation[] = [
  omission(
    'mrtr/result-declared-capabilities',
    'Clients are asked for what they have not declared.',
    ['ask-only-declared-capabilities'],
    {
      alsoBreaks: [
        'elicitation/capability-server-mode-use',
        'sampling/capability-tools-server-use',
        'capabilities/client-missing-error',
        'capabilities/client-missing-error-data',
        'capabilities/client-missing-error-400',
      ],
    },
  ),
  rounds({
    rule: 'mrtr/result-key-uniqueness',
    description: 'The first entry of each inputRequests comes twice.',
    change: {
      bytes: (text) =>
        Buffer.from(
          text.replace(
            /"inputRequests":\{("(?:[^"\\]|\\.)*"):/,
            (start, key: string) => `${start}{"method":"roots/list"},${key}:`,
          ),
          'utf8',
        ),
    },
  }),
  rounds({
    rule: 'elicitation/complete-removal',
    description: 'Ahead of each tool result comes notifications/elicitation/complete.',
    alsoBreaks: [
      'elicitation/complete-identifier',
      'elicitation/complete-initiator',
      'http/sse-message-per-event',
      'http/sse-interim-relevance',
    ],
    change: {
      outgoing: editing(resultOf('tools/call'), (message) => [
        { jsonrpc: '2.0', method: 'notifications/elicitation/complete', params: { elicitationId: 'gone' } },
        message,
      ]),
    },
  }),
  rounds({
    rule: 'elicitation/server-decline-handling',
    description: 'A retry that brings a decline is never answered.',
    change: { incoming: (message) => declines(message) },
  }),
  rounds({
    rule: 'mrtr/server-missing-responses',
    description: 'A retry without answers is refused.',
    change: {
      incoming: (message, _session, sink) =>
        bringsNothing(message) && refuse(message, sink, errorCode.invalidParams, 'An answer is missing'),
    },
  }),
  rounds({
    rule: 'mrtr/server-unexpected-responses',
    description: 'A retry with an unrequested answer is refused.',
    change: {
      incoming: (message, _session, sink) =>
        bringsMore(message) && refuse(message, sink, errorCode.invalidParams, 'An answer was not asked for'),
    },
  }),
  omission(
    'mrtr/server-protocol-errors',
    'Whatever comes as inputResponses is taken for the answers.',
    ['check-input-responses'],
    { alsoBreaks: ['mrtr/server-response-validation'] },
  ),
  omission(
    'mrtr/server-response-validation',
    'Whatever comes as an answer is taken for one.',
    ['check-input-responses'],
    { alsoBreaks: ['mrtr/server-protocol-errors'] },
  ),
  omission('mrtr/state-tampering-rejection', 'The code that seals a state is not looked at.', ['verify-state']),
  omission('mrtr/state-request-binding', 'A state serves for every request.', ['bind-state']),
  rounds({
    rule: 'mrtr/server-retry-assumption',
    description: 'A client that was asked for roots must answer: the next call without an answer is refused.',
    alsoBreaks: [
      // Its refusal comes before that of a header.
      'http/version-header-mismatch-rejection',
      'http/validation-code-32020',
      'http/validation-status-400',
      'http/validation-missing-name-header',
      'versioning/unsupported-method-coverage',
    ],
    change: {
      incoming(message, session, sink) {
        const { scratch } = session.host;
        const owed = Number(scratch.get('owed') ?? 0);
        if (!begins(message)) {
          const brings =
            message.method === 'tools/call' &&
            paramsOf(message).name === asker &&
            paramsOf(message).requestState !== undefined;
          if (brings) scratch.set('owed', Math.max(0, owed - 1));
          return false;
        }
        scratch.set('owed', owed > 0 ? 0 : 1);
        if (owed > 0) return refuse(message, sink, errorCode.invalidRequest, 'An answer is owed');
        return false;
      },
    },
  }),
];
