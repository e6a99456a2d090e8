/**
 * A new MUST about order, one about uniqueness and one about time are added to a copy of the project, each with its
 * mutation: nothing but rules/ and generated/ is touched, and the gates of the copy hold for them.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkedCopy } from '../support/linked-copy.ts';
import { root } from '../support/rules.ts';
import { everything, thorough } from '../support/run/options.ts';

const run = promisify(execFile);
const common = { role: 'server', stimulus: ['handshake', 'use:tour'], fix: 'Do it as the requirement says.' };
const ready = '< {"method":"notifications/message","params":{"level":"info","logger":"session","data":"ready"}}';
const pinged = ['< {"id":"server-1","method":"ping"}', '> {"id":"server-1","result":{}}'];
const tour = '> {"id":1,"method":"ping"}';

/** By id: the requirement, and the rule with its mutation. */
const added: Record<string, { says: string; rule: object }> = {
  'demo/order-announcement': {
    says: 'A server announces that it is ready before it pings the client.',
    rule: {
      ...common,
      title: 'The announcement comes before the ping',
      requirement: ['demo.order.announcement'],
      given: {
        group: {
          of: { message: { from: 'server', method: ['ping', 'notifications/message'] } },
          values: { methods: '$.method' },
        },
      },
      when: { fact: 'subject.values.methods', operator: 'hasLengthAtLeast', value: 2 },
      expect: { fact: 'subject.values.methods', path: '$[0]', operator: 'is', value: 'notifications/message' },
      message: 'The ping came first: {{values.methods}}.',
      examples: [
        {
          verdict: 'pass',
          serverCapabilities: { logging: {} },
          trace: [ready, ...pinged, tour, '< {"id":1,"result":{}}'],
        },
        {
          verdict: 'fail',
          serverCapabilities: { logging: {} },
          trace: [...pinged, ready, tour, '< {"id":1,"result":{}}'],
        },
        { verdict: 'not-exercised', trace: [tour, '< {"id":1,"result":{}}'] },
      ],
      mutation: { on: { notification: 'notifications/message', where: { '$.params.logger': 'session' } }, delay: 400 },
    },
  },
  'demo/ids-uniqueness': {
    says: 'The pings of a server have an id of their own each.',
    rule: {
      ...common,
      title: 'No two pings of the server share an id',
      requirement: ['demo.ids.uniqueness'],
      given: { group: { of: { message: { from: 'server', method: 'ping' } }, values: { ids: '$.id' } } },
      when: { fact: 'subject.count', operator: 'atLeast', value: 1 },
      expect: { fact: 'subject.values.ids', operator: 'isUnique', value: true },
      message: 'The ids {{values.ids}} are not all different.',
      examples: [
        { verdict: 'pass', trace: [...pinged, tour, '< {"id":1,"result":{}}'] },
        {
          verdict: 'fail',
          notLive: 'The client answers a request that comes twice in its own order.',
          trace: [pinged[0], pinged[0], pinged[1], tour, '< {"id":1,"result":{}}'],
        },
        { verdict: 'not-exercised', trace: [tour, '< {"id":1,"result":{}}'] },
      ],
      mutation: { on: { request: 'ping' }, repeat: 1, alsoBreaks: ['jsonrpc/request-id-session-uniqueness'] },
    },
  },
  'demo/time-of-answer': {
    says: 'A server answers prompts/list within two seconds.',
    rule: {
      ...common,
      title: 'The list of prompts comes within two seconds',
      requirement: ['demo.time.of-answer'],
      given: {
        pair: {
          first: { message: { from: 'client', method: 'prompts/list' } },
          then: { message: { from: 'server', shape: ['result', 'error'] } },
          match: [['$.id', '$.id']],
        },
      },
      when: { fact: 'subject.then', operator: 'exists', value: true },
      expect: { fact: 'subject.elapsedMs', operator: 'atMost', value: 2000 },
      message: 'It came after {{elapsedMs}} ms.',
      examples: [
        {
          verdict: 'pass',
          serverCapabilities: { prompts: {} },
          trace: ['> {"id":1,"method":"prompts/list"}', '< {"id":1,"result":{"prompts":[]}}'],
        },
        {
          verdict: 'fail',
          serverCapabilities: { prompts: {} },
          notLive: 'The answer would have to take two seconds.',
          trace: ['> {"id":1,"method":"prompts/list"}', 'pause 2100', '< {"id":1,"result":{"prompts":[]}}'],
        },
        { verdict: 'not-exercised', trace: [tour, '< {"id":1,"result":{}}'] },
      ],
      mutation: { on: { result: 'prompts/list' }, delay: 2200 },
    },
  },
};

