/** Streamable HTTP, and HTTP+SSE of 2024-11-05, as the reference client speaks them. It knows no method of MCP. */
import { request } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Json } from '../../src/core/faults/operators.ts';
import { rawText } from '../../src/core/faults/raw-text.ts';
import type { Sending } from '../../src/core/faults/operators.ts';
import type { Login } from './login.ts';
import type { RequestAbout, Seams } from './seams.ts';

/** How messages reach the server, and what it sends comes back. */
export interface Channel {
  /** Sends; resolves when nothing more is to come of it. `lost` where the session is over. */
  send(
    sending: Sending,
    about: RequestAbout & { headers?: Record<string, string> },
  ): Promise<'done' | 'lost' | 'broken' | Refused>;
  /** Opens streams for what the server sends by itself, where the transport has them. */
  listen?(): void;
  /** Gives a request up by closing the stream of its reply. */
  drop?(id: unknown): void;
  /** Looks whether the address is that of a server of 2024-11-05. */
  lookForOldServer?(): Promise<void>;
  close(): Promise<void>;
}

/** A POST that was refused, with what its body says. */
export interface Refused {
  status: number;
  body: unknown;
}

export interface HttpOptions {
  url: string;
  seams: Seams;
  take: (message: unknown) => void;
  /** The revision that the headers name; undefined while none was negotiated. */
  revision: () => string | undefined;
  /** Whether a response to this request came. */
  isAnswered: (message: Json) => boolean;
  signal: AbortSignal;
  login: Login;
  /** Milliseconds that it takes longer than asked to resume a stream. */
  lateMs: number;
  /** A stream that broke off is not resumed. */
  isStateless: boolean;
}

interface Seen {
  id?: string;
  /** The first id that came. */
  first?: string;
  retry?: number;
}

export const textOf = ({ message, raw }: Sending): string =>
  raw === undefined ? JSON.stringify(message) : rawText(JSON.stringify(message), raw);

/** Bytes of a message without its end. */
export const bytesOf = (sending: Sending): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(textOf(sending), sending.raw?.encoding ?? 'utf8'));

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Each event of a stream, until it ends or breaks off. */
async function readEvents(
  response: Response,
  each: (name: string, data: string) => void,
  seen: Seen,
  skipsComments = true,
): Promise<void> {
  let rest = '';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) {
      rest += decoder.decode(chunk as Uint8Array, { stream: true });
      if (!skipsComments && /^:/m.test(rest)) return;
      for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
        const lines = rest.slice(0, end).split('\n');
        rest = rest.slice(end + 2);
        const value = (name: string): string | undefined =>
          lines
            .find((line) => line.startsWith(`${name}:`))
            ?.slice(name.length + 1)
            .trim();
        seen.id = value('id') ?? seen.id ?? '';
        seen.first ??= seen.id;
        if (value('retry') !== undefined) seen.retry = Number(value('retry'));
        const data = value('data') ?? '';
        if (data !== '') each(value('event') ?? 'message', data);
      }
    }
  } catch {
    // It broke off; whoever waits for more resumes it.
  }
}

