/** From the flags of a suite command to its run, and to what is printed and written. */
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readSuiteBaseline, withSuiteBaseline } from '../../run/baseline.ts';
import { fixtureFolder } from '../../run/connect/fixture.ts';
import { failedLast, noteFailed } from '../../run/last-run.ts';
import { loadSuites, type LoadedSuite } from '../../run/load.ts';
import { runSuite, type RunSuiteOptions, type ServerOverride, type SuiteCase } from '../../run/run-suite.ts';
import { snapshotsFor } from '../../run/snapshot/wanted.ts';
import { checkOutput, traceOutput } from '../../../files/output/output.ts';
import { exitCodes, usageError } from '../../../core/model/errors.ts';
import type { Revision } from '../../../core/model/rules/requirement.ts';
import type { SuiteReport } from '../../../core/model/reports/suite-report.ts';
import { suiteFormat, type SuiteFormat } from '../../../report/suite/formats.ts';
import { withoutCommands } from '../../../core/model/ci-logs.ts';
import { oneLine } from '../../../report/text.ts';
import { isKnownRevision, revisions } from '../../../core/spec/revisions.ts';
import { coverageOfRun, wantsCoverage } from './coverage.ts';
import { splitList } from '../../../check/commands/support/flags/flag-values.ts';
import type { SuiteFlagValues, SuiteSinks, Voice } from './flag-types.ts';
import { showCases } from './output.ts';
import { pairOutputs, type FlagToken } from '../../../check/commands/support/flags/pair-outputs.ts';
import { serverWords } from '../../../check/commands/support/flags/server-line.ts';
import { targetOptions } from '../../../check/commands/support/flags/target-flags.ts';

const endings: Record<string, SuiteFormat> = {
  '.json': 'json',
  '.html': 'html',
  '.htm': 'html',
  '.md': 'markdown',
  '.xml': 'junit',
  '.sarif': 'sarif',
  '.svg': 'badge-svg',
  '.tap': 'tap',
  '.txt': 'terminal',
};

/** @throws McpcError usage */
export async function planSuiteSinks(
  tokens: readonly FlagToken[],
  { json, overwrite, templates, trace }: Pick<SuiteFlagValues, 'json' | 'overwrite' | 'templates' | 'trace'>,
): Promise<SuiteSinks> {
  if (templates !== undefined && !existsSync(templates))
    throw usageError(`There is no templates folder ${templates}.`, 'Check the path given with --templates.');
  if (trace !== undefined) checkOutput(traceOutput(trace, overwrite));
  const { stdout, files } = pairOutputs<SuiteFormat>(tokens, undefined, {
    byName: suiteFormat,
    byPath: (path) => endings[/\.[^.]*$/.exec(path)?.[0]?.toLowerCase() ?? ''],
  });
  if (json && stdout !== undefined)
    throw usageError(
      `Only one format can go to stdout, not --json and ${stdout}.`,
      'Give the other a file: --format F --output FILE.',
    );
  for (const { path } of files) checkOutput({ path, what: 'the report', replaces: 'report', overwrite });
  return { stdout: json ? 'results' : (stdout ?? 'terminal'), files };
}

/** Maximum number of runs of a case until it fails. */
const untilFailTrials = 100;

export interface PreparedRun {
  options: Omit<RunSuiteOptions, 'signal' | 'onCase' | 'onBegin'>;
  warnings: readonly string[];
  /** All cases of the files, chosen or not. */
  all: readonly SuiteCase[];
  /** Matrices of the files. */
  matrix: LoadedSuite['matrix'];
  /** Servers that the files name. */
  servers: LoadedSuite['servers'];
}

/**
 * Reads the suites and chooses their cases; nothing has been started when this throws.
 * @param command what stood behind `--`
 * @throws McpcError usage
 */
