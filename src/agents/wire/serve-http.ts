/** The server for agents over Streamable HTTP, on an address of this machine. */
import { boundedText } from '../../core/trace/byte-collector.ts';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { errorReply, replyToInvalid, type ErrorReply } from './invalid-request.ts';

const endpoint = '/mcp';
/** The oldest session ends when there are more. */
const mostSessions = 20;
const mostBytes = 4 * 1024 * 1024;

export interface Listening {
  /** Address of the endpoint. */
  url: string;
  close: () => Promise<void>;
}

/**
 * @param connect makes a server for each session
 * @param host loopback; others are refused by the command
 */
export async function serveHttp(
  connect: (transport: Transport) => Promise<unknown>,
  host: string,
  port: number,
): Promise<Listening> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  let allowed: string[] = [];

  const open = async (): Promise<StreamableHTTPServerTransport> => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, transport);
        for (const [old, one] of sessions) {
          if (sessions.size <= mostSessions) break;
          sessions.delete(old);
          void one.close();
        }
      },
    });
    transport.onclose = () => {
      if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
    };
    await connect(transport);
    return transport;
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { host: named = '', origin } = request.headers;
    // Pages of other sites reach loopback addresses by names of their own: neither Host nor Origin may be foreign.
    if (!allowed.includes(named) || (origin !== undefined && !allowed.some((one) => origin === `http://${one}`)))
      return refuse(response, 403, 'This Host or Origin is not allowed.');
    if (new URL(request.url ?? '/', 'http://localhost').pathname !== endpoint)
      return refuse(response, 404, `The endpoint is ${endpoint}.`);
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (typeof id === 'string' && known === undefined) return refuse(response, 404, 'There is no such session.');
    if (request.method !== 'POST') return (known ?? (await open())).handleRequest(request, response);
    const body = await boundedText(request, mostBytes);
    if (body === undefined) return refuse(response, 413, 'The body is too large.');
    const value = parsed(body);
    const refusal =
      value === undefined ? errorReply(null, -32700, 'Parse error: the body is no JSON.') : replyToInvalid(value);
    if (refusal !== undefined) return reply(response, 400, refusal ?? errorReply(null, -32600, 'Invalid message.'));
    await (known ?? (await open())).handleRequest(request, response, value);
  };

  const server = createServer((request, response) => {
    serve(request, response).catch(() => {
      if (!response.headersSent) refuse(response, 500, 'Internal error.');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  allowed = [`127.0.0.1:${taken}`, `localhost:${taken}`, `[::1]:${taken}`];
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}${endpoint}`,
    close: async () => {
      await Promise.all([...sessions.values()].map((one) => one.close()));
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  reply(response, status, errorReply(null, -32000, message));
}

function reply(response: ServerResponse, status: number, message: ErrorReply): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(message));
}