/** Every file below a folder, by path, with its text. */
function contentsOf(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map(({ parentPath, name }) => [
      path.relative(folder, path.join(parentPath, name)),
      readFileSync(path.join(parentPath, name), 'utf8'),
    ]),
  );
}

describe.runIf(thorough)('a rule without a line of code', { timeout: 600_000 }, () => {
  let copy: string;
  let before: Map<string, string>;

  beforeAll(() => {
    copy = mkdtempSync(path.join(tmpdir(), 'mcpc-project-'));
    for (const part of ['rules', 'generated', 'docs', 'package.json', 'tsconfig.json', 'vitest.config.ts'])
      cpSync(path.join(root, part), path.join(copy, part), { recursive: true });
    // Nothing writes there.
    for (const part of ['src', 'test', 'templates']) linkedCopy(path.join(root, part), path.join(copy, part));
    before = contentsOf(copy);
    symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
    const spec = path.join(copy, 'rules/spec/2025-11-25.md');
    const bullets = Object.keys(added).map(
      (id) =>
        `- **MUST** server \`${id.replace('/', '.').replace('-', '.')}\` ${added[id]!.says} [schema#Icon] {observe: server-passive; transports: *; basis: keyword}\n`,
    );
    writeFileSync(spec, readFileSync(spec, 'utf8') + bullets.join(''));
    mkdirSync(path.join(copy, 'rules/demo'));
    for (const [id, { rule }] of Object.entries(added))
      writeFileSync(path.join(copy, 'rules', `${id}.json`), `${JSON.stringify(rule, null, 2)}\n`);
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  test('touches rules/ and generated/ alone', async () => {
    await run(process.execPath, ['--import', 'tsx', 'src/tools/generate.ts'], { cwd: copy });
    rmSync(path.join(copy, 'node_modules'));
    const after = contentsOf(copy);
    symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
    const touched = [...after].filter(([file, text]) => before.get(file) !== text).map(([file]) => file);
    expect(touched.filter((file) => !/^(?:rules|generated)\//.test(file))).toEqual([]);
    expect(touched).toEqual(
      expect.arrayContaining(['generated/mutations.json', 'generated/plan.json', 'rules/demo/order-announcement.json']),
    );
  });

  // Each mutation alone is for the full run; otherwise the gates that judge traces.
  const gates = [
    'examples',
    'conditions',
    'evidence',
    'coverage',
    ...(everything ? ['puppet', 'mutations-http', 'mutations-stdio', 'mutations-sse'] : []),
  ];
  test(`holds gates: ${gates.join(', ')}`, async () => {
    const files = gates.map((gate) => `test/rules/${gate}.test.ts`);
    const report = path.join(copy, 'report.json');
    const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
    // What is told of it stands in the report, whether it fails or not.
    await run(
      process.execPath,
      [
        vitest,
        'run',
        ...files,
        ...(everything ? ['--mode', 'all'] : []),
        '-t',
        'demo/',
        '--reporter',
        'json',
        '--outputFile',
        report,
      ],
      { cwd: copy, env: { ...process.env, MCPC_CHANGED: Object.keys(added).join() }, maxBuffer: 64 * 1024 * 1024 },
    ).catch(() => {});
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      testResults: { assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[];
    };
    const ran = testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status, fullName }) => status !== 'skipped' && status !== 'pending' && fullName.includes('demo/'));
    expect(
      ran
        .filter(({ status }) => status !== 'passed')
        .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join('\n').slice(0, 2000)}`),
    ).toEqual([]);
    for (const id of Object.keys(added))
      expect(ran.filter(({ fullName }) => fullName.includes(id)).length).toBeGreaterThan(everything ? 8 : 4);
  });
});
