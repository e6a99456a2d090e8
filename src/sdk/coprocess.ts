/** The client of a coprocess: starts it, shakes hands, and sends one request after another. */
import { startChild, type Child } from './child.ts';
import {
  CoprocessDied,
  CoprocessError,
  ContractDrift,
  DeadlineExceeded,
  UpstreamError,
  UpstreamGone,
  VersionMismatch,
} from './errors.ts';
import { findBinary } from './find-binary.ts';
import {
  COPROCESS_PROTOCOL_VERSION,
  envelopeFault,
  isObject,
  methodNotFoundCode,
  upstreamCode,
  upstreamGoneCode,
  type Frame,
} from './protocol.ts';
import { commandLine } from './quote.ts';
import { readCallResult, type CallResult } from './verdict.ts';
import { sdkVersion } from './version.ts';

export interface CoprocessOptions {
  /** Command of the server under test: words, or a command line with the quoting of a POSIX shell. */
  server?: string | readonly string[];
  /** Address of the server under test, in place of `server`. Of mcpc alone, not of every binary that speaks v2. */
  url?: string;
  /** Path of the binary; else MCPC_BIN, MCPTEST_BIN, that of this package, or mcpc or mcptest on PATH. */
  binary?: string;
  /** Further flags of `mcpc exec`, such as `--trace FILE`. */
  args?: readonly string[];
  cwd?: string;
  /** Whole environment of the coprocess and the server; that of this process when absent. */
  env?: Record<string, string | undefined>;
  /** Milliseconds until a request that names no deadline of its own is given up; none when absent. */
  timeoutMs?: number;
  /** Milliseconds for the handshake of a binary; 30,000 when absent. */
  startTimeoutMs?: number;
  /** Ends the coprocess when it is given. */
  signal?: AbortSignal;
  /** Called with what the coprocess and the server write to stderr. */
  onStderr?(text: string): void;
}

export interface RequestOptions {
  /** Milliseconds until a missing response is an error for the caller; the coprocess may still be at work. */
  timeoutMs?: number;
  /** Gives the request up. */
  signal?: AbortSignal;
}

/** Result of the handshake. */
export interface BinaryInfo {
  protocol_version: number;
  binary_version: string;
}

export type ListToolsResult = { tools: Record<string, unknown>[] } & Record<string, unknown>;
export type ListResourcesResult = { resources: Record<string, unknown>[] } & Record<string, unknown>;
export type ReadResourceResult = { contents: Record<string, unknown>[] } & Record<string, unknown>;
export type PromptResult = { messages: Record<string, unknown>[] } & Record<string, unknown>;
export type CacheMode = 'off' | 'read' | 'write' | 'readwrite';
export type CassetteMode = 'off' | 'record' | 'replay' | 'auto';

interface Pending {
  id: number;
  line: string;
  resolve(frame: Frame): void;
  reject(error: Error): void;
  /** The caller has given up; the response is awaited and dropped. */
  abandoned: boolean;
}

/** Until a binary counts as one without a handshake. */
const startTimeoutMs = 30_000;

/** Characters of stderr that the message of an error quotes. */
const stderrLength = 2_000;

/**
 * One coprocess, and with it one server under test. `start` makes one; `close`, or the end of an `await using` block, ends
 * it and the server.
 */
export class Coprocess {
  /** The binary's description of itself. */
  readonly binary: BinaryInfo;
  readonly #channel: Channel;

  private constructor(channel: Channel, binary: BinaryInfo) {
    this.#channel = channel;
    this.binary = binary;
  }

  /**
   * Starts the binary and shakes hands; the server starts with the first request for it.
   * @throws CoprocessDied when there is no binary or it ends, VersionMismatch when it speaks another version
   */
  static async start(options: CoprocessOptions): Promise<Coprocess> {
    const channel = new Channel(options);
    try {
      return new Coprocess(channel, await shakeHands(channel, options.startTimeoutMs ?? startTimeoutMs));
    } catch (error) {
      await channel.close();
      throw error;
    }
  }

  /** The result of the server's initialize, or of its server/discover. */
  initialize(options?: RequestOptions): Promise<Record<string, unknown>> {
    return this.#object('mcp.initialize', undefined, options);
  }

  /**
   * Calls a tool. An error that the tool reports is a result with `success: false`.
   * @throws UpstreamError for a JSON-RPC error and for no response, UpstreamGone when the server is gone
   */
  async call(tool: string, args: Record<string, unknown> = {}, options?: RequestOptions): Promise<CallResult> {
    const began = performance.now();
    const frame = await this.#channel.request('mcp.call', { tool, arguments: args }, options);
    const read = readCallResult(frame['result'], Math.round(performance.now() - began));
    if ('fault' in read) throw new ContractDrift(`contract drift: ${read.fault}`, frame);
    return read;
  }

