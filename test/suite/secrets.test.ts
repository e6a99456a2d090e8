/** Secrets planted in the environment, headers, answers and captures stand in no file that a run writes, and nowhere in what it prints. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root, Workspace } from '../cli/harness.ts';
import { thorough } from '../support/run/options.ts';

const work = new Workspace();
const planted = {
  environment: 'Wq7ePlantedEnv91Zk',
  header: 'Hd3xPlantedHeader55Rt',
  // Nobody names these as secrets; they are known by their form, and by the members that they stand in.
  answered: `ghp_${'Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zCd7e'}`,
  member: 'Mb6tPlantedMember83Qa',
  flag: 'Fl2gPlantedFlag47Ws',
};

/** Answers over Streamable HTTP when the header is right: `login` gives a token, `echo` what it was given. */
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
  request.on('end', () => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    if (request.headers['authorization'] !== `Bearer ${planted.header}`) return void response.writeHead(401).end();
    const {
      id,
      method,
      params = {},
    } = JSON.parse(body) as {
      id?: unknown;
      method: string;
      params?: { protocolVersion?: string; name?: string; arguments?: unknown };
    };
    if (id === undefined) return void response.writeHead(202).end();
    const content = (value: unknown): object => ({
      content: [{ type: 'text', text: JSON.stringify(value) }],
      structuredContent: value,
    });
    const result =
      method === 'initialize'
        ? {
            protocolVersion: params.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: 'hosted', version: '1' },
          }
        : method === 'tools/list'
          ? { tools: ['login', 'echo'].map((name) => ({ name, inputSchema: { type: 'object' } })) }
          : params.name === 'login'
            ? content({ session: planted.answered, password: planted.member, header: request.headers['authorization'] })
            : content({ said: params.arguments });
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
});

/** All files of a folder, with those of folders below it. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

const notes = JSON.stringify(join(root, 'test/suite/servers/notes.mjs'));
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  work.write(
    'suite/secret.yaml',
    `version: 1
servers:
  notes: { command: node, args: [${notes}], env: { NOTES_TOKEN: "$GIVEN_TOKEN" } }
  hosted: { url: "http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp", headers: { Authorization: "Bearer \${GIVEN_HEADER}" } }
cases:
  - { name: compared, server: notes, steps: [{ call: env, with: { name: NOTES_TOKEN }, capture: { t: $ }, expect: { equals: ${'$'}WANTED } }, { call: add_note, with: { text: "{{t}}" } }, { read: "notes://1", expect: { equals: "{{t}}", snapshot: true } }] }
  - { name: compared and differs, server: notes, steps: [{ call: env, with: { name: NOTES_TOKEN }, capture: { t: $ } }, { call: get_note, with: { id: "{{t}}" } }] }
  - { name: captured, server: hosted, steps: [{ call: login, capture: { s: $.structuredContent.session, p: $.structuredContent.password }, expect: { snapshot: true } }, { call: echo, with: { session: "{{s}}", password: "{{p}}" }, expect: { contains: ["{{s}}", "{{p}}"], snapshot: true } }] }
  - { name: captured and differs, server: hosted, steps: [{ call: login, capture: { s: $.structuredContent.session, p: $.structuredContent.password, h: $.structuredContent.header } }, { call: echo, with: { password: "{{p}}" }, expect: { equals: "{{s}} {{h}}" } }] }
`.replace('$WANTED', planted.environment),
  );
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

it.runIf(thorough)('in none of the reports, traces, snapshots and notes of runs', async () => {
  const env = {
    GIVEN_TOKEN: planted.environment,
    GIVEN_HEADER: planted.header,
    XDG_CACHE_HOME: work.path('out/cache'),
  };
  const formats = ['json', 'html', 'markdown', 'junit', 'github', 'sarif', 'ctrf', 'tap', 'badge-json', 'badge-svg'];
  const out = (name: string): string => work.path(`out/${name}`);
  const flags = [
    ...formats.flatMap((format) => ['--format', format, '--output', out(format)]),
    '--junit',
    out('j.xml'),
    '--markdown',
    out('m.md'),
    '--badge',
    out('b.json'),
    '--save-baseline',
    out('base.json'),
    '--trace',
    out('run.trace.jsonl'),
    '--trace-dir',
    out('traces'),
    '--coverage-json',
    out('coverage.json'),
    '--conformance',
    'warn',
    '--all-expectations',
    '--verbose',
  ];
  const said: string[] = [];
  const told = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await work.call([...args, '--spec', '2025-11-25'], { env });
    said.push(stdout, stderr);
    return stdout;
  };
  expect(await told('snapshot', 'suite', '--update')).toContain('secret.yaml');
  const shown = await told('run', 'suite', '--format', 'terminal', ...flags);
  // The environment and headers are compared as they are; what was captured is sent and compared as it came.
  expect(shown).toMatch(/2 passed, 2 failed/);
  await told('ci', 'suite', '--json', '--overwrite', '--junit', out('ci.xml'));
  await told(
    'run',
    'suite',
    '--recording',
    out('run.trace.jsonl'),
    '--format',
    'html',
    '--output',
    out('again.html'),
    '--format',
    'json',
    '--output',
    out('again.json'),
    '--format',
    'terminal',
  );
  await told('generate', '--recording', out('run.trace.jsonl'), '--output', out('recorded'));
  await told(
    'audit',
    '--json',
    '--allow-destructive',
    '--env',
    `NOTES_TOKEN=${planted.flag}`,
    '--junit',
    out('audit.xml'),
    '--html',
    out('audit.html'),
    '--output',
    out('audited'),
    '--',
    'node',
    JSON.parse(notes) as string,
  );
  // Each of them has written something, or nothing would be proved.
  const files = filesIn(work.path('out'));
  expect(files.map((file) => file.slice(out('').length)).toSorted()).toEqual(
    expect.arrayContaining([
      ...formats,
      'j.xml',
      'm.md',
      'b.json',
      'base.json',
      'run.trace.jsonl',
      'coverage.json',
      'ci.xml',
      'again.html',
      'again.json',
      'recorded/recorded.yaml',
      'audit.xml',
      'audit.html',
      'audited/tools.yaml',
    ]),
  );
  const snapshots = work.path('suite/secret.yaml.snap');
  const texts: [string, string][] = [...files, snapshots].map((file) => [file, readFileSync(file, 'utf8')]);
  const found = [...texts, ...said.map((text, index): [string, string] => [`output ${index}`, text])].flatMap(
    ([name, text]) =>
      Object.entries(planted).flatMap(([what, secret]) => (text.includes(secret) ? [`${what} in ${name}`] : [])),
  );
  expect(found).toEqual([]);
});
