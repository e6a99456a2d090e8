/**
 * The reference client: functions for `checkClient`, faultless on all transports and revisions, with seams at which it can
 * be made to act otherwise. It calls, lists, reads and answers as it is told, and remembers nothing between starts.
 */
import type { Json, Sending } from '../../src/core/faults/operators.ts';
import type { Fault } from '../../src/core/model/rules/mutation.ts';
import type { Revision } from '../../src/core/model/rules/requirement.ts';
import type { ClientFunctions, ClientServer } from '../../src/stage/drive/functions-driver.ts';
import { answerTo } from './answers.ts';
import { everythingIn, type Variant } from './liberties.ts';
import { paramsOfRetry } from './rounds.ts';
import { createLogin, type Login } from './login.ts';
import { openHttp, openLegacySse, pause, type Channel, type Refused } from './http.ts';
import { clientInfo, declaredIn, hasSoundHeaders, metaOf, standardHeaders } from './stateless.ts';
import { seamsOf, type ClientDuty, type MessageAbout, type Seams } from './seams.ts';
import { openStdio } from './stdio.ts';
import { awaitTask, followTask, isTask } from './tasks.ts';

export interface ReferenceOptions {
  /** What it asks for first. */
  revision: Revision;
  faults?: readonly Fault[];
  neglects?: readonly ClientDuty[];
  /** In place of everything. */
  capabilities?: Json;
  /** Liberties that break nothing. */
  variant?: ReadonlySet<Variant>;
  /** Called for each message, as a faultless client sends it. */
  watch?: (message: Json, about: MessageAbout) => void;
}

const stateful = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const firstMethods = new Set(['initialize', 'server/discover']);
/** How long an answer is waited for, milliseconds. */
const answerMs = 3_600;
/** The same of the first request: a server may have to be started. */
const firstMs = 15_000;

/** How long a part of a long work takes. */
const stepMs = 15;

const strayError = { code: -32600, message: 'There is no such request' };

/** How much later than asked one that takes its time comes back for a stream. */
const lateMs = 400;

export class ReferenceClient {
  readonly seams: Seams;
  readonly capabilities: Json;
  private readonly login: Login;
  private readonly server: ClientServer;
  private readonly options: ReferenceOptions;
  private channel: Channel | undefined;
  private negotiated: string | undefined;
  private offered: Json = {};
  private nextId = 1;
  private isOver = false;
  /** The version that its requests declare. */
  private declared: string;
  private connection: object = {};
  private readonly waiting = new Map<unknown, (message: Json) => void>();
  private readonly answered = new Set<unknown>();
  /** Requests that it cancelled, and requests of the server by what became of them. */
  private readonly givenUp = new Set<unknown>();
  private readonly asked = new Map<unknown, 'open' | 'answered' | 'cancelled'>();
  /** It answers no ping any more. */
  private isDeaf = false;
  /** How often it has sent a request again whose stream had broken off. */
  private again = 0;
  private readonly listed = new Set<string>();
  /** Input schemas of the tools that were listed, by name. */
  private readonly schemas = new Map<string, Json>();
  /** Tools that may run as tasks of 2025-11-25. */
  private readonly withTasks = new Set<string>();
  /** By task: the status that a notification showed last. */
  private readonly notified = new Map<unknown, unknown>();
  /** Resources that it listens to in the stateless era, and who waits for acknowledgements, by the ids of requests. */
  private readonly watched = new Set<string>();
  private readonly acknowledged = new Map<unknown, () => void>();

  constructor(server: ClientServer, options: ReferenceOptions) {
    this.server = server;
    this.options = options;
    this.declared = options.revision;
    this.seams = seamsOf(options);
    this.capabilities = options.capabilities ?? everythingIn(options.revision);
    const { context, signal, url } = server;
    this.login = createLogin({
      url,
      seams: this.seams,
      revision: options.revision,
      context,
      signal,
      has: (one) => this.has(one),
    });
  }

  private has(variant: Variant): boolean {
    return this.options.variant?.has(variant) ?? false;
  }

  private get isStateless(): boolean {
    return this.options.revision === '2026-07-28';
  }

