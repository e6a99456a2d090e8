/** Runs suites again whenever files change or on a key: the affected cases, flipped ones first. */
import { relative, resolve } from 'node:path';
import { exitCodes } from '../../../../core/model/errors.ts';
import type { SuiteReport } from '../../../../core/model/reports/suite-report.ts';
import { createWatchedState, type Answers, type Flip } from '../../../run/watch/watched-state.ts';
import { formatError } from '../../../../check/commands/support/error-text.ts';
import { watchFiles, type FileWatch } from '../../../../check/commands/support/watch-files.ts';
import type { PreparedRun } from '../run.ts';
import type { Key } from './keys.ts';
import { watchedPaths, type WatchedPaths } from './watched-paths.ts';

/** One run, for a reader or a program. */
export interface WatchedRun {
  /** Why it was run. */
  why: string;
  /** The cases that were run; null when the suites could not be read, or nothing was to be run. */
  report: SuiteReport | null;
  flips: Flip[];
  /** Of all cases that are known. */
  counts: { pass: number; fail: number; skip: number; undecided: number; empty: number };
  error: string | null;
}

export interface WatchLoopOptions {
  /**
   * Reads the suites again.
   * @throws McpcError usage
   */
  prepare(filter: string): Promise<PreparedRun>;
  suites: readonly string[];
  fixture: string | undefined;
  /** A command that replaces the servers. */
  words: readonly string[];
  pollMs?: number;
  signal: AbortSignal;
  keys(tell: (key: Key) => void): () => void;
  /** Stores new answers; returns a line about them. */
  update(prepared: PreparedRun, signal: AbortSignal): Promise<string>;
  begins(why: string, cases: number): void;
  caseBegins(name: string): void;
  ended(run: WatchedRun): void;
  waits(): void;
  talk(line: string): void;
}

/** Cases to run. */
interface Due {
  all: boolean;
  /** Absolute paths of suite files. */
  files: Set<string>;
  failed: boolean;
  update: boolean;
  why: string;
}

const nothing = (): Due => ({ all: false, files: new Set(), failed: false, update: false, why: '' });
const isDue = ({ all, files, failed, update }: Due): boolean => all || failed || update || files.size > 0;

/** @returns the exit code: 130 when interrupted, else 0 or 1 by the last run */
export async function watchLoop(options: WatchLoopOptions): Promise<number> {
  const { signal, talk } = options;
  const state = createWatchedState();
  let due: Due = { ...nothing(), all: true, why: 'the first run' };
  let filter = '';
  let run: AbortController | undefined;
  let ended = false;
  let wake: () => void = () => {};
  let watched: WatchedPaths | undefined;
  let watch: FileWatch | undefined;

  function changed(paths: readonly string[]): void {
    const counting = paths.filter((path) => watched!.counts(path));
    if (counting.length === 0) return;
    for (const path of counting) {
      const concerned = watched!.concerns(path);
      if (concerned === undefined) due.all = true;
      else due.files.add(concerned);
    }
    const [first] = counting;
    due.why = `${relative('.', first!)}${counting.length > 1 ? ` and ${counting.length - 1} more` : ''} changed`;
    run?.abort();
    wake();
  }

  function pressed(key: Key): void {
    if (key.kind === 'interrupt') process.kill(process.pid, 'SIGINT');
    else if (key.kind === 'end') {
      ended = true;
      run?.abort();
    } else if (key.kind === 'filter') {
      filter = key.pattern;
      due = { ...due, all: true, why: filter === '' ? 'without a filter' : `filter ${filter}` };
    } else {
      // All means without the filter that was typed.
      if (key.kind === 'all') filter = '';
      due = {
        ...due,
        [key.kind]: true,
        why: { all: 'all', failed: 'failed ones', update: 'snapshots are updated' }[key.kind],
      };
    }
    wake();
  }

  /** The pending cases that still exist. */
  function chosen({ options: { cases } }: PreparedRun, now: Due): PreparedRun['options']['cases'] {
    if (now.all) return cases;
    const failed = now.failed ? state.failed() : new Set<string>();
    return cases.filter(({ id, file }) => failed.has(id) || now.files.has(resolve(file)));
  }

  async function once(now: Due): Promise<void> {
    const prepared = await options.prepare(filter);
    watched = watchedPaths(options.suites, prepared.all, options.fixture, options.words);
    if (watch === undefined)
      watch = await watchFiles({
        paths: watched.paths,
        ignored: (path, isFile) => isFile && !watched!.counts(path),
        talk,
        pollMs: options.pollMs,
        onChange: changed,
      });
    else watch.add(watched.paths);
    state.keep(new Set(prepared.all.map(({ id }) => id)));
    run = new AbortController();
    if (now.update) talk(await options.update(prepared, AbortSignal.any([signal, run.signal])));
    const cases = chosen(prepared, now);
    if (cases.length === 0) {
      if (!now.update)
        options.ended({
          why: now.why,
          report: null,
          flips: [],
          counts: state.counts(),
          error: now.failed ? 'No case has failed.' : 'No case was chosen.',
        });
      return;
    }
    options.begins(now.why, cases.length);
    const { runSuite } = await import('../../../run/run-suite.ts');
    const { answersOf } = await import('../../../run/snapshot/answers.ts');
    const answers = new Map<string, Answers>();
    const report = await runSuite({
      ...prepared.options,
      cases,
      signal: AbortSignal.any([signal, run.signal]),
      onBegin: ({ name }) => options.caseBegins(name),
      onSeen: (one, record, clean) => void answers.set(one.id, answersOf(one, record, options.fixture, clean)),
    });
    // Abandoned cases are pending again, together with new changes.
    if (run.signal.aborted)
      due = {
        ...due,
        all: due.all || now.all,
        failed: due.failed || now.failed,
        files: new Set([...due.files, ...now.files]),
      };
    else if (!signal.aborted)
      options.ended({
        why: now.why,
        report,
        flips: state.take(report.cases, answers),
        counts: state.counts(),
        error: null,
      });
  }

  signal.addEventListener('abort', () => wake());
  const stopKeys = options.keys(pressed);
  try {
    while (!signal.aborted && !ended) {
      const now = due;
      due = nothing();
      try {
        await once(now);
      } catch (error) {
        if (watch === undefined) throw error;
        // The suites are unreadable now: the next change may fix them.
        options.ended({
          why: now.why,
          report: null,
          flips: [],
          counts: state.counts(),
          error: formatError(error).text.trimEnd(),
        });
        const { all, files } = due;
        due = { ...nothing(), why: due.why, all, files };
        if (!isDue(due)) await changeOf(now);
        continue;
      } finally {
        run = undefined;
      }
      if (!isDue(due) && !signal.aborted && !ended) {
        options.waits();
        await changeOf(nothing());
      }
    }
  } finally {
    stopKeys();
    await watch?.close();
  }
  return signal.aborted
    ? exitCodes.interrupted
    : state.counts().fail > 0
      ? exitCodes.notCompliant
      : exitCodes.compliant;

  /** Waits for something to run; includes what could not run before. */
  async function changeOf(left: Due): Promise<void> {
    await new Promise<void>((resolved) => {
      wake = () => {
        if (isDue(due) || signal.aborted || ended) resolved();
      };
      wake();
    });
    due = { ...due, all: due.all || left.all, files: new Set([...due.files, ...left.files]) };
  }
}
