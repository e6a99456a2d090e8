/** The use case `intercept`: records and judges what a real client and a real server say, while they say it. */
import path from 'node:path';
import { startHttpProxy } from '../intercept/http-proxy.ts';
import { startStdioProxy } from '../intercept/stdio-proxy.ts';
import type { RunReport } from '../model/run-report.ts';
import type { TraceEvent, TraceHeader, TransportKind } from '../model/trace.ts';
import { makeRunFolder, removeFolder } from '../transport/process/run-folders.ts';
import { networkOf, type NetworkOptions } from '../transport/network/network-options.ts';
import { readEvents } from '../trace/jsonl-reader.ts';
import { createJsonlWriter } from '../trace/jsonl-writer.ts';
import { createRecorder } from '../trace/recorder.ts';
import { basicCredentials, hasCredentials, withoutCredentials } from '../target/address.ts';
import { createRedactor, type RedactorOptions } from '../trace/redaction/redact.ts';
import type { RuleSelection } from './check-options.ts';
import { startJudging, type FeedOptions, type JudgeFeed } from './judge-feed.ts';
import { loadPlan } from './plan.ts';
import { assembleReport } from './report/assemble-report.ts';
import { secretsOfEnvironment } from './run-redactor.ts';
import { createTextRenderer, failureText } from './report/verdict-text.ts';

export interface LiveFinding {
  rule: string;
  /** Whose fault it is. */
  role: 'server' | 'client';
  level: string;
  message: string;
  /** Seqs of the events that prove it. */
  events: readonly number[];
}

export interface InterceptOptions {
  /** What the target is called in reports. */
  name: string;
  /** Where the trace is kept; a temporary file otherwise. */
  traceFile?: string;
  selection: RuleSelection;
  /** Whose behaviour is judged. */
  role: 'server' | 'client' | 'both';
  secrets: string[];
  keepSecrets: boolean;
  toolVersion: string;
  /** Told of each finding when it happens. */
  onFinding?: (finding: LiveFinding) => void;
  /** Told of each event, redacted, as it is recorded. */
  onEvent?: (event: TraceEvent) => void;
}

export interface InterceptStdio extends InterceptOptions {
  command: string;
  args: string[];
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  errors: NodeJS.WriteStream;
  /** Gets a function that hands a signal on to the server. */
  onStarted?: (signal: (name: NodeJS.Signals) => void) => void;
}

export interface InterceptHttp extends InterceptOptions, NetworkOptions {
  upstream: URL;
  host: string;
  port: number;
  transport?: 'http' | 'sse';
  /** Ends the proxy. */
  signal: AbortSignal;
  /** Told the address for clients. */
  onListening: (url: string) => void;
}

export interface Intercepted {
  /** Absent when no revision was negotiated, so that there are no rules to judge by. */
  report?: RunReport;
  events: number;
  /** stdio: how the server ended. */
  exit?: { code: number | null; signal: NodeJS.Signals | null };
}

/** @throws McpcError target when the server cannot be started, usage for the trace file or the selection */
export async function interceptStdio(options: InterceptStdio): Promise<Intercepted> {
  const words = [options.command, ...options.args];
  const session = openRecording(withEnvironment(options), { name: options.name, command: words }, { commands: [words] });
  try {
    session.begin('stdio');
    const proxy = await startStdioProxy({
      command: options.command,
      args: options.args,
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...(options.env === undefined ? {} : { env: options.env }),
      session: 's1',
      sink: session.sink,
      input: options.input,
      output: options.output,
      errors: options.errors,
    });
    options.onStarted?.((name) => proxy.signal(name));
    const exit = await proxy.exited;
    return { ...(await session.conclude()), exit };
  } finally {
    session.dispose();
  }
}

