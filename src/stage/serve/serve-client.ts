/**
 * The use case `client --serve`: an application is given the addresses of the starts, a person makes it do things, and
 * the run is judged while it goes on. It ends when the person, or the signal, ends it.
 */
import { targetError } from '../../core/model/errors.ts';
import type { RunReport } from '../../core/model/reports/run-report.ts';
import type { TransportKind } from '../../core/model/trace.ts';
import { createRedactor } from '../../core/trace/redaction/redact.ts';
import type { RuleSelection } from '../../check/check-options.ts';
import { loadPlan } from '../../check/plan.ts';
import { secretsOfEnvironment } from '../../check/run-redactor.ts';
import type { Revision } from '../../server/protocol/revisions.ts';
import { openRecording } from '../run/recording.ts';
import { servedBy, traceHeaderOf } from '../run/served.ts';
import { planStarts } from '../scene/start-plan.ts';
import { followActs } from './acts-seen.ts';
import { readQuestions, type Answer, type Question } from './attested.ts';
import type { ServedStart } from './checklist.ts';
import { keptTrace } from './kept-trace.ts';
import { createView } from './live-view.ts';
import { newsOf } from './news.ts';
import { openPage } from './page-server.ts';
import { renderChecklist } from '../../report/serve/render.ts';
import { newState, readState, writeState } from './state-file.ts';
import { openStarts, type OpenStart } from './open-starts.ts';

export interface ServeOptions {
  /** Name of the application in reports. */
  name: string;
  transport: TransportKind;
  spec: Revision | 'auto';
  selection: RuleSelection;
  host: string;
  /** Port of the page; 0 takes a free one. The starts have the ports behind it. */
  port: number;
  /** The file that the run goes on from, another day. */
  stateFile: string | undefined;
  traceFile: string | undefined;
  keepSecrets: boolean;
  toolVersion: string;
  templatesDir: string | undefined;
  signal: AbortSignal;
  /** Told where everything is, once. */
  onReady: (served: { page: string; starts: readonly ServedStart[]; continues: boolean }) => void;
  /** Told of each first connection, each act that was seen, and each violation. */
  onNews: (line: string) => void;
}

/**
 * @throws McpcError target when nothing connected; usage for the selection, the state, the trace file, and an address
 * that cannot be listened on
 */
export async function serveClient(options: ServeOptions): Promise<RunReport> {
  const run = await openRun(options);
  try {
    await run.ended;
    return await run.conclude();
  } finally {
    await run.dispose();
  }
}

interface ServedRun {
  /** Resolves when a person or the signal ends the run. */
  ended: Promise<void>;
  /** @throws McpcError target when nothing connected */
  conclude(): Promise<RunReport>;
  dispose(): Promise<void>;
}

async function openRun(options: ServeOptions): Promise<ServedRun> {
  const { transport, spec, signal, stateFile } = options;
  const plan = await loadPlan(options.selection);
  // Nobody types the credentials of a start into an application.
  const planned = planStarts(plan.rules, { transport, revision: spec === 'auto' ? undefined : spec }).filter(
    ({ situation }) => situation.guard?.client === undefined,
  );
  const state = stateFile === undefined ? newState(transport, spec, '') : readState(stateFile, transport, spec);
  const kept = keptTrace(options, state);
  state.runs += 1;
  const seen = followActs(planned);
  const questions = readQuestions();
  const answers = new Map(Object.entries(state.answers));
  const news = newsOf(seen, options.onNews);
  const redactor = createRedactor({
    answers: 'all',
    secrets: secretsOfEnvironment(process.env),
    keepSecrets: options.keepSecrets,
  });
  const recording = await openRecording({
    header: traceHeaderOf({ transport, spec, name: options.name }),
    plan,
    redactor,
    traceFile: kept.file,
    toolVersion: options.toolVersion,
    onFailure: ({ rule }) => news.broken(rule.id, rule.title),
    earlier: kept.earlier,
    // What came before is no news.
    onEarlier: (event) => seen.see(event),
  });
  kept.restored();
  seen.news();
  const ends: (() => Promise<void>)[] = [async () => recording.dispose()];
  try {
    const starts = await openStarts(planned, {
      recording,
      transport,
      revisions: servedBy(transport, spec),
      host: options.host,
      port: options.port === 0 ? 0 : options.port + 1,
      state,
    });
    ends.unshift(() => closeAll(starts));
    const names = Object.fromEntries(starts.slice(0, 1).map(({ at }) => ['mcpc', at]));
    const view = createView({ options, recording, starts, seen, questions, answers, secret: state.secret, names });
    let finish: () => void = () => {};
    const ended = new Promise<void>((resolve) => (finish = resolve));
    signal.addEventListener('abort', finish, { once: true });
    if (signal.aborted) finish();
    const page = await openPage({
      host: options.host,
      port: options.port === 0 ? (state.ports['page'] ?? 0) : options.port,
      secret: state.secret,
      render: (part) => renderChecklist(view.now(), part, options.templatesDir),
      onAnswer(fields) {
        if (!takeAnswer(fields, questions, answers)) return;
        save();
        view.changed();
      },
      onFinish: finish,
    });
    ends.unshift(async () => {
      signal.removeEventListener('abort', finish);
      await page.close();
    });
    state.ports['page'] = page.port;
    const save = (): void => {
      if (stateFile !== undefined) writeState(stateFile, { ...state, answers: Object.fromEntries(answers) });
    };
    save();
    view.onChange = () => page.changed();
    recording.onEvent((event) => {
      seen.see(event);
      news.event(event);
      view.changed();
    });
    options.onReady({ page: page.url, starts, continues: state.runs > 1 });
    return {
      ended,
      async conclude() {
        view.end();
        await closeAll(starts);
        if (seen.total() === 0) {
          await recording.abandon('nothing connected');
          throw targetError(
            'Nothing connected.',
            'Give the application the address that was printed, and make it do what the page says.',
          );
        }
        return recording.conclude(await view.endOf());
      },
      dispose: () => disposeAll(ends),
    };
  } catch (error) {
    await recording.abandon(error instanceof Error ? error.message : 'it failed');
    await disposeAll(ends);
    throw error;
  }
}

async function disposeAll(ends: readonly (() => Promise<void>)[]): Promise<void> {
  for (const end of ends) await end().catch(() => {});
}

async function closeAll(starts: readonly OpenStart[]): Promise<void> {
  await Promise.all(starts.map((start) => start.close()));
}

/** @returns false for a form that answers no question */
function takeAnswer(fields: URLSearchParams, questions: readonly Question[], answers: Map<string, Answer>): boolean {
  const requirement = fields.get('requirement') ?? '';
  const answer = fields.get('answer');
  if (!questions.some((one) => one.requirement === requirement)) return false;
  if (answer !== 'yes' && answer !== 'no' && answer !== 'unknown') return false;
  answers.set(requirement, { answer, at: new Date().toISOString() });
  return true;
}
