/** The page of a served run: it follows the run live, takes answers, and ends it. It is served below a secret path only. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../../client/intercept/listen.ts';
import { namesThisMachine } from '../../client/intercept/own-host.ts';
import { boundedText } from '../../core/trace/byte-collector.ts';

export interface PageOptions {
  host: string;
  /** 0 takes a free one. */
  port: number;
  secret: string;
  /** The whole page, or its changing part. */
  render(part: 'page' | 'live'): string;
  /** Takes the fields of a form that was sent. */
  onAnswer(fields: URLSearchParams): void;
  onFinish(): void;
}

export interface Page {
  url: string;
  port: number;
  /** Tells all open pages that something has changed. */
  changed(): void;
  close(): Promise<void>;
}

const mostListeners = 50;
const mostFormBytes = 16 * 1024;

/** @throws McpcError usage when the address cannot be listened on */
export async function openPage(options: PageOptions): Promise<Page> {
  const { host, secret } = options;
  const base = `/${secret}/`;
  const listeners = new Set<ServerResponse>();
  let version = 0;

  function route(request: IncomingMessage, response: ServerResponse): void {
    const { method = 'GET', url = '/' } = request;
    if (!namesThisMachine(host, request.headers.host))
      return refuse(response, 403, 'The Host header does not name this machine.');
    const path = url.split('?')[0]!;
    if (!path.startsWith(base)) return refuse(response, 404, 'There is nothing here.');
    const place = path.slice(base.length);
    if (method === 'GET' && place === '') return html(response, options.render('page'));
    if (method === 'GET' && place === 'live') return html(response, options.render('live'));
    if (method === 'GET' && place === 'events') return follow(response);
    if (method === 'POST' && isForeign(request)) return refuse(response, 403, 'The Origin header is of another site.');
    if (method === 'POST' && place === 'answer') return void answer(request, response).catch(() => response.destroy());
    if (method === 'POST' && place === 'finish') {
      back(response);
      request.resume();
      return options.onFinish();
    }
    refuse(response, place === '' ? 405 : 404, 'There is nothing here.');
  }

  function follow(response: ServerResponse): void {
    if (listeners.size >= mostListeners) return refuse(response, 503, 'Too many pages are open.');
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(`retry: 2000\ndata: ${version}\n\n`);
    listeners.add(response);
    response.once('close', () => listeners.delete(response));
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await boundedText(request, mostFormBytes);
    if (text === undefined) return refuse(response, 413, 'The form is too large.');
    options.onAnswer(new URLSearchParams(text));
    back(response);
  }

  function back(response: ServerResponse): void {
    response.writeHead(303, { location: base }).end();
  }

  const server = createServer(route);
  const { origin, port } = await listen(server, host, options.port);
  return {
    url: origin + base,
    port,
    changed() {
      version += 1;
      for (const one of listeners) one.write(`data: ${version}\n\n`);
    },
    async close() {
      for (const one of listeners) one.end();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const late = setTimeout(() => server.closeAllConnections(), 500);
      await closed;
      clearTimeout(late);
    },
  };
}

/** A form of another site. Its page has no other way to a secret path, but a leaked address must not suffice. */
function isForeign({ headers: { origin, host } }: IncomingMessage): boolean {
  return origin !== undefined && origin !== `http://${host ?? ''}`;
}

function html(response: ServerResponse, text: string): void {
  response
    .writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
    })
    .end(text);
}

function refuse(response: ServerResponse, status: number, why: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(`${why}\n`);
}
