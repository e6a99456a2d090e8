/** Faults of behaviour: what the reference client leaves out, or declares otherwise, and the rule that fails then. */
import type { TransportKind } from '../../src/core/model/trace.ts';
import type { ReferenceOptions } from './client.ts';

export interface DutyFault {
  rule: string;
  name: string;
  options: Pick<ReferenceOptions, 'neglects' | 'capabilities' | 'variant'>;
  alsoBreaks?: string[];
  /** Rules whose starts it takes as well. */
  starts?: string[];
  transports?: TransportKind[];
  revisions?: string[];
}

const samplesWithTools = { sampling: { tools: {} } };
const elicitsForms = { elicitation: { form: {} } };

/** Where servers ask in requests of their own; what a client answers to questions in results is not looked at yet. */
const stateful = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const askedByRequest = /^(sampling|elicitation|roots|jsonrpc\/client-notification)/;

export const duties: readonly DutyFault[] = [
  left('lifecycle/initialization-initialized-notification', 'announce-initialized', ['*']),
  left('lifecycle/client-initialization-precedence', 'initialize-first', [
    'session/id-client-echo',
    'versioning/header-client-presence',
    'session/end-client-restart',
  ]),
  left('versioning/initialize-client-disconnection', 'leave-unknown-versions', [
    'versioning/header-client-presence',
    'versioning/negotiated-adherence',
    'meta/key-prefix-reservation',
  ]),
  left('session/end-client-restart', 'restart-lost-sessions'),
  left('http/sse-client-polling', 'resume-streams'),
  left('http/param-header-client-tool-exclusion', 'leave-out-unsound-tools'),
  left('http/param-header-integer-range', 'keep-integers-safe'),
  left('http/param-header-mismatch-retry', 'list-again-after-mismatches'),
  left('http/sse-lost-request-reissue', 'ask-again-under-new-ids'),
  left('http/sse-client-cancellation', 'say-what-is-cancelled'),
  {
    ...left('http/compat-client-old-transport-fallback', 'look-at-the-same-address'),
    options: { neglects: ['look-at-the-same-address'], variant: new Set(['looks-for-old-servers']) },
  },
  left('session/end-client-delete', 'delete-sessions'),
  left('sse-legacy/endpoint-client-posting', 'post-to-the-endpoint'),
  left('pagination/client-cursor-opacity', 'keep-cursors'),
  ...[
    'tools/capability-client-use',
    'prompts/capability-negotiation',
    'capabilities/client-negotiation-declaration-adherence',
  ].map((rule) => ({
    ...left(rule, 'use-only-what-is-declared', [
      'tools/capability-client-use',
      'prompts/capability-negotiation',
      'capabilities/client-negotiation-declaration-adherence',
    ]),
    ...(rule.startsWith('capabilities/') ? { revisions: stateful } : {}),
  })),
  left('ext-tasks/declaration-client-place', 'declare-tasks-in-each-request'),
  left('ext-tasks/get-client-interval', 'heed-poll-intervals'),
  left('ext-tasks/update-client-keys', 'answer-open-questions-alone'),
  left('ext-tasks/update-client-once', 'answer-questions-once'),
  left('ext-tasks/declaration-client-both-results', 'read-task-ids'),
  left('ext-tasks/declaration-client-unsupported-request', 'take-tasks-of-calls-alone'),
  left('jsonrpc/batch-reception-of-clients', 'take-batches'),
  left('tasks/get-polling-duration', 'poll-to-the-end'),
  left('tasks/input-result-call', 'ask-for-results-early'),
  {
    ...left('tasks/input-client-stream-expectation', 'answer-on-listening-streams'),
    options: { neglects: ['answer-on-listening-streams'], variant: new Set(['opens-streams']) },
  },
  {
    ...left('tasks/status-notification-continued-polling', 'poll-despite-notifications'),
    transports: ['stdio'],
  },
  left('tasks/list-cursor-opacity', 'keep-cursors-of-tasks', ['pagination/client-cursor-opacity']),
  left('ext-tasks/cancel-client-method', 'cancel-tasks-by-id'),
  left('ext-tasks/get-client-perseverance', 'poll-to-the-end', [
    'ext-tasks/update-client-fulfilment',
    'ext-tasks/update-client-observation',
  ]),
  left('ext-tasks/update-client-observation', 'watch-after-answers', ['ext-tasks/get-client-perseverance']),
  left('ext-tasks/update-client-fulfilment', 'answer-task-questions', ['ext-tasks/get-client-perseverance']),
  left('elicitation/complete-client-unknown-id', 'ignore-unknown-completions', [
    'jsonrpc/client-notification-response-absence',
  ]),
  left('cancellation/client-receiver-invalid-notices', 'ignore-stray-cancellations', [
    'jsonrpc/client-notification-response-absence',
  ]),
  { ...left('cancellation/client-race-tolerance', 'survive-late-cancellations'), revisions: stateful },
  {
    ...left('cancellation/client-sender-late-response', 'ignore-late-responses', ['jsonrpc/client-response-error-id']),
    revisions: stateful,
  },
  {
    ...left('cancellation/client-sender-late-response', 'ignore-late-responses', ['stdio/stdin-client-responses']),
    transports: ['stdio'],
    revisions: ['2026-07-28'],
  },
  left('cancellation/client-receiver-response-suppression', 'keep-cancelled-requests-unanswered'),
  left('cancellation/client-receiver-work-stop', 'stop-cancelled-work'),
  left('jsonrpc/client-notification-response-absence', 'keep-notifications-unanswered', ['*']),
  left('sampling/client-security-content-validation', 'check-sampling-messages'),
  ...['sampling/errors-tool-result-missing', 'sampling/errors-tool-result-mixed'].map((rule) => ({
    ...left(rule, 'check-sampling-messages', [
      'sampling/errors-tool-result-missing',
      'sampling/errors-tool-result-mixed',
      'sampling/client-security-content-validation',
    ]),
    options: { neglects: ['check-sampling-messages' as const], capabilities: samplesWithTools },
  })),
  ...['sampling/tool-choice-none', 'sampling/tool-choice-mandatory-use'].map((rule) => ({
    ...left(rule, 'heed-tool-choice', ['sampling/tool-choice-none', 'sampling/tool-choice-mandatory-use']),
    options: { neglects: ['heed-tool-choice' as const], capabilities: samplesWithTools },
  })),
  ...['elicitation/url-client-prefetch', 'elicitation/url-client-consent'].map((rule) => ({
    rule,
    name: 'leave-addresses-alone',
    options: {
      neglects: ['leave-addresses-alone' as const],
      variant: new Set(['declines' as const]),
      capabilities: { elicitation: { form: {}, url: {} } },
    },
    alsoBreaks: ['elicitation/url-client-prefetch', 'elicitation/url-client-consent'],
  })),
  left('schema/reference-client-network-fetch', 'leave-references-alone'),
  left('icons/uri-https-or-data', 'leave-icons-alone'),
  ...(
    [
      ['uri-same-origin', 'load-icons-of-the-server'],
      ['uri-unsafe-scheme', 'leave-sockets-alone'],
      ['fetch-credential-absence', 'load-icons-without-credentials'],
      ['fetch-cross-origin-redirect', 'stay-at-redirects'],
    ] as const
  ).map(([rule, duty]) => ({
    rule: `icons/${rule}`,
    name: duty,
    options: { neglects: ['leave-icons-alone' as const, duty] },
    // What can be seen of a client that loads icons is that it loads them by http.
    alsoBreaks: ['icons/uri-https-or-data'],
  })),
  left('versioning/unsupported-client-retry', 'take-supported-versions'),
  ...['versioning/http-probe-error-body-inspection', 'versioning/stdio-probe-modern-error-fallback'].map((rule) =>
    left(rule, 'stay-in-the-era', ['versioning/unsupported-client-retry']),
  ),
  ...['versioning/http-probe-unrecognised-body-fallback', 'versioning/stdio-probe-fallback-trigger'].map((rule) => ({
    ...left(rule, 'fall-back-after-any-error'),
    options: { neglects: ['fall-back-after-any-error' as const], variant: new Set(['both-eras' as const]) },
    starts: ['versioning/era-client-memory'],
  })),
  left('versioning/stdio-probe-discovery-first', 'discover-first'),
  { ...left('versioning/era-client-memory', 'remember-the-era'), transports: ['stdio'] },
  left('http/sse-client-retry-delay', 'wait-before-resuming'),
  { ...left('http/resume-client-last-event-id', 'name-the-newest-event'), revisions: ['2025-11-25'] },
  { ...left('http/post-client-response-types', 'read-streams'), revisions: ['2026-07-28'] },
  left('http/sse-client-comment-handling', 'skip-comments'),
  left('http/header-name-client-case-insensitivity', 'take-headers-in-any-case'),
  left('pagination/client-empty-cursor', 'follow-empty-cursors'),
  left('jsonrpc/result-type-unrecognised', 'leave-unknown-results'),
  left('meta/client-key-value-assumptions', 'ignore-unknown-meta'),
  left('mrtr/client-state-echo', 'return-state'),
  left('mrtr/client-invented-state', 'invent-no-state'),
  left('mrtr/client-retry-id', 'retry-under-new-ids'),
  left('mrtr/client-input-construction', 'answer-each-question'),
  left('mrtr/client-retry-content', 'repeat-the-request'),
  left('mrtr/client-request-isolation', 'keep-states-apart'),
  left('mrtr/client-response-shapes', 'bring-bare-results', [
    'elicitation/result-schema',
    'roots/list-result-schema',
    'sampling/result-schema',
    'tools/call-request-schema',
  ]),
  left('stdio/shutdown-stdin-closure', 'close-stdin-first'),
  {
    ...left('stdio/stderr-failure-inference', 'overlook-stderr'),
    // Enough of them to compare with.
    starts: ['stdio/shutdown-sigterm', 'pagination/client-empty-cursor', 'jsonrpc/result-type-unrecognised'],
  },
  {
    ...left('stdio/process-unexpected-exit-restart', 'restart-servers'),
    starts: ['stdio/stderr-failure-inference', 'pagination/client-empty-cursor', 'jsonrpc/result-type-unrecognised'],
  },
  left('subscriptions/reconnection-stdio-resubscription', 'listen-again'),
  left('stdio/shutdown-sigterm', 'terminate-first'),
  left('stdio/shutdown-sigkill', 'kill-at-last'),
  left('jsonrpc/client-request-id-session-uniqueness', 'fresh-ids', ['*']),
  {
    ...left('jsonrpc/request-id-in-flight-uniqueness', 'fresh-ids', ['*']),
    options: { neglects: ['fresh-ids'], variant: new Set(['in-parallel']) },
  },
  left('errors/client-code-method-not-found', 'refuse-unknown-methods'),
  {
    ...left('elicitation/errors-unsupported-mode', 'refuse-unoffered-modes'),
    options: { neglects: ['refuse-unoffered-modes'], capabilities: elicitsForms },
  },
  left('sampling/capability-tools-client-error', 'refuse-undeclared-tools'),
  {
    ...left('elicitation/request-default-mode', 'take-no-mode-for-a-form'),
    options: { neglects: ['take-no-mode-for-a-form'], capabilities: elicitsForms },
  },
  ...(['roots', 'sampling', 'elicitation'] as const).map((name) => ({
    rule: `${name}/capability-per-request-declaration`,
    name: 'declare-on-retries',
    options: { neglects: ['declare-on-retries' as const] },
    alsoBreaks: ['roots', 'sampling', 'elicitation'].map((one) => `${one}/capability-per-request-declaration`),
  })),
  ...(['roots', 'sampling', 'elicitation'] as const).map((name) => ({
    ...left(`${name}/capability-declaration`, 'refuse-unoffered-methods'),
    options: { neglects: ['refuse-unoffered-methods' as const], capabilities: {} },
    alsoBreaks: [
      'roots/capability-declaration',
      'sampling/capability-declaration',
      'elicitation/capability-declaration',
      'roots/errors-unsupported',
    ],
  })),
];

function left(rule: string, duty: NonNullable<ReferenceOptions['neglects']>[number], alsoBreaks?: string[]): DutyFault {
  return {
    rule,
    name: duty,
    ...(askedByRequest.test(rule) ? { revisions: stateful } : {}),
    options: { neglects: [duty] },
    ...(alsoBreaks ? { alsoBreaks } : {}),
  };
}
