/**
 * Legal oddities of servers that several connections and conversations share in the stateless era (2026-07-28:
 * basic/index, Statelessness; basic/patterns/subscriptions), which no rule may fail.
 */
import { compliant } from '../../../server/session/behaviour.ts';
import { marked } from '../../../server/session/due.ts';
import { statelessRevision } from '../../../server/protocol/revisions.ts';
import { editing, resultOf } from '../mutations/edits.ts';
import type { Variant } from '../mutations/mutation.ts';

/** Delay of each list on a server that makes one at a time, and of change notifications. */
const workMs = 15;
const lateMs = 40;

const cursorTail = '.';

function shared(given: Omit<Variant, 'transports' | 'revisions'>): Variant {
  return { transports: ['stdio', 'http'], revisions: [statelessRevision], ...given };
}

export const contextVariants: readonly Variant[] = [
  shared({
    id: 'lists-in-turn',
    description: 'Lists of tools are made one after another: a parallel request waits.',
    change: {
      outgoing: editing(resultOf('tools/list'), (message, { session: { host } }) => {
        const now = performance.now();
        const freeAt = Math.max(now, Number(host.scratch.get('tools listed by') ?? 0)) + workMs;
        host.scratch.set('tools listed by', freeAt);
        return marked(message, { delayMs: Math.ceil(freeAt - now) });
      }),
    },
  }),
  shared({
    id: 'cursors-anew',
    description: 'Each page has a new cursor; all cursors stay valid everywhere.',
    change: {
      paginate(items, cursor, size, list, session) {
        const { scratch } = session.host;
        const page = compliant.paginate(
          items,
          typeof cursor === 'string' ? cursor.split(cursorTail)[0] : cursor,
          size,
          list,
          session,
        );
        if (page.nextCursor === undefined) return page;
        const count = Number(scratch.get('cursors') ?? 0) + 1;
        scratch.set('cursors', count);
        return { ...page, nextCursor: `${String(page.nextCursor)}${cursorTail}${count}` };
      },
    },
  }),
  shared({
    id: 'updates-late-and-twice',
    description: 'Changes of resources are told when the answer to who made them is long out, and once more.',
    change: {
      outgoing: editing(
        ({ method }) => method === 'notifications/resources/updated',
        (message) => [marked(message, { delayMs: lateMs }), marked(message, { delayMs: lateMs })],
      ),
    },
  }),
];
