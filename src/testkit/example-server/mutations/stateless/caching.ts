/** Mutations of the caching hints of the stateless era. */
import type { JsonObject } from '../../../../server/protocol/json-rpc.ts';
import { statelessRevision } from '../../../../server/protocol/revisions.ts';
import type { About } from '../../../../server/session/behaviour.ts';
import { editing, withResult } from '../edits.ts';
import type { Mutation } from '../mutation.ts';
import { mutation } from '../mutation.ts';

function caching(
  slug: string,
  description: string,
  pick: (about: About, result: JsonObject) => boolean,
  edit: (message: JsonObject) => JsonObject,
): Mutation {
  return mutation({
    rule: `caching/${slug}`,
    revisions: [statelessRevision],
    transports: ['stdio', 'http'],
    description,
    change: {
      outgoing: editing(
        (about, message) =>
          about.era === 'stateless' && about.kind === 'result' && pick(about, message.result as JsonObject),
        edit,
      ),
    },
  });
}

export const cachingMutations: readonly Mutation[] = [
  caching(
    'hints-interim-absence',
    'A question to the client has caching hints.',
    (_about, result) => result.resultType === 'input_required',
    withResult(() => ({ ttlMs: 1000, cacheScope: 'public' })),
  ),
  caching(
    'pages-scope-uniformity',
    'All pages but the last are private.',
    ({ method }, result) => method === 'tools/list' && result.nextCursor !== undefined,
    withResult(() => ({ cacheScope: 'private' })),
  ),
];
