/** Mutations of what the server does with roots, and of its log messages. */
import { isLevel } from '../../../../server/protocol/log-levels.ts';
import type { JsonObject } from '../../../../server/protocol/json-rpc.ts';
import { isObject } from '../../../../server/protocol/json-rpc.ts';
import { editing, resultOf } from '../edits.ts';
import type { Mutation } from '../mutation.ts';
import { mutation } from '../mutation.ts';

/** Text of the first block of a tool's result. */
function textOf(message: JsonObject): string {
  const { content } = (message.result ?? {}) as { content?: { text?: unknown }[] };
  return String(content?.[0]?.text ?? '');
}

const roots: readonly Mutation[] = [
  mutation({
    rule: 'roots/capability-server-check',
    description: 'Tools ask for the roots whether the client offers them or not.',
    alsoBreaks: [
      'capabilities/negotiation-negotiated-use',
      'versioning/negotiated-adherence',
      'sampling/capability-server-use',
      'sampling/capability-tools-server-use',
      'elicitation/capability-server-use',
    ],
    change: { neglects: ['ask-only-declared-capabilities'] },
  }),
  mutation({
    rule: 'roots/list-changed-server-handling',
    description: 'After a change of the roots nothing is answered any more.',
    alsoBreaks: ['*'],
    change: {
      incoming: (message, { memo }) => {
        if (message.method === 'notifications/roots/list_changed') memo.set('lost its roots', true);
        return memo.has('lost its roots') && 'method' in message && 'id' in message;
      },
    },
  }),
  mutation({
    rule: 'roots/security-server-unavailability',
    // Over HTTP the reply ends, and may be resumed forever.
    transports: ['stdio', 'sse'],
    description: 'A tool whose question for the roots is refused never answers.',
    change: {
      outgoing: editing(
        (about, message) =>
          resultOf('tools/call')(about, message) && textOf(message).startsWith('The client refused: The roots'),
        () => [],
      ),
    },
  }),
];

const logging: readonly Mutation[] = [
  mutation({
    rule: 'logging/set-level-threshold',
    description: 'Levels are accepted and not kept.',
    change: {
      incoming: (message, _session, sink) => {
        if (message.method !== 'logging/setLevel' || !isObject(message.params) || !isLevel(message.params.level))
          return false;
        sink.finish([{ jsonrpc: '2.0', id: message.id, result: {} }], { method: 'logging/setLevel' });
        return true;
      },
    },
  }),
  mutation({
    rule: 'logging/security-secrets',
    description: 'Each call of a tool is logged with all that came with it.',
    // The level of the session is not asked for either.
    alsoBreaks: ['logging/set-level-threshold'],
    change: {
      incoming: (message, session, sink) => {
        if (message.method !== 'tools/call') return false;
        session.relate(
          {
            jsonrpc: '2.0',
            method: 'notifications/message',
            params: { level: 'info', logger: 'requests', data: { request: message } },
          },
          sink,
        );
        return false;
      },
    },
  }),
];

export const rootsAndLoggingMutations: readonly Mutation[] = [...roots, ...logging];