  /** All pages of tools/list. */
  listTools(options?: RequestOptions): Promise<ListToolsResult> {
    return this.#object('mcp.listTools', undefined, options);
  }

  /** All pages of resources/list. */
  listResources(options?: RequestOptions): Promise<ListResourcesResult> {
    return this.#object('mcp.listResources', undefined, options);
  }

  readResource(uri: string, options?: RequestOptions): Promise<ReadResourceResult> {
    return this.#object('mcp.readResource', { uri }, options);
  }

  callPrompt(prompt: string, args?: Record<string, string>, options?: RequestOptions): Promise<PromptResult> {
    return this.#object('mcp.callPrompt', { prompt, ...(args === undefined ? {} : { arguments: args }) }, options);
  }

  /** Kept by the binary; mcpc uploads nothing. */
  async setUpload(upload: { enabled: boolean; url?: string }): Promise<void> {
    await this.#channel.request('mcp.reporter.setUpload', upload);
  }

  /** Writes the reports that `args` asked for, about the requests so far. */
  async flushReports(): Promise<void> {
    await this.#channel.request('mcp.reporter.flush');
  }

  async setCacheMode(mode: CacheMode): Promise<void> {
    await this.#channel.request('mcp.cache.set_mode', { mode });
  }

  /** @param path of the trace file; needed unless the mode is off */
  async setCassetteMode(mode: CassetteMode, path?: string): Promise<void> {
    await this.#channel.request('mcp.cassette.set_mode', { mode, ...(path === undefined ? {} : { path }) });
  }

  /** Ends the server and the coprocess. Never rejects; calling it again waits for the same end. */
  close(): Promise<void> {
    return this.#channel.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #object<T extends Record<string, unknown>>(
    method: string,
    params: object | undefined,
    options: RequestOptions | undefined,
  ): Promise<T> {
    const frame = await this.#channel.request(method, params, options);
    if (!isObject(frame['result']))
      throw new ContractDrift(`contract drift: the result of ${method} is no object`, frame);
    return frame['result'] as T;
  }
}

/** The child with a queue before it: one request is under way at a time. */
class Channel {
  readonly #options: CoprocessOptions;
  readonly #child: Child;
  readonly #queue: Pending[] = [];
  #current: Pending | undefined;
  #lastId = 0;
  #stderr = '';
  #over: CoprocessError | undefined;
  #closing: Promise<void> | undefined;
  readonly #onAbort: () => void;

