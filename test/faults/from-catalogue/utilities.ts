/** Faults of logging, progress, cancellation and stdio. */
import { isObject, type JsonObject } from '../../../src/server/protocol/json-rpc.ts';
import { both, noting, ofNotices, onStdio, overHttp, paramsOf, type CatalogueFault } from './fault.ts';

const logNotice = 'notifications/message';
const progressNotice = 'notifications/progress';

/** The result of a call that failed in the tool. */
function isFailure(message: unknown): boolean {
  return isObject(message) && isObject(message.result) && message.result.isError === true;
}

function tokenIn({ _meta: meta }: JsonObject): unknown {
  return isObject(meta) ? meta.progressToken : undefined;
}

export const utilityFaults: readonly CatalogueFault[] = [
  {
    id: 'failures-always-logged',
    violates: ['logging.request-level.opt-in'],
    description: 'The failure of a tool is sent as a log message, whether the request has a log level or not.',
    transports: both,
    change: {
      outgoing: (message, about) =>
        about.era === 'stateless' && about.method === 'tools/call' && isFailure(message)
          ? [
              {
                jsonrpc: '2.0',
                method: logNotice,
                params: { level: 'error', logger: 'tools', data: 'A tool failed.' },
              },
              message,
            ]
          : [message],
    },
  },
  {
    id: 'logs-after-the-result',
    violates: ['logging.request-level.response-order'],
    alsoBreaks: ['http.sse.message-per-event', 'http.sse.interim-relevance'],
    description: 'Log messages are collected, and sent behind the result.',
    transports: overHttp,
    change: {
      outgoing(message, { era, kind, session }) {
        const held = (session.memo.get('held') ?? []) as JsonObject[];
        if (era === 'stateless' && message.method === logNotice) {
          session.memo.set('held', [...held, message]);
          return [];
        }
        return era === 'stateless' && kind === 'result' ? [message, ...held] : [message];
      },
    },
  },
  {
    id: 'logger-null',
    violates: ['logging.message.schema'],
    description: 'Log messages have a logger that is null.',
    transports: both,
    change: {
      outgoing: ofNotices(logNotice, (params, message) => ({ ...message, params: { ...params, logger: null } })),
    },
  },
  {
    id: 'unknown-level-as-info',
    violates: ['logging.request-level.invalid-level'],
    description: 'A log level that does not exist counts as info.',
    transports: both,
    change: {
      incoming: (message) => {
        const meta = isObject(message.params) && isObject(message.params._meta) ? message.params._meta : {};
        const level = meta['io.modelcontextprotocol/logLevel'];
        if (
          level !== undefined &&
          !['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'].includes(String(level))
        )
          meta['io.modelcontextprotocol/logLevel'] = 'info';
        return false;
      },
    },
  },
  {
    id: 'last-progress-twice',
    violates: ['progress.value.increase'],
    description: 'The last notice of progress repeats the value of the one before it.',
    transports: both,
    change: {
      outgoing: ofNotices(progressNotice, (params, message) =>
        params.progress === params.total
          ? { ...message, params: { ...params, progress: Number(params.total) - 1 } }
          : undefined,
      ),
    },
  },
  {
    id: 'progress-after-the-result',
    violates: ['progress.flow.completion-stop', 'progress.token.running-operation', 'progress.token.active-reference'],
    alsoBreaks: ['http.sse.message-per-event', 'http.sse.interim-relevance'],
    description: 'Behind the result of a call comes a last notice of its progress.',
    transports: both,
    change: {
      incoming: noting,
      outgoing(message, about) {
        const token =
          about.era === 'stateless' && about.kind === 'result' && about.method === 'tools/call'
            ? tokenIn(paramsOf(message, about))
            : undefined;
        return token === undefined
          ? [message]
          : [message, { jsonrpc: '2.0', method: progressNotice, params: { progressToken: token, progress: 1000 } }];
      },
    },
  },
  {
    id: 'total-null',
    violates: ['progress.notification.schema'],
    description: 'The first notice of progress has a total that is null, since it is not known yet.',
    transports: both,
    change: {
      outgoing: ofNotices(progressNotice, (params, message) =>
        params.progress === 1 ? { ...message, params: { ...params, total: null } } : undefined,
      ),
    },
  },
  {
    id: 'token-as-text',
    violates: ['progress.token.active-reference'],
    description: 'A token that is a number comes back as a string.',
    transports: both,
    change: {
      outgoing: ofNotices(progressNotice, (params, message) => ({
        ...message,
        params: { ...params, progressToken: String(params.progressToken) },
      })),
    },
  },
  {
    id: 'cancels-failed-calls',
    violates: ['cancellation.server.other-purposes'],
    description: 'A call that fails is announced by notifications/cancelled before its result.',
    transports: both,
    change: {
      outgoing: (message, about) =>
        about.era === 'stateless' && about.method === 'tools/call' && isFailure(message)
          ? [
              {
                jsonrpc: '2.0',
                method: 'notifications/cancelled',
                params: { requestId: message.id, reason: 'failed' },
              },
              message,
            ]
          : [message],
    },
  },
  {
    id: 'string-ids-never-cancelled',
    violates: [
      'cancellation.receiver.stdio-message-silence',
      'cancellation.receiver.response-suppression',
      'cancellation.receiver.work-stop',
      'subscriptions.teardown.client-cancellation',
    ],
    description: 'Requests whose id is a string cannot be cancelled: ids are looked up as numbers.',
    transports: onStdio,
    change: {
      incoming: (message) =>
        message.method === 'notifications/cancelled' &&
        isObject(message.params) &&
        typeof message.params.requestId === 'string',
    },
  },
  {
    id: 'unknown-cancellation-refused',
    violates: ['cancellation.receiver.invalid-notices', 'jsonrpc.notification.response-absence'],
    description: 'The cancellation of a request that does not run is answered with an error.',
    transports: onStdio,
    change: {
      incoming(message, session, sink) {
        if (message.method !== 'notifications/cancelled' || !isObject(message.params)) return false;
        const { requestId } = message.params;
        if (session.running.has(`${typeof requestId}:${String(requestId)}`)) return false;
        sink.finish([{ jsonrpc: '2.0', id: null, error: { code: -32602, message: 'There is no such request' } }], {});
        return true;
      },
    },
  },
  {
    id: 'failures-on-stdout',
    violates: ['stdio.stdout.purity'],
    description: 'Before the result of a failed call a line of the log is printed on stdout.',
    transports: onStdio,
    change: {
      stdio: {
        line: (body, message) =>
          Buffer.concat([Buffer.from(isFailure(message) ? 'ERROR a tool failed\n' : ''), body, Buffer.from('\n')]),
      },
    },
  },
  {
    id: 'logs-on-several-lines',
    violates: ['stdio.framing.embedded-newline'],
    alsoBreaks: ['stdio.stdout.purity', 'stdio.framing.single-message', 'jsonrpc.message.form'],
    description: 'Log messages are written over several lines, to be read by people.',
    transports: onStdio,
    change: {
      stdio: {
        line: (body, message) =>
          Buffer.concat([
            isObject(message) && message.method === logNotice ? Buffer.from(JSON.stringify(message, null, 2)) : body,
            Buffer.from('\n'),
          ]),
      },
    },
  },
  {
    id: 'server-still-asks-by-request',
    violates: ['jsonrpc.direction.server-requests', 'stdio.stdout.server-requests', 'http.sse.server-requests'],
    alsoBreaks: ['mrtr.server.exclusive-pattern'],
    description: 'While a long call runs, the server sends the client a ping.',
    transports: both,
    change: {
      outgoing: ofNotices(progressNotice, (params, message) =>
        params.progress === 2 ? [message, { jsonrpc: '2.0', id: 'alive-1', method: 'ping' }] : undefined,
      ),
    },
  },
  {
    id: 'roots-asked-by-request',
    violates: ['mrtr.server.exclusive-pattern'],
    alsoBreaks: ['jsonrpc.direction.server-requests', 'stdio.stdout.server-requests', 'http.sse.server-requests'],
    description: 'Where a call declares roots, they are asked for by a request of the server, before its result.',
    transports: both,
    change: {
      incoming: noting,
      outgoing(message, about) {
        const { _meta: meta } =
          about.era === 'stateless' && about.kind === 'result' && about.method === 'tools/call'
            ? paramsOf(message, about)
            : {};
        const declared = isObject(meta) ? meta['io.modelcontextprotocol/clientCapabilities'] : undefined;
        return isObject(declared) && isObject(declared.roots)
          ? [{ jsonrpc: '2.0', id: 'roots-1', method: 'roots/list' }, message]
          : [message];
      },
    },
  },
];
