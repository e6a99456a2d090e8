/** Mutations of event streams: those of Streamable HTTP and that of the legacy transport. */
import type { BehaviourChange } from '../../../../server/session/behaviour.ts';
import { isObject } from '../../../../server/protocol/json-rpc.ts';
import { editing, withError } from '../edits.ts';
import { httpMutation } from './http.ts';
import type { Mutation } from '../mutation.ts';
import { mutation, sseOnly } from '../mutation.ts';

type Route = NonNullable<BehaviourChange['route']>;

/** Progress goes out on the reply of another request, if there is one. */
const progressElsewhere: Route = (message, own, session) => {
  if (message.method !== 'notifications/progress') return own;
  return [...session.running.values()].find((running) => running.sink !== own)?.sink ?? own;
};

const progressOnListening: Route = (message, own, session) =>
  message.method === 'notifications/progress'
    ? { related: (routed) => session.deliver(routed), finish: () => {} }
    : own;

const requestsTwice: Route = (message, own, session) => {
  if (!('id' in message)) return own;
  return {
    related(routed) {
      own.related(routed);
      session.deliver(routed);
    },
    finish: () => {},
  };
};

export const streamMutations: readonly Mutation[] = [
  httpMutation({
    rule: 'http/sse-priming-event',
    revisions: ['2025-11-25'],
    description: 'Streams begin without an empty event.',
    // A stream that is dropped before its first event cannot be resumed.
    alsoBreaks: ['http/sse-retry-before-close', 'http/get-retry-before-close', 'http/sse-response-delivery'],
    change: { neglects: ['prime-streams'] },
  }),
  httpMutation({
    rule: 'http/sse-retry-before-close',
    revisions: ['2025-11-25'],
    description: 'The connection of a reply is dropped early, with no word about coming back.',
    alsoBreaks: ['http/get-retry-before-close'],
    change: { neglects: ['announce-retry', 'keep-streams-until-the-response'] },
  }),
  httpMutation({
    rule: 'http/sse-response-delivery',
    description: 'A stream ends after its first message and cannot be resumed.',
    alsoBreaks: [
      'http/sse-early-close',
      'http/sse-disconnect-as-cancellation',
      'http/resume-event-id-stream-encoding',
      'tasks/result-equivalence',
    ],
    change: { neglects: ['deliver-responses-on-streams'] },
  }),
  httpMutation({
    rule: 'http/sse-interim-relevance',
    description: 'Progress of one request is sent on the stream of another that is running.',
    alsoBreaks: ['http/resume-cross-stream-replay'],
    change: { route: progressElsewhere },
  }),
  httpMutation({
    rule: 'http/sse-early-close',
    revisions: ['2025-03-26', '2025-06-18'],
    description: 'The connection of a reply is dropped after its first message; the rest is there on resumption.',
    alsoBreaks: ['http/sse-response-delivery'],
    change: { neglects: ['keep-streams-until-the-response'] },
  }),
  httpMutation({
    rule: 'http/sse-close-after-response',
    description: 'Streams stay open after the response.',
    change: { neglects: ['end-streams-after-the-response'] },
  }),
  httpMutation({
    rule: 'http/sse-disconnect-as-cancellation',
    description: 'A lost connection cancels the request, as its answer shows.',
    alsoBreaks: ['http/sse-response-delivery', 'cancellation/receiver-response-suppression'],
    change: {
      neglects: ['survive-disconnects', 'silence-cancelled-requests'],
      outgoing: editing(
        (about) => about.kind === 'error' && about.method === 'tools/call',
        withError({ message: 'The request was cancelled' }),
      ),
    },
  }),
  httpMutation({
    rule: 'http/get-message-independence',
    description: 'Progress is sent on the listening stream.',
    change: { route: progressOnListening },
  }),
  httpMutation({
    rule: 'http/get-response-absence',
    description: 'The listening stream begins with a second answer to initialize.',
    alsoBreaks: ['jsonrpc/response-result-id', 'http/streams-single-delivery'],
    change: { onListening: (session) => session.deliver({ jsonrpc: '2.0', id: session.initializeId, result: {} }) },
  }),
  httpMutation({
    rule: 'http/get-retry-before-close',
    revisions: ['2025-11-25'],
    description:
      'The connection of the listening stream is dropped after each message, with no word about coming back.',
    alsoBreaks: ['http/sse-retry-before-close'],
    change: { neglects: ['announce-retry', 'keep-listening-streams'] },
  }),
  httpMutation({
    rule: 'http/streams-single-delivery',
    description: 'Questions to the client are sent on the reply and on the listening stream.',
    alsoBreaks: ['http/streams-broadcast', 'jsonrpc/request-id-session-uniqueness'],
    change: { route: requestsTwice },
  }),
  httpMutation({
    rule: 'http/streams-broadcast',
    description: 'Messages are sent on all listening streams.',
    alsoBreaks: ['http/streams-single-delivery', 'jsonrpc/request-id-session-uniqueness'],
    change: {
      neglects: ['push-to-one-stream'],
      onListening: (session) => void session.request('ping').catch(() => {}),
    },
  }),
  httpMutation({
    rule: 'http/resume-event-id-uniqueness',
    description: 'Event ids start again with every stream.',
    alsoBreaks: [
      'http/resume-event-id-stream-encoding',
      'http/resume-cross-stream-replay',
      'http/sse-response-delivery',
      'http/sse-disconnect-as-cancellation',
    ],
    change: { http: { eventId: (_stream, n) => `event-${n}` } },
  }),
  httpMutation({
    rule: 'http/resume-event-id-stream-encoding',
    revisions: ['2025-11-25'],
    description: 'Resumption continues another stream.',
    alsoBreaks: [
      'http/resume-cross-stream-replay',
      'http/sse-response-delivery',
      'http/sse-disconnect-as-cancellation',
    ],
    change: { neglects: ['resume-the-right-stream'] },
  }),
  httpMutation({
    rule: 'http/resume-cross-stream-replay',
    description: 'Resumption also replays what other streams carried.',
    alsoBreaks: [
      'http/resume-event-id-stream-encoding',
      'http/get-response-absence',
      'http/streams-single-delivery',
      'http/streams-broadcast',
    ],
    change: { neglects: ['replay-only-the-resumed-stream'] },
  }),
  mutation({
    rule: 'sse-legacy/endpoint-pair',
    transports: sseOnly,
    revisions: ['2024-11-05'],
    description: 'Nothing is found at the address for posting.',
    alsoBreaks: ['*'],
    change: { neglects: ['accept-messages-endpoint'] },
  }),
  mutation({
    rule: 'sse-legacy/endpoint-event',
    transports: sseOnly,
    revisions: ['2024-11-05'],
    description: 'The event with the address for posting has another name.',
    alsoBreaks: ['*'],
    change: { sse: { endpointEvent: 'address' } },
  }),
  mutation({
    rule: 'sse-legacy/message-event-type',
    transports: sseOnly,
    revisions: ['2024-11-05'],
    description: 'Log messages come as events of another name.',
    change: {
      sse: {
        messageEvent: (message) =>
          isObject(message) && message.method === 'notifications/message' ? 'log' : 'message',
      },
    },
  }),
];
