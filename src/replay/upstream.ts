/** The live server behind a replay: it is asked for what was not recorded, and what it answers may be added to the recording. */
import { renameSync } from 'node:fs';
import { fileKind } from '../check/capture/open-capture.ts';
import type { TargetOptions } from '../check/commands/support/flags/target-flags.ts';
import { redactorOf } from '../check/run-redactor.ts';
import { usageError } from '../core/model/errors.ts';
import type { TraceEvent } from '../core/model/trace.ts';
import { parseExact } from '../core/trace/importers/exact-json.ts';
import { createJsonlWriter } from '../files/traces/jsonl-writer.ts';
import { readTrace } from '../files/traces/jsonl-reader.ts';
import { openLive, type LiveSession } from '../live/live-session.ts';

type Json = Record<string, unknown>;

export interface Upstream {
  ask(method: string, params: unknown): Promise<{ member: 'result' | 'error'; value: unknown }>;
  /** Ends the server, and adds what it answered to the recording. */
  close(): Promise<void>;
}

export interface UpstreamOptions {
  target: TargetOptions;
  toolVersion: string;
  /** A trace of mcpc that gets what is asked. */
  recording?: string;
  talk(line: string): void;
}

/** Nothing is started before the first request. @throws McpcError usage for a recording that cannot be added to */
export async function openUpstream({ target, toolVersion, recording, talk }: UpstreamOptions): Promise<Upstream> {
  if (recording !== undefined && (await fileKind(recording)) !== 'trace')
    throw usageError(
      `${recording} is no trace of mcpc, and only those can be added to.`,
      'Convert it first: mcpc import CAPTURE --out-mcpc-trace FILE.',
    );
  const redactor = redactorOf(target);
  const { timing, ...reached } = target;
  const added: { from: 'client' | 'server'; message: Json }[] = [];
  let live: Promise<LiveSession> | undefined;
  return {
    async ask(method, params) {
      live ??= openLive({
        ...reached,
        timing: { startMs: timing?.startMs, answerMs: timing?.answerMs },
        toolVersion,
        redactor,
        onStderr: talk,
      });
      const { _meta, ...rest } = (params ?? {}) as Json;
      let outcome;
      try {
        outcome = await (await live).ask(method, params === undefined ? undefined : rest, { anyMethod: true });
      } catch (error) {
        return { member: 'error', value: { code: -32603, message: `the live server: ${(error as Error).message}` } };
      }
      if (outcome.kind !== 'result' && outcome.kind !== 'error') {
        const words = outcome.kind === 'timeout' ? `no response within ${outcome.waitedMs} ms` : outcome.words;
        return { member: 'error', value: { code: -32603, message: `the live server: ${words}` } };
      }
      const value = parseExact(outcome.text(), { spelling: true });
      const id = `replay-added-${added.length}`;
      added.push(
        { from: 'client', message: { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params: rest }) } },
        { from: 'server', message: { jsonrpc: '2.0', id, [outcome.kind]: value } },
      );
      return { member: outcome.kind, value };
    },
    async close() {
      await (await live?.catch(() => undefined))?.close();
      if (recording === undefined || added.length === 0) return;
      await addTo(
        recording,
        added.map(({ from, message }) => ({
          from,
          message: redactor.event({ seq: 0, t: 0, session: '', from, kind: 'message', message }).message as Json,
        })),
      );
      talk(`${added.length / 2} request${added.length === 2 ? '' : 's'} added to ${recording}.`);
    },
  };
}

/** Writes a trace again, with messages behind those that it has. The old file stays until the new one is whole. */
async function addTo(file: string, added: readonly { from: 'client' | 'server'; message: Json }[]): Promise<void> {
  const trace = await readTrace(file);
  const draft = `${file}.${process.pid}.part`;
  const writer = createJsonlWriter(draft);
  writer.header(trace.header);
  let last: TraceEvent | undefined;
  for await (const event of trace.events) writer.event((last = event));
  let seq = last?.seq ?? 0;
  for (const { from, message } of added) {
    seq += 1;
    writer.event({ seq, t: last?.t ?? 0, session: 'replay', from, kind: 'message', message });
  }
  const footer = trace.footer();
  writer.footer({ ...(footer ?? { footer: true, complete: true }), events: seq });
  await writer.close();
  renameSync(draft, file);
}
