/** The project file: its servers serve every command, its settings stand for flags, and what it disables is shown and goes stale. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import { errorOf, Workspace, type Outcome } from './harness.ts';
import { inventory, sound, tellsEnvironment, wrongPing } from './servers.ts';
import { thorough } from '../support/run/options.ts';

const node = process.execPath;

function project(text: string, servers: Record<string, string>): Workspace {
  const space = new Workspace();
  for (const [name, script] of Object.entries(servers)) space.write(name, script);
  space.write('mcpc.yaml', `version: 1\n${text}`);
  return space;
}

const one = (script: string): string => `servers:
  notes:
    command: ${JSON.stringify(node)}
    args: [${script}, from-file]
    env: { NOTE: "\${GREETING:-hello}" }
`;

const brokenRule = 'ping/answer-empty-result';

test('a server is found upwards from the working folder, by its name or as the only one', async () => {
  const space = project(`${one('seen.mjs')}check: { only: [ping], level: must }\n`, { 'seen.mjs': tellsEnvironment });
  space.write('below/deeper/keep.txt', '');
  for (const words of [
    ['check', 'notes', '--json'],
    ['check', '--json'],
  ]) {
    const made = await space.call(words, { folder: 'below/deeper', env: { GREETING: 'hi there' } });
    expect(made.code, made.stderr).toBe(0);
    const report = JSON.parse(made.stdout) as RunReport;
    expect(report.target.name).toBe('notes');
    expect(
      report.parts[0]!.verdicts.every(({ rule, level }) => rule.startsWith('ping/') && level.startsWith('MUST')),
    ).toBe(true);
    const seen = JSON.parse(readFileSync(join(space.folder, 'seen.json'), 'utf8')) as {
      env: Record<string, string>;
      args: string[];
    };
    expect(seen.env['NOTE']).toBe('hi there');
    expect(seen.args).toEqual(['from-file']);
    expect(made.stdout).not.toContain('hi there');
  }
});

test('flags go before the file, and a target of its own leaves the file aside', async () => {
  const space = project(`${one('seen.mjs')}check: { only: [nothing-like-it] }\n`, {
    'seen.mjs': tellsEnvironment,
    'sound.mjs': sound,
  });
  const flagged = await space.call(['check', 'notes', '--only', 'ping', '--env', 'NOTE=mine', '--json']);
  expect(flagged.code, flagged.stderr).toBe(0);
  expect((JSON.parse(space.read('seen.json')) as { env: Record<string, string> }).env['NOTE']).toBe('mine');
  const beside = await space.call(['check', '--only', 'ping', '--json', '--', node, 'sound.mjs']);
  expect((JSON.parse(beside.stdout) as RunReport).target.name).toBe('sound.mjs');
});

test('run and ci take its suites, its gate and its server', async () => {
  const space = project(`${one('inventory.mjs')}suites: [evals]\nci: { threshold: 50 }\n`, {
    'inventory.mjs': inventory,
  });
  const caseOf = (name: string, expected: string): string =>
    `name: ${name}\nserver: { command: none }\nassert: { tool: look, args: {}, expect: { ${expected}: true } }\n`;
  space.write('evals/good.yaml', caseOf('good', 'not_error'));
  space.write('evals/bad.yaml', caseOf('bad', 'is_error'));
  const ran = await space.call(['run', '--json']);
  expect(ran.code, ran.stderr + ran.stdout).toBe(1);
  expect((JSON.parse(ran.stdout) as unknown[]).length).toBe(2);
  const ci = await space.call(['ci']);
  expect(ci.code, ci.stderr + ci.stdout).toBe(0);
  expect((await space.call(['ci', 'notes', '--threshold', '100'])).code).toBe(1);
});

test('of several servers one has to be named; a wrong name gets the near one', async () => {
  const space = project(`${one('sound.mjs')}  other: { command: ${JSON.stringify(node)}, args: [sound.mjs] }\n`, {
    'sound.mjs': sound,
  });
  const open = await space.call(['check']);
  expect(open.code).toBe(2);
  expect(errorOf(open).heading).toContain('has 2 servers, and the line names none');
  const near = await space.call(['check', 'nots']);
  expect(near.code).toBe(2);
  expect(errorOf(near).heading).toContain('has no server "nots". Did you mean "notes"?');
  expect((await space.call(['check', 'other', '--only', 'ping', '--quiet'])).code).toBe(0);
});

async function checked(disable: string, format = 'json'): Promise<Outcome> {
  const space = project(`${one('wrong.mjs')}check: { only: [ping] }\ndisable:\n${disable}`, { 'wrong.mjs': wrongPing });
  return space.call(['check', '-f', format]);
}

test('a disabled rule fails no run and stands with its reason in every report', async () => {
  const entry = `  - { rule: ${brokenRule}, reason: "The old client needs it.", until: 2999-01-01 }\n`;
  const made = await checked(entry);
  expect(made.code, made.stderr).toBe(0);
  const [part] = (JSON.parse(made.stdout) as RunReport).parts;
  // What is broken is broken; it is accepted, not unsaid.
  expect(part!.compliant).toBe(false);
  expect(part!.verdicts.find(({ rule }) => rule === brokenRule)).toMatchObject({
    status: 'fail',
    known: true,
    disabled: { reason: 'The old client needs it.', until: '2999-01-01', from: 'mcpc.yaml:9' },
  });
  expect(part!.disabled).toMatchObject([{ rule: brokenRule, state: 'fails' }]);
  for (const format of ['terminal', 'markdown', 'html', 'junit', 'sarif', 'github']) {
    const { code, stdout, stderr } = await checked(entry, format);
    expect(code, stderr).toBe(0);
    expect(stdout, format).toContain('The old client needs it');
    expect(stdout, format).toContain('mcpc.yaml:9');
  }
});

test.runIf(thorough)(
  'a disabled rule stands in the badges, and in every report of a fleet that has its server',
  async () => {
    const entry = `  - { rule: ${brokenRule}, reason: "The old client needs it.", until: 2999-01-01 }\n`;
    for (const format of ['badge-json', 'badge-svg']) {
      const { code, stdout, stderr } = await checked(entry, format);
      expect(code, stderr).toBe(0);
      expect(stdout, format).toContain(' · 1 disabled');
    }
    const servers = `servers:\n  a: { command: ${JSON.stringify(node)}, args: [wrong.mjs] }\n  b: { command: ${JSON.stringify(node)}, args: [sound.mjs] }\n`;
    const space = project(`${servers}disable:\n${entry}`, { 'wrong.mjs': wrongPing, 'sound.mjs': sound });
    const outputs = ['a.html', 'a.md', 'a.json', 'a.svg', 'a.txt'];
    const made = await space.call([
      'fleet',
      'check',
      'mcpc.yaml',
      '--only-rules',
      'ping',
      ...outputs.flatMap((file) => ['--output', file]),
    ]);
    expect(made.code, made.stderr).toBe(0);
    for (const file of outputs.slice(0, 3)) {
      expect(space.read(file), file).toContain('The old client needs it.');
      expect(space.read(file), file).toContain('mcpc.yaml:6');
    }
    expect(made.stdout).toContain(`${brokenRule}: fails, accepted. The old client needs it.`);
    expect(space.read('a.svg')).toContain('1 of 2 compliant · 1 disabled');
    const late = entry.replace('2999', '2020');
    space.write('mcpc.yaml', `version: 1\n${servers}disable:\n${late}`);
    const stale = await space.call(['fleet', 'check', 'mcpc.yaml', '--only-rules', 'ping']);
    expect(stale.code).toBe(1);
    expect(stale.stdout + stale.stderr).toContain('2 servers have entries of disable that are stale');
  },
);

test('an entry that is past its day, or whose rule passes, fails the run; one that names no rule is an error', async () => {
  const late = await checked(`  - { rule: ${brokenRule}, reason: soon, until: 2020-02-29 }\n`);
  expect(late.code).toBe(1);
  expect(late.stderr).toContain(`mcpc.yaml:9: ${brokenRule} was disabled until 2020-02-29, which has passed`);
  expect(late.stderr).toContain('1 requirement violated');
  const space = project(
    `${one('sound.mjs')}check: { only: [ping] }\ndisable:\n  - { rule: ${brokenRule}, reason: soon }\n`,
    {
      'sound.mjs': sound,
    },
  );
  const passing = await space.call(['check', '--quiet']);
  expect(passing.code).toBe(1);
  expect(passing.stderr).toContain(`mcpc.yaml:9: ${brokenRule} is disabled and no longer fails. Remove the entry.`);
  const unknown = await checked(`  - { rule: ping/answer-empty-resul, reason: soon }\n`);
  expect(unknown.code).toBe(2);
  expect(errorOf(unknown).heading).toContain(
    `mcpc.yaml:9: disable: there is no rule "ping/answer-empty-resul". Did you mean`,
  );
  const day = await checked(`  - { rule: ${brokenRule}, reason: soon, until: 2026-02-30 }\n`);
  expect(day.code).toBe(2);
  expect(errorOf(day).heading).toContain('mcpc.yaml:9: disable.0.until: there is no 2026-02-30');
});