export function openHttp({
  url,
  seams,
  take,
  revision,
  isAnswered,
  signal,
  login,
  lateMs,
  isStateless,
}: HttpOptions): Channel & {
  session: () => string | undefined;
} {
  let session: string | undefined;
  const listening = new AbortController();
  const dropped = new Map<unknown, AbortController>();
  const stop = AbortSignal.any([signal, listening.signal]);

  const common = (about: RequestAbout, own: Record<string, string> = {}): Record<string, string> =>
    seams.headers(
      {
        ...own,
        accept: about.verb === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
        ...(about.verb === 'POST' ? { 'content-type': 'application/json' } : {}),
        ...(session === undefined ? {} : { 'mcp-session-id': session }),
        ...(revision() === undefined ? {} : { 'mcp-protocol-version': revision()! }),
        ...credentials(about),
      },
      about,
    );

  const leavesOut = ({ method }: RequestAbout): boolean =>
    method === 'tools/list' && !seams.keeps('show-tokens-always') && login.header() !== undefined;

  function credentials(about: RequestAbout): Record<string, string> {
    const shown = leavesOut(about) ? undefined : login.header();
    return shown === undefined ? {} : { authorization: shown };
  }

  async function resume(message: Json, seen: Seen): Promise<void> {
    for (let tries = 0; tries < 5 && !isAnswered(message) && seen.id && !stop.aborted; tries += 1) {
      if (seams.keeps('wait-before-resuming')) await pause((seen.retry ?? 10) + lateMs);
      const named: Record<string, string> = seams.keeps('name-the-last-event')
        ? {
            'last-event-id': seams.keeps('name-the-newest-event') ? seen.id : (seen.first ?? seen.id),
          }
        : {};
      const response = await fetch(login.address(), {
        headers: { ...common({ verb: 'GET' }), ...named },
        signal: stop,
      }).catch(() => undefined);
      if (response === undefined || !response.ok) return;
      await readEvents(response, (_name, data) => take(JSON.parse(data)), seen);
    }
  }

  return {
    session: () => session,
    async send(sending, { headers = {}, ...about }) {
      const dropping = new AbortController();
      if (about.posted === 'request') dropped.set(sending.message.id, dropping);
      const post = (): Promise<Response | undefined> =>
        (seams.keeps('take-headers-in-any-case') ? fetch : fetchByCase)(login.address(), {
          method: 'POST',
          headers: common({ ...about, verb: 'POST' }, headers),
          body: bytesOf(sending),
          signal: AbortSignal.any([stop, dropping.signal]),
        }).catch(() => undefined);
      let response = await post();
      while (response !== undefined && !leavesOut(about) && (await login.answer(response))) response = await post();
      if (response === undefined) return 'done';
      session = response.headers.get('mcp-session-id') ?? session;
      if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
        if (about.method === 'tools/list' && !seams.keeps('read-streams')) return ignored(response);
        const seen: Seen = {};
        await readEvents(response, (_name, data) => take(JSON.parse(data)), seen, seams.keeps('skip-comments'));
        if (dropping.signal.aborted || about.posted !== 'request') return 'done';
        if (isStateless) return isAnswered(sending.message) || stop.aborted ? 'done' : 'broken';
        if (seams.keeps('resume-streams')) await resume(sending.message, seen);
        return 'done';
      }
      if (!seams.keeps('take-headers-in-any-case') && response.headers.get('content-type') === null)
        return ignored(response);
      const body = parsed(await response.text().catch(() => ''));
      if (response.status === 404 && session !== undefined && seams.keeps('restart-lost-sessions')) return 'lost';
      if (body !== undefined && response.ok) for (const message of [body].flat()) take(message);
      return response.ok ? 'done' : { status: response.status, body };
    },
    listen() {
      const heard = (message: Json): void => {
        if (!('id' in message) || seams.keeps('answer-on-listening-streams')) take(message);
      };
      for (let count = 0; count < 2; count += 1)
        void fetch(login.address(), { headers: common({ verb: 'GET' }), signal: stop })
          .then((stream) => readEvents(stream, (_name, data) => heard(JSON.parse(data)), {}))
          .catch(() => {});
    },
    drop: (id) => dropped.get(id)?.abort(),
    async lookForOldServer() {
      const address = seams.keeps('look-at-the-same-address') ? url : `${url}/sse`;
      const response = await fetch(address, { headers: common({ verb: 'GET' }), signal: stop }).catch(() => undefined);
      await response?.text().catch(() => '');
    },
    async close() {
      listening.abort();
      if (session === undefined || !seams.keeps('delete-sessions')) return;
      const response = await fetch(login.address(), { method: 'DELETE', headers: common({ verb: 'DELETE' }) }).catch(
        () => undefined,
      );
      await response?.text().catch(() => '');
    },
  };
}

export async function openLegacySse({
  url,
  seams,
  take,
  signal,
}: Omit<HttpOptions, 'login' | 'lateMs' | 'isStateless'>): Promise<Channel> {
  const over = new AbortController();
  const stop = AbortSignal.any([signal, over.signal]);
  const stream = await fetch(url, {
    headers: seams.headers({ accept: 'text/event-stream' }, { verb: 'GET' }),
    signal: stop,
  });
  let endpoint: (address: string) => void = () => {};
  const address = new Promise<string>((resolve) => (endpoint = resolve));
  void readEvents(
    stream,
    (name, data) => (name === 'endpoint' ? endpoint(new URL(data, url).href) : take(JSON.parse(data))),
    {},
  );
  const to = await address;
  return {
    async send(sending, about) {
      const strange = about.method === 'tools/list' && !seams.keeps('post-to-the-endpoint');
      const response = await fetch(strange ? `${to}&again=1` : to, {
        method: 'POST',
        headers: seams.headers({ 'content-type': 'application/json' }, { ...about, verb: 'POST' }),
        body: bytesOf(sending),
        signal: stop,
      }).catch(() => undefined);
      await response?.text().catch(() => '');
      return 'done';
    },
    close: () => Promise.resolve(over.abort()),
  };
}

/** A reply that the client cannot make sense of. */
async function ignored(response: Response): Promise<'done'> {
  await response.text().catch(() => '');
  return 'done';
}

/** `fetch` of a client that looks for names of headers as they are usually written, or in small letters. */
function fetchByCase(
  url: string,
  { method, headers, body }: { method: string; headers: Record<string, string>; body: Uint8Array },
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const out = request(url, { method, headers }, (reply) => {
      const names = reply.rawHeaders.filter((_, index) => index % 2 === 0);
      const known = names.filter((name) => name !== name.toUpperCase());
      const kept = known.map((name) => [name, String(reply.headers[name.toLowerCase()])] as [string, string]);
      const status = reply.statusCode ?? 0;
      const isEmpty = status === 202 || status === 204;
      resolve(new Response(isEmpty ? null : (Readable.toWeb(reply) as ReadableStream), { status, headers: kept }));
      if (isEmpty) reply.resume();
    });
    out.once('error', reject);
    out.end(body);
  });
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
