/**
 * The reply to one POST of the Streamable HTTP transport: a JSON object, or an event stream as
 * soon as something has to be sent ahead of the response. Must not decide what is sent.
 */
import type { ServerResponse } from 'node:http';
import type { HttpReply } from '../session/behaviour.ts';
import type { Host } from '../session/host.ts';
import type { JsonObject } from '../protocol/json-rpc.ts';
import type { FinishOptions, ReplySink } from '../protocol/reply-sink.ts';
import { atLeast } from '../protocol/revisions.ts';
import { EventStream } from './event-stream.ts';
import { refusal, writeReply } from './http-base.ts';
import type { HttpSession } from './http-session.ts';

export interface Posted {
  kind: NonNullable<HttpReply['posted']>;
  method: string | undefined;
}

export class PostExchange implements ReplySink {
  private readonly host: Host;
  private readonly response: ServerResponse;
  private readonly posted: Posted;
  /** Absent for stateless requests and for servers that issue no session ids. */
  private readonly owner: HttpSession | undefined;
  private readonly era: 'stateful' | 'stateless';
  private stream: EventStream | undefined;
  private finished = false;

  constructor(
    host: Host,
    response: ServerResponse,
    posted: Posted,
    owner: HttpSession | undefined,
    era: 'stateful' | 'stateless',
  ) {
    this.host = host;
    this.response = response;
    this.posted = posted;
    this.owner = owner;
    this.era = era;
  }

  /** Calls back if the client goes away before the reply is complete. */
  onDisconnect(callback: () => void): void {
    this.response.on('close', () => {
      if (!this.finished) callback();
    });
  }

  /** Chooses an event stream, unless the replies are JSON only. */
  beginStream(): void {
    if (!this.isPlain()) this.open();
  }

  related(message: JsonObject): void {
    if (this.finished) return;
    if (this.isPlain()) {
      // Without a stream of its own only a question can be sent, and only on a listening stream.
      if ('id' in message) this.owner?.deliver(message);
      return;
    }
    const stream = this.open();
    stream.send(message);
    if (this.owner === undefined || this.era === 'stateless') return;
    if (!this.host.keeps('deliver-responses-on-streams')) this.owner.forget(stream);
    else if (!this.host.keeps('keep-streams-until-the-response')) stream.disconnect();
  }

  /** It is answered with JSON only; a subscription is a stream whatever other replies are (2026-07-28: basic/patterns/subscriptions). */
  private isPlain(): boolean {
    return this.host.behaviour.http.replies === 'json' && this.posted.method !== 'subscriptions/listen';
  }

  lost(): boolean {
    return !this.finished && this.response.destroyed;
  }

  drop(): boolean {
    const revision = this.owner?.session.revision;
    const { http } = this.host.behaviour;
    // Only where the client can come back for the rest.
    const resumable =
      http.eventId(0, 0) !== '' && http.gate({ verb: 'GET', path: '', headers: {}, names: [] }) === undefined;
    if (revision === undefined || !atLeast(revision, '2025-11-25') || http.replies === 'json' || !resumable)
      return false;
    this.open().disconnect();
    return true;
  }

  finish(messages: JsonObject[], options: FinishOptions = {}): void {
    if (this.finished) return;
    this.finished = true;
    const reason = options.reason ?? 'answer';
    const plain = this.posted.kind !== 'request' && this.stream === undefined;
    if (plain && messages.length === 0)
      return this.reply(
        reason === 'unknown-response' ? refusal(400, reason, 'There is no such request') : { status: 202, reason },
      );
    // A cancelled request is answered without a message, for which JSON has no form.
    if (messages.length === 0 && this.isPlain()) return this.reply({ status: 204, reason });
    const fits = this.host.behaviour.http.replies !== 'sse' && (messages.length === 1 || options.batch === true);
    const failed = (options.status ?? 200) !== 200 && messages.length === 1;
    if (this.stream === undefined && (fits || failed)) {
      const body = options.batch === true ? messages : messages[0];
      return this.reply({ status: options.status ?? 200, reason, body });
    }
    const stream = this.open();
    for (const message of messages) stream.send(message);
    if (this.host.keeps('end-streams-after-the-response') || messages.length === 0) stream.end();
  }

  private reply(reply: HttpReply): void {
    writeReply(
      this.host,
      this.response,
      { ...reply, posted: this.posted.kind, method: this.posted.method },
      this.owner?.headers,
    );
  }

  private open(): EventStream {
    if (this.stream === undefined) {
      const buffering: Record<string, string> = this.host.keeps('send-buffering-header')
        ? { 'x-accel-buffering': 'no' }
        : {};
      this.stream =
        this.owner?.openStream() ??
        new EventStream(this.host, { number: undefined, primed: false, headers: buffering });
      this.stream.attach(this.response, -1, { posted: this.posted.kind, method: this.posted.method });
    }
    return this.stream;
  }
}