  private async open(): Promise<void> {
    this.connection = {};
    const { transport, url, command, signal } = this.server;
    const take = (message: unknown): void => {
      if (Array.isArray(message) && !this.seams.keeps('take-batches')) return;
      for (const one of [message].flat()) this.take(one as Json);
    };
    const http = {
      url,
      seams: this.seams,
      take,
      signal,
      revision: () => this.negotiated,
      isAnswered: ({ id }: Json) => this.answered.has(id),
      lateMs: this.has('resumes-late') ? lateMs : 0,
      isStateless: this.isStateless,
    };
    this.channel =
      transport === 'stdio'
        ? openStdio({ command, seams: this.seams, take })
        : transport === 'sse'
          ? await openLegacySse(http)
          : openHttp({ ...http, login: this.login });
  }

  async connect(): Promise<void> {
    this.negotiated = this.isStateless ? this.options.revision : undefined;
    await this.open();
    if (this.isStateless) return this.discover();
    if (!this.seams.keeps('initialize-first')) await this.request('tools/list');
    this.asked.clear();
    const early = this.has('pings-early');
    const starting = this.request('initialize', {
      protocolVersion: this.options.revision,
      capabilities: this.capabilities,
      clientInfo,
    });
    if (early) await this.request('ping');
    const { result, status } = await starting;
    const { protocolVersion, capabilities } = (result ?? {}) as Json;
    if (result === undefined && this.has('looks-for-old-servers') && (status === 404 || status === 405))
      await this.channel?.lookForOldServer?.();
    if (result === undefined) throw new Error('initialize was refused');
    if (!stateful.includes(protocolVersion as string) && this.seams.keeps('leave-unknown-versions')) {
      await this.close();
      throw new Error(`version ${String(protocolVersion)} is unknown`);
    }
    this.offered = (capabilities ?? {}) as Json;
    this.negotiated = (protocolVersion as string) >= '2025-06-18' ? (protocolVersion as string) : undefined;
    if (this.seams.keeps('announce-initialized')) await this.notify('notifications/initialized');
    if (this.has('opens-streams')) this.channel?.listen?.();
    await this.request('ping');
    await this.useAnything();
  }

  /** What a client does that does not look at what the server declares. */
  private async useAnything(): Promise<void> {
    if (this.seams.keeps('use-only-what-is-declared')) return;
    await this.request('tools/call', { name: 'add_numbers', arguments: { a: 1, b: 2 } });
    await this.request('prompts/get', { name: 'greet', arguments: { name: 'Ann' } });
  }

  private async discover(): Promise<void> {
    if (!this.seams.keeps('discover-first')) await this.request('tools/list');
    const first = await this.request('server/discover');
    const { result, error } = first.result === undefined ? await this.refused((first.error ?? {}) as Json) : first;
    if (result !== undefined && !this.seams.keeps('remember-the-era')) await this.fallBack();
    if (result !== undefined) {
      this.offered = ((result as Json).capabilities ?? {}) as Json;
      return this.useAnything();
    }
    throw new Error(`server/discover was refused: ${JSON.stringify(error)}`);
  }

  /** The first request was refused: it tries another version, or the other era. */
  private async refused(error: Json): Promise<Json> {
    const { supported } = (error.data ?? {}) as { supported?: string[] };
    if (supported !== undefined) {
      if (!this.seams.keeps('stay-in-the-era')) return this.fallBack();
      if (!supported.includes(this.options.revision)) return { error };
      if (!this.seams.keeps('take-supported-versions')) this.negotiated = this.declared = '2027-01-01';
      return this.request('server/discover');
    }
    const isReason = error.code === -32601 || this.seams.keeps('fall-back-after-any-error');
    return this.has('both-eras') && isReason ? this.fallBack() : { error };
  }

