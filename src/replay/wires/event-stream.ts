/** A stream of Server-Sent Events with ids of its own: a client that lost the connection goes on behind the last one. */
import type { ServerResponse } from 'node:http';
import type { StreamShape } from '../recorded-http.ts';

export class EventStream {
  private readonly events: { id: string; text: string }[] = [];
  private response: ServerResponse | undefined;
  private ended = false;
  private readonly number: number;
  private readonly shape: StreamShape;

  constructor(number: number, shape: StreamShape) {
    this.number = number;
    this.shape = shape;
    if (shape.primed !== undefined) this.write('', shape.primed.retry);
  }

  get hasReader(): boolean {
    return this.response !== undefined;
  }

  has(id: string): boolean {
    return this.events.some((event) => event.id === id);
  }

  /** @param after id of the last event that the client has */
  attach(response: ServerResponse, after?: string, headers: Record<string, string | string[]> = {}): void {
    this.response?.end();
    response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
    });
    response.flushHeaders();
    const from = after === undefined ? -1 : this.events.findIndex(({ id }) => id === after);
    // A new connection without an id gets what nobody has read yet.
    const unread = after === undefined && this.response !== undefined ? [] : this.events.slice(from + 1);
    for (const { text } of unread) response.write(text);
    if (this.ended) {
      response.end();
      return;
    }
    this.response = response;
    response.on('close', () => {
      if (this.response === response) this.response = undefined;
    });
  }

  send(message: string): void {
    if (!this.ended) this.write(message);
  }

  private write(data: string, retry?: number): void {
    const id = `${this.number}-${this.events.length}`;
    const { event, ids } = this.shape;
    const lines = [
      ...(event === undefined || data === '' ? [] : [`event: ${event}`]),
      ...(ids ? [`id: ${id}`] : []),
      ...(retry === undefined ? [] : [`retry: ${retry}`]),
      `data: ${data}`,
    ];
    const text = `${lines.join('\n')}\n\n`;
    this.events.push({ id, text });
    this.response?.write(text);
  }

  end(): void {
    this.ended = true;
    this.response?.end();
    this.response = undefined;
  }
}