  constructor(options: CoprocessOptions) {
    this.#options = options;
    const { server, url, signal, env = process.env } = options;
    if ((server === undefined) === (url === undefined)) throw new TypeError('Name the server by either server or url.');
    const binary = findBinary(options.binary, env);
    if (binary === undefined)
      throw new CoprocessDied('no mcpc binary: set the option binary or MCPC_BIN, or install mcpc on PATH');
    const target =
      server === undefined
        ? ['--url', url!]
        : ['--server-command', typeof server === 'string' ? server : commandLine(server)];
    this.#child = startChild({
      words: [...binary, 'exec', '--connection-server', ...target, ...(options.args ?? [])],
      cwd: options.cwd,
      env,
      onLine: (line) => this.#take(line),
      onStderr: (text) => {
        this.#stderr = (this.#stderr + text).slice(-stderrLength);
        options.onStderr?.(text);
      },
      onEnd: (why) => this.#end(new CoprocessDied(`the coprocess ended (${why})${this.#told()}`)),
    });
    this.#onAbort = () => this.#stop(new CoprocessError('aborted', undefined, { cause: signal?.reason }));
    if (signal?.aborted === true) this.#onAbort();
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** @returns the response, which has a result */
  async request(method: string, params?: object, options: RequestOptions = {}): Promise<Frame> {
    const frame = await this.#send(method, params, options);
    if (!Object.hasOwn(frame, 'error')) return frame;
    const { code, message } = frame['error'] as { code: number; message: string };
    if (code === upstreamCode) throw new UpstreamError(message, frame);
    if (code === upstreamGoneCode) throw new UpstreamGone(message, frame);
    throw new CoprocessError(message, frame);
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      this.#options.signal?.removeEventListener('abort', this.#onAbort);
      const over = new CoprocessDied('the coprocess was closed');
      for (const pending of this.#queue.splice(0)) pending.reject(over);
      this.#child.hold(true);
      // An abandoned response is not waited for.
      await this.#child.close({ atOnce: this.#current !== undefined || this.#over !== undefined });
      this.#end(over);
    })();
    return this.#closing;
  }

  #send(method: string, params: object | undefined, { timeoutMs, signal }: RequestOptions): Promise<Frame> {
    if (this.#over !== undefined) return Promise.reject(this.#over);
    if (this.#closing !== undefined) return Promise.reject(new CoprocessDied('the coprocess was closed'));
    if (signal?.aborted === true) return Promise.reject(abortedBy(signal));
    const id = (this.#lastId += 1);
    const line = JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
    return new Promise<Frame>((resolve, reject) => {
      const pending: Pending = { id, line, resolve, reject, abandoned: false };
      const deadline = timeoutMs ?? this.#options.timeoutMs;
      const timer =
        deadline === undefined
          ? undefined
          : setTimeout(
              () => this.#abandon(pending, new DeadlineExceeded(`no response to ${method} within ${deadline} ms`)),
              deadline,
            );
      const onAbort = (): void => this.#abandon(pending, abortedBy(signal!));
      signal?.addEventListener('abort', onAbort, { once: true });
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      pending.resolve = (frame) => {
        done();
        resolve(frame);
      };
      pending.reject = (error) => {
        done();
        reject(error);
      };
      this.#queue.push(pending);
      this.#next();
    });
  }

  #next(): void {
    if (this.#current !== undefined || this.#over !== undefined) return;
    this.#current = this.#queue.shift();
    if (this.#current === undefined) return this.#child.hold(false);
    this.#child.hold(true);
    this.#child.write(this.#current.line);
  }

  #abandon(pending: Pending, error: Error): void {
    const at = this.#queue.indexOf(pending);
    if (at !== -1) this.#queue.splice(at, 1);
    pending.abandoned = true;
    pending.reject(error);
  }

  #take(line: string): void {
    const pending = this.#current;
    if (pending === undefined)
      return this.#stop(new ContractDrift(`contract drift: a line that nothing asked for: ${line.slice(0, 200)}`));
    let frame: unknown;
    try {
      frame = JSON.parse(line);
    } catch {
      frame = undefined;
    }
    if (!isObject(frame))
      return this.#stop(new ContractDrift(`contract drift: a line on stdout is no response: ${line.slice(0, 200)}`));
    const fault = envelopeFault(frame, pending.id);
    if (fault !== undefined) return this.#stop(new ContractDrift(`contract drift: ${fault}`, frame));
    this.#current = undefined;
    if (!pending.abandoned) pending.resolve(frame);
    this.#next();
  }

  /** After what cannot be trusted, or by the caller's signal, nothing more is sent. */
  #stop(error: CoprocessError): void {
    this.#end(error);
    void this.close();
  }

  #end(error: CoprocessError): void {
    this.#over ??= error;
    const waiting = [...(this.#current === undefined ? [] : [this.#current]), ...this.#queue.splice(0)];
    this.#current = undefined;
    for (const pending of waiting) pending.reject(this.#over);
  }

  #told(): string {
    const text = this.#stderr.trim();
    return text === '' ? '' : `; stderr: ${text}`;
  }
}

function abortedBy(signal: AbortSignal): CoprocessError {
  return new CoprocessError('aborted', undefined, { cause: signal.reason });
}

async function shakeHands(channel: Channel, timeoutMs: number): Promise<BinaryInfo> {
  const own = COPROCESS_PROTOCOL_VERSION;
  let frame: Frame;
  try {
    const params = { protocol_version: own, sdk: 'typescript', sdk_version: sdkVersion };
    frame = await channel.request('coprocess/handshake', params, { timeoutMs });
  } catch (error) {
    if (!(error instanceof CoprocessError) || error.frame === undefined || error.code === undefined) throw error;
    if (error.code === methodNotFoundCode)
      throw new VersionMismatch(
        `mcpc binary speaks coprocess v1; this SDK needs v${own}. Upgrade the mcpc binary (or pin the SDK to the matching release).`,
        error.frame,
      );
    // The binary says itself which side to upgrade.
    throw new VersionMismatch(error.message, error.frame);
  }
  const { result } = frame;
  if (!isObject(result) || !Number.isInteger(result['protocol_version']))
    throw new ContractDrift('contract drift: the result of the handshake has no protocol_version', frame);
  const version = result['protocol_version'] as number;
  if (version !== own) {
    const remedy =
      version > own
        ? 'Upgrade the typescript SDK (or pin the mcpc binary to the matching release).'
        : 'Upgrade the mcpc binary (or pin the SDK to the matching release).';
    throw new VersionMismatch(
      `coprocess protocol version mismatch: the mcpc binary speaks v${version}, this typescript SDK speaks v${own}. ${remedy}`,
      frame,
    );
  }
  const more = Object.keys(result).find((name) => name !== 'protocol_version' && name !== 'binary_version');
  if (more !== undefined || typeof result['binary_version'] !== 'string')
    throw new ContractDrift(
      `contract drift: the result of the handshake ${more === undefined ? 'has no binary_version' : `has an unknown property "${more}"`}`,
      frame,
    );
  return { protocol_version: version, binary_version: result['binary_version'] };
}
