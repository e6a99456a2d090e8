/** Generating from requirement files: deterministic, complete, and drift is found. */
import { execFile } from 'node:child_process';
import { appendFile, cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collectOutputs, compareOutputs, writeOutputs } from '../../../src/tools/generate/outputs.ts';
import {
  generateRequirements,
  readSpecSources,
  renderRequirements,
  requirementsPath,
} from '../../../src/tools/generate/requirements.ts';
import { thorough } from '../../support/run/options.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'mcpc-generate-'));
});

async function copyProject(): Promise<void> {
  await cp(join(project, 'rules'), join(root, 'rules'), { recursive: true });
  await cp(join(project, 'docs'), join(root, 'docs'), { recursive: true });
}
afterEach(async () => {
  await rm(root, { recursive: true });
});

describe('requirements.json', () => {
  it('is in step with its sources', async () => {
    expect(await compareOutputs(project, await generateRequirements(project))).toEqual([]);
  });

  it('does not depend on the order of the sources', async () => {
    const sources = await readSpecSources(project);
    expect(renderRequirements([...sources].reverse())).toBe(renderRequirements(sources));
  });

  it('needs a file for every revision, named after it, and reports the problems of all', async () => {
    const sources = await readSpecSources(project);
    expect(() => renderRequirements(sources.slice(1))).toThrow('rules/spec/2024-11-05.md: is missing');
    const [first, ...rest] = sources;
    if (first === undefined) throw new Error('no sources');
    expect(() => renderRequirements([{ ...first, file: 'rules/spec/other.md' }, ...rest])).toThrow(
      'rules/spec/other.md: holds for 2024-11-05',
    );
    expect(() => renderRequirements(sources.map(({ file }) => ({ file, text: '# Empty\nRevision: all\n' })))).toThrow(
      /2024-11-05\.md: no requirement(.|\n)*2026-07-28\.md: no requirement/,
    );
  });
});

describe('a file of an extension', () => {
  const bullet = (id: string): string => `- **MUST** server \`${id}\` One. [page#place] {observe: server-passive}\n`;

  it('is named after the one area of its requirements', async () => {
    const sources = await readSpecSources(project);
    const with_ = (file: string, text: string): string =>
      renderRequirements([
        ...sources,
        { file: `rules/spec/${file}`, text: `# Apps\nExtension: io.example/apps\nRevision: 2026-07-28\n${text}` },
      ]);
    expect(with_('ext-apps.md', bullet('ext-apps.one'))).toContain(
      '"id":"ext-apps.one","area":"ext-apps","role":"server"',
    );
    expect(with_('ext-apps.md', bullet('ext-apps.one'))).toContain('"extension":"io.example/apps"');
    expect(() => with_('apps.md', bullet('apps.one'))).toThrow(
      'rules/spec/apps.md: belongs to the extension io.example/apps, so its name must begin with ext-',
    );
    expect(() => with_('ext-apps.md', bullet('tools.one'))).toThrow(
      'ext-apps.md:4: "tools.one" must be in the area ext-apps',
    );
  });

  it('is no file of a revision, nor the other way round', async () => {
    const sources = await readSpecSources(project);
    expect(() =>
      renderRequirements([
        ...sources,
        {
          file: 'rules/spec/ext-apps.md',
          text: `# Apps\nExtension: apps\nRevision: 2026-07-28\n${bullet('ext-apps.one')}`,
        },
      ]),
    ).toThrow('bad extension "apps"');
    const without = sources.filter(({ file }) => !file.endsWith('2026-07-28.md'));
    expect(() => renderRequirements(without)).toThrow('rules/spec/2026-07-28.md: is missing');
    const last = sources.find(({ file }) => file.endsWith('2026-07-28.md'))!;
    expect(() =>
      renderRequirements([...without, { ...last, text: `${last.text}\n${bullet('ext-apps.one')}` }]),
    ).toThrow('"ext-apps.one" is in an area of extensions');
  });
});

