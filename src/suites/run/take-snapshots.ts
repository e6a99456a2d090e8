/** The use case `snapshot`: carries out cases for their answers alone, compares these with what is stored, and stores them. */
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SnapshotEntry, SnapshotReport, SnapshotStatus } from '../../core/model/reports/snapshot-report.ts';
import type { SuiteCaseReport } from '../../core/model/reports/suite-report.ts';
import { append } from '../../core/model/lists.ts';
import { snapshotDiff } from '../language/snapshot/difference.ts';
import { snapshotsAlone, snapshotSteps } from '../language/snapshot/entries.ts';
import type { SuiteCase } from '../language/model.ts';
import { runSuite } from './run-suite.ts';
import type { RunSuiteOptions } from './run-suite.ts';
import { keptNames, readSnapshots, snapshotFileOf, writeSnapshots } from './snapshot/files.ts';
import type { StoredCases } from './snapshot/files.ts';
import { checkVolatile, snapshotsWith } from './snapshot/stored.ts';

export interface TakeSnapshotsOptions {
  run: RunSuiteOptions;
  /** All cases of the files, chosen or not. */
  all: readonly SuiteCase[];
  /** Write what is new or changed. */
  update: boolean;
  /** Remove what no step gives any more. */
  prune: boolean;
  /** Replace files that hold no snapshots. */
  overwrite: boolean;
  /** Called for each case as it ends, in order. */
  onEntries?(entries: readonly SnapshotEntry[]): void;
}

/** @throws McpcError usage for files of snapshots that cannot be read or written */
export async function takeSnapshots({
  run,
  all,
  update,
  prune,
  overwrite,
  onEntries,
}: TakeSnapshotsOptions): Promise<SnapshotReport> {
  checkVolatile(all);
  const names = keptNames(all);
  const files = [...new Set(all.map(({ file }) => file))];
  const stored = new Map(
    files.map((file): [string, StoredCases] => [file, readOrReplace(snapshotFileOf(file), overwrite)]),
  );
  const seen = new Map<string, Map<string, string>>();
  const entries: SnapshotEntry[] = [];
  const note = (one: SuiteCase, key: string, now: string): undefined => {
    seen.set(one.id, (seen.get(one.id) ?? new Map<string, string>()).set(key, now));
  };
  const byId = new Map(run.cases.map((one) => [one.id, one]));
  const suite = await runSuite({
    ...run,
    cases: run.cases.map(snapshotsAlone),
    trials: 1,
    all: false,
    conformance: { asked: 'off', usual: 'off' },
    snapshots: snapshotsWith(run.fixture, (one, key) => ({ stored: undefined, note: (now) => note(one, key, now) })),
    onCase(report) {
      const one = byId.get(report.id)!;
      const known = stored.get(one.file)!.get(names.get(one.id)!) ?? new Map<string, string>();
      const own = caseEntries({
        one,
        name: names.get(one.id)!,
        report,
        seen: seen.get(one.id) ?? new Map<string, string>(),
        known,
        update,
      });
      append(entries, own);
      onEntries?.(own);
    },
  });
  const late = [...obsoleteEntries(all, names, stored, prune), ...orphans(run.suites, files, prune)];
  append(entries, late);
  if (late.length > 0) onEntries?.(late);
  // An interrupted case is too incomplete to store.
  const written =
    suite.incomplete === null && (update || prune)
      ? writeAll({ files, all, names, stored, seen, update, prune, overwrite, late })
      : [];
  return {
    format: 'mcpc-snapshot-report',
    version: 1,
    tool: suite.tool,
    suites: suite.suites,
    counts: countsOf(entries),
    entries,
    written,
    notices: suite.notices,
    incomplete: suite.incomplete,
  };
}

/** A file that --overwrite replaces need not be one of ours. */
function readOrReplace(file: string, overwrite: boolean): StoredCases {
  try {
    return readSnapshots(file);
  } catch (error) {
    if (!overwrite) throw error;
    return new Map();
  }
}

interface CaseSeen {
  one: SuiteCase;
  name: string;
  report: SuiteCaseReport;
  seen: ReadonlyMap<string, string>;
  known: ReadonlyMap<string, string>;
  update: boolean;
}

function caseEntries({ one, name, report, seen, known, update }: CaseSeen): SnapshotEntry[] {
  const entry = (step: string, status: SnapshotStatus, more: Partial<SnapshotEntry> = {}): SnapshotEntry => ({
    file: one.file,
    case: name,
    line: one.place.line,
    step,
    status,
    diff: null,
    detail: null,
    ...more,
  });
  if (report.status === 'skip') return [entry('', 'skipped', { detail: report.detail === '' ? null : report.detail })];
  const entries = [...seen].map(([key, now]): SnapshotEntry => {
    const was = known.get(key);
    if (was === now) return entry(key, 'match');
    if (was === undefined) return entry(key, update ? 'new' : 'missing');
    return entry(key, update ? 'updated' : 'changed', { diff: snapshotDiff(was, now) });
  });
  if (report.status === 'fail') entries.push(entry('', 'failed', { detail: report.detail }));
  return entries;
}