  private async fallBack(): Promise<Json> {
    this.negotiated = undefined;
    const { error = {} } = await this.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: this.capabilities,
      clientInfo,
    });
    this.negotiated = this.options.revision;
    return { error };
  }

  private take(message: Json): void {
    const { id, method } = message;
    if (typeof method === 'string' && id !== undefined) {
      void this.answer(id, method, (message.params ?? {}) as Json);
      return;
    }
    if (method === 'notifications/elicitation/complete' && !this.seams.keeps('ignore-unknown-completions'))
      void this.transmit({ jsonrpc: '2.0', id: null, error: strayError }, { kind: 'error', method: undefined });
    if (method === 'notifications/subscriptions/acknowledged')
      this.acknowledged.get(((message.params as Json)._meta as Json)['io.modelcontextprotocol/subscriptionId'])?.();
    if (method === 'notifications/cancelled') this.takeCancellation((message.params ?? {}) as Json);
    if (method === 'notifications/tasks/status') {
      const { taskId, status } = (message.params ?? {}) as Json;
      this.notified.set(taskId, status);
    }
    if (typeof method === 'string') {
      if (!this.seams.keeps('keep-notifications-unanswered'))
        void this.transmit({ jsonrpc: '2.0', id: null, result: {} }, { kind: 'result', method });
      return;
    }
    if (this.givenUp.has(id) && !this.seams.keeps('ignore-late-responses'))
      void this.transmit({ jsonrpc: '2.0', id, error: strayError }, { kind: 'error', method: undefined });
    this.answered.add(id);
    this.waiting.get(id)?.(message);
    this.waiting.delete(id);
  }

  /** The server takes a request back. */
  private takeCancellation({ requestId }: Json): void {
    const state = this.asked.get(requestId);
    if (state === 'open') {
      this.asked.set(requestId, 'cancelled');
      if (!this.seams.keeps('keep-cancelled-requests-unanswered'))
        void this.transmit(
          { jsonrpc: '2.0', id: requestId, error: { code: 0, message: 'Request cancelled' } },
          { kind: 'error', method: undefined },
        );
      return;
    }
    if (state === 'answered' && !this.seams.keeps('survive-late-cancellations')) this.isDeaf = true;
    if (!this.seams.keeps('ignore-stray-cancellations'))
      void this.transmit({ jsonrpc: '2.0', id: null, error: strayError }, { kind: 'error', method: undefined });
  }

  /** Reports on work that takes a while. @returns false where it was cancelled meanwhile */
  private async work(id: unknown, progressToken: unknown): Promise<boolean> {
    const total = 4;
    for (let progress = 1; progress <= total; progress += 1) {
      if (this.asked.get(id) === 'cancelled' && this.seams.keeps('stop-cancelled-work')) return false;
      await this.notify('notifications/progress', { progressToken, progress, total });
      await pause(stepMs);
    }
    return this.asked.get(id) !== 'cancelled';
  }

  private async answer(id: unknown, method: string, params: Json): Promise<void> {
    if (method === 'ping' && (this.isDeaf || !this.seams.keeps('answer-pings'))) return;
    this.asked.set(id, 'open');
    if (!this.seams.keeps('leave-addresses-alone')) await this.visit(params);
    const { progressToken } = (params._meta ?? {}) as Json;
    if (progressToken !== undefined && !this.isStateless && !(await this.work(id, progressToken))) return;
    this.asked.set(id, 'answered');
    const answer = answerTo(method, params, this.capabilities, this.seams, this.has('declines'));
    if ('error' in answer && this.has('quits-after-refusals')) this.isOver = true;
    await this.transmit(
      { jsonrpc: '2.0', id, ...answer },
      { kind: 'result' in answer ? 'result' : 'error', method, asked: { id, method, params } },
    );
  }

  /** What a client does that looks at pages before its user does. */
  private async visit({ mode, url }: Json): Promise<void> {
    if (mode === 'url') await look(url);
  }

  private async transmit(
    message: Json,
    { headers, ...about }: Omit<MessageAbout, 'connection'> & { headers?: Record<string, string> },
  ): Promise<Awaited<ReturnType<Channel['send']>>> {
    let came: Awaited<ReturnType<Channel['send']>> = 'done';
    for (const sending of this.seams.send(message, { ...about, connection: this.connection }))
      came = await this.deliver(sending, about.method, headers);
    return came;
  }

  private async deliver(sending: Sending, method: string | undefined, headers?: Record<string, string>) {
    if (sending.delayMs !== undefined) await pause(sending.delayMs);
    const { message } = sending;
    const posted = 'method' in message ? ('id' in message ? 'request' : 'notification') : 'response';
    return this.channel!.send(sending, {
      verb: 'POST',
      posted,
      method,
      message,
      ...(headers === undefined ? {} : { headers }),
    });
  }

  notify(method: string, params?: Json): Promise<unknown> {
    const meta = this.isStateless ? { _meta: metaOf(this.options.revision, this.capabilities) } : {};
    const whole = this.isStateless || params !== undefined ? { params: { ...params, ...meta } } : {};
    return this.transmit(
      { jsonrpc: '2.0', method, ...whole },
      { kind: 'notification', method, ...(this.isStateless ? { headers: standardHeaders(method, params) } : {}) },
    );
  }

  private newId(): unknown {
    const number = this.seams.keeps('fresh-ids') ? this.nextId++ : 1;
    return this.has('string-ids') ? `id-${number}` : number;
  }

  /** Sends a request, and waits for its response. An answer that never comes is an error of ours. */
  async request(method: string, params?: Json, id: unknown = this.newId()): Promise<Json> {
    if (this.isOver) throw new Error('the session is over');
    const isStateless = this.isStateless && method !== 'initialize';
    const declared = declaredIn(method, params, this.capabilities, this.seams);
    const meta: { _meta?: Json } = isStateless ? { _meta: metaOf(this.declared, declared) } : {};
    const own =
      method === 'tools/call' ? { 'com.example/trace': 'a1', progressToken: `call-${String(id)}` } : undefined;
    const whole =
      isStateless || params !== undefined
        ? { params: { ...params, ...(own || isStateless ? { _meta: { ...meta._meta, ...own } } : {}) } }
        : {};
    const response = new Promise<Json>((resolve) => {
      this.waiting.set(id, resolve);
      setTimeout(
        () => resolve({ error: { code: 0, message: 'no answer' }, isLate: true }),
        firstMethods.has(method) ? firstMs : answerMs,
      ).unref();
    });
    const headers = isStateless
      ? standardHeaders(
          method,
          params,
          this.seams.keeps('mirror-parameters') ? this.schemas.get(String(params?.name)) : undefined,
        )
      : undefined;
    const sent = this.transmit(
      { jsonrpc: '2.0', id, method, ...whole },
      { kind: 'request', method, ...(headers ? { headers } : {}) },
    );
    const first = await Promise.race<Json | 'lost' | 'broken' | Refused>([
      response,
      sent.then(async (came) => (came === 'done' ? await response : came)),
    ]);
    if (first === 'broken') {
      this.again += 1;
      if (this.again > 3) throw new Error('each stream breaks off');
      return this.request(method, params, this.seams.keeps('ask-again-under-new-ids') ? undefined : id);
    }
    if (first === 'lost') {
      const givesUp = this.has('gives-up') && this.server.transport !== 'stdio';
      if (givesUp || method === 'initialize') this.isOver = true;
      if (this.isOver) throw new Error('the session is over');
      await this.connect();
      if (this.watched.size > 0 && this.seams.keeps('listen-again')) await this.listen();
      // A cursor belongs to the session that is over.
      return this.request(method, params?.cursor === undefined ? params : undefined);
    }
    if (typeof first === 'object' && 'status' in first)
      return { ...((first.body ?? { error: { code: 0, message: 'refused' } }) as Json), status: first.status };
    const message = first;
    if (message.isLate === true && method !== 'initialize' && this.seams.keeps('resume-streams')) await this.cancel(id);
    return message;
  }

  cancel(id: unknown): Promise<unknown> {
    this.givenUp.add(id);
    const closes = this.isStateless || !this.seams.keeps('say-what-is-cancelled');
    return closes && this.server.transport === 'http'
      ? Promise.resolve(this.channel?.drop?.(id))
      : this.notify('notifications/cancelled', { requestId: id, reason: 'It takes too long.' });
  }

  /** A request in rounds: what its result asks for is answered in the next. */
  private async inRounds(method: string, params: Json): Promise<Json> {
    let id = this.newId();
    let message = await this.request(method, params, id);
    for (let round = 0; round < 5; round += 1) {
      const result = (message.result ?? {}) as Json;
      if (result.resultType !== 'input_required' || !this.seams.keeps('ask-again-with-answers')) return message;
      for (const { params: asked } of Object.values((result.inputRequests ?? {}) as Json) as Json[])
        if (!this.seams.keeps('leave-addresses-alone')) await this.visit((asked ?? {}) as Json);
      const again = paramsOfRetry(params, result, this.seams, (what, about) =>
        answerTo(what, about, this.capabilities, this.seams, this.has('declines')),
      );
      if (again === undefined) return message;
      const { requestState } = again;
      if (!this.seams.keeps('keep-states-apart') && requestState !== undefined)
        await this.request('prompts/get', { name: 'greet', arguments: { name: 'Ann' }, requestState });
      id = this.seams.keeps('retry-under-new-ids') ? this.newId() : id;
      message = await this.request(method, again, id);
    }
    return message;
  }

  private mayUse(capability: string): boolean {
    return capability in this.offered || !this.seams.keeps('use-only-what-is-declared');
  }

  /** @returns what the client has of the list */
  async list(method: string, capability: string): Promise<Json[]> {
    const known: Json[] = [];
    if (this.has('lists-nothing') || !this.mayUse(capability)) return known;
    if (this.has('lists-once') && this.listed.has(method)) return known;
    this.listed.add(method);
    let cursor: unknown;
    for (let page = 0; page < 20; page += 1) {
      const { result } = await this.request(method, cursor === undefined ? undefined : { cursor });
      const { nextCursor, tools } = this.readable((result ?? {}) as Json);
      for (const tool of (tools ?? []) as Json[]) {
        this.schemas.set(String(tool.name), (tool.inputSchema ?? {}) as Json);
        if (this.isUsable(tool)) known.push(tool);
        const { taskSupport = 'forbidden' } = (tool.execution ?? {}) as Json;
        if (taskSupport !== 'forbidden') this.withTasks.add(String(tool.name));
        await this.lookAt(tool);
      }
      if (nextCursor === undefined || !this.seams.keeps('follow-cursors')) return known;
      const whole = this.seams.keeps(method === 'tasks/list' ? 'keep-cursors-of-tasks' : 'keep-cursors');
      cursor = whole ? nextCursor : `${String(nextCursor)}x`;
    }
    return known;
  }

  private isUsable({ inputSchema }: Json): boolean {
    const travels = this.isStateless && this.server.transport === 'http';
    return !travels || !this.seams.keeps('leave-out-unsound-tools') || hasSoundHeaders((inputSchema ?? {}) as Json);
  }

  /** A page, or nothing where the client does not know what to make of it. */
  private readable(page: Json): Json {
    const { resultType, nextCursor, _meta = {} } = page;
    const isOdd = Object.keys(_meta as Json).some((name) => name.includes('mcpc-unknown'));
    if (isOdd && !this.seams.keeps('ignore-unknown-meta')) return {};
    if (nextCursor === '' && !this.seams.keeps('follow-empty-cursors')) return {};
    if (!this.isStateless || resultType === 'complete') return page;
    return resultType !== undefined && this.seams.keeps('leave-unknown-results') ? {} : page;
  }

  private async lookAt({ icons, inputSchema }: Json): Promise<void> {
    const references = JSON.stringify(inputSchema).matchAll(/"\$ref":"(http[^"]+)"/g);
    if (!this.seams.keeps('leave-references-alone')) for (const [, address] of references) await look(address);
    if (this.seams.keeps('leave-icons-alone')) return;
    for (const { src } of (icons ?? []) as Json[]) await this.load(String(src));
  }

  /** An icon, from http addresses as well. */
  private async load(src: string): Promise<void> {
    const { transport, url } = this.server;
    const isOwn = transport === 'stdio' || new URL(src.replace(/^ws/, 'http')).origin === new URL(url).origin;
    if (!isOwn && this.seams.keeps('load-icons-of-the-server')) return;
    if (src.startsWith('ws') && this.seams.keeps('leave-sockets-alone')) return;
    const shown = this.seams.keeps('load-icons-without-credentials') ? undefined : this.login.header();
    await look(src.replace(/^ws/, 'http'), {
      redirect: this.seams.keeps('stay-at-redirects') ? 'manual' : 'follow',
      ...(shown === undefined ? {} : { headers: { authorization: shown } }),
    });
  }

  async call(name: string, given: Json): Promise<void> {
    if (!this.mayUse('tools')) return;
    const safe = this.seams.keeps('keep-integers-safe') || !('page' in given) ? given : { ...given, page: 2 ** 53 };
    const call = async (): Promise<void> => {
      const params = { name, arguments: safe, ...(this.runsAsTask(name) ? { task: { ttl: 60_000 } } : {}) };
      let { result, error } = await this.inRounds('tools/call', params);
      if ((error as Json | undefined)?.code === -32020 && this.seams.keeps('list-again-after-mismatches')) {
        // What it has kept of the list is stale.
        this.listed.delete('tools/list');
        await this.list('tools/list', 'tools');
        ({ result, error } = await this.inRounds('tools/call', params));
      }
      const { task, ...rest } = (result ?? {}) as Json;
      if (isTask(rest)) await this.follow(rest);
      if (params.task !== undefined && task !== undefined) await this.wait(task as Json);
    };
    await (this.has('in-parallel') ? Promise.all([call(), call()]) : call());
  }

  private runsAsTask(name: string): boolean {
    const { requests } = (this.offered.tasks ?? {}) as { requests?: { tools?: { call?: unknown } } };
    return requests?.tools?.call !== undefined && this.withTasks.has(name);
  }

  /** A task of 2025-11-25, and the list of all where the server has one. */
  private async wait(task: Json): Promise<void> {
    await awaitTask(task, this.following());
    const looks = this.seams.keeps('poll-to-the-end');
    if (looks && (this.offered.tasks as Json).list !== undefined) await this.list('tasks/list', 'tasks');
  }

  private follow(task: Json): Promise<void> {
    return followTask(task, this.following());
  }

  private following(): Parameters<typeof followTask>[1] {
    return {
      seams: this.seams,
      request: (method, params) => this.request(method, params),
      notified: (taskId) => this.notified.get(taskId),
      answerTo: (method, params) => answerTo(method, params, this.capabilities, this.seams, this.has('declines')),
    };
  }

  async cancelCall(name: string, given: Json): Promise<void> {
    if (!this.mayUse('tools')) return;
    // No request is sent any more that could be cancelled.
    if (this.isOver) throw new Error('the session is over');
    const id = this.has('string-ids') ? `id-${this.nextId}` : this.nextId;
    const running = this.request('tools/call', { name, arguments: given });
    running.catch(() => {});
    const early = await Promise.race([running.catch(() => ({})), pause(50).then(() => ({}))]);
    const task = ((early as Json).result ?? {}) as Json;
    if (!isTask(task)) await this.cancel(id);
    else if (!this.seams.keeps('cancel-tasks-by-id')) {
      await this.request('tasks/get', { taskId: task.taskId });
      await this.notify('notifications/cancelled', { requestId: id });
    } else await this.request('tasks/cancel', { taskId: task.taskId });
    await Promise.race([running, pause(200)]);
  }

  async use(method: 'prompts/get' | 'resources/read', capability: string, params: Json): Promise<void> {
    if (!this.mayUse(capability)) return;
    const { result = {} } = await this.inRounds(method, params);
    if (isTask(result as Json) && !this.seams.keeps('take-tasks-of-calls-alone')) await this.follow(result as Json);
  }

  /** Hears of changes of a resource. */
  async subscribe(uri: string): Promise<void> {
    if (!this.isStateless) return this.ask('resources/subscribe', 'resources', { uri });
    if (!this.mayUse('resources')) return;
    this.watched.add(uri);
    await this.listen();
  }

  /** Listens to what it watches until the connection ends. */
  private async listen(): Promise<void> {
    const id = this.newId();
    const method = 'subscriptions/listen';
    const params = {
      notifications: { resourceSubscriptions: [...this.watched] },
      _meta: metaOf(this.declared, this.capabilities),
    };
    const begun = new Promise<void>((resolve) => this.acknowledged.set(id, resolve));
    const over = this.transmit(
      { jsonrpc: '2.0', id, method, params },
      { kind: 'request', method, headers: standardHeaders(method, params) },
    );
    await Promise.race([begun, over.catch(() => {}), pause(answerMs)]);
  }

  async ask(method: string, capability: string, params: Json): Promise<void> {
    if (this.mayUse(capability)) await this.request(method, params);
  }

  async close(): Promise<void> {
    await this.channel?.close();
    this.channel = undefined;
  }
}

