/**
 * A puppet client: it does what the example of a rule has its client do, against a live server, and waits for what the
 * example has the server do. It knows nothing of MCP but the handshake and the headers that examples leave out.
 */
import type { RuleExample } from '../../../src/core/model/rules/rule.ts';
import { nameMembers, type HeaderChanges } from '../../../src/core/model/request-headers.ts';
import { exampleSessionId } from '../../../src/core/rules/examples/example-http.ts';
import {
  discoverRequest,
  initializeRequest,
  isRecord,
  withMeta,
} from '../../../src/core/rules/examples/example-messages.ts';
import type { NotationAct } from '../../../src/core/trace/notation.ts';
import type { ClientServer } from '../../../src/stage/drive/functions-driver.ts';
import { answerTo } from '../../reference-client/answers.ts';
import { seamsOf } from '../../reference-client/seams.ts';
import type { ExampleSetting } from '../rules.ts';
import { createLiveValues } from './live-values.ts';
import { standsFor, type ClientScript } from './script.ts';
import { httpWire, stdioWire, type Came, type Sent, type Wire } from './wire.ts';

type Json = Record<string, unknown>;

/** Milliseconds. */
export interface Patience {
  /** How long something that the script has the server do is waited for. */
  waitMs: number;
  /** The same at the end, for what was asked and not waited for. */
  restMs: number;
}

export const quick: Patience = { waitMs: 1_500, restMs: 700 };
export const patient: Patience = { waitMs: 3_500, restMs: 3_000 };
/** How long what was sent may take to arrive. */
const arrivalMs = 8_000;
const mostPauseMs = 700;
const jsonType = 'application/json';
const streamType = 'text/event-stream';

interface Connection {
  wire: Wire;
  session?: string;
  /** HTTP+SSE: where messages go. */
  messages?: string;
  inbox: { came: Came; taken: boolean }[];
  sent: Sent[];
  labels: Map<string, Sent>;
  open: Set<unknown>;
}

/** Plays it. @param ends the request behind whose answer the server forgets the session @returns what the live server did not do though the script has it */
export async function playScript(
  example: RuleExample,
  script: ClientScript,
  setting: ExampleSetting,
  server: ClientServer,
  { patience, ends }: { patience: Patience; ends: string | undefined },
): Promise<string[]> {
  return new ScriptPlayer(example, script, setting, server, patience).play(ends);
}

class ScriptPlayer {
  private readonly example: RuleExample;
  private readonly script: ClientScript;
  private readonly setting: ExampleSetting;
  private readonly server: ClientServer;
  private readonly patience: Patience;
  private readonly live = createLiveValues();
  private readonly connections: Connection[] = [];
  private readonly missed: string[] = [];
  private at!: Connection;
  private wake: () => void = () => {};
  private fillers = 0;

  constructor(
    example: RuleExample,
    script: ClientScript,
    setting: ExampleSetting,
    server: ClientServer,
    patience: Patience,
  ) {
    this.patience = patience;
    this.example = example;
    this.script = script;
    this.setting = setting;
    this.server = server;
  }

  async play(ends: string | undefined): Promise<string[]> {
    const { acts } = this.script;
    try {
      const byHand = acts[0]?.act === 'client-http';
      if (acts[0]?.act !== 'session' || this.example.handshake !== false)
        await this.begin(this.example.handshake !== false, byHand);
      if (ends !== undefined) await this.fill(ends);
      for (const act of acts) if (!(await this.act(act))) break;
      await this.rest();
    } finally {
      for (const { wire } of this.connections) await wire.close();
    }
    return this.missed;
  }

