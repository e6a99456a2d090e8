/** Mutations of _meta, of icons and of the JSON Schemas of tools. */
import type { JsonObject } from '../core/json-rpc.ts';
import { isObject } from '../core/json-rpc.ts';
import type { Session } from '../core/session.ts';
import type { Mutation } from './mutation.ts';
import { from, mutation, stdioOnly } from './mutation.ts';

/** Ends the process on a request whose _meta holds something unexpected. */
function stumbles(message: JsonObject, session: Session): boolean {
  const meta = isObject(message.params) && isObject(message.params._meta) ? message.params._meta : {};
  const odd = Object.entries(meta).some(([key, value]) => key.includes('mcp') && Array.isArray(value));
  if (odd) session.host.exit(1);
  return odd;
}

export const metaMutations: readonly Mutation[] = [
  mutation({
    rule: 'meta/key-value-assumptions',
    revisions: from('2025-06-18'),
    transports: stdioOnly,
    description: 'The process dies of a list under a reserved _meta key.',
    alsoBreaks: ['*'],
    change: { incoming: stumbles },
  }),
];
