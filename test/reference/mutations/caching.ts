/** Mutations of the caching hints of the stateless era. */
import type { JsonObject } from '../core/json-rpc.ts';
import { statelessRevision } from '../core/revisions.ts';
import type { About } from '../core/behaviour.ts';
import { editing, withResult, without } from './edits.ts';
import type { Mutation } from './mutation.ts';
import { mutation } from './mutation.ts';

const hinted = {
  'hints-discover': 'server/discover',
  'hints-prompts-list': 'prompts/list',
  'hints-resources-list': 'resources/list',
  'hints-resources-read': 'resources/read',
  'hints-templates-list': 'resources/templates/list',
  'hints-tools-list': 'tools/list',
} as const;

function caching(slug: string, description: string, pick: (about: About, result: JsonObject) => boolean, edit: (message: JsonObject) => JsonObject): Mutation {
  return mutation({
    rule: `caching/${slug}`,
    revisions: [statelessRevision],
    transports: ['stdio', 'http'],
    description,
    alsoBreaks: slug === 'hints-discover' ? ['discover/result-members'] : [],
    change: {
      outgoing: editing((about, message) => about.era === 'stateless' && about.kind === 'result' && pick(about, message.result as JsonObject), edit),
    },
  });
}

export const cachingMutations: readonly Mutation[] = [
  ...Object.entries(hinted).map(([slug, method]) =>
    caching(
      slug,
      `The result of ${method} does not say how long it holds.`,
      (about) => about.method === method,
      (message) => ({ ...message, result: without(message.result as JsonObject, 'ttlMs') }),
    ),
  ),
  caching('hints-interim-absence', 'A question to the client has caching hints.', (_about, result) => result.resultType === 'input_required', withResult(() => ({ ttlMs: 1000, cacheScope: 'public' }))),
  caching('scope-value', 'The list of prompts may be cached by friends.', (about) => about.method === 'prompts/list', withResult(() => ({ cacheScope: 'friends' }))),
  caching('ttl-integer', 'The list of prompts holds for a fraction of a millisecond.', (about) => about.method === 'prompts/list', withResult(() => ({ ttlMs: 0.5 }))),
  caching('ttl-non-negativity', 'The list of prompts held until a second ago.', (about) => about.method === 'prompts/list', withResult(() => ({ ttlMs: -1000 }))),
];
