/**
 * `mcpc init --project`: project file, suites, baselines, workflow and script of a folder. A file that is there is kept
 * as it is; only package.json gets the script that it lacks.
 */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import { parseFleetFile } from '../../../../check/fleet-file/read-file.ts';
import { projectFileNames } from '../../../../check/project-file/find.ts';
import { projectServers, type ProjectServer } from '../../../../check/project-file/server.ts';
import { runNpm } from '../../../../check/packages/run-npm.ts';
import { exitCodes, usageError } from '../../../../core/model/errors.ts';
import { makeFolder } from '../../../../files/output/make-folder.ts';
import { writeOutput } from '../../../../files/output/output.ts';
import { packageRoot } from '../../../../files/package/package-root.ts';
import { readPackageJson } from '../../../authoring/project/package-servers.ts';
import type { ServerDraft } from '../../../authoring/project/server-draft.ts';
import { scriptName, workflowPath } from '../../../authoring/project/names.ts';
import { isDependency, withScript, workflowText } from '../../../authoring/project/workflow.ts';
import { chooseDrafts, draftServers, type NamedTarget } from './drafts.ts';
import { writeProjectBaseline, writeProjectSuite } from './measure.ts';

export interface ProjectOptions {
  /** Folder of the project. */
  folder: string;
  /** Folder of the suites, below it. */
  suites: string;
  /** What CI installs mcpc from; a packed file in the project when absent. */
  package?: string | undefined;
  toolVersion: string;
  signal: AbortSignal;
  talk(line: string): void;
}

export interface WrittenProject {
  /** Everything that the project lacks, by its path in it, in the order of writing. */
  files: { path: string; content: string | { copyOf: string; bytes: number } }[];
  /** What is there already. */
  kept: string[];
  /** Names of the servers. */
  servers: string[];
  /** Answers that could not be stored. */
  failed: number;
}

interface StagedProject extends ProjectOptions {
  /** Where files of the project go until they are written, and the packed file of mcpc. */
  staging: string;
  packed: string;
}

const packMs = 120_000;

/**
 * Starts the servers and writes nothing into the folder.
 * @param take is given what the project lacks; the files that it names by `copyOf` are gone afterwards
 * @throws McpcError usage, target, interrupted
 */