  private async begin(greets: boolean, byHand = false): Promise<void> {
    const { transport, command, url } = this.server;
    const connection: Connection = {
      inbox: [],
      sent: [],
      labels: new Map(),
      open: new Set(),
      wire: undefined as never,
    };
    const take = (came: Came): void => this.take(connection, came);
    const ends = this.script.acts.some(({ act }) => act === 'close-stdin' || act === 'shut-down' || act === 'exit');
    connection.wire = transport === 'stdio' ? stdioWire(command, take, ends) : httpWire(take);
    this.connections.push(connection);
    this.at = connection;
    if (transport === 'sse' && !byHand) {
      connection.sent.push(connection.wire.send('GET', url, { accept: streamType }));
      const found = await this.wait((one) => one.what === 'event' && one.event === 'endpoint');
      if (found?.what === 'event') connection.messages = new URL(found.data, url).href;
    }
    if (!greets) return;
    const { revision, era } = this.setting;
    const hello =
      era === 'stateless' ? discoverRequest(this.example, revision) : initializeRequest(this.example, revision);
    const sent = this.send(hello, {});
    await this.response(hello.id);
    if (era === 'stateless') return;
    await this.over(sent);
    const ready = this.send({ jsonrpc: '2.0', method: 'notifications/initialized' }, {});
    await this.over(ready);
  }

  private take(connection: Connection, came: Came): void {
    connection.inbox.push({ came, taken: false });
    if (came.what === 'status') connection.session ??= came.headers['mcp-session-id'];
    if (came.what === 'message') this.live.meet(came.message);
    if (came.what === 'message' && !('method' in came.message)) connection.open.delete(came.message.id);
    this.wake();
  }

