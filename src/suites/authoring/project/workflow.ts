/** The text of `.github/workflows/mcpc.yml`, and the script of package.json that does the same. It only looks. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import type { FleetEntry } from '../../../check/settings/fleet-entry.ts';
import { renderTemplate } from '../../../report/handlebars/templates.ts';
import { scriptName } from './names.ts';
import { readPackageJson, type PackageJson } from './package-servers.ts';

/** A server as the lines of the workflow name it. */
export interface CheckedServer {
  name: string;
  entry: FleetEntry;
}

/** @param packageWord what npm installs mcpc from; null where it is a dependency of the project */
export function workflowText(servers: readonly CheckedServer[], folder: string, packageWord: string | null): string {
  const mcpc = packageWord === null ? 'npx --no mcpc' : 'mcpc';
  const several = servers.length > 1;
  const { uses, installs } = setUp(folder);
  return renderTemplate('project-workflow', {
    several,
    variables: [...new Set(servers.flatMap(({ entry }) => variablesOf(entry)))].toSorted(),
    uses,
    installs: [...(packageWord === null ? [] : [`npm install --global ${shellWord(packageWord)}`]), ...installs],
    checks: servers.map(({ name, entry }, index) => {
      const own = several ? ` ${shellWord(name)}` : '';
      const file = (end: string): string => `mcp-report/${several ? `${index + 1}-` : ''}${end}`;
      return {
        check: `${mcpc} check${own} -f github -f markdown -o ${file('check.md')} -f junit -o ${file('check.xml')} -f html -o ${file('check.html')} --trace ${file('check.trace.jsonl')}`,
        suite: entry.suites === undefined ? null : `${mcpc} ci${own} --junit ${file('suite.xml')}`,
        summary: file('check.md'),
      };
    }),
  });
}

/** package.json with the script, or undefined where it needs no change. Everything else of it stays byte for byte. */
export function withScript(folder: string, servers: readonly CheckedServer[]): string | undefined {
  const pkg = readPackageJson(folder);
  if (pkg === undefined || pkg.scripts?.[scriptName] !== undefined) return undefined;
  const text = readFileSync(join(folder, 'package.json'), 'utf8');
  const indent = /^[ \t]+/m.exec(text)?.[0] ?? '  ';
  const edits = modify(text, ['scripts', scriptName], scriptOf(servers), {
    formattingOptions: {
      insertSpaces: !indent.startsWith('\t'),
      tabSize: indent.length,
      eol: text.includes('\r\n') ? '\r\n' : '\n',
    },
  });
  return applyEdits(text, edits);
}

function scriptOf(servers: readonly CheckedServer[]): string {
  return servers
    .flatMap(({ name, entry }) => {
      const own = servers.length > 1 ? ` ${shellWord(name)}` : '';
      return [`mcpc check${own}`, ...(entry.suites === undefined ? [] : [`mcpc ci${own}`])];
    })
    .join(' && ');
}

/** Whether npm brings mcpc with the project. */
export function isDependency({ dependencies, devDependencies }: PackageJson): boolean {
  return dependencies?.['mcpc'] !== undefined || devDependencies?.['mcpc'] !== undefined;
}

/** What the project needs before its servers start. */
function setUp(folder: string): { uses: string[]; installs: string[] } {
  const has = (file: string): boolean => existsSync(join(folder, file));
  const uses: string[] = [];
  const installs: string[] = [];
  const pkg = readPackageJson(folder);
  if (pkg !== undefined) {
    const tool = has('pnpm-lock.yaml') ? 'pnpm' : has('yarn.lock') ? 'yarn' : 'npm';
    if (tool !== 'npm') installs.push('corepack enable');
    installs.push(
      tool === 'npm' ? (has('package-lock.json') ? 'npm ci' : 'npm install') : `${tool} install --frozen-lockfile`,
    );
    if (typeof pkg.scripts?.['build'] === 'string') installs.push(`${tool} run build`);
  }
  if (has('pyproject.toml')) {
    if (has('uv.lock')) {
      uses.push('astral-sh/setup-uv@v6');
      installs.push('uv sync');
    } else {
      uses.push('actions/setup-python@v5');
      if (has('poetry.lock')) installs.push('pipx install poetry', 'poetry install');
      else installs.push('pip install .');
    }
  }
  return { uses, installs };
}

/** Variables without a default, which CI has to set. */
function variablesOf({ reach, env, headers }: FleetEntry): string[] {
  const texts = [
    ...(reach.kind === 'url' ? [reach.url] : [...reach.args, reach.kind === 'command' ? reach.command : '']),
    ...Object.values(env),
    ...Object.values(headers),
  ];
  return texts.flatMap((text) => [...text.matchAll(/\$\{(?:env:)?([A-Za-z_]\w*)\}/g)].map(([, name]) => name!));
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
