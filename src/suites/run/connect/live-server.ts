/**
 * Opens a live server with the client of suites, which declares nothing, as often as its user needs a new connection,
 * and ends all of them. What is done on a connection is not known here.
 */
import { McpcError, stopIfInterrupted } from '../../../core/model/errors.ts';
import type { Era } from '../../../core/model/rules/requirement.ts';
import type { TraceEvent } from '../../../core/model/trace.ts';
import { defaultTiming } from '../../../client/target/timing.ts';
import { newestRevision } from '../../../core/spec/revisions.ts';
import { partMark } from '../../../client/transport/process/run-mark.ts';
import type { Redactor } from '../../../core/trace/redaction/redact.ts';
import type { CheckOptions } from '../../../check/check-options.ts';
import { endedCommands } from '../../../check/reporting/left-behind.ts';
import { createConnection, type Connection } from './connection.ts';

export interface LiveServerOptions
  extends Partial<Pick<CheckOptions, 'spec' | 'timing' | 'signal'>>,
    Pick<CheckOptions, 'target' | 'name' | 'toolVersion'> {
  redactor: Redactor;
  /** The era of the server, where an earlier connection has shown it; else the first connection asks. */
  era?: Era;
  /** Limit of the recording of each connection; 10,000 events and 64 MiB when absent. */
  limits?: { maxEvents: number; maxBytes: number };
  /** Called for each process that the server left running, after its end, with its command line without secrets. */
  onLeftBehind?: ((command: string) => void) | undefined;
  /** Called for every event, without secrets. */
  onEvent?(event: TraceEvent, connection: Connection): void;
}

export interface LiveServer {
  /** @throws McpcError target when it cannot be reached or does not speak MCP, interrupted once the signal was given */
  open(): Promise<Connection>;
  /** Resolves when all connections and processes have ended. */
  closeAll(): Promise<void>;
}

const usualLimits = { maxEvents: 10_000, maxBytes: 64 * 1024 * 1024 };

/** Nothing is started yet. An interruption ends all connections at once. */
export function createLiveServer({
  target,
  name,
  spec,
  timing,
  toolVersion,
  redactor,
  limits = usualLimits,
  onEvent,
  onLeftBehind,
  signal,
  era,
}: LiveServerOptions): LiveServer {
  const mark = partMark();
  const connections = new Set<Connection>();
  const onAbort = (): void => connections.forEach((one) => one.abandon());
  signal?.addEventListener('abort', onAbort, { once: true });
  /** The server's revision: it is requested once. */
  let known = era;

  return {
    async open() {
      stopIfInterrupted(signal);
      const connection = createConnection({ redactor, name: redactor.text(name), mark, limits });
      connections.add(connection);
      if (onEvent !== undefined)
        connection.recorder.subscribe((event) => onEvent(event, connection), { redacted: true });
      const free = spec === undefined || spec === 'auto';
      const failed = await connection.open({
        server: { args: [], env: {}, transport: '', headers: {} },
        override: target,
        fixture: undefined,
        spec: free ? (known === 'stateless' ? newestRevision : 'auto') : spec,
        askForStateless: free && known === undefined,
        budgetMs: timing?.startMs ?? defaultTiming.startMs,
        answerMs: timing?.answerMs ?? defaultTiming.answerMs,
        env: {},
        toolVersion,
      });
      // Failures of an abandoned connection are not faults of the server.
      stopIfInterrupted(signal);
      if (failed !== undefined)
        throw new McpcError('target', redactor.text(`${name}: ${failed.words}`), {
          remedy: 'Is the command or the address right? "mcpc check" on it shows details.',
        });
      known = connection.opened!.era;
      return connection;
    },
    async closeAll() {
      signal?.removeEventListener('abort', onAbort);
      await Promise.all([...connections].map((one) => one.close()));
      for (const command of await endedCommands(mark, redactor)) onLeftBehind?.(command);
    },
  };
}