/** @throws McpcError usage when the address cannot be listened on, or for the trace file or the selection */
export async function interceptHttp(options: InterceptHttp): Promise<Intercepted> {
  const session = openRecording(options, { name: options.name, url: withoutCredentials(options.upstream.href) }, { addresses: [options.upstream.href] });
  try {
    const proxy = await startHttpProxy({
      upstream: options.upstream,
      host: options.host,
      port: options.port,
      sink: session.sink,
      onTransport: (transport) => session.begin(transport),
      ...(hasCredentials(options.upstream.href) ? { authorization: basicCredentials(options.upstream) } : {}),
      ...(options.transport === undefined ? {} : { transport: options.transport }),
      ...networkOf(options),
    });
    options.onListening(proxy.url);
    if (!options.signal.aborted) await new Promise<void>((resolve) => options.signal.addEventListener('abort', () => resolve(), { once: true }));
    await proxy.close();
    return await session.conclude();
  } finally {
    session.dispose();
  }
}

/** What the server inherits under the name of a secret is one. */
function withEnvironment(options: InterceptStdio): InterceptStdio {
  return { ...options, secrets: [...options.secrets, ...secretsOfEnvironment(options.env ?? process.env)] };
}

/** Recorder, writer and judge of one interception. Nothing is kept in memory: what is cited is read again from the trace. */
function openRecording(options: InterceptOptions, target: Record<string, unknown>, known: Pick<RedactorOptions, 'addresses' | 'commands'>) {
  const plan = loadPlan(options.selection);
  const folder = options.traceFile === undefined ? makeRunFolder() : undefined;
  const file = options.traceFile ?? path.join(folder!, 'trace.jsonl');
  const writer = createJsonlWriter(file);
  const recorder = createRecorder({
    redactor: createRedactor({ secrets: options.secrets, keepSecrets: options.keepSecrets, ...known }),
    // It may run for days; what it writes is bounded by the disk alone.
    limits: { maxEvents: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER },
  });
  recorder.writeTo(writer);
  const began = performance.now();
  let header: TraceHeader | undefined;
  let judging: Promise<JudgeFeed> | undefined;

  async function feedOptions(): Promise<FeedOptions> {
    const { onFinding, role } = options;
    if (!onFinding) return { role };
    const render = await createTextRenderer();
    return {
      role,
      onFailure: (failure) => {
        const place = Object.values(failure.rule.at).at(-1);
        onFinding({ rule: failure.rule.id, role: failure.rule.role, level: place?.level ?? '', message: failureText(failure, render), events: failure.events });
      },
    };
  }

  return {
    sink: recorder.sink,
    /** From here on events are written and judged. */
    begin(transport: TransportKind): void {
      header = { format: 'mcpc-trace', version: 1, origin: 'intercept', transport, target, startedAt: new Date().toISOString() };
      const early: TraceEvent[] = [];
      let feed: JudgeFeed | undefined;
      recorder.subscribe(
        (event) => {
          if (feed) feed.push(event);
          else early.push(event);
          options.onEvent?.(event);
        },
        { redacted: true },
      );
      recorder.setHeader(header);
      judging = feedOptions().then((how) => startJudging(plan.rules, header!, how)).then((started) => {
        for (const event of early.splice(0)) started.push(event);
        feed = started;
        return started;
      });
      judging.catch(() => {});
    },
    async conclude(): Promise<Intercepted> {
      const events = recorder.count;
      const footer = recorder.finish({ complete: true, more: { durationMs: Math.round(performance.now() - began) } });
      if (header === undefined || judging === undefined) return { events };
      await writer.close();
      const judged = await (await judging).finish();
      if (judged.revision === undefined) return { events };
      const report = await assembleReport({
        // As it is written: names and command lines may hold secrets.
        header: recorder.header ?? header,
        footer,
        cited: (seqs) => readEvents(file, seqs),
        judged,
        plan,
        toolVersion: options.toolVersion,
        trace: options.traceFile ?? null,
        durationMs: performance.now() - began,
        role: options.role,
      });
      return { report, events };
    },
    dispose(): void {
      if (folder !== undefined) removeFolder(folder);
    },
  };
}
