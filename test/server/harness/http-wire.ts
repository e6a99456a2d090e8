/** Raw HTTP for the tests of the reference server: every header in the test's hand. */
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:http';

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  /** The whole body, when it has ended or the connection was lost. */
  text: Promise<string>;
  /** Data of the server-sent events so far, with their ids. */
  events: { id: string | undefined; data: string; retry: string | undefined }[];
  /** True once the server has ended the body by itself. */
  readonly complete: boolean;
  drop(): void;
}

export interface Ask {
  verb?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  onData?: (data: string) => void;
}

/** Resolves when the head of the response is there. */
export function ask(url: string, { verb = 'POST', headers = {}, body, onData }: Ask): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: verb, headers, agent: false }, (response) => {
      const events: Reply['events'] = [];
      let all = Buffer.alloc(0);
      let read = 0;
      const isStream = String(response.headers['content-type']).startsWith('text/event-stream');
      response.on('data', (chunk: Buffer) => {
        all = Buffer.concat([all, chunk]);
        if (!isStream) return;
        for (let end = all.indexOf('\n\n', read); end >= 0; end = all.indexOf('\n\n', read)) {
          const lines = all.subarray(read, end).toString('utf8').split('\n');
          read = end + 2;
          const field = (name: string): string | undefined =>
            lines
              .find((line) => line.startsWith(`${name}:`))
              ?.slice(name.length + 1)
              .trim();
          const data = field('data') ?? '';
          events.push({ id: field('id'), data, retry: field('retry') });
          onData?.(data);
        }
      });
      const text = new Promise<string>((done) => response.on('close', () => done(all.toString('utf8'))));
      response.on('error', () => {});
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text,
        events,
        get complete() {
          return response.complete;
        },
        drop: () => response.destroy(),
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
