/** The use case `client`: plays the situations of the rules to a client, judges the trace while it grows, reports. */
import { McpcError, targetError } from '../core/model/errors.ts';
import type { RunReport } from '../core/model/reports/run-report.ts';
import type { TransportKind } from '../core/model/trace.ts';
import { createRedactor } from '../core/trace/redaction/redact.ts';
import { endLeftBehind } from '../client/transport/process/left-behind.ts';
import { markedEnv, partMark } from '../client/transport/process/run-mark.ts';
import type { RuleSelection } from '../check/check-options.ts';
import { loadPlan } from '../check/plan.ts';
import { withoutLogin } from '../check/reporting/undecided/client-acts.ts';
import { secretsOfEnvironment } from '../check/run-redactor.ts';
import type { Revision } from '../server/protocol/revisions.ts';
import type { ClientDriver } from './drive/driver.ts';
import { nameOfAct } from './drive/task.ts';
import { openRecording } from './run/recording.ts';
import { playStart, type Played } from './run/play-start.ts';
import { servedBy, traceHeaderOf } from './run/served.ts';
import { planStarts, type PlannedStart } from './scene/start-plan.ts';

export interface ClientOptions {
  /** What the client is called in reports. */
  name: string;
  /** Its command line, where it has one. */
  words?: readonly string[] | undefined;
  driver: ClientDriver;
  /** The whole environment that it gets. */
  env: NodeJS.ProcessEnv;
  /** Values that came from secrets. */
  secrets: readonly string[];
  transport: TransportKind;
  spec: Revision | 'auto';
  selection: RuleSelection;
  /** Starts that are left out, by their rules. */
  leaveOut?: ((start: PlannedStart) => boolean) | undefined;
  traceFile?: string | undefined;
  keepSecrets: boolean;
  toolVersion: string;
  /** Longest time of one start. */
  startMs: number;
  signal: AbortSignal;
  /** Told before each start. */
  onStart?: (start: { number: number; of: number; title: string }) => void;
  /** Told of what the client prints. */
  onPrint?: (line: string) => void;
}

/** @throws McpcError target when the client cannot be started or never connects; usage for the selection and the trace file */
export async function runClient(options: ClientOptions): Promise<RunReport> {
  const { transport, spec, signal } = options;
  const plan = await loadPlan(options.selection);
  const served = servedBy(transport, spec);
  const starts = planStarts(plan.rules, { transport, revision: spec === 'auto' ? undefined : spec }).filter(
    (start) => options.leaveOut?.(start) !== true,
  );
  const mark = partMark();
  const redactor = createRedactor({
    answers: 'all',
    secrets: [...options.secrets, ...secretsOfEnvironment(options.env)],
    commands: options.words === undefined ? [] : [[...options.words]],
    keepSecrets: options.keepSecrets,
  });
  const recording = await openRecording({
    header: traceHeaderOf(options),
    plan,
    redactor,
    traceFile: options.traceFile,
    toolVersion: options.toolVersion,
  });
  const skipped: RunReport['skipped'] = lackingActs(starts, options.driver);
  let incomplete: string | undefined;
  /** The start in which the client did not try to log in. */
  let loginless: string | undefined;
  try {
    for (const [index, start] of starts.entries()) {
      if (loginless !== undefined && start.situation.guard !== undefined) {
        skipped.push({ what: `start ${start.name}`, why: `${withoutLogin} (start ${loginless})` });
        continue;
      }
      if (signal.aborted) {
        incomplete ??= `the run was interrupted before start ${index + 1} of ${starts.length}`;
        break;
      }
      options.onStart?.({ number: index + 1, of: starts.length, title: start.title });
      const played = await playStart(start, recording, {
        driver: options.driver,
        env: markedEnv(options.env, mark),
        transport,
        revisions: served,
        ...(spec === 'auto' ? {} : { pinned: spec }),
        startMs: options.startMs,
        signal,
        print: (line) => options.onPrint?.(redactor.text(line)),
      });
      if (played.requests === 0 && index === 0 && !signal.aborted) throw neverConnected(played, options);
      if (start.situation.guard !== undefined && played.authorization === 0) loginless = start.name;
      const why = shortfall(start, played);
      if (why !== undefined) skipped.push({ what: `start ${start.name}`, why });
    }
    await endLeftBehind(mark);
    return await recording.conclude({ incomplete, skipped });
  } catch (error) {
    await recording.abandon(error instanceof Error ? redactor.text(error.message) : 'it failed');
    throw error instanceof McpcError
      ? new McpcError(error.stage, redactor.text(error.message), { remedy: error.remedy ?? '', cause: error.cause })
      : error;
  } finally {
    await endLeftBehind(mark);
    recording.dispose();
  }
}

function neverConnected({ end, tail }: Played, { startMs, transport }: ClientOptions): McpcError {
  const how =
    end.ended === undefined
      ? `It ended with ${end.code === null ? `signal ${end.signal}` : `exit code ${end.code}`}`
      : `It was ended: ${end.ended}`;
  return targetError(
    `The client never connected. ${how}.${tail.length === 0 ? '' : `\nIt printed:\n  ${tail.slice(-6).join('\n  ')}`}`,
    `Put ${transport === 'stdio' ? '{{command}} where the client takes the command of its server, or {{config}} where it takes a file of mcpServers' : '{{url}} where the client takes the address of its server'}; it gets ${Math.round(startMs / 1000)} seconds (--start-timeout).`,
  );
}

/** Acts that the driver cannot have done, each once. */
function lackingActs(starts: readonly PlannedStart[], driver: ClientDriver): RunReport['skipped'] {
  const reasons = new Map<string, string>();
  for (const act of starts.flatMap(({ situation }) => situation.drive ?? [])) {
    const why = driver.lacks(act);
    if (why !== undefined) reasons.set(`act ${nameOfAct(act)}`, why);
  }
  return [...reasons].map(([what, why]) => ({ what, why }));
}

/** What of a start is missing. */
function shortfall({ situation }: PlannedStart, { authorization, requests, end }: Played): string | undefined {
  if (requests === 0) return 'the client did not connect';
  if (situation.guard !== undefined && authorization === 0) return withoutLogin;
  return end.ended === undefined || end.ended.startsWith('nothing came') ? undefined : end.ended;
}
