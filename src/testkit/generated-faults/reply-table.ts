/** Possible faults in the HTTP replies of a server, by request. */
import type { Fault } from '../../core/model/rules/mutation.ts';

interface ReplyFault {
  id: string;
  fault: Fault;
  breaks: readonly string[] | 'legal';
}

const type = ['http.post.response-type'];
const accepted = ['http.post.notification-202'];

const mediaTypes = {
  html: 'text/html',
  plain: 'text/plain',
  octets: 'application/octet-stream',
  ndjson: 'application/x-ndjson',
};

/** Headers that a proxy or a framework adds. */
const harmless: Record<string, Record<string, string>> = {
  'cache-control': { 'cache-control': 'no-store' },
  server: { server: 'example/1.0' },
  vary: { vary: 'Origin' },
  'request-id': { 'x-request-id': 'abc-1' },
  cors: { 'access-control-expose-headers': 'Mcp-Session-Id' },
};

/** @param methods those of requests */
export function replyFaults(methods: readonly string[]): ReplyFault[] {
  const ofResults = methods.flatMap((method): ReplyFault[] => [
    ...Object.entries(mediaTypes).map(([word, value]) => ({
      id: `${method}.reply.content-type:${word}`,
      fault: { on: { result: method }, header: { 'content-type': value } },
      breaks: type,
    })),
    {
      id: `${method}.reply.content-type:absent`,
      fault: { on: { result: method }, header: { 'content-type': null } },
      breaks: type,
    },
    ...Object.entries(harmless).map(([word, header]) => ({
      id: `${method}.reply.header:${word}`,
      fault: { on: { result: method }, header },
      breaks: 'legal' as const,
    })),
  ]);
  const onNotification = { http: { method: 'POST', posted: 'notification', status: 202 } } as const;
  const onResponse = { http: { method: 'POST', posted: 'response', status: 202 } } as const;
  const statuses = [200, 201, 204].flatMap((status): ReplyFault[] => [
    { id: `notification.reply.status:${status}`, fault: { on: onNotification, status }, breaks: accepted },
    { id: `response.reply.status:${status}`, fault: { on: onResponse, status }, breaks: accepted },
  ]);
  const refusals: ReplyFault[] = [400, 401, 404, 405, 200].map((status) => ({
    id: `foreign-origin.reply.status:${status}`,
    fault: { on: { http: { status: 403 } }, status },
    breaks: ['http.security.origin-403', ...(status === 200 ? ['http.security.origin-validation'] : [])],
  }));
  const sessions: ReplyFault[] = [
    ...Object.entries({ blank: 'has a blank', umlaut: 'k\u00fcrzel', tab: 'a\tb' }).map(([word, id]) => ({
      id: `initialize.reply.session-id:${word}`,
      fault: { on: { result: 'initialize' }, header: { 'mcp-session-id': id } },
      breaks: ['session.id.visible-ascii'],
    })),
    ...Object.entries({ html: 'text/html', json: 'application/json' }).map(([word, value]) => ({
      id: `GET.reply.content-type:${word}`,
      fault: { on: { http: { method: 'GET', status: 200 } }, header: { 'content-type': value } },
      breaks: ['http.get.sse-or-405'],
    })),
    ...[204, 400, 404, 500].map((status) => ({
      id: `GET.reply.status:${status}`,
      fault: { on: { http: { method: 'GET', status: 200 } }, status },
      breaks: ['http.get.sse-or-405'],
    })),
  ];
  return [...ofResults, ...statuses, ...refusals, ...sessions];
}
