/** Mutations of _meta, of icons and of the JSON Schemas of tools. */
import type { JsonObject } from '../../../../server/protocol/json-rpc.ts';
import { errorCode, isObject } from '../../../../server/protocol/json-rpc.ts';
import { statelessRevision } from '../../../../server/protocol/revisions.ts';
import type { Session } from '../../../../server/session/session.ts';
import { metaKey } from '../../../../server/dispatch/stateless-meta.ts';
import { refuse } from '../edits.ts';
import type { Mutation } from '../mutation.ts';
import { from, mutation, stdioOnly } from '../mutation.ts';

function metaOf({ params }: JsonObject): JsonObject {
  return isObject(params) && isObject(params._meta) ? params._meta : {};
}

/** Ends the process on a request whose _meta holds something unexpected. */
function stumbles(message: JsonObject, session: Session): boolean {
  const odd = Object.entries(metaOf(message)).some(([key, value]) => key.includes('mcp') && Array.isArray(value));
  if (odd) session.host.exit(1);
  return odd;
}

/** Ends the process on a call that names no tool. */
function diesOfNamelessCalls({ method, params }: JsonObject, session: Session): boolean {
  const isNameless = method === 'tools/call' && !(isObject(params) && typeof params.name === 'string');
  if (isNameless) session.host.exit(1);
  return isNameless;
}

export const metaMutations: readonly Mutation[] = [
  mutation({
    rule: 'jsonrpc/request-answer-death',
    transports: stdioOnly,
    description: 'The process dies of a call that names no tool.',
    alsoBreaks: ['*'],
    change: { incoming: diesOfNamelessCalls },
  }),
  mutation({
    rule: 'meta/key-value-assumptions',
    revisions: from('2025-06-18'),
    transports: stdioOnly,
    description: 'The process dies of a list under a reserved _meta key.',
    alsoBreaks: ['*'],
    change: { incoming: stumbles },
  }),
  mutation({
    id: 'meta/client-info-server-insistence@calls',
    rule: 'meta/client-info-server-insistence',
    revisions: [statelessRevision],
    transports: ['stdio', 'http'],
    description: 'Calls of tools are refused whose _meta has no clientInfo; all else is served.',
    change: {
      incoming: (message, _session, sink) => {
        const isNameless =
          message.method === 'tools/call' &&
          metaOf(message)[metaKey.clientInfo] === undefined &&
          metaOf(message)[metaKey.version] !== undefined;
        return isNameless && refuse(message, sink, errorCode.invalidParams, 'clientInfo is missing');
      },
    },
  }),
  mutation({
    id: 'meta/request-missing-version-rejection@completion',
    rule: 'meta/request-missing-version-rejection',
    revisions: [statelessRevision],
    serve: [statelessRevision],
    transports: ['stdio', 'http'],
    description: 'Completion is served whatever version the request names, or none.',
    alsoBreaks: ['versioning/unsupported-method-coverage'],
    change: {
      incoming(message) {
        if (message.method === 'completion/complete' && isObject(message.params) && isObject(message.params._meta))
          message.params._meta[metaKey.version] ??= statelessRevision;
        return false;
      },
    },
  }),
];
