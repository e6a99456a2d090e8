/**
 * .github/workflows/release.yml: its steps in bash, with mcpc from the build in place of an image, since an engine and a
 * base image are not to be had everywhere. The tests of the release, `npm pack` and the upload are read, not carried
 * out. Needs the build.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../cli/harness.ts';
import { thorough } from '../support/run/options.ts';

interface Step {
  name?: string;
  run?: string;
  env?: Record<string, string>;
}

const workflow = parse(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')) as {
  on: { push: { tags: string[] } };
  jobs: { release: { steps: Step[] } };
};
const { steps } = workflow.jobs.release;
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
let work: string;

beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'mcpc-release-'));
  mkdirSync(join(work, 'dist'));
  mkdirSync(join(work, 'bin'));
  cpSync(join(root, 'package.json'), join(work, 'package.json'));
  cpSync(join(root, 'dist/example-server.js'), join(work, 'dist/example-server.js'));
  // Takes the options that the workflow may use, and no others; runs mcpc in the folder that is mounted.
  writeFileSync(
    join(work, 'bin/docker'),
    `#!/bin/bash
set -eu
test "$1" = run; shift
folder=/
while [[ "$1" == --* ]]; do
  case "$1" in
    --rm | --read-only) shift ;;
    --tmpfs) shift 2 ;;
    --volume) test "\${2#*:}" = /work:ro; folder="\${2%%:*}"; shift 2 ;;
    *) echo "docker: $1" >&2; exit 125 ;;
  esac
done
test "$1" = mcpc; shift
cd "$folder"
exec "${process.execPath}" "${join(root, 'bin/mcpc.js')}" "$@"
`,
  );
  chmodSync(join(work, 'bin/docker'), 0o755);
});
afterAll(() => rmSync(work, { recursive: true }));

function stepOf(word: string): Step & { run: string } {
  const found = steps.filter(({ run }) => run?.includes(word));
  expect(found, word).toHaveLength(1);
  return found[0] as Step & { run: string };
}

function carriedOut(
  step: Step & { run: string },
  env: Record<string, string>,
): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
    cwd: work,
    encoding: 'utf8',
    env: {
      ...process.env,
      ...env,
      GITHUB_OUTPUT: join(work, 'output'),
      PATH: `${join(work, 'bin')}${delimiter}${process.env['PATH']}`,
    },
  });
  return { code: status, output: stdout + stderr };
}

test('a tag of another version ends it before anything is built', () => {
  const step = stepOf('GITHUB_REF_NAME" !=');
  const wrong = carriedOut(step, { GITHUB_REF_NAME: 'v9.9.9' });
  expect(wrong).toMatchObject({ code: 1, output: `::error::the tag is v9.9.9 and package.json says ${version}\n` });
  expect(existsSync(join(work, 'output'))).toBe(false);
  expect(carriedOut(step, { GITHUB_REF_NAME: `v${version}` })).toEqual({ code: 0, output: '' });
  expect(readFileSync(join(work, 'output'), 'utf8')).toBe(`version=${version}\n`);
  expect(workflow.on.push.tags).toEqual(['v*']);
});

test.runIf(thorough)('the image is tried before anything is published, with commands that mcpc takes', () => {
  const order = ['GITHUB_REF_NAME" !=', 'bash .ci/run', 'npm pack', 'docker build', 'docker run', 'gh release create'];
  expect(order.map((word) => steps.indexOf(stepOf(word)))).toEqual(
    order.map((word) => steps.indexOf(stepOf(word))).toSorted((a, b) => a - b),
  );
  const { code, output } = carriedOut(stepOf('docker run'), { VERSION: version });
  expect(code, output).toBe(0);
  expect(output).toContain('COMPLIANT');
  rmSync(join(work, 'tried'), { recursive: true });
  // A package of another version in the image.
  expect(carriedOut(stepOf('docker run'), { VERSION: '9.9.9' }).code).toBe(1);
});

test('what it publishes is what the action and the image take, and no value is inserted into a command line', () => {
  const { run } = stepOf('gh release create');
  const asset = '"mcpc-$VERSION.tgz"';
  expect(run).toContain(asset);
  expect(readFileSync(join(root, 'action/install.sh'), 'utf8')).toContain(
    '/releases/download/v$INPUT_VERSION/mcpc-$INPUT_VERSION.tgz',
  );
  for (const step of steps) expect(step.run ?? '').not.toContain('${{');
});
