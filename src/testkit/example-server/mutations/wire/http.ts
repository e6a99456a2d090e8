/** Mutations of the Streamable HTTP transport: statuses, headers and sessions. Streams are in streams.ts. */
import type { HttpReply } from '../../../../server/session/behaviour.ts';
import type { Mutation } from '../mutation.ts';
import { from, httpOnly, mutation } from '../mutation.ts';

type Given = Parameters<typeof mutation>[0];

/** A mutation of Streamable HTTP in the stateful era. */
export function httpMutation(given: Given): Mutation {
  return mutation({ transports: httpOnly, revisions: from('2025-03-26'), ...given });
}

/** A reply seam that edits the replies given for certain reasons. */
export function replying(
  reasons: readonly string[],
  edit: (reply: HttpReply) => HttpReply,
): (reply: HttpReply) => HttpReply {
  return (reply) => (reasons.includes(reply.reason) ? edit(reply) : reply);
}

export const httpMutations: readonly Mutation[] = [
  httpMutation({
    rule: 'http/endpoint-post-and-get-path',
    description: 'GET is not found at the endpoint.',
    alsoBreaks: ['http/get-sse-or-405'],
    change: { http: { gate: ({ verb }) => (verb === 'GET' ? { status: 404, reason: 'path' } : undefined) } },
  }),
  mutation({
    rule: 'http/security-origin-validation',
    transports: ['http', 'sse'],
    revisions: [...from('2024-11-05'), '2026-07-28'],
    description: 'Any Origin is accepted.',
    alsoBreaks: ['http/security-origin-403'],
    change: { neglects: ['check-origin'] },
  }),
  mutation({
    rule: 'http/security-loopback-binding',
    served: true,
    transports: ['http', 'sse'],
    revisions: [...from('2024-11-05'), '2026-07-28'],
    description: 'The server listens on every interface.',
    change: { http: { bind: '0.0.0.0' } },
  }),
  httpMutation({
    rule: 'http/post-notification-rejection',
    description: 'Refused notifications and responses get 200 with an error body.',
    alsoBreaks: ['http/post-notification-202'],
    change: {
      http: {
        reply: replying(['session-unknown', 'unknown-response'], (reply) =>
          reply.posted === 'notification' || reply.posted === 'response' ? { ...reply, status: 200 } : reply,
        ),
      },
    },
  }),
  httpMutation({
    rule: 'http/get-sse-or-405',
    description: 'GET is answered with a JSON object.',
    alsoBreaks: ['http/endpoint-post-and-get-path', 'session/end-terminated-404'],
    change: {
      http: {
        gate: ({ verb }) => (verb === 'GET' ? { status: 200, body: { status: 'running' }, reason: 'verb' } : undefined),
      },
    },
  }),
  httpMutation({
    rule: 'session/id-uniqueness-and-secrecy',
    description: 'Session ids are counted.',
    change: { http: { sessionId: (_random, count) => `session-${count + 1}` } },
  }),
  httpMutation({
    rule: 'session/id-visible-ascii',
    description: 'Session ids have a blank inside.',
    change: { http: { sessionId: (random) => random.replace('-', ' ') } },
  }),
  httpMutation({
    rule: 'session/id-absence-400',
    description: 'A request without a session id is refused with 422.',
    change: { http: { reply: replying(['session-missing'], (reply) => ({ ...reply, status: 422 })) } },
  }),
  httpMutation({
    rule: 'session/end-terminated-404',
    description: 'A session that was deleted goes on.',
    change: { neglects: ['forget-ended-sessions'] },
  }),
];
