/** Internal data of a reply for matchers: its session, and the server's offer. */
import type { ListKind, Reply, Session } from './session.ts';

export interface KnownSession {
  session: Session;
  /** Names, or URIs, that the server has listed so far. */
  offered: Map<ListKind, readonly string[]>;
  /** Takes secrets out of a message. */
  clean(message: Record<string, unknown>): Record<string, unknown>;
}

const replies = new WeakMap<Reply, KnownSession>();
const sessions = new WeakMap<Session, KnownSession>();

export function knownOf(one: Reply | Session): KnownSession | undefined {
  return replies.get(one as Reply) ?? sessions.get(one as Session);
}

export function rememberReply(reply: Reply, known: KnownSession): void {
  replies.set(reply, known);
}

export function rememberSession(known: KnownSession): void {
  sessions.set(known.session, known);
}

/** Requests that name something of a list: the list, and the property that holds the name. */
export const namedIn: Readonly<Record<string, [kind: ListKind, member: string]>> = {
  'tools/call': ['tools', 'name'],
  'prompts/get': ['prompts', 'name'],
  'resources/read': ['resources', 'uri'],
};
