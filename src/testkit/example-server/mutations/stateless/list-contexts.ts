/** Mutations of lists that depend on more than the request (2026-07-28: basic/index, Statelessness). */
import { randomUUID } from 'node:crypto';
import { compliant, type BehaviourChange } from '../../../../server/session/behaviour.ts';
import type { JsonObject } from '../../../../server/protocol/json-rpc.ts';
import { errorCode, idKey, isObject } from '../../../../server/protocol/json-rpc.ts';
import { statelessRevision } from '../../../../server/protocol/revisions.ts';
import type { Session } from '../../../../server/session/session.ts';
import { metaKey } from '../../../../server/dispatch/stateless-meta.ts';
import { marked } from '../../../../server/session/due.ts';
import { editing, refuse, resultOf, withResult } from '../edits.ts';
import type { Mutation } from '../mutation.ts';
import { mutation, stdioOnly } from '../mutation.ts';

/** Delay of a list. */
const heldMs = 80;

type Given = Parameters<typeof mutation>[0];

function stateless(given: Given): Mutation {
  return mutation({ transports: ['stdio', 'http'], revisions: [statelessRevision], ...given });
}

const lists = {
  tools: { method: 'tools/list', use: 'tools/call', key: 'name', own: 'own-', stands: 'echo' },
  prompts: { method: 'prompts/list', use: 'prompts/get', key: 'name', own: 'own-', stands: 'summary' },
  resources: {
    method: 'resources/list',
    use: 'resources/read',
    key: 'uri',
    own: 'demo://own/',
    stands: 'demo://notes/1',
  },
} as const;

/** A name that each connection has for itself; over HTTP each request would be one of its own. */
function ownName(session: Session, prefix: string): string {
  const found = session.memo.get('own name') ?? randomUUID();
  session.memo.set('own name', found);
  return `${prefix}${String(found)}`;
}

/** Lists one entry twice, the second time by a name that only this connection knows. */
function ownEntry(list: keyof typeof lists): BehaviourChange {
  const { method, use, key, own, stands } = lists[list];
  return {
    incoming({ method: asked, params }) {
      if (asked === use && isObject(params) && String(params[key]).startsWith(own)) params[key] = stands;
      return false;
    },
    outgoing: editing(resultOf(method), (message, { session }) =>
      withResult((result) => ({
        [list]: (result[list] as JsonObject[]).flatMap((entry) =>
          entry[key] === stands ? [entry, { ...entry, [key]: ownName(session, own) }] : [entry],
        ),
      }))(message),
    ),
  };
}

function clientOf({ params }: JsonObject): string {
  const meta = isObject(params) && isObject(params._meta) ? params._meta : {};
  return JSON.stringify(meta[metaKey.clientInfo]) ?? 'none';
}

const hidden = 'echo';

function withoutTool(message: JsonObject): JsonObject {
  return withResult(({ tools }) => ({ tools: (tools as JsonObject[]).filter(({ name }) => name !== hidden) }))(message);
}

/** A connection that was used with two client names lists one tool less from then on. */
const remembering: BehaviourChange = {
  incoming(message, { memo }) {
    const client = clientOf(message);
    if (memo.get('client') !== undefined && memo.get('client') !== client) memo.set('several clients', true);
    else memo.set('client', client);
    return false;
  },
  outgoing: editing(
    (about, message) => resultOf('tools/list')(about, message) && about.session.memo.has('several clients'),
    withoutTool,
  ),
};

const rememberingRules = [
  'versioning/stateless-prior-request-independence',
  'tools/list-connection-independence',
] as const;

export const listContextMutations: readonly Mutation[] = [
  ...(['tools', 'prompts', 'resources'] as const).map((list) =>
    stateless({
      rule: `${list}/list-connection-independence`,
      id: `${list}/list-connection-independence@own-entry`,
      transports: stdioOnly,
      description: `Each process lists one of the ${list} by another name that it has for itself.`,
      change: ownEntry(list),
    }),
  ),
  ...rememberingRules.map((rule) =>
    stateless({
      rule,
      transports: stdioOnly,
      description: 'Behind a request in another name the process lists one tool less.',
      alsoBreaks: rememberingRules,
      change: remembering,
    }),
  ),
  stateless({
    rule: 'pagination/cursor-termination',
    description: 'The last page of the prompts leads back to itself.',
    change: {
      paginate: (items, cursor, size, list, session) => {
        const page = compliant.paginate(items, cursor, size, list, session);
        return list === 'prompts' && page.nextCursor === undefined && cursor !== undefined
          ? { ...page, nextCursor: cursor }
          : page;
      },
    },
  }),
  stateless({
    rule: 'meta/client-info-behaviour-influence',
    description: 'One client does not get a tool.',
    change: {
      incoming(message, { memo }) {
        if (message.method === 'tools/list' && clientOf(message).includes('Visual Studio Code'))
          memo.set(`hides ${idKey(message.id)}`, true);
        return false;
      },
      outgoing: editing(
        (about, message) =>
          resultOf('tools/list')(about, message) && about.session.memo.has(`hides ${idKey(message.id)}`),
        withoutTool,
      ),
    },
  }),
  stateless({
    rule: 'tools/list-deterministic-order',
    description: 'The tools come whole, each time beginning with another one.',
    change: {
      neglects: ['paginate'],
      outgoing: editing(resultOf('tools/list'), (message, { session: { host } }) => {
        const turn = Number(host.scratch.get('turn') ?? 0) + 1;
        host.scratch.set('turn', turn);
        return withResult(({ tools }) => {
          const all = tools as JsonObject[];
          const at = turn % all.length;
          return { tools: [...all.slice(at), ...all.slice(0, at)] };
        })(message);
      }),
    },
  }),
  mutation({
    rule: 'versioning/stateless-connection-affinity',
    // Over HTTP one process serves all connections.
    transports: stdioOnly,
    revisions: [statelessRevision],
    description: 'Cursors are good in the process that gave them out.',
    change: {
      paginate(items, cursor, size, list, session) {
        const { scratch } = session.host;
        const own = String(scratch.get('own cursors') ?? randomUUID());
        scratch.set('own cursors', own);
        const given =
          typeof cursor === 'string'
            ? cursor.startsWith(own)
              ? cursor.slice(own.length)
              : 'of another process'
            : cursor;
        const page = compliant.paginate(items, given, size, list, session);
        return page.nextCursor === undefined ? page : { ...page, nextCursor: `${own}${String(page.nextCursor)}` };
      },
    },
  }),
  stateless({
    rule: 'versioning/stateless-concurrent-contexts',
    // Parallel requests of two clients are refused as well: a page that is fetched again, an unknown cursor.
    alsoBreaks: ['pagination/cursor-stability', 'pagination/cursor-invalid-code'],
    description: 'While the tools are listed for one client, no other client gets them.',
    change: {
      incoming(message, { host: { scratch } }, sink) {
        if (message.method !== 'tools/list' || !isObject(message.params) || !isObject(message.params._meta))
          return false;
        const client = JSON.stringify(message.params._meta[metaKey.clientInfo] ?? null);
        const served = scratch.get('listing for') as { client: string; until: number } | undefined;
        if (served !== undefined && served.client !== client && performance.now() < served.until)
          return refuse(message, sink, errorCode.internal, 'Busy with another client');
        // Over well before the reply is there, so that who asks behind it is served.
        scratch.set('listing for', { client, until: performance.now() + (heldMs * 3) / 4 });
        return false;
      },
      outgoing: editing(resultOf('tools/list'), (message) => marked(message, { delayMs: heldMs })),
    },
  }),
];
