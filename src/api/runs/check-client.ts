/** `checkClient`: the check of a client, in this process. */
import { commandDriver } from '../../stage/drive/command-driver.ts';
import { functionsDriver, type ClientFunctions } from '../../stage/drive/functions-driver.ts';
import { runClient, usualJobs } from '../../stage/run-client.ts';
import type { RunReport } from '../../core/model/reports/run-report.ts';
import type { Revision } from '../../core/model/rules/requirement.ts';
import { packageVersion } from '../version.ts';
import { throwIfAborted } from './interrupted.ts';
import { selectionOf, type RuleOptions } from './rule-options.ts';

export interface CheckClientOptions extends RuleOptions {
  /** Name of the client in the report. */
  name?: string;
  transport?: 'http' | 'stdio' | 'sse';
  /**
   * The revision to judge by. `auto`, when absent: the revision of the client's own request, and each older revision that it accepts,
   * as further parts of the report. `newest`: without older revisions.
   */
  spec?: Revision | 'auto' | 'newest';
  /** Of a command: its working directory, and what is added to the environment of this process. */
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** Longest time of each start of the client, in milliseconds; 30,000 when absent. */
  startTimeoutMs?: number;
  /** Longest time of the whole check, in milliseconds, after which the report is incomplete; unlimited when absent. */
  timeoutMs?: number;
  /** Of a command: starts at the same time; as many as there are processors, at most 4, when absent. */
  jobs?: number;
  /** `quick`: only the first start, by the newest revision. */
  profile?: 'quick' | 'full';
  /**
   * Where to write the trace. A file that is there is replaced. Each older revision gets a file of its own, with the
   * revision in its name.
   */
  traceFile?: string;
  /** Ends the check, which then rejects. */
  signal?: AbortSignal;
  /** Called before each start. The number of all starts (`of`) is absent before the revision is known; `revision` is an older revision that is tried. */
  onStart?(start: { number: number; of?: number; title: string; revision?: string }): void;
  /** Called with what the client prints, and with errors of its functions. */
  onPrint?(line: string): void;
}

const usualStartMs = 30_000;

/**
 * Checks a client against the specification, as `mcpc client` does: mcpc is the server. It writes nothing to stdout or
 * stderr.
 *
 * @param client functions of a client in this process, or the words of a command, with `{{url}}` and other placeholders
 * @throws McpcError of stage `usage` for invalid options, `target` for a client that never connects, `interrupted` once
 * the signal was given
 */
export async function checkClient<C>(
  client: ClientFunctions<C> | readonly string[],
  options: CheckClientOptions = {},
): Promise<RunReport> {
  const { signal, transport = 'http', env = {} } = options;
  throwIfAborted(signal);
  const words = isWords(client) ? client : undefined;
  try {
    return await runClient({
      name: options.name ?? words?.join(' ') ?? 'client',
      ...(words === undefined ? {} : { words }),
      driver: isWords(client) ? commandDriver(client, options.cwd) : functionsDriver(client),
      env: { ...process.env, ...env },
      secrets: Object.values(env),
      transport,
      spec: options.spec ?? 'auto',
      selection: selectionOf(options),
      ...(options.traceFile === undefined ? {} : { traceFile: options.traceFile }),
      keepSecrets: false,
      toolVersion: packageVersion(),
      startMs: options.startTimeoutMs ?? usualStartMs,
      checkMs: options.timeoutMs,
      jobs: options.jobs ?? usualJobs(),
      quick: options.profile === 'quick',
      signal: signal ?? new AbortController().signal,
      ...(options.onStart === undefined ? {} : { onStart: options.onStart }),
      ...(options.onPrint === undefined ? {} : { onPrint: options.onPrint }),
    });
  } finally {
    throwIfAborted(signal);
  }
}

function isWords<C>(client: ClientFunctions<C> | readonly string[]): client is readonly string[] {
  return Array.isArray(client);
}