export async function planProject<T>(
  named: NamedTarget,
  command: string[],
  options: ProjectOptions,
  take: (plan: WrittenProject) => T,
): Promise<T> {
  const temporary = mkdtempSync(join(tmpdir(), 'mcpc-project-'));
  const [staging, packed] = ['files', 'packed'].map((name) => join(temporary, name)) as [string, string];
  makeFolder(staging);
  makeFolder(packed);
  try {
    return take(await planned(named, command, { ...options, staging, packed }));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function planned(named: NamedTarget, command: string[], options: StagedProject): Promise<WrittenProject> {
  const { folder, suites, talk, toolVersion, signal, staging } = options;
  const kept: string[] = [];
  const there = projectFileNames.find((name) => existsSync(join(folder, name)));
  const file = join(folder, there ?? projectFileNames[0]);
  let drafts: ServerDraft[] | undefined;
  if (there === undefined && existsSync(join(folder, suites))) await refuseOther(suites);
  if (there === undefined) drafts = await chooseDrafts(named, command, { folder, file, toolVersion, signal, talk });
  else kept.push(there);
  const { check } = there === undefined ? { check: {} } : parseFleetFile(readFileSync(file, 'utf8'), file).project;
  let { text, servers } =
    drafts === undefined
      ? { text: undefined, servers: projectServers(parseFleetFile(readFileSync(file, 'utf8'), file)) }
      : draftServers(drafts, suites, file);
  const measured = await measureAll(servers, check, { ...options, kept });
  if (drafts !== undefined && measured.silent.size > 0)
    ({ text, servers } = draftServers(drafts, suites, file, ({ name }) => !measured.silent.has(name)));
  const files: WrittenProject['files'] = text === undefined ? [] : [{ path: basename(file), content: text }];
  for (const path of filesBelow(staging)) files.push({ path, content: readFileSync(join(staging, path), 'utf8') });
  if (existsSync(join(folder, workflowPath))) kept.push(workflowPath);
  else {
    const source = await packageSource(options);
    if (source?.packed !== undefined) files.push({ path: source.word.replace(/^\.\//, ''), content: source.packed });
    files.push({ path: workflowPath, content: workflowText(servers, folder, source?.word ?? null) });
  }
  const scripted = withScript(folder, servers);
  if (scripted !== undefined) files.push({ path: 'package.json', content: scripted });
  else if (readPackageJson(folder) !== undefined) kept.push(`package.json (it has the script ${scriptName})`);
  return { files, kept, servers: servers.map(({ name }) => name), failed: measured.failed };
}

/** The new project file would name a folder of something else. @throws McpcError usage */
async function refuseOther(suites: string): Promise<void> {
  const { loadSuites } = await import('../../../run/load.ts');
  const refused = (why: string, cause?: unknown) =>
    usageError(
      `${suites} is there already and holds no suites that can be run: ${why}`,
      'Name another folder for the suites, as in: mcpc init --project mcp-suites',
      cause,
    );
  const { cases, warnings } = await loadSuites([suites], { recursive: false, strict: false, noCommands: false }).catch(
    (error: unknown) => {
      throw refused((error as Error).message, error);
    },
  );
  if (cases.length === 0) throw refused(warnings[0] ?? 'no case in it');
}

/** Writes baselines and suites that the project lacks into the staging folder. */
async function measureAll(
  servers: readonly ProjectServer[],
  check: Parameters<typeof writeProjectBaseline>[1],
  options: StagedProject & { kept: string[] },
): Promise<{ failed: number; silent: Set<string> }> {
  const { folder, kept, talk } = options;
  const silent = new Set<string>();
  let failed = 0;
  const inside = (path: string): string => relative(folder, path).split(sep).join('/');
  for (const server of servers) {
    const { baseline, suites: [suite] = [] } = server.entry;
    if (baseline !== undefined) {
      if (existsSync(join(folder, inside(baseline)))) kept.push(inside(baseline));
      else {
        const failing = await writeProjectBaseline(server, check, inside(baseline), options);
        talk(`${server.name}: ${failing} ${failing === 1 ? 'rule fails' : 'rules fail'} today.`);
      }
    }
    // A file of suites is somebody's own.
    if (suite === undefined || /\.ya?ml$/.test(suite)) continue;
    if (existsSync(join(folder, inside(suite)))) kept.push(inside(suite));
    else {
      const written = await writeProjectSuite(server, inside(suite), options);
      failed += written.failed;
      if (written.cases === 0) {
        silent.add(server.name);
        talk(`${server.name} lists no tools, prompts or resources: no suite was written for it.`);
      }
    }
  }
  return { failed, silent };
}

/** What the workflow installs mcpc from; undefined where the project depends on it. */
async function packageSource({
  folder,
  package: given,
  toolVersion,
  packed,
  signal,
}: StagedProject): Promise<{ word: string; packed?: { copyOf: string; bytes: number } } | undefined> {
  if (given !== undefined) return { word: given };
  const pkg = readPackageJson(folder);
  if (pkg !== undefined && isDependency(pkg)) return undefined;
  const name = `mcpc-${toolVersion}.tgz`;
  const there = ['.', 'tools', 'vendor']
    .map((below) => join(below, name))
    .find((path) => existsSync(join(folder, path)));
  if (there !== undefined) return { word: `./${there.split(sep).join('/')}` };
  const { code, stderr } = await runNpm(
    ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', packed],
    {
      cwd: packageRoot(),
      env: process.env,
      withinMs: packMs,
      signal,
    },
  );
  const copyOf = join(packed, name);
  if (code !== 0 || !existsSync(copyOf))
    throw usageError(
      `mcpc could not be packed for the workflow: ${stderr.trim().split('\n').at(-1) ?? ''}`,
      'Name what CI installs with --package: a packed file, or name and version in a registry of yours.',
    );
  return { word: `./tools/${name}`, packed: { copyOf, bytes: statSync(copyOf).size } };
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => relative(folder, join(one.parentPath, one.name)).split(sep).join('/'))
    .toSorted();
}

/** Writes what a project lacks. */
export function writeProject({ files }: WrittenProject, folder: string): void {
  for (const { path, content } of files) {
    const at = join(folder, path);
    if (typeof content === 'string') {
      const replaces = path === 'package.json' ? 'anything' : 'nothing';
      writeOutput({ path: at, what: 'a file of the project', replaces }, content);
    } else {
      makeFolder(dirname(at));
      copyFileSync(content.copyOf, at);
    }
  }
}

/** The exit code of a set-up. */
export function projectExit({ failed }: WrittenProject): number {
  return failed > 0 ? exitCodes.notCompliant : exitCodes.compliant;
}
