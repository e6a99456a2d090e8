/** `replay`: a recording that serves as the server, in this process. */
import type { Readable, Writable } from 'node:stream';
import type { WireChoice } from '../../check/capture/open-capture.ts';
import { usageError } from '../../core/model/errors.ts';
import type { ReplayReport } from '../../replay/counts.ts';
import { parseFault } from '../../replay/faults.ts';
import { checkPaths } from '../../replay/match.ts';
import { openReplay } from '../../replay/replay.ts';
import { throwIfAborted } from './interrupted.ts';

export interface ReplayOptions {
  /** Format of a capture, as `--from` of `mcpc judge`; found out when absent. */
  from?: WireChoice['format'];
  /** Streams of a client on stdio; without them the recording is served over HTTP. */
  streams?: { input: Readable; output: Writable };
  /** Of HTTP: Streamable HTTP when absent, at a free port of 127.0.0.1. */
  transport?: 'http' | 'sse';
  host?: string;
  port?: number;
  /** Parts of a request that must be equal; `params` when absent. */
  match?: 'params' | 'method' | 'order';
  /** JSONPath within params whose value does not count. */
  ignore?: readonly string[];
  /** Serve equal requests no more often than recorded, and hold the client's answers to the recorded ones. */
  strict?: boolean;
  /** 0 without waiting, 1 as recorded, 2 twice as fast; 0 when absent. */
  speed?: number;
  /** Unrecorded requests get an error, or the response of an empty server; `error` when absent. */
  onMiss?: 'error' | 'plain';
  /** As `--fault`: `latency=300ms,rate=0.1,tool=search`. */
  faults?: readonly string[];
  seed?: number;
  /** Ends the replay. */
  signal?: AbortSignal;
}

/** A recording that is served. */
export interface Replaying {
  /** Address of the endpoint; absent with `streams`. */
  readonly url?: string;
  /** Missing parts of the recording, in a line. */
  readonly lacks?: string;
  /** Requests so far, and unrecorded ones among them. */
  report(): ReplayReport;
  /** Resolves when it has ended: by `close`, the signal, or the end of `streams.input`. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Serves a recording, as `mcpc replay` does. It writes nothing to stdout or stderr.
 * @throws McpcError of stage `usage` for an unreadable file or invalid options, `interrupted` for an earlier signal
 */
export async function replay(file: string, options: ReplayOptions = {}): Promise<Replaying> {
  const { signal, streams, ignore = [] } = options;
  throwIfAborted(signal);
  if (streams !== undefined && (options.transport ?? options.host ?? options.port) !== undefined)
    throw usageError('A replay serves streams or HTTP, not both.', 'Leave out `streams`, or transport, host and port.');
  checkPaths([...ignore]);
  const opened = await openReplay(
    file,
    { format: options.from },
    {
      match: { by: options.match ?? 'params', strict: options.strict === true, ignore: [...ignore] },
      speed: options.speed ?? 0,
      onMiss: options.onMiss ?? 'error',
      faults: (options.faults ?? []).map(parseFault),
      seed: options.seed ?? 1,
    },
  );
  const over = new AbortController();
  const stop = (): void => over.abort();
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
  const listening =
    streams === undefined
      ? await opened.listen(options.transport ?? 'http', { host: options.host ?? '127.0.0.1', port: options.port ?? 0 })
      : undefined;
  const served = streams === undefined ? untilAborted(over.signal) : opened.overStdio(streams, over.signal);
  const serve = async (): Promise<void> => {
    try {
      await served;
    } finally {
      signal?.removeEventListener('abort', stop);
      await listening?.close();
    }
  };
  const ended = serve();
  const close = async (): Promise<void> => {
    stop();
    await ended;
  };
  return {
    ...(listening === undefined ? {} : { url: listening.url }),
    ...(opened.lacks === undefined ? {} : { lacks: opened.lacks }),
    report: () => opened.report(),
    ended,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
