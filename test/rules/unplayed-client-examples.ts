/**
 * Examples of rules about clients that the puppet client cannot play against the live situation, with the reason. An example
 * that gets its verdict live has to leave the list.
 */
import type { TransportKind } from '../../src/core/model/trace.ts';

interface Unplayed {
  why: string;
  /** Rules by id, with the numbers of their examples; all of them where there is none. */
  examples: Readonly<Record<string, readonly number[]>>;
  /** All where it is absent. */
  on?: readonly TransportKind[];
}

/** Rules whose examples need more than a server of MCP. */
export const unplayedAreas: Readonly<Record<string, string>> = {
  authorization:
    'codes, tokens and addresses are those of an authorization server that the example makes up; the reference client logs in for them (login-faults.ts)',
};

const unplayed: readonly Unplayed[] = [
  {
    why: 'the live server cancels, asks and makes tasks in an order of its own, so the client does not get to what the example shows',
    examples: {
      'cancellation/client-receiver-invalid-notices': [2],
      'cancellation/client-receiver-response-suppression': [2],
      'cancellation/client-sender-late-response': [4, 5],
      'elicitation/complete-client-unknown-id': [0, 1],
      'ext-tasks/client-declaration-empty-settings': [4],
      'ext-tasks/declaration-client-place': [4],
      'ext-tasks/get-client-interval': [3],
      'ext-tasks/get-client-perseverance': [3, 4],
      'ext-tasks/update-client-keys': [0, 1, 2, 5],
      'ext-tasks/update-client-once': [0, 1, 2, 3, 5],
      'jsonrpc/batch-reception-of-clients': [0, 5],
      'tasks/get-polling-duration': [0, 2],
      'tasks/input-result-call': [4],
      'tasks/client-capability-undeclared-processing': [2],
      'tasks/client-errors-unknown-task': [2],
    },
  },
  {
    why: 'the same, but for HTTP, where a reply of its own brings each message of the server',
    examples: {
      'cancellation/client-race-tolerance': [1],
      'cancellation/client-receiver-invalid-notices': [0, 3],
      'cancellation/client-receiver-work-stop': [2],
    },
    on: ['stdio', 'sse'],
  },
  {
    why: 'the same over stdio alone',
    examples: {
      'cancellation/client-receiver-response-suppression': [1],
      'jsonrpc/batch-reception-of-clients': [4],
      'tasks/client-errors-informative-message': [1],
      'tasks/client-errors-unknown-task': [0],
    },
    on: ['stdio'],
  },
  {
    why: 'the same over HTTP alone',
    examples: { 'tasks/get-polling-duration': [3] },
    on: ['http'],
  },
  {
    why: 'the live server waits for the answer for longer than the puppet waits for what the server does next',
    examples: { 'tasks/input-client-stream-expectation': [2] },
  },
  {
    why: 'the live server refuses the very first request, in its own way, and no other one',
    examples: {
      'http/compat-client-old-transport-fallback': [3],
      'versioning/era-client-memory': [0, 1, 3],
      'versioning/http-probe-error-body-inspection': [3, 4],
      'versioning/http-probe-unrecognised-body-fallback': [2],
      'versioning/stdio-probe-discovery-first': [2],
      'versioning/stdio-probe-fallback-trigger': [1],
      'versioning/stdio-probe-modern-error-fallback': [2, 3],
      'versioning/unsupported-client-retry': [1, 2],
    },
  },
  {
    why: 'the live server announces a time, and sends an event before it drops the connection, which the example does not have',
    examples: { 'http/resume-client-last-event-id': [1, 4], 'http/sse-client-retry-delay': [2] },
  },
  {
    why: 'the live server gives a list in one form alone, and the example compares two',
    examples: {
      'http/header-name-client-case-insensitivity': [0, 1],
      'http/post-client-response-types': [0, 1, 2, 3],
      'http/sse-client-comment-handling': [0, 1],
      'jsonrpc/result-type-unrecognised': [0],
      'meta/client-key-value-assumptions': [1],
      'pagination/client-empty-cursor': [1],
    },
  },
  {
    why: 'the client runs tasks for its server, which asks for none of its own',
    examples: {
      'cancellation/client-task-dedicated-method': [2],
      'progress/client-task-terminal-stop': [0, 1, 2],
      'progress/client-task-token-continuation': [0, 1],
      'tasks/client-cancel-terminal-rejection': [0, 1, 2, 3],
      'tasks/client-cancel-transition-order': [0, 1],
      'tasks/client-capability-list-and-cancel': [0, 1, 2, 3, 4],
      'tasks/client-capability-requestor-abstention': [0, 1],
      'tasks/client-capability-requestor-adherence': [1],
      'tasks/client-get-poll-interval': [0, 1, 2],
      'tasks/client-id-type': [0, 1, 2],
      'tasks/client-related-message-metadata': [0, 1, 2],
      'tasks/client-related-result-metadata': [0, 1, 2],
      'tasks/client-related-result-omission': [0, 1, 2],
      'tasks/client-result-final-outcome': [0, 1, 2, 3, 4, 5],
      'tasks/client-schema-get-and-cancel-result': [0, 1, 2],
      'tasks/client-schema-list-result': [0, 1, 2, 3, 4],
      'tasks/client-schema-task': [2, 4],
      'tasks/client-status-initial': [0, 1, 2, 3],
      'tasks/client-status-transitions': [0, 1, 3, 4],
      'tasks/client-ttl-created-at': [4, 7],
      'tasks/client-ttl-effective-value': [0, 1, 2, 3, 4],
      'tasks/client-ttl-last-updated-at': [3],
    },
  },
  {
    why: 'the questions of the live server have no progress token',
    examples: {
      'progress/client-flow-completion-stop': [0, 1],
      'progress/client-token-active-reference': [0, 1],
    },
  },
  {
    why: 'the live server asks a question that the example has it not ask',
    examples: {
      'elicitation/request-default-mode': [3],
      'sampling/client-security-content-validation': [2],
      'sampling/errors-tool-result-missing': [3],
      'sampling/errors-tool-result-mixed': [3],
      'sampling/tool-choice-mandatory-use': [2],
      'sampling/tool-choice-none': [5],
    },
  },
  {
    why: 'the live server does not declare what the example has it declare, or does what the example has it leave out',
    examples: {
      'capabilities/client-negotiation-declaration-adherence': [2, 3, 4],
      'prompts/capability-negotiation': [2],
      'resources/subscribe-capability': [1],
      'tools/capability-client-use': [2],
      'tasks/tool-capability-absence': [2],
      'tasks/tool-forbidden-client': [3],
      'tasks/tool-mandatory-client': [0, 1],
      'http/param-header-absent-omission': [3],
      'http/param-header-client-tool-exclusion': [3],
      'http/param-header-integer-range': [4],
      'http/param-header-mismatch-retry': [5],
      'ext-tasks/notification-client-polling': [3],
      'tasks/get-polling-duration': [6],
      'tasks/input-result-call': [5],
      'ext-tasks/cancel-client-method': [5],
      'ext-tasks/declaration-client-both-results': [5],
      'ext-tasks/declaration-client-unsupported-request': [5],
      'ext-tasks/get-client-perseverance': [6],
      'ext-tasks/update-client-fulfilment': [5],
      'ext-tasks/update-client-observation': [4],
    },
  },
  {
    why: 'the live server answers otherwise: it ends no stream by itself, sends no notification of its own, or answers what the example has it leave open',
    examples: {
      'http/get-client-close': [1],
      'http/sse-client-cancellation': [2],
      'http/sse-lost-request-reissue': [2, 3],
      'http/streams-client-concurrency': [0],
      'tasks/get-sse-disconnection': [0],
      'tasks/result-sse-disconnection': [0],
      'cancellation/client-notification-in-progress-request': [1],
      'session/end-client-delete': [4],
      'session/end-client-restart': [4],
      'subscriptions/reconnection-stdio-resubscription': [5],
    },
  },
  {
    why: 'the live server asks once what the example has it ask again',
    examples: {
      'jsonrpc/client-response-result-id': [4],
    },
  },
  {
    why: 'the example begins in the middle of a conversation, which a live one does not',
    examples: {
      'lifecycle/client-initialization-precedence': [5],
      'versioning/header-client-presence': [1],
      'versioning/initialize-client-disconnection': [8],
    },
  },
  {
    why: 'the client ended the server, which ends by itself in the example',
    examples: {
      'stdio/shutdown-stdin-closure': [2],
    },
  },
  {
    why: 'the run listens where its server names an address, and sees the end of the client',
    examples: {
      'elicitation/url-client-consent': [4],
      'elicitation/url-client-prefetch': [4],
      'icons/uri-https-or-data': [3, 4],
      'icons/uri-same-origin': [3],
      'schema/reference-client-network-fetch': [2, 3, 4],
    },
  },
  {
    why: 'the live server lingers whatever the example has it do, and the puppet ends it by SIGKILL',
    examples: { 'stdio/shutdown-sigkill': [1], 'stdio/shutdown-sigterm': [3, 4] },
  },
  {
    why: 'the puppet plays one connection after another in one start, so that none of them compares with other starts',
    examples: { 'stdio/process-unexpected-exit-restart': [1], 'stdio/stderr-failure-inference': [1, 2] },
  },
  {
    why: 'the live server wants a token of its own',
    examples: { 'icons/fetch-credential-absence': [0, 1, 2] },
  },
  {
    why: 'the live server refuses no token',
    examples: { 'jsonrpc/client-request-id-session-uniqueness': [1] },
  },
  {
    why: 'the live server has tasks, whose cancellation may leave the id out',
    examples: { 'cancellation/client-notification-request-id': [1] },
    on: ['stdio', 'http'],
  },
  {
    why: 'the live server sends notifications of its own over stdio alone',
    examples: { 'jsonrpc/client-notification-response-absence': [1] },
    on: ['http'],
  },
  {
    why: 'the live server asks for the roots of the client, which the example has it not ask for',
    examples: { 'roots/list-uri-scheme': [2] },
    on: ['stdio', 'sse'],
  },
];

/** Over HTTP each message waits for its reply: on a loaded machine not enough of them come in time. */
const paced: readonly string[] = ['ping/client-frequency-moderation', 'progress/client-flow-rate-limit'];

/** True where the speed of the machine decides whether an example with too many messages can be played. */
export function needsSpeed(rule: string, index: number, transport: TransportKind): boolean {
  return paced.includes(rule) && index === 1 && transport !== 'stdio';
}

/** Why the example is not played on that transport; undefined where it is. */
export function whyUnplayed(rule: string, index: number, transport: TransportKind): string | undefined {
  return (
    unplayedAreas[rule.slice(0, rule.indexOf('/'))] ??
    unplayed.find(({ examples, on }) => examples[rule]?.includes(index) && on?.includes(transport) !== false)?.why
  );
}