export async function prepareRun(
  word: string | undefined,
  flags: SuiteFlagValues,
  command: string[],
  about: { toolVersion: string; command: string },
): Promise<PreparedRun> {
  const { spec } = flags;
  if (spec !== 'auto' && !isKnownRevision(spec))
    throw usageError(`There is no revision "${spec}".`, `Use auto, or one of ${revisions.join(', ')}.`);
  const suites = [...(word === undefined ? [] : [word]), ...(flags.suite ?? [])];
  if (suites.length === 0)
    throw usageError(
      'No suite is named: an argument or --suite is required.',
      `Name a file or a folder of suites, as in: mcpc ${about.command} evals`,
    );
  const loaded = await loadSuites(suites, {
    recursive: flags.recursive,
    strict: flags.strict,
    emptyFails: flags.strict || about.command === 'ci',
    noCommands: flags['no-commands'],
  });
  if (flags.seed !== undefined && !flags.shuffle)
    throw usageError('--seed has no meaning without --shuffle.', 'Add --shuffle, or leave it out.');
  const seed = flags.shuffle ? (flags.seed ?? randomInt(2 ** 32)) : undefined;
  const only = flags.failed ? failedLast(suites, process.env) : undefined;
  const wanted = {
    only,
    shuffle: seed,
    filters: flags.filter ?? [],
    tags: splitList(flags.tag),
    skipTags: splitList(flags['skip-tag']),
    shard: flags.shard,
  };
  const all =
    only === undefined &&
    seed === undefined &&
    flags.shard === undefined &&
    wanted.filters.length + wanted.tags.length + wanted.skipTags.length === 0;
  const cases = all ? loaded.cases : (await import('../../run/select.ts')).selectCases(loaded.cases, wanted);
  const fixture = flags.fixture === undefined ? undefined : fixtureFolder(flags.fixture);
  const snapshots = await snapshotsFor(cases, loaded.cases, fixture);
  const { override, secrets, notices = [], hintsFile } = await overrideOf(flags, command);
  const hints = flags.hints ?? hintsFile;
  return {
    warnings: [...loaded.warnings, ...notices],
    all: loaded.cases,
    matrix: loaded.matrix,
    servers: loaded.servers,
    options: {
      cases,
      snapshots,
      suites,
      fixture,
      override,
      ...(hints === undefined ? {} : { hints: (await import('../../../check/target/hints-file.ts')).readHints(hints) }),
      docker: flags.docker,
      engine: flags.container,
      trials: flags.trials ?? (flags['until-fail'] ? untilFailTrials : 1),
      ...(flags['until-fail'] ? { untilFail: true } : {}),
      retries: flags.retries,
      timeoutMs: flags.timeout ?? 30_000,
      jobs: flags.jobs,
      session: flags['reuse-server'] ? 'suite' : flags.session,
      conformance: {
        asked: flags.conformance,
        usual: about.command === 'ci' ? 'warn' : 'off',
      },
      ...(flags.trace === undefined && flags['trace-dir'] === undefined
        ? {}
        : {
            trace: {
              file: flags.trace,
              folder: flags['trace-dir'],
            },
          }),
      ...(flags['until-fail'] ? { bail: 1 } : flags.bail === undefined ? {} : { bail: flags.bail }),
      spec: spec as Revision | 'auto',
      all: flags['all-expectations'],
      toolVersion: about.toolVersion,
      env: process.env,
      secrets,
      rerun: rerunWith(flags, command, loaded.cases),
      notices: seed === undefined ? [] : [`The cases run in random order; --shuffle --seed ${seed} repeats it.`],
    },
  };
}

/** Replacement for the servers of the files. */
async function overrideOf(
  flags: SuiteFlagValues,
  command: string[],
): Promise<{ override?: ServerOverride; secrets: string[]; notices?: string[]; hintsFile?: string }> {
  if (flags.config === undefined && flags.server !== undefined) {
    return { override: { words: serverWords(flags, command)! }, secrets: [] };
  }
  if (command.length === 0 && flags.url === undefined && flags.config === undefined) return { secrets: [] };
  const { timeout: _budget, ...reach } = flags;
  const { target, secrets, notices = [], hintsFile } = await targetOptions({ ...reach }, command);
  return { override: { target }, secrets, notices, hintsFile };
}

/**
 * A command line that runs one case alone, with what decides how it is run. Possibly secret values (--env, --header)
 * are left for the reader to fill in; those of the environment (MCPC_TOKEN) apply there, too.
 * @param all every case of the files: one that is alone in its file needs no --filter
 */
