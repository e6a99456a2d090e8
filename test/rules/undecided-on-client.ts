/** Rules about clients that stay undecided on the faultless reference client, with the reason. What is decided has to leave it. */
import type { ClientSetting } from '../support/reference-client.ts';

interface UndecidedOfClient {
  why: string;
  rules: readonly string[];
  at?: readonly string[];
  on?: readonly string[];
}

const stateful = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

const undecided: readonly UndecidedOfClient[] = [
  {
    why: 'it shows a metadata document in guarded starts alone',
    rules: [
      'authorization/cimd-document-client-id',
      'authorization/cimd-document-https',
      'authorization/cimd-document-members',
    ],
    at: ['2025-11-25', '2026-07-28'],
    on: ['http'],
  },
  {
    why: 'it speaks one era there, and looks for no other',
    rules: ['versioning/era-client-memory', 'versioning/http-probe-unrecognised-body-fallback'],
    at: ['2026-07-28'],
    on: ['http'],
  },
  {
    why: 'it speaks one era there, and falls back to no other',
    rules: ['versioning/stdio-probe-fallback-trigger'],
    at: ['2026-07-28'],
    on: ['stdio'],
  },
  {
    why: 'it opens no listening stream, on which notifications and requests of tasks would come',
    rules: ['tasks/status-notification-continued-polling', 'tasks/input-client-stream-expectation'],
    at: ['2025-11-25'],
    on: ['http'],
  },
  {
    why: 'no situation has it call a tool that must run as a task',
    rules: ['tasks/tool-mandatory-client'],
    at: ['2025-11-25'],
  },
  {
    why: 'it knows no older transport',
    rules: ['http/compat-client-old-transport-fallback'],
    at: ['2025-03-26', '2025-06-18', '2025-11-25'],
    on: ['http'],
  },
  {
    why: 'it asks for what removed methods are about in 2026-07-28 alone',
    rules: ['capabilities/negotiation-removed-methods'],
    at: stateful,
  },
  {
    why: 'it loads no icons',
    rules: [
      'icons/fetch-credential-absence',
      'icons/fetch-cross-origin-redirect',
      'icons/uri-same-origin',
      'icons/uri-unsafe-scheme',
    ],
  },
  { why: 'completions have no capability there', rules: ['completion/request-schema'], at: ['2024-11-05'] },
  {
    why: 'it refuses what it did not declare, and a result alone shows what a client that does not',
    rules: ['sampling/capability-tools-declaration'],
  },
  {
    why: 'it makes no tasks for its server',
    rules: [
      'tasks/client-create-result',
      'tasks/client-errors-unknown-task',
      'tasks/client-schema-create-result',
      'cancellation/client-task-dedicated-method',
      'progress/client-task-terminal-stop',
      'progress/client-task-token-continuation',
      'tasks/client-capability-requestor-abstention',
      'tasks/client-capability-requestor-adherence',
      'tasks/client-id-type',
      'tasks/client-related-message-metadata',
      'tasks/client-schema-status-notification',
      'tasks/client-schema-task',
      'tasks/client-status-initial',
      'tasks/client-status-notification-metadata-absence',
      'tasks/client-status-transitions',
    ],
  },
  {
    why: 'it sends no notification there',
    rules: [
      'cancellation/client-notification-in-progress-request',
      'cancellation/client-notification-own-request',
      'cancellation/client-notification-reason-type',
      'cancellation/client-notification-request-id',
      'jsonrpc/client-notification-id-absence',
    ],
    at: ['2026-07-28'],
    on: ['http'],
  },
  {
    why: 'it reports no progress there, and no server sends what it does not want',
    rules: [
      'jsonrpc/client-notification-response-absence',
      'progress/client-flow-rate-limit',
      'logging/request-level-values',
      'http/post-method',
    ],
    at: ['2026-07-28'],
  },
  {
    why: 'sessions alone settle what is declared',
    rules: ['capabilities/client-negotiation-declaration-adherence'],
    at: ['2026-07-28'],
  },
  {
    why: 'it listens where a server is lost by which it listened, over stdio',
    rules: ['subscriptions/listen-request-filter'],
    at: ['2026-07-28'],
    on: ['http'],
  },
  {
    why: 'there the server cancels no request of its own',
    rules: ['cancellation/client-race-tolerance'],
    at: ['2026-07-28'],
  },
  {
    why: 'a client cancels there by closing the stream, and hears nothing more',
    rules: ['cancellation/client-sender-late-response'],
    at: ['2026-07-28'],
    on: ['http'],
  },
  {
    why: 'questions in results: what the client answers to them is not looked at yet',
    rules: [
      'elicitation/capability-mode-minimum',
      'elicitation/request-default-mode',
      'sampling/capability-tools-client-error',
      'sampling/client-security-content-validation',
      'jsonrpc/client-error-message-brevity',
    ],
    at: ['2026-07-28'],
  },
];

export function undecidedOfClients({ transport, revision }: ClientSetting): ReadonlySet<string> {
  return new Set(
    undecided
      .filter(({ at, on }) => at?.includes(revision) !== false && on?.includes(transport) !== false)
      .flatMap(({ rules }) => rules),
  );
}
