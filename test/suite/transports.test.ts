/** Suites over Streamable HTTP and HTTP+SSE, and in the stateless era. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { SuiteReport } from '../../src/core/model/reports/suite-report.ts';
import { exampleServer, root, Workspace } from '../cli/harness.ts';
import { freePort } from '../support/free-port.ts';

const work = new Workspace();
const started: (() => void)[] = [];
afterAll(() => started.forEach((stop) => stop()));

/** Starts server-everything; resolves with its port when it listens. */
async function everything(transport: 'streamableHttp' | 'sse'): Promise<number> {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'), transport],
    { env: { ...process.env, PORT: String(port) }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  started.push(() => child.kill('SIGKILL'));
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => /listening|running on port/i.test(chunk.toString()) && resolve());
    child.once('exit', () => reject(new Error('the server ended')));
  });
  return port;
}

async function run(file: string, args: string[] = []): Promise<Record<string, string>> {
  const output = work.path(`${file}.json`);
  const { stderr } = await work.call(['run', work.path(file), '--format', 'json', '--output', output, ...args]);
  if (!work.has(`${file}.json`)) throw new Error(stderr);
  return Object.fromEntries(
    (JSON.parse(work.read(`${file}.json`)) as SuiteReport).cases.map(({ name, status, detail }) => [
      name,
      status === 'fail' ? detail : status,
    ]),
  );
}

describe.each([
  ['streamableHttp', 'http', '/mcp'],
  ['sse', 'sse', '/sse'],
] as const)('over %s', (kind, transport, path) => {
  it('calls, captures, answers the server, counts progress and hears notifications (A-023, A-025, A-035, A-086)', async () => {
    const port = await everything(kind);
    work.write(
      `${kind}.yaml`,
      `version: 1
servers:
  plain: { transport: ${transport}, url: "http://127.0.0.1:${port}${path}" }
  sampling: { transport: ${transport}, url: "http://127.0.0.1:${port}${path}", client_capabilities: { sampling: { text: canned answer } } }
defaults: { server: plain, timeout: 60s }
cases:
  - { name: calls, steps: [{ call: echo, with: { message: one }, capture: { got: $ } }, { call: echo, with: { message: "{{got}}" }, expect: { equals: "Echo: Echo: one"${transport === 'http' ? ', http: { status: 200, headers: { content-type: event-stream } }' : ''} } }] }
  - { name: is asked, server: sampling, steps: [{ call: trigger-sampling-request, with: { prompt: hi }, expect: { contains: [canned answer] } }] }
  - { name: progress, steps: [{ call: trigger-long-running-operation, with: { duration: 0.4, steps: 4 }, expect: { progress: { min: 4, grows: true, complete: true } } }] }
  - { name: notifications, steps: [{ call: toggle-simulated-logging }, { notifications: 10s, expect: { min_count: 1, methods: [notifications/message] } }] }
`,
    );
    expect(await run(`${kind}.yaml`)).toEqual({
      calls: 'pass',
      'is asked': 'pass',
      progress: 'pass',
      notifications: 'pass',
    });
  });
});

describe('in the stateless era', () => {
  it('the same blocks are asked without a handshake; what the revision lacks fails and says so', async () => {
    work.write(
      'era.yaml',
      `version: 1
servers:
  reference: { command: node, args: [${JSON.stringify(exampleServer)}, stdio, --fixtures] }
defaults: { timeout: 60s }
cases:
  - { name: newest, steps: [{ initialize: true, expect: { json_path: { "$.supportedVersions[0]": "2026-07-28" } } }, { list: prompts, expect: { not_empty: true } }] }
  - { name: pinned, spec: "2025-06-18", steps: [{ initialize: true, expect: { json_path: { $.protocolVersion: "2025-06-18" } } }, { set_level: debug }] }
  - { name: lacks, steps: [{ subscribe: "x://y" }] }
  - { name: level, steps: [{ set_level: debug }, { list: tools, expect: { not_empty: true } }] }
`,
    );
    expect(await run('era.yaml')).toEqual({
      newest: 'pass',
      pinned: 'pass',
      lacks: expect.stringMatching(/revision 2026-07-28 has no resources\/subscribe/),
      level: 'pass',
    });
  });
});
