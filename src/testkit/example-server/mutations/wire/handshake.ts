/** Mutations of lifecycle, version negotiation and capabilities. */
import { negotiateNewest } from '../../../../server/session/behaviour.ts';
import { isObject } from '../../../../server/protocol/json-rpc.ts';
import { isRevision } from '../../../../server/protocol/revisions.ts';
import type { Session } from '../../../../server/session/session.ts';
import { editing, resultOf, withResult, without } from '../edits.ts';
import type { Mutation } from '../mutation.ts';
import { from, httpOnly, mutation } from '../mutation.ts';

const initializeResult = resultOf('initialize');

/** A sampling request to a client that may not have offered that. */
function askUndeclared(session: Session): void {
  if (isObject(session.clientCapabilities.roots)) return;
  session.request('roots/list').catch(() => {});
}

export const handshakeMutations: readonly Mutation[] = [
  mutation({
    rule: 'lifecycle/initialization-precedence',
    transports: ['stdio', 'sse'],
    description: 'The server announces a changed tool list before initialize arrives.',
    change: { onConnected: (session) => session.notify('notifications/tools/list_changed') },
  }),
  mutation({
    rule: 'lifecycle/initialization-server-result',
    description: 'serverInfo has no version.',
    alsoBreaks: ['meta/implementation-name-and-version'],
    change: {
      outgoing: editing(
        initializeResult,
        withResult(() => ({ serverInfo: { name: 'mcpc-reference' } })),
      ),
    },
  }),
  mutation({
    rule: 'lifecycle/initialization-server-early-requests',
    description: 'The server asks for the roots before the client is ready.',
    change: {
      onInitializing: (session, sink) => {
        if (isObject(session.clientCapabilities.roots))
          session.request('roots/list', undefined, { sink, signal: new AbortController().signal }).catch(() => {});
      },
    },
  }),
  mutation({
    rule: 'versioning/initialize-server-echo',
    revisions: ['2024-11-05', '2025-03-26', '2025-06-18'],
    description: 'The newest revision is not agreed to when it is asked for, though offered otherwise.',
    change: {
      negotiate: (offered, supported) =>
        offered === supported.at(-1) ? (supported.at(-2) ?? '') : negotiateNewest(offered, supported),
    },
  }),
  mutation({
    rule: 'versioning/initialize-server-alternative',
    description: 'Any version is echoed.',
    change: { negotiate: (offered) => String(offered) },
  }),
  mutation({
    rule: 'versioning/initialize-server-latest-version',
    description: 'An unknown version is answered with a version that is not the newest.',
    change: {
      negotiate: (offered, supported) => supported.find((known) => known === offered) ?? supported.at(-2) ?? '',
    },
  }),
  mutation({
    rule: 'lifecycle/errors-preparedness',
    transports: ['stdio', 'sse'],
    description: 'A client that asks for an unknown version gets no answer.',
    alsoBreaks: ['versioning/initialize-server-alternative'],
    change: {
      incoming: (message) =>
        message.method === 'initialize' && isObject(message.params) && !isRevision(message.params.protocolVersion),
    },
  }),
  mutation({
    rule: 'versioning/negotiated-adherence',
    revisions: ['2024-11-05', '2025-03-26', '2025-06-18'],
    description: 'A notification of a later revision is sent.',
    change: {
      onInitialized: (session) => {
        const now = new Date().toISOString();
        session.notify('notifications/tasks/status', {
          taskId: 'task-1',
          status: 'working',
          createdAt: now,
          lastUpdatedAt: now,
          ttl: null,
        });
      },
    },
  }),
  mutation({
    rule: 'versioning/header-absence-default',
    transports: httpOnly,
    revisions: from('2025-06-18'),
    description: 'Requests without the version header are refused.',
    change: { neglects: ['accept-missing-version-header'] },
  }),
  mutation({
    rule: 'versioning/header-invalid-400',
    transports: httpOnly,
    revisions: from('2025-06-18'),
    description: 'Any value of the version header is accepted.',
    change: { neglects: ['check-version-header'] },
  }),
  mutation({
    rule: 'capabilities/negotiation-negotiated-use',
    description: 'The client is asked for roots, samples and input whether it offers them or not.',
    // Where the revision has no elicitation, asking for it breaks that revision too.
    alsoBreaks: [
      'roots/capability-server-check',
      'sampling/capability-server-use',
      'sampling/capability-tools-server-use',
      'elicitation/capability-server-use',
      'capabilities/negotiation-declaration-adherence',
      'versioning/negotiated-adherence',
    ],
    change: { neglects: ['ask-only-declared-capabilities'], onInitialized: askUndeclared },
  }),
  mutation({
    rule: 'capabilities/negotiation-declaration-adherence',
    // Over HTTP the question waits for a listening stream.
    transports: ['stdio', 'sse'],
    description: 'The client is asked for its roots whether it offers them or not.',
    alsoBreaks: ['capabilities/negotiation-negotiated-use', 'roots/capability-server-check'],
    change: { onInitialized: askUndeclared },
  }),
  mutation({
    rule: 'capabilities/server-advertisement',
    description: 'Prompts are served but not declared.',
    alsoBreaks: [
      'prompts/capability-declaration',
      'prompts/list-changed-capability',
      'capabilities/negotiation-declaration-adherence',
    ],
    change: {
      outgoing: editing(
        initializeResult,
        withResult((result) => ({ capabilities: without(result.capabilities as Record<string, unknown>, 'prompts') })),
      ),
    },
  }),
  mutation({
    rule: 'capabilities/declaration-schema',
    description: 'A capability flag is a string.',
    alsoBreaks: ['lifecycle/initialization-server-result', 'prompts/list-changed-capability'],
    change: {
      outgoing: editing(
        initializeResult,
        withResult((result) => ({
          capabilities: { ...(result.capabilities as Record<string, unknown>), prompts: { listChanged: 'yes' } },
        })),
      ),
    },
  }),
];
