/** A stream of Server-Sent Events with ids of its own: a client that lost the connection goes on behind the last one. */
import type { ServerResponse } from 'node:http';

export class EventStream {
  private readonly events: { id: string; text: string }[] = [];
  private response: ServerResponse | undefined;
  private ended = false;
  private readonly number: number;

  constructor(number: number) {
    this.number = number;
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

  send(message: string, event?: string): void {
    if (this.ended) return;
    const id = `${this.number}-${this.events.length + 1}`;
    const text = `${event === undefined ? '' : `event: ${event}\n`}id: ${id}\ndata: ${message}\n\n`;
    this.events.push({ id, text });
    this.response?.write(text);
  }

  end(): void {
    this.ended = true;
    this.response?.end();
    this.response = undefined;
  }
}
