/** Recorder, writer and judge of one interception. Nothing is kept in memory: what is cited is read again from the trace. */
import path from 'node:path';
import { asBuffer, createHttpRecording } from '../../client/intercept/http-recording.ts';
import { createStdioRecording } from '../../client/intercept/stdio-recording.ts';
import type { Tap } from '../../client/intercept/taps.ts';
import type { TraceEvent, TraceHeader, TransportKind } from '../../core/model/trace.ts';
import { readEvents } from '../../files/traces/jsonl-reader.ts';
import { createJsonlWriter } from '../../files/traces/jsonl-writer.ts';
import { createRecorder } from '../../core/trace/recorder.ts';
import { createRedactor } from '../../core/trace/redaction/redact.ts';
import { defaultTransportLimits } from '../../client/transport/limits.ts';
import { makeRunFolder, removeFolder } from '../../client/transport/process/run-folders.ts';
import { startJudging, type FeedOptions, type JudgeFeed } from '../judge/judge-feed.ts';
import { loadPlan } from '../plan.ts';
import { assembleReport } from '../assemble-report.ts';
import { createTextRenderer, failureText } from '../reporting/verdict-text.ts';
import { openTrajectory } from '../trajectory/judge-trajectory.ts';
import type { LiveFinding, Recorded, RecordingOptions } from './messages.ts';

/** Findings of one rule that are printed at once: a busy client would flood the terminal. */
const maxReportedPerRule = 3;
/** The one connection of stdio. */
const stdioSession = 's1';

export interface Recording {
  /** @param at when it passed, milliseconds of a clock that never goes back */
  take(tap: Tap, at: number): void;
  /** Writes everything taken so far: the next piece may keep the thread busy for an unknown time. */
  flush(): void;
  /** Resolves when what was taken so far is recorded and judged, as far as that can be. */
  caughtUp(): Promise<void>;
  /** @param left bytes that passed and were not taken */
  conclude(left: number): Promise<Recorded>;
  dispose(): void;
}

/** @throws McpcError usage for the trace file, the selection or the suite */
export async function openRecording(
  options: RecordingOptions,
  onFinding: (finding: LiveFinding) => void,
  began: number,
): Promise<Recording> {
  const plan = await loadPlan(options.selection);
  const trajectory = options.suite === undefined ? undefined : openTrajectory(options.suite);
  const folder = options.traceFile === undefined ? makeRunFolder() : undefined;
  const file = options.traceFile ?? path.join(folder!, 'trace.jsonl');
  const writer = createJsonlWriter(file);
  let clock = began;
  const recorder = createRecorder({
    now: () => clock,
    redactor: createRedactor({
      answers: 'all',
      secrets: options.secrets,
      keepSecrets: options.keepSecrets,
      ...options.known,
    }),
    // It may run for days; what it writes is bounded by the disk alone.
    limits: { maxEvents: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER },
  });
  recorder.writeTo(writer);
  const stdio = createStdioRecording(
    (event) => recorder.sink({ session: stdioSession, ...event }),
    defaultTransportLimits,
  );
  const http = createHttpRecording(recorder.sink, defaultTransportLimits);
  let header: TraceHeader | undefined;
  let judging: Promise<JudgeFeed> | undefined;

  /** From here on events are written and judged. */
  function begin(transport: TransportKind): void {
    header = {
      format: 'mcpc-trace',
      version: 1,
      origin: 'intercept',
      transport,
      target: options.target,
      startedAt: new Date().toISOString(),
    };
    const early: TraceEvent[] = [];
    let feed: JudgeFeed | undefined;
    recorder.subscribe(
      (event) => {
        if (feed) feed.push(event);
        else early.push(event);
        trajectory?.observe(event);
      },
      { redacted: true },
    );
    recorder.setHeader(header);
    judging = feedOptions(options, onFinding)
      .then((how) => startJudging(plan.rules, header!, how))
      .then((started) => {
        for (const event of early.splice(0)) started.push(event);
        feed = started;
        return started;
      });
    judging.catch(() => {});
  }

  return {
    take(tap, at) {
      clock = at;
      if (tap.tap === 'begin') begin(tap.transport);
      else if (tap.tap === 'event') recorder.sink(tap.event);
      else if (tap.tap === 'stdio') stdio[tap.of].push(asBuffer(tap.chunk));
      else if (tap.tap === 'stdio-end') stdio[tap.of].end();
      else http.take(tap);
    },
    flush: () => writer.flush(),
    async caughtUp() {
      await http.settled();
      // Errors here are reported at the end.
      await judging?.then((feed) => feed.settled()).catch(() => {});
    },
    async conclude(left) {
      await http.settled();
      if (left > 0) recorder.sink({ session: stdioSession, from: 'harness', kind: 'limit', reason: leftOut(left) });
      const footer = recorder.finish({
        complete: left === 0,
        ...(left === 0 ? {} : { reason: leftOut(left) }),
        more: { durationMs: Math.round(clock - began) },
      });
      const reported = {
        events: footer.events,
        ...(trajectory === undefined
          ? {}
          : { trajectory: { calls: [...trajectory.calls], results: trajectory.results() } }),
      };
      if (header === undefined || judging === undefined) return reported;
      await writer.close();
      const judged = await (await judging).finish();
      if (judged.revision === undefined) return reported;
      const report = await assembleReport({
        // As it is written: names and command lines may hold secrets.
        header: recorder.header ?? header,
        footer,
        cited: (seqs) => readEvents(file, seqs),
        judged,
        plan,
        toolVersion: options.toolVersion,
        trace: options.traceFile ?? null,
        durationMs: clock - began,
        role: options.role,
      });
      return { report, ...reported };
    },
    dispose() {
      if (folder !== undefined) removeFolder(folder);
    },
  };
}

function leftOut(bytes: number): string {
  return `more was said than could be judged meanwhile; the last ${bytes} bytes were handed on, but not recorded`;
}

async function feedOptions(
  { role, revision, live }: RecordingOptions,
  onFinding: (finding: LiveFinding) => void,
): Promise<FeedOptions> {
  if (!live) return { role, otherwise: revision };
  const render = createTextRenderer();
  const reported = new Map<string, number>();
  return {
    role,
    otherwise: revision,
    onFailure: (failure) => {
      const { rule, events } = failure;
      const count = (reported.get(rule.id) ?? 0) + 1;
      reported.set(rule.id, count);
      if (count > maxReportedPerRule) return;
      const level = Object.values(rule.at).at(-1)?.level ?? '';
      onFinding({
        rule: rule.id,
        role: rule.role,
        level,
        message: failureText(failure, render),
        events,
        last: count === maxReportedPerRule,
      });
    },
  };
}
