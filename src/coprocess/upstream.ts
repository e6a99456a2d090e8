/** Everything of a coprocess that has to do with the server under test. Loaded with the first request for it. */
import { redactorOf } from '../check/run-redactor.ts';
import type { TraceEvent } from '../core/model/trace.ts';
import { createJsonlWriter } from '../files/traces/jsonl-writer.ts';
import { createCallLog } from './call-log.ts';
import { createCache } from './cache.ts';
import { createCassette } from './cassette.ts';
import type { Frame } from './frames/frame.ts';
import { createLiveSource } from './sources/live-source.ts';
import type { CoprocessOptions } from './options.ts';
import { createSession } from './session.ts';

export interface Upstream {
  /** JSON text of the result; rejects with a FrameError, or with what is our own fault. */
  answer(frame: Frame): Promise<string>;
  /** Ends the server, and writes what is still to be written; calling it again waits for the same end. */
  end(): Promise<void>;
}

/** Nothing is started yet; the trace file is opened. @throws McpcError usage when it cannot be */
export function createUpstream(options: CoprocessOptions): Upstream {
  const { talk, toolVersion, name, timeoutMs } = options;
  const redactor = redactorOf({ target: options.target, serve: options.serve, secrets: options.secrets });
  const log = createCallLog({ toolVersion, name, redactor });
  const cassette = createCassette();
  const cache = createCache();
  const writer = options.traceFile === undefined ? undefined : createJsonlWriter(options.traceFile);
  const onEvent = (event: TraceEvent): void => {
    cassette.see(event, live.session?.connection.recorder.header);
    log.see(event);
    const reported = noticeOf(event);
    if (reported === undefined) return;
    if (reported.method === 'notifications/tools/list_changed') cache.clear();
    talk(`[server] ${JSON.stringify(reported).slice(0, longestNotice)}`);
  };
  const live = createLiveSource(
    {
      target: options.target,
      name,
      serve: options.serve,
      fallback: options.fallback,
      spec: options.spec,
      timing: { startMs: options.startMs, answerMs: timeoutMs },
      toolVersion,
      redactor,
      writer,
      features: options.features,
      signal: options.signal,
      onStderr(line) {
        log.stderr(line);
        talk(line);
      },
      onEvent,
    },
    timeoutMs,
  );
  let ending: Promise<void> | undefined;
  const end = (): Promise<void> =>
    (ending ??= (async () => {
      for (const command of await live.close()) talk(`Left behind by the server, and ended: ${command}`);
      if (live.session === undefined) await writer?.close();
      await cassette.close(live.session?.connection.recorder.header);
    })());
  return { answer: createSession({ live, cache, cassette, log, end, writeReports: options.writeReports }), end };
}

/** A longer notification is cut on stderr; the trace has all of it. */
const longestNotice = 1_000;

function noticeOf({ kind, from, message }: TraceEvent): { method: string; params?: unknown } | undefined {
  if (kind !== 'message' || from !== 'server' || typeof message !== 'object' || message === null) return undefined;
  const { method, id, params } = message as { method?: unknown; id?: unknown; params?: unknown };
  return typeof method === 'string' && id === undefined ? { method, params } : undefined;
}