/** Stored entries of cases and steps that the files no longer have. */
function obsoleteEntries(
  all: readonly SuiteCase[],
  names: ReadonlyMap<string, string>,
  stored: ReadonlyMap<string, StoredCases>,
  prune: boolean,
): SnapshotEntry[] {
  const keys = new Map(
    all.map((one) => [
      JSON.stringify([one.file, names.get(one.id)]),
      { line: one.place.line, keys: new Set([...snapshotSteps(one).values()].map(({ key }) => key)) },
    ]),
  );
  return [...stored].flatMap(([file, cases]) =>
    [...cases].flatMap(([name, steps]) => {
      const known = keys.get(JSON.stringify([file, name]));
      return [...steps.keys()]
        .filter((key) => known?.keys.has(key) !== true)
        .map(
          (step): SnapshotEntry => ({
            file,
            case: name,
            line: known?.line ?? null,
            step,
            status: prune ? 'pruned' : 'obsolete',
            diff: null,
            detail: null,
          }),
        );
    }),
  );
}

/** Files of snapshots whose suite is gone, in the folders that were named. */
function orphans(suites: readonly string[], files: readonly string[], prune: boolean): SnapshotEntry[] {
  const named = suites.filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory());
  const folders = new Set(
    named.flatMap((folder) => [folder, ...files.map((file) => dirname(file)).filter((one) => one.startsWith(folder))]),
  );
  const wanted = new Set(files.map(snapshotFileOf));
  return [...folders].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.ya?ml\.snap$/.test(name) && !wanted.has(join(folder, name)) && isOurs(join(folder, name)))
      .map(
        (name): SnapshotEntry => ({
          file: join(folder, name.slice(0, -'.snap'.length)),
          case: '',
          line: null,
          step: '',
          status: prune ? 'pruned' : 'obsolete',
          diff: null,
          detail: 'the suite is gone',
        }),
      ),
  );
}

function isOurs(file: string): boolean {
  try {
    readSnapshots(file);
    return true;
  } catch {
    return false;
  }
}

interface ToWrite extends Pick<TakeSnapshotsOptions, 'all' | 'update' | 'prune' | 'overwrite'> {
  files: readonly string[];
  names: ReadonlyMap<string, string>;
  stored: ReadonlyMap<string, StoredCases>;
  seen: ReadonlyMap<string, ReadonlyMap<string, string>>;
  late: readonly SnapshotEntry[];
}

/** @returns the files that are not what they were */
function writeAll({ files, all, names, stored, seen, update, prune, overwrite, late }: ToWrite): string[] {
  const written: string[] = [];
  const gone = new Set(prune ? late.map(({ file, case: name, step }) => JSON.stringify([file, name, step])) : []);
  for (const file of files) {
    const before = stored.get(file)!;
    const next: StoredCases = new Map();
    // In the order of the suite; what it does not have any more comes behind.
    for (const one of all.filter((other) => other.file === file)) {
      const name = names.get(one.id)!;
      const [was, is] = [before.get(name), update ? seen.get(one.id) : undefined];
      const keys = new Set([...[...snapshotSteps(one).values()].map(({ key }) => key), ...(was?.keys() ?? [])]);
      next.set(
        name,
        new Map(
          [...keys].flatMap((key): [string, string][] => {
            const text = is?.get(key) ?? was?.get(key);
            return text === undefined || gone.has(JSON.stringify([file, name, key])) ? [] : [[key, text]];
          }),
        ),
      );
    }
    for (const [name, steps] of before)
      if (!next.has(name))
        next.set(name, new Map([...steps].filter(([key]) => !gone.has(JSON.stringify([file, name, key])))));
    if (textOf(next) === textOf(before)) continue;
    writeSnapshots(snapshotFileOf(file), next, overwrite);
    written.push(snapshotFileOf(file));
  }
  for (const { file, case: name } of prune ? late : []) {
    if (name !== '') continue;
    writeSnapshots(snapshotFileOf(file), new Map(), overwrite);
    written.push(snapshotFileOf(file));
  }
  return written;
}

function textOf(cases: StoredCases): string {
  return JSON.stringify([...cases].filter(([, steps]) => steps.size > 0).map(([name, steps]) => [name, [...steps]]));
}

const statuses: readonly SnapshotStatus[] = [
  'match',
  'changed',
  'missing',
  'new',
  'updated',
  'obsolete',
  'pruned',
  'failed',
  'skipped',
];

function countsOf(entries: readonly SnapshotEntry[]): SnapshotReport['counts'] {
  return Object.fromEntries(
    statuses.map((status) => [status, entries.filter((entry) => entry.status === status).length]),
  ) as SnapshotReport['counts'];
}
