/** Mutations of what a server of the stateless era (2026-07-28) refuses, or does without. */
import type { JsonObject } from '../../../../server/protocol/json-rpc.ts';
import { errorCode, isObject } from '../../../../server/protocol/json-rpc.ts';
import { statelessRevision } from '../../../../server/protocol/revisions.ts';
import { editing, resultOf, withError, withResult, without } from '../edits.ts';
import type { Mutation } from '../mutation.ts';
import { mutation } from '../mutation.ts';

type Given = Parameters<typeof mutation>[0];

function stateless(given: Given): Mutation {
  return mutation({ transports: ['stdio', 'http'], revisions: [statelessRevision], ...given });
}

const offered = 'file:///srv/docs/note.txt';

export const refusalMutations: readonly Mutation[] = [
  stateless({
    rule: 'capabilities/server-unadvertised-method',
    description: 'A server without prompts calls a request for them invalid.',
    change: {
      capabilities: (declared) => without(declared, 'prompts'),
      outgoing: editing(
        (about) => about.kind === 'error' && about.method === 'prompts/list',
        withError({ code: errorCode.invalidRequest }),
      ),
    },
  }),
  stateless({
    rule: 'resources/security-path-traversal',
    description: 'A file address is followed wherever it leads.',
    // It answers before the headers are looked at.
    alsoBreaks: [
      'resources/security-uri-validation',
      'meta/server-info-inclusion',
      'http/validation-missing-name-header',
      'http/header-value-case-sensitivity',
      'http/validation-body-mismatch',
      'http/validation-missing-method-header',
      'http/version-header-mismatch-rejection',
    ],
    change: {
      incoming(message, _session, sink) {
        const uri = isObject(message.params) ? String(message.params.uri) : '';
        if (message.method !== 'resources/read' || !uri.startsWith(offered)) return false;
        const text = new URL(uri).pathname === '/etc/hosts' ? '127.0.0.1\tlocalhost\n' : 'A note';
        sink.finish(
          [
            {
              jsonrpc: '2.0',
              id: message.id,
              result: { resultType: 'complete', contents: [{ uri, text }], ttlMs: 0, cacheScope: 'private' },
            },
          ],
          { method: 'resources/read' },
        );
        return true;
      },
      outgoing: editing(
        resultOf('resources/list'),
        withResult(({ resources }) => ({
          resources: [
            { uri: offered, name: 'note', mimeType: 'text/plain' },
            ...(Array.isArray(resources) ? (resources as unknown[]) : []),
          ],
        })),
      ),
    },
  }),
  stateless({
    rule: 'extensions/mismatch-fallback',
    description: 'An extension defers results for clients that do not know it.',
    change: {
      outgoing: (message, about) => {
        if (about.kind !== 'result') return [message];
        if (about.method === 'server/discover')
          return [
            withResult(({ capabilities }) => ({
              capabilities: { ...(capabilities as JsonObject), extensions: { 'com.example/deferred': {} } },
            }))(message),
          ];
        return [
          about.method === 'completion/complete'
            ? {
                ...message,
                result: { resultType: 'com.example/deferred', _meta: (message.result as JsonObject)._meta },
              }
            : message,
        ];
      },
    },
  }),
];
