/** What a project file is written from: whether a server answers, what fails at it today, and what it answers. */
import { join } from 'node:path';
import { availableParallelism } from 'node:os';
import { openEntry, type OpenedEntry } from '../../../../check/fleet-file/entry.ts';
import type { ProjectServer } from '../../../../check/project-file/server.ts';
import type { ProjectSections } from '../../../../check/settings/project-rows.ts';
import { McpcError } from '../../../../core/model/errors.ts';
import { leftBehindText } from '../../../../check/reporting/left-behind.ts';
import { visible } from '../../../../report/text.ts';
import { lockSuiteServer } from '../suite-lock.ts';

export interface MeasureOptions {
  toolVersion: string;
  signal: AbortSignal;
}

export interface StagedOptions extends MeasureOptions {
  /** Where the files go, in place of the folder of the project. */
  staging: string;
  talk(line: string): void;
}

/** Time for a server of a project to answer for the first time: it may be compiled as it starts. */
const firstAnswerMs = 20_000;

/** @throws McpcError target when it does not speak MCP */
export async function tryServer(server: ProjectServer, { toolVersion, signal }: MeasureOptions): Promise<void> {
  const [opened, { readOffer }] = await Promise.all([
    openServer(server, signal),
    import('../../../../check/drift/read-offer.ts'),
  ]);
  const startMs = opened.timing.startMs ?? firstAnswerMs;
  await readOffer({ ...opened, timing: { ...opened.timing, startMs }, toolVersion, signal });
}

/**
 * Checks a server, and writes what fails as its baseline.
 * @param path of the baseline, below the project
 * @returns how many rules fail
 * @throws McpcError usage for a run that is incomplete, target
 */
export async function writeProjectBaseline(
  server: ProjectServer,
  check: ProjectSections['check'],
  path: string,
  { staging, toolVersion, signal, talk }: StagedOptions,
): Promise<number> {
  talk(visible(`Checking ${server.name} …`));
  const [{ runChecks }, { applyBaselineFile }, { checkMs, ...opened }] = await Promise.all([
    import('../../../../check/check-each.ts'),
    import('../../../../check/reporting/baseline-file.ts'),
    openServer(server, signal),
  ]);
  const report = await runChecks({
    ...opened,
    ...(server.specs.length > 1 ? { specs: server.specs.filter((spec) => spec !== 'auto') } : {}),
    selection: {
      only: [...(check.only ?? [])],
      skip: [...(check.skip ?? [])],
      ...(check.level === undefined ? {} : { level: check.level }),
      ...(check.set === undefined ? {} : { set: check.set }),
      houseRules: [...(check.rules ?? [])],
      houseRequirements: [...(check.requirements ?? [])],
      houseFacts: [...(check.facts ?? [])],
    },
    jobs: Math.min(8, availableParallelism() + 2),
    toolVersion,
    signal: AbortSignal.any([signal, AbortSignal.timeout(checkMs)]),
  });
  if (signal.aborted) throw new McpcError('interrupted', 'Interrupted; nothing was written.');
  applyBaselineFile(report, join(staging, path), undefined, true);
  return report.parts.reduce((sum, { counts }) => sum + counts.fail, 0);
}

/**
 * Writes a suite about a server, with its answers and its lock.
 * @param folder of the suite, below the project
 * @returns whether there is anything to write a case for, and how many answers could not be stored
 */
export async function writeProjectSuite(
  server: ProjectServer,
  folder: string,
  { staging, toolVersion, signal, talk }: StagedOptions,
): Promise<{ cases: number; failed: number }> {
  talk(visible(`Writing a suite about ${server.name} …`));
  const [{ writeStarterSuite }, { writeOutput }, { storeAnswers }, { checkMs: _checkMs, ...opened }] =
    await Promise.all([
      import('../../../authoring/starter-suite/starter-suite.ts'),
      import('../../../../files/output/output.ts'),
      import('../starter-answers.ts'),
      openServer(server, signal),
    ]);
  const { target } = opened;
  const written = await writeStarterSuite({
    ...opened,
    // The suite is run from the folder of the project, which is that of the server.
    target: target.kind === 'stdio' && target.cwd === process.cwd() ? withoutFolder(target) : target,
    toolVersion,
    signal,
    onLeftBehind: (command) => talk(visible(leftBehindText(command))),
  });
  if (written.files.length === 0) return { cases: 0, failed: 0 };
  const at = join(staging, folder);
  for (const { name, text } of written.files)
    writeOutput({ path: join(at, name), what: 'the suite', replaces: 'nothing' }, text);
  if (written.skipped.length > 0)
    talk(
      visible(
        `Not called, and written with skip: ${written.skipped.map(({ name }) => name).join(', ')}. allowTools in mcpc.yaml, or hints, have them called.`,
      ),
    );
  await lockSuiteServer(
    { folder: at, overwrite: true, talk: (line) => line.startsWith('No lock') && talk(line) },
    { ...opened, toolVersion, signal },
  );
  const { counts } = await storeAnswers(
    written.files.map(({ name }) => join(at, name)),
    { target, secrets: opened.secrets },
    { quiet: true, overwrite: true, toolVersion, signal },
  );
  if (signal.aborted) throw new McpcError('interrupted', 'Interrupted; nothing was written.');
  return { cases: written.files.reduce((sum, { cases }) => sum + cases, 0), failed: counts.failed };
}

function withoutFolder<T extends { cwd?: string }>({ cwd: _cwd, ...rest }: T): Omit<T, 'cwd'> {
  return rest;
}

function openServer({ entry }: ProjectServer, signal: AbortSignal): Promise<OpenedEntry> {
  return openEntry(entry, { env: process.env, signal });
}