  /** The first that came and fits, which nothing waited for before; undefined where none does in time. */
  private async wait(fits: (one: Came) => boolean, ms = this.patience.waitMs): Promise<Came | undefined> {
    const { inbox } = this.at;
    const end = performance.now() + ms;
    for (;;) {
      const found = inbox.find(({ came, taken }) => !taken && fits(came));
      if (found) {
        found.taken = true;
        return found.came;
      }
      const left = end - performance.now();
      if (left <= 0) return undefined;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  private response(id: unknown): Promise<Came | undefined> {
    return this.wait((one) => one.what === 'message' && !('method' in one.message) && one.message.id === id);
  }

  private async over(sent: Sent | undefined): Promise<boolean> {
    if (sent === undefined || sent.over) return true;
    return (await this.wait((one) => one.what === 'end' && one.on === sent)) !== undefined;
  }

  private headersFor(message: unknown, changes: HeaderChanges, own: Record<string, string>): Record<string, string> {
    const { era, revision, transport } = this.setting;
    const method = isRecord(message) ? message.method : undefined;
    const session = method === 'initialize' || era === 'stateless' ? undefined : this.at.session;
    const member = typeof method === 'string' ? nameMembers[method] : undefined;
    const name =
      member !== undefined && isRecord(message) && isRecord(message.params) ? message.params[member] : undefined;
    const named: Record<string, string> = {
      ...own,
      ...(session === undefined || transport === 'sse' ? {} : { 'mcp-session-id': session }),
      ...(method !== 'initialize' && revision >= '2025-06-18' ? { 'mcp-protocol-version': revision } : {}),
      ...(era === 'stateless' && typeof method === 'string' ? { 'mcp-method': method } : {}),
      ...(era === 'stateless' && typeof name === 'string' ? { 'mcp-name': name } : {}),
    };
    for (const [header, value] of Object.entries(changes)) {
      if (value === null) delete named[header];
      else if (value === true) {
        const usual = named[header.toLowerCase()];
        delete named[header.toLowerCase()];
        if (usual !== undefined) named[header] = usual;
      } else if (value === exampleSessionId) named[header] = this.at.session ?? value;
      else named[header] = header === 'last-event-id' ? this.live.liveEvent(value) : value;
    }
    return named;
  }

  private addressOf(address: string | undefined): string {
    const endpoint = this.setting.transport === 'sse' ? (this.at.messages ?? this.server.url) : this.server.url;
    if (address === undefined) return endpoint;
    if (address.startsWith('?')) return endpoint + address;
    const { origin } = new URL(this.server.url);
    return new URL(address.replace(/^https?:\/\/[^/]*/, ''), origin).href;
  }

  private send(
    message: unknown,
    changes: HeaderChanges,
    {
      label,
      address,
      method = 'POST',
      text,
      encoding = 'utf8',
    }: { label?: string; address?: string; method?: string; text?: string; encoding?: 'utf8' | 'latin1' } = {},
  ): Sent {
    const whole = (text ?? JSON.stringify(message)) + (this.setting.transport === 'stdio' ? '\n' : '');
    const body = Buffer.from(whole, encoding);
    const own = { accept: `${jsonType}, ${streamType}`, 'content-type': jsonType };
    const sent = this.at.wire.send(method, this.addressOf(address), this.headersFor(message, changes, own), body);
    return this.keep(sent, label, [message].flat());
  }

  private keep(sent: Sent, label: string | undefined, messages: unknown[] = []): Sent {
    this.at.sent.push(sent);
    if (label !== undefined) this.at.labels.set(label, sent);
    for (const one of messages) if (isRecord(one) && 'method' in one && 'id' in one) this.at.open.add(one.id);
    return sent;
  }

  private current(label: string | undefined): Sent | undefined {
    if (label !== undefined) return this.at.labels.get(label);
    return this.at.sent.findLast(({ over }) => !over) ?? this.at.sent.at(-1);
  }

  /** Asks for what lies beside the endpoint, on whatever transport. */
  private fetch(address: string, { headers, label, method }: Extract<NotationAct, { act: 'client-http' }>): void {
    const { at } = this;
    const given = Object.entries(headers).filter((one): one is [string, string] => typeof one[1] === 'string');
    this.keep(httpWire((came) => this.take(at, came)).send(method, address, Object.fromEntries(given)), label);
  }

  /** @returns false at the end of the client */
  private async act(act: NotationAct): Promise<boolean> {
    switch (act.act) {
      case 'client-message': {
        const live = this.live.toLive(act.message);
        const whole = this.setting.era === 'stateless' ? withMeta(live, this.example, this.setting.revision) : live;
        this.send(this.script.named(whole, act.headers), act.headers, act);
        return true;
      }
      case 'client-raw':
        this.send(undefined, act.headers, act);
        return true;
      case 'client-http': {
        const canary = this.live.canary(act.address);
        if (canary !== undefined) {
          this.fetch(canary, act);
          return true;
        }
        const own: Record<string, string> = {
          accept: act.method === 'GET' ? streamType : `${jsonType}, ${streamType}`,
        };
        const headers = this.headersFor(undefined, act.headers, own);
        const address = act.address === undefined ? this.server.url : this.addressOf(act.address);
        this.keep(this.at.wire.send(act.method, address, headers), act.label);
        return true;
      }
      case 'client-drop':
        this.current(act.label)?.drop();
        return true;
      case 'pause':
        await new Promise((resolve) => setTimeout(resolve, Math.min(act.ms, mostPauseMs)));
        return true;
      case 'session':
        await this.begin(!act.bare);
        return true;
      case 'session-again':
        this.at = this.connections[act.number - 1] ?? this.at;
        return true;
      case 'close-stdin':
      case 'shut-down':
        await this.at.wire.end(act.act === 'close-stdin' ? 'stdin' : 'SIGTERM');
        return true;
      case 'exit':
        // A signal is that of the client, which started the process.
        if (act.signal !== null) await this.at.wire.end(act.signal as NodeJS.Signals);
        return true;
      case 'client-exit':
        return false;
      // The run says where it listens, and whether its server is noisy.
      case 'listening':
      case 'stderr':
        return true;
      default:
        if (!(await this.awaited(act))) this.missed.push(describe(act));
        return true;
    }
  }

  /** Waits for what the script has the server do. @returns false where that does not come */
  private async awaited(act: NotationAct): Promise<boolean> {
    switch (act.act) {
      case 'server-message':
        for (const one of [act.message].flat()) if (isRecord(one) && !(await this.message(one))) return false;
        return true;
      case 'server-status':
        return this.over(this.current(act.label));
      case 'server-stream': {
        const sent = this.current(act.label);
        return (
          sent?.replied === true || (await this.wait((one) => one.what === 'status' && one.on === sent)) !== undefined
        );
      }
      case 'server-event': {
        const sent = this.current(act.label);
        const came = await this.wait((one) => one.what === 'event' && one.on === sent);
        if (came?.what === 'event') this.live.learnEvent(act.id, came.id);
        return came !== undefined;
      }
      case 'server-end':
        return this.over(this.current(act.label));
      case 'timeout':
        return true;
      default:
        return false;
    }
  }

  private async message(scripted: Json): Promise<boolean> {
    const { id, method } = scripted;
    const asks = typeof method === 'string' && id !== undefined;
    // A server asks while a request of the client is under way; a script may have it ask at any time.
    if (asks && this.at.open.size === 0) void this.fill('tools/list');
    const came = await this.wait((one) => {
      if (one.what !== 'message') return false;
      return asks
        ? standsFor(one.message.method, method) && 'id' in one.message
        : typeof method === 'string'
          ? one.message.method === method
          : !('method' in one.message) && JSON.stringify(one.message.id) === JSON.stringify(id);
    });
    if (came?.what !== 'message') return false;
    if (asks) this.live.learnId(id, came.message.id);
    this.live.learn(scripted, came.message);
    if (isRecord(scripted.result)) await this.furtherPages(scripted.result, came.message.result);
    return true;
  }

  /** A list that is one page in the script may have more live: a client that knows the list has read them all. */
  private async furtherPages(scripted: Json, live: unknown): Promise<void> {
    if ('nextCursor' in scripted) return;
    const list = ['tools', 'prompts', 'resources'].find((name) => Array.isArray(scripted[name]));
    for (let page = live; list !== undefined && isRecord(page) && typeof page.nextCursor === 'string'; ) {
      const came = await this.fill(`${list}/list`, { cursor: page.nextCursor });
      page = came?.what === 'message' ? came.message.result : undefined;
    }
  }

  /** A request of which the script says nothing, and its response. */
  private async fill(method: string, params?: Json): Promise<Came | undefined> {
    this.fillers += 1;
    const id = `filler-${this.fillers}`;
    const message = { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) };
    const whole = this.setting.era === 'stateless' ? withMeta(message, this.example, this.setting.revision) : message;
    const sent = this.send(whole, {});
    const came = await this.response(id);
    await this.over(sent);
    return came;
  }

  /** Lets what is under way end, and answers what the script does not speak of as a client may. */
  private async rest(): Promise<void> {
    const begin = performance.now();
    for (const connection of this.connections) {
      this.at = connection;
      const isOnItsWay = (): boolean =>
        connection.sent.some(({ carries, replied, over }) => carries && !replied && !over);
      for (;;) {
        const left = begin + (isOnItsWay() ? arrivalMs : this.patience.restMs) - performance.now();
        if (left <= 0 || !(isOnItsWay() || connection.open.size > 0)) break;
        const came = await this.wait(
          (one) =>
            one.what === 'end' ||
            one.what === 'status' ||
            (one.what === 'message' && (!('method' in one.message) || 'id' in one.message)),
          left,
        );
        if (came?.what !== 'message' || typeof came.message.method !== 'string') continue;
        const params = isRecord(came.message.params) ? came.message.params : {};
        const answer = answerTo(came.message.method, params, this.example.clientCapabilities ?? {}, seamsOf({}), true);
        this.send({ jsonrpc: '2.0', id: came.message.id, ...answer }, {});
      }
    }
  }
}

function describe(act: NotationAct): string {
  return act.act === 'server-message' ? `server-message ${JSON.stringify(act.message).slice(0, 120)}` : act.act;
}
