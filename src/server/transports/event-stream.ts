/**
 * One server-sent event stream: its events with their ids, kept so that a client which lost the connection can resume.
 * The connection comes and goes; the stream ends once. It is independent of the meaning of the messages.
 */
import type { ServerResponse } from 'node:http';
import type { HttpReplying } from '../session/behaviour.ts';
import { eventDataOf } from '../session/due.ts';
import type { Host } from '../session/host.ts';

export interface StreamOptions {
  /** Number of the stream within its session; undefined for streams without event ids. */
  number: number | undefined;
  /** True if the stream begins with an event that has an id and no data (from 2025-11-25). */
  primed: boolean;
  headers: Record<string, string>;
}

interface StreamEvent {
  /** Empty for an event without an id. */
  id: string;
  bytes: Buffer;
}

/** Begins an event stream, through the seam of heads. */
export function writeStreamHead(
  { behaviour }: Host,
  response: ServerResponse,
  headers: Record<string, string>,
  posted: Pick<HttpReplying, 'posted' | 'method'> = {},
): void {
  const usual = {
    status: 200,
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform', ...headers },
  };
  const head = behaviour.http.head(usual, { verb: response.req.method ?? '', ...posted });
  response.writeHead(head.status, head.headers);
}

export class EventStream {
  readonly events: StreamEvent[] = [];
  ended = false;
  private readonly host: Host;
  private readonly options: StreamOptions;
  private connection: ServerResponse | undefined;
  /** Method of the request that it answers. */
  private method: string | undefined;

  constructor(host: Host, options: StreamOptions) {
    this.host = host;
    this.options = options;
    if (!options.primed) return;
    const retry = host.keeps('announce-retry') ? `retry: ${host.behaviour.http.retryMs}\n` : '';
    const hasIds = options.number !== undefined && host.behaviour.http.eventId(options.number, 0) !== '';
    if (hasIds && host.keeps('prime-streams')) this.append(`${retry}data: `, Buffer.alloc(0));
  }

  get connected(): boolean {
    return this.connection !== undefined;
  }

  /**
   * Sends the stream over a connection, from the event after index `after` on.
   * @param posted what it answers, if a POST
   */
  attach(response: ServerResponse, after = -1, posted: Pick<HttpReplying, 'posted' | 'method'> = {}): void {
    this.disconnect();
    this.method ??= posted.method;
    writeStreamHead(this.host, response, this.options.headers, posted);
    response.flushHeaders();
    for (const event of this.events.slice(after + 1)) response.write(event.bytes);
    if (this.ended) {
      response.end();
      return;
    }
    this.connection = response;
    response.on('close', () => {
      if (this.connection === response) this.connection = undefined;
    });
  }

  send(message: unknown): void {
    if (!this.ended) this.append('data: ', eventDataOf(this.host, this.host.behaviour.http.eventMessage(message)));
  }

  /** Ends the connection but not the stream, which can be resumed. */
  disconnect(): void {
    this.connection?.end();
    this.connection = undefined;
  }

  end(): void {
    this.ended = true;
    this.disconnect();
  }

  /** Index of the event with this id, or -1. */
  indexOf(id: string): number {
    return this.events.findIndex((event) => event.id === id && id !== '');
  }

  private append(before: string, data: Buffer): void {
    const { number } = this.options;
    const { eventId, beforeEvents } = this.host.behaviour.http;
    const id = number === undefined ? '' : eventId(number, this.events.length);
    const head = `${beforeEvents(this.method)}${id === '' ? '' : `id: ${id}\n`}${before}`;
    const bytes = Buffer.concat([Buffer.from(head), data, Buffer.from('\n\n')]);
    this.events.push({ id, bytes });
    this.connection?.write(bytes);
  }
}
