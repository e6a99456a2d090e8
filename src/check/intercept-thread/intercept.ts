/** The use case `intercept`: records and judges what a real client and a real server say, while they say it. */
import { driftTap } from '../../client/intercept/drift-tap.ts';
import { startHttpProxy, type RelayedAuthorization } from '../../client/intercept/http-proxy.ts';
import { startStdioProxy } from '../../client/intercept/stdio-proxy.ts';
import type { TapSink } from '../../client/intercept/taps.ts';
import type { DriftWatch } from '../../core/drift/watch.ts';
import { basicCredentials, hasCredentials, withoutCredentials } from '../../client/transport/network/address.ts';
import type { RedactorOptions } from '../../core/trace/redaction/redact.ts';
import { networkOf, type NetworkOptions } from '../../client/transport/network/network-options.ts';
import type { RuleSelection } from '../check-options.ts';
import type { LiveFinding } from './messages.ts';
import { openRecordingThread, type Concluded, type RecordingThread } from './outside.ts';
import { secretsOfEnvironment } from '../run-redactor.ts';

export interface InterceptOptions {
  /** Name of the target in reports. */
  name: string;
  /** Where the trace is kept; a temporary file otherwise. */
  traceFile?: string;
  selection: RuleSelection;
  /** Whose behaviour is judged. */
  role: 'server' | 'client' | 'both';
  /** Revision to judge by where the conversation shows none. */
  revision?: string | undefined;
  secrets: string[];
  keepSecrets: boolean;
  toolVersion: string;
  /** A file of trajectory assertions about the tool calls of the client. */
  suite?: string;
  /** Looks for drift in the conversation. */
  drift?: { watch: DriftWatch; block: boolean } | undefined;
  /** Called for findings at once, the first few of each rule. */
  onFinding?: (finding: LiveFinding) => void;
}

export interface InterceptStdio extends InterceptOptions {
  command: string;
  args: string[];
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  errors: NodeJS.WriteStream;
  /** `signal` hands a signal on to the server, and has judging come to its end soon; `end` ends both at once. */
  onStarted?: (server: { signal(name: NodeJS.Signals): void; end(): void }) => void;
}

export interface InterceptHttp extends InterceptOptions, NetworkOptions {
  upstream: URL;
  host: string;
  port: number;
  transport?: 'http' | 'sse';
  /** Ends the proxy. */
  signal: AbortSignal;
  /** Called with the address for clients. */
  onListening: (url: string) => void;
  /** Called once when the server requires credentials, so that its metadata names the upstream and not the proxy. */
  onProtected?: (() => void) | undefined;
  /** Turns challenges and metadata to the proxy, and relays the authorization servers. */
  logins?: RelayedAuthorization | undefined;
}

/** The result, or why there is none. */
export type Intercepted = Concluded & {
  /** stdio: how the server ended. */
  exit?: { code: number | null; signal: NodeJS.Signals | null };
};

/** @throws McpcError target when the server cannot be started, usage for the trace file, the selection or the suite */
export async function interceptStdio(options: InterceptStdio): Promise<Intercepted> {
  const words = [options.command, ...options.args];
  const recording = await startRecording(
    withEnvironment(options),
    { name: options.name, command: words },
    { commands: [words] },
  );
  try {
    recording.tap({ tap: 'begin', transport: 'stdio' });
    const proxy = await startStdioProxy({
      command: options.command,
      args: options.args,
      cwd: options.cwd,
      env: options.env,
      session: 's1',
      tell: tapOf(recording, options),
      ...againstOf(options),
      input: options.input,
      output: options.output,
      errors: options.errors,
    });
    options.onStarted?.({
      signal(name) {
        proxy.signal(name);
        recording.hurry();
      },
      end() {
        proxy.signal('SIGKILL');
        recording.end();
      },
    });
    const exit = await proxy.exited;
    return { ...(await recording.conclude()), exit };
  } finally {
    await recording.dispose();
  }
}

/** @throws McpcError usage when the address cannot be listened on, or for the trace file, the selection or the suite */
export async function interceptHttp(options: InterceptHttp): Promise<Intercepted> {
  const recording = await startRecording(
    options,
    { name: options.name, url: withoutCredentials(options.upstream.href) },
    { addresses: [options.upstream.href] },
  );
  try {
    const proxy = await startHttpProxy({
      upstream: options.upstream,
      host: options.host,
      port: options.port,
      tell: tapOf(recording, options),
      ...againstOf(options),
      ...(hasCredentials(options.upstream.href) ? { authorization: basicCredentials(options.upstream) } : {}),
      transport: options.transport,
      onProtected: options.onProtected,
      logins: options.logins,
      ...networkOf(options),
    });
    options.onListening(proxy.url);
    if (!options.signal.aborted)
      await new Promise<void>((resolve) => options.signal.addEventListener('abort', () => resolve(), { once: true }));
    recording.hurry();
    await proxy.close();
    return await recording.conclude();
  } finally {
    await recording.dispose();
  }
}

/** Both see every tap: the one records in a thread of its own, the other has to know before the client goes on. */
function tapOf(recording: RecordingThread, { drift }: InterceptOptions): TapSink {
  if (drift === undefined) return recording.tap;
  const look = driftTap(drift.watch);
  return (tap) => {
    look(tap);
    recording.tap(tap);
  };
}

function againstOf({ drift }: InterceptOptions): { against?: DriftWatch['against'] } {
  return drift?.block === true ? { against: drift.watch.against } : {};
}

/** Inherited variables with secret names are secrets. */
function withEnvironment(options: InterceptStdio): InterceptStdio {
  return { ...options, secrets: [...options.secrets, ...secretsOfEnvironment(options.env ?? process.env)] };
}

function startRecording(
  options: InterceptOptions,
  target: Record<string, unknown>,
  known: Pick<RedactorOptions, 'addresses' | 'commands'>,
): Promise<RecordingThread> {
  const { traceFile, selection, role, revision, secrets, keepSecrets, toolVersion, suite, onFinding } = options;
  return openRecordingThread(
    {
      target,
      known,
      selection,
      role,
      revision,
      secrets,
      keepSecrets,
      toolVersion,
      live: onFinding !== undefined,
      traceFile,
      suite,
    },
    onFinding ?? (() => {}),
  );
}
