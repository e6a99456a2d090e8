/**
 * A session of the Streamable HTTP transport: its id, its event streams and the messages that wait
 * for a listening stream. Must not answer HTTP requests other than with an event stream.
 */
import type { ServerResponse } from 'node:http';
import { marksOf } from '../session/due.ts';
import type { Host } from '../session/host.ts';
import type { JsonObject } from '../protocol/json-rpc.ts';
import { atLeast } from '../protocol/revisions.ts';
import { Session } from '../session/session.ts';
import { EventStream } from './event-stream.ts';

const maxKeptStreams = 200;
const maxWaiting = 100;

export class HttpSession {
  readonly id: string;
  readonly session: Session;
  private readonly host: Host;
  private streams: EventStream[] = [];
  private readonly listening = new Set<EventStream>();
  private waiting: JsonObject[] = [];
  private opened = 0;

  constructor(host: Host, id: string) {
    this.host = host;
    this.id = id;
    this.session = new Session(host, 'http', (message, passing) => this.deliver(message, passing));
  }

  get headers(): Record<string, string> {
    return { 'mcp-session-id': this.id };
  }

  /** A new stream of this session, not connected yet. */
  openStream(): EventStream {
    const primed = this.session.revision !== undefined && atLeast(this.session.revision, '2025-11-25');
    const stream = new EventStream(this.host, { number: this.opened, primed, headers: this.headers });
    this.opened += 1;
    this.streams.push(stream);
    if (this.streams.length > maxKeptStreams) {
      const oldest = this.streams.find((kept) => kept.ended);
      this.streams = this.streams.filter((kept) => kept !== oldest);
    }
    return stream;
  }

  /** Answers a GET with a stream for messages that belong to no request. */
  listen(response: ServerResponse): void {
    const stream = this.openStream();
    this.listening.add(stream);
    stream.attach(response);
    this.host.behaviour.onListening(this.session);
    this.flush();
  }

  /**
   * Answers a GET that names the last event seen: the rest of that event's stream, and nothing else.
   * @returns false if the event is not known
   */
  resume(lastEventId: string, response: ServerResponse): boolean {
    const interrupted = this.streams.find((stream) => stream.indexOf(lastEventId) >= 0);
    if (interrupted === undefined) return false;
    const others = this.streams.filter((stream) => stream !== interrupted);
    const other = others.findLast((stream) => !this.listening.has(stream) && stream.events.length > 1);
    if (!this.host.keeps('resume-the-right-stream') && other !== undefined) {
      other.attach(response);
      return true;
    }
    interrupted.attach(response, interrupted.indexOf(lastEventId));
    if (!this.host.keeps('replay-only-the-resumed-stream')) {
      for (const stream of others)
        for (const event of stream.events) if (response.writable) response.write(event.bytes);
    }
    if (this.listening.has(interrupted)) this.flush();
    return true;
  }

  /** Forgets a stream, which then cannot be resumed. */
  forget(stream: EventStream): void {
    stream.end();
    this.streams = this.streams.filter((kept) => kept !== stream);
  }

  /** Sends a message on one listening stream; without one it is kept, unless it is of passing interest. */
  deliver(message: JsonObject, passing = false): void {
    const connected = [...this.listening].filter((stream) => stream.connected);
    const isForOne = this.host.keeps('push-to-one-stream') && marksOf(message).everywhere !== true;
    const chosen = isForOne ? connected.slice(0, 1) : connected;
    for (const stream of chosen) {
      stream.send(message);
      if (!this.host.keeps('keep-listening-streams')) stream.disconnect();
    }
    if (chosen.length === 0 && !passing) this.waiting = [...this.waiting, message].slice(-maxWaiting);
  }

  close(): void {
    this.session.close();
    for (const stream of this.streams) stream.end();
  }

  private flush(): void {
    const due = this.waiting;
    this.waiting = [];
    for (const message of due) this.deliver(message);
  }
}