function rerunWith(
  flags: SuiteFlagValues,
  command: readonly string[],
  all: readonly SuiteCase[],
): (one: SuiteCase) => string {
  const named = [
    'fixture',
    'server',
    'config',
    'docker',
    'container',
    'url',
    'transport',
    'cwd',
    'hints',
    'unix-socket',
    'ca',
    'cert',
    'key',
    'conformance',
  ] as const;
  const switches = ['insecure', 'no-proxy', 'all-expectations'] as const;
  const said = [
    ...named.flatMap((name) => (flags[name] === undefined ? [] : [`--${name}`, word(flags[name])])),
    ...switches.flatMap((name) => (flags[name] ? [`--${name}`] : [])),
    ...(flags['auth-server'] ?? []).flatMap((origin) => ['--auth-server', word(origin)]),
    ...(flags['server-env-file'] ?? []).flatMap((file) => ['--server-env-file', word(file)]),
    ...(flags.env ?? []).flatMap((pair) => ['--env', word(`${pair.split('=')[0]!}=…`)]),
    ...(flags.header ?? []).flatMap((header) => ['--header', word(`${header.split(':')[0]!}: …`)]),
    ...(flags.spec === 'auto' ? [] : ['--spec', flags.spec]),
    ...(flags.timeout === undefined ? [] : ['--timeout', `${flags.timeout}ms`]),
  ];
  const behind = command.length === 0 ? [] : ['--', ...command.map(word)];
  const times = new Map<string, number>();
  const nameOf = ({ file, name }: SuiteCase): string => `${file}\n${name}`;
  for (const one of all) for (const key of [one.file, nameOf(one)]) times.set(key, (times.get(key) ?? 0) + 1);
  // The number distinguishes cases of one name.
  const filterOf = (one: SuiteCase): string[] =>
    times.get(one.file) === 1
      ? []
      : times.get(nameOf(one)) !== 1
        ? ['--filter', word(one.id)]
        : one.name.startsWith('-')
          ? [`--filter=${word(one.name)}`]
          : ['--filter', word(one.name)];
  return (one) => ['mcpc run', word(one.file), ...filterOf(one), ...said, ...behind].join(' ');
}

function word(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Runs the cases, or judges those of a recording, and shows each as it ends. */
export async function runPrepared(
  { options }: PreparedRun,
  flags: SuiteFlagValues,
  sinks: SuiteSinks,
  about: { recording?: string | undefined; signal: AbortSignal; voice: Voice },
): Promise<SuiteReport> {
  const { recording, signal, voice } = about;
  const known = flags.baseline === undefined ? undefined : readSuiteBaseline(flags.baseline);
  const shown = showCases(sinks, flags, options.cases.length, voice);
  const watch = { onCase: shown.ended, onBegin: shown.begins };
  let report: SuiteReport;
  if (recording !== undefined && wantsCoverage(flags))
    throw usageError('--coverage needs a run, not a recording.', 'Leave out --recording.');
  if (recording === undefined) {
    const counting = await coverageOfRun(flags);
    report = await runSuite({ ...options, ...watch, ...counting?.watch, signal });
    if (counting !== undefined) report = await counting.added(report, { ...options, signal });
    noteFailed(report, process.env);
  } else {
    const { judgeRun } = await import('../../run/judge-run.ts');
    report = await judgeRun(recording, { ...options, ...watch });
  }
  const reported = known === undefined ? report : withSuiteBaseline(report, flags.baseline!, known);
  for (const notice of reported.notices) voice.talk(notice);
  await shown.done(reported);
  if (reported.counts.total === 0) voice.talk('No case was chosen.');
  if (flags.fix && recording === undefined && sinks.stdout === 'terminal') {
    const [{ suggestPositions }, { suggestionText }] = await Promise.all([
      import('../../run/fix/suggest-positions.ts'),
      import('../../../report/suite/suggestions.ts'),
    ]);
    const found = await suggestPositions(reported, { ...options, signal }, (name) =>
      voice.talk(`Trying positions for ${oneLine(name)} …`),
    );
    voice.print(withoutCommands(suggestionText(found, flags['no-color'] ? { color: false } : {})));
  }
  return reported;
}

/** 1 when something failed, got worse than in the baseline, or nothing was chosen, else 0. */
export function exitOf({ counts, incomplete, baseline }: SuiteReport): number {
  return counts.failed > 0 || counts.total === 0 || incomplete !== null || (baseline?.regressions.length ?? 0) > 0
    ? exitCodes.notCompliant
    : exitCodes.compliant;
}
