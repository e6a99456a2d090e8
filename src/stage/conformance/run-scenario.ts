/** Plays one scenario to the client: one start, judged by the rules about clients and by those of the scenario. */
import type { RunReport } from '../../core/model/reports/run-report.ts';
import type { TraceEvent, TraceHeader } from '../../core/model/trace.ts';
import { eraOf, isKnownRevision, revisions as known } from '../../core/spec/revisions.ts';
import { createRedactor } from '../../core/trace/redaction/redact.ts';
import { endLeftBehind } from '../../client/transport/process/left-behind.ts';
import { markedEnv, partMark } from '../../client/transport/process/run-mark.ts';
import { secretsOfEnvironment } from '../../check/run-redactor.ts';
import type { ClientDriver, ClientEnd } from '../drive/driver.ts';
import { playStart } from '../run/play-start.ts';
import { openRecording } from '../run/recording.ts';
import { checksOf, type ConformanceCheck } from './checks.ts';
import { rulesOf } from './scenario-rules.ts';
import { appliesAt, type Scenario } from './scenarios.ts';

export interface ScenarioOptions {
  command: string;
  driver: ClientDriver;
  env: NodeJS.ProcessEnv;
  /** The revision of `--spec-version`. */
  revision: string | undefined;
  /** Plays a scenario in that revision, though it is not for it. */
  force?: boolean;
  /** Longest time of the client, milliseconds. */
  timeoutMs: number;
  toolVersion: string;
  /** Where the trace is kept. */
  traceFile: string | undefined;
  signal: AbortSignal;
  print(line: string): void;
}

export interface ScenarioResult {
  scenario: Scenario;
  checks: ConformanceCheck[];
  /** Why it was not played. */
  skipped?: string;
  /** The client sent at least one request. */
  connected: boolean;
  end?: ClientEnd;
  /** Lines that the client printed, by stream. */
  printed: Record<'stdout' | 'stderr', string[]>;
  /** By the rules of mcpc, where the client connected. */
  report?: RunReport;
}

const newestStateful = '2025-11-25';
const stateless = '2026-07-28';
/** Events that measures look at. */
const mostEvents = 20_000;

/** The reason why a scenario cannot be played, or not in this revision. */
export function skipReason(
  scenario: Scenario,
  { force = false, revision }: Pick<ScenarioOptions, 'force' | 'revision'>,
): string | undefined {
  if (scenario.waits !== undefined) return `not yet: it needs ${scenario.waits}`;
  if (!force && revision !== undefined && !appliesAt(scenario, revision)) return `it is not for ${revision}`;
  return undefined;
}

/** @throws McpcError target for a command that cannot be started */
export async function runScenario(scenario: Scenario, options: ScenarioOptions): Promise<ScenarioResult> {
  const { situation, scenario: name } = scenario;
  const none = { scenario, checks: [], connected: false, printed: { stdout: [], stderr: [] } };
  const skipped = skipReason(scenario, options);
  if (skipped !== undefined || situation === undefined) return { ...none, skipped: skipped ?? '' };
  const revision = options.revision ?? (scenario.since === stateless ? stateless : newestStateful);
  const rules = await rulesOf(scenario);
  const mark = partMark();
  const env = markedEnv(options.env, mark);
  const redactor = createRedactor({ answers: 'all', secrets: secretsOfEnvironment(options.env) });
  const recording = await openRecording({
    header: headerOf(name, options.command, revision),
    plan: rules.plan,
    redactor,
    traceFile: options.traceFile,
    toolVersion: options.toolVersion,
    otherwise: revision,
  });
  const events: TraceEvent[] = [];
  recording.onEvent((event) => {
    if (events.length < mostEvents) events.push(event);
  });
  const printed: ScenarioResult['printed'] = { stdout: [], stderr: [] };
  try {
    const start = {
      name: 'c1',
      title: scenario.description,
      situation,
      rules: [],
      official: { name, ...(scenario.context ? { context: scenario.context } : {}) },
    };
    const played = await playStart(start, recording, {
      driver: options.driver,
      env,
      transport: 'http',
      revisions:
        revision === stateless ? [stateless] : known.filter((one) => one !== stateless && one !== '2024-11-05'),
      pinned: revision,
      startMs: options.timeoutMs,
      signal: options.signal,
      print: (line, stream = 'stderr') => {
        printed[stream].push(line);
        options.print(redactor.text(line));
      },
    });
    const report = await recording.conclude({ skipped: [] });
    const connected = played.requests > 0;
    const verdicts = report.parts[0]?.verdicts ?? [];
    return {
      scenario,
      checks: checksOf(scenario, rules, { verdicts, events, revision, connected }),
      connected,
      end: played.end,
      printed,
      ...(connected ? { report } : {}),
    };
  } catch (error) {
    await recording.abandon('it failed');
    throw error;
  } finally {
    await endLeftBehind(mark);
    recording.dispose();
  }
}

function headerOf(scenario: string, command: string, revision: string): TraceHeader {
  return {
    format: 'mcpc-trace',
    version: 1,
    origin: 'client',
    transport: 'http',
    // A server of the stateless era is one of one revision; of the others the client names one.
    ...(revision === stateless && isKnownRevision(revision) ? { revision, era: eraOf(revision) } : {}),
    target: { kind: 'client', name: scenario, command: [command] },
    startedAt: new Date().toISOString(),
  };
}