/** Fetches an address, whatever comes of it. */
function look(address: unknown, options: RequestInit = {}): Promise<unknown> {
  return fetch(String(address), options)
    .then((one) => one.text())
    .catch(() => {});
}

/** The functions of such a client. */
export function referenceClient(options: ReferenceOptions): ClientFunctions<ReferenceClient> {
  let starts = 0;
  return {
    async connect(server) {
      starts += 1;
      const client = new ReferenceClient(server, options);
      await client.connect();
      if (options.variant?.has('needs-two-starts') && starts % 2 === 1) {
        await client.close();
        throw new Error('it has to be started again');
      }
      return client;
    },
    listTools: async (it) => ({ tools: await it.list('tools/list', 'tools') }),
    listPrompts: (it) => it.list('prompts/list', 'prompts'),
    listResources: (it) => it.list('resources/list', 'resources'),
    listResourceTemplates: (it) => it.list('resources/templates/list', 'resources'),
    callTool: (it, { name, arguments: given }) => it.call(name, given),
    cancelTool: (it, { name, arguments: given }) => it.cancelCall(name, given),
    readResource: (it, { uri }) => it.use('resources/read', 'resources', { uri }),
    subscribeResource: (it, { uri }) => it.subscribe(uri),
    getPrompt: (it, { name, arguments: given }) => it.use('prompts/get', 'prompts', { name, arguments: given }),
    complete: (it, params) => it.ask('completion/complete', 'completions', params),
    setLevel: (it, level) => it.ask('logging/setLevel', 'logging', { level }),
    close: (it) => it.close(),
  };
}
