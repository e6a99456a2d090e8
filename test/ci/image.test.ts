/** The Dockerfile, read and carried out in a temporary folder: an engine and a base image are not to be had everywhere. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DockerfileParser } from 'dockerfile-ast';
import { expect, test } from 'vitest';
import { exampleServer, root } from '../cli/harness.ts';
import { thorough } from '../support/run/options.ts';

const instructions = DockerfileParser.parse(readFileSync(join(root, 'Dockerfile'), 'utf8'))
  .getInstructions()
  .map((one) => ({ keyword: one.getInstruction(), text: one.getArgumentsContent() ?? '' }));
const textsOf = (keyword: string): string[] =>
  instructions.filter((one) => one.keyword === keyword).map(({ text }) => text);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

test('it is small, pinned to the version of the package, runs without root and starts mcpc', () => {
  expect(textsOf('FROM')).toEqual([expect.stringMatching(/^node:\d+-alpine$/)]);
  expect(textsOf('ARG')).toEqual([`VERSION=${version}`]);
  expect(textsOf('ENTRYPOINT')).toEqual(['["mcpc"]']);
  const order = instructions.map(({ keyword }) => keyword);
  expect(textsOf('USER')).toEqual(['node']);
  // Nothing is installed or copied by the user that runs it, and nothing by root afterwards.
  expect(order.lastIndexOf('RUN')).toBeLessThan(order.indexOf('USER'));
  expect(readFileSync(join(root, '.dockerignore'), 'utf8')).toBe('*\n!mcpc-*.tgz\n');
});

test.runIf(thorough)('its steps install the package, which checks a server without a home of its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcpc-image-'));
  try {
    const [copy] = textsOf('COPY');
    const [from, to] = copy!.replaceAll('${VERSION}', version).split(' ');
    execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root, stdio: 'ignore' });
    renameSync(join(folder, from!), join(folder, to!.replace('/tmp/', '')));
    const [run] = textsOf('RUN');
    expect(run).toContain('npm install --global');
    // As in the image, below the folder.
    execFileSync('sh', ['-ec', run!.replaceAll('/tmp/', `${folder}/`)], {
      stdio: 'ignore',
      env: { ...process.env, npm_config_prefix: join(folder, 'usr'), npm_config_cache: join(folder, 'cache') },
    });
    const [program] = JSON.parse(textsOf('ENTRYPOINT')[0]!) as [string];
    const out = execFileSync(
      join(folder, 'usr/bin', program),
      ['check', '--format', 'json', '--profile', 'quick', '--', process.execPath, exampleServer, 'stdio'],
      { encoding: 'utf8', cwd: '/', env: { PATH: process.env['PATH'], HOME: '/nonexistent' }, maxBuffer: 1e8 },
    );
    expect(JSON.parse(out)).toMatchObject({ compliant: true, tool: { version } });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