describe('outputs', () => {
  it('are written where missing or different, and only there', async () => {
    const outputs = { 'a/b.txt': 'one', 'c.txt': 'two' };
    expect(await compareOutputs(root, outputs)).toEqual([
      { path: 'a/b.txt', problem: 'missing' },
      { path: 'c.txt', problem: 'missing' },
    ]);
    expect(await writeOutputs(root, outputs)).toEqual(['a/b.txt', 'c.txt']);
    await writeFile(join(root, 'c.txt'), 'changed');
    const before = (await stat(join(root, 'a/b.txt'), { bigint: true })).ino;
    expect(await compareOutputs(root, outputs)).toEqual([{ path: 'c.txt', problem: 'differs' }]);
    expect(await writeOutputs(root, outputs)).toEqual(['c.txt']);
    expect((await stat(join(root, 'a/b.txt'), { bigint: true })).ino).toBe(before);
    expect(await readFile(join(root, 'c.txt'), 'utf8')).toBe('two');
  });

  it('may not be claimed by two generators', async () => {
    const generator = async () => ({ 'a.txt': '' });
    await expect(collectOutputs(root, [generator, generator])).rejects.toThrow('two generators write a.txt');
  });
});

describe('the requirements generator in a changed project', () => {
  beforeEach(copyProject);

  it.runIf(thorough)('finds drift after a source has changed, until it is written again', async () => {
    await writeOutputs(root, await generateRequirements(root));
    expect(await compareOutputs(root, await generateRequirements(root))).toEqual([]);
    await appendFile(
      join(root, 'rules/spec/2025-11-25.md'),
      '- **MUST** server `zzz.new.one` A new one. [basic/index] {observe: server-passive}\n',
    );
    expect(await compareOutputs(root, await generateRequirements(root))).toEqual([
      { path: requirementsPath, problem: 'differs' },
    ]);
    await writeOutputs(root, await generateRequirements(root));
    expect(await readFile(join(root, requirementsPath), 'utf8')).toContain('"zzz.new.one"');
    expect(await compareOutputs(root, await generateRequirements(root))).toEqual([]);
  });
});

describe('npm run generate', () => {
  beforeEach(copyProject);

  function run(...flags: string[]): Promise<{ code: number; stderr: string }> {
    return new Promise((resolve) => {
      const command = ['--import', 'tsx', join(project, 'src/tools/generate.ts'), ...flags];
      execFile(process.execPath, command, { cwd: project }, (error, _stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stderr });
      });
    });
  }

  it.runIf(thorough)('--check exits 0 on the project as it is committed', async () => {
    expect(await run('--check')).toEqual({ code: 0, stderr: '' });
  });

  it.runIf(thorough)('--check names what differs and exits 1, writing only what is built', async () => {
    await writeOutputs(root, { 'generated/RULES.md': 'old', [requirementsPath]: 'old' });
    const { code, stderr } = await run('--check', '--root', root);
    expect(code).toBe(1);
    expect(stderr).toContain('generated/RULES.md differs');
    expect(await readFile(join(root, 'generated/RULES.md'), 'utf8')).toBe('old');
    expect(await readFile(join(root, requirementsPath), 'utf8')).not.toBe('old');
  });

  it.runIf(thorough)('names file and line of a broken source, and exits 2', async () => {
    const path = join(root, 'rules/spec/2025-11-25.md');
    await writeFile(path, (await readFile(path, 'utf8')).replace('- **MUST** ', '- **WILL** '));
    const line = (await readFile(path, 'utf8')).split('\n').findIndex((text) => text.startsWith('- **WILL**')) + 1;
    const { code, stderr } = await run('--root', root);
    expect(code).toBe(2);
    expect(stderr).toContain(`rules/spec/2025-11-25.md:${line}: bad level "WILL"`);
  });
});
