/** `mcpc faults`: the list, the example server with one fault, and a fault before a server of the user's own, on stdio and over HTTP. */
import { describe, expect, test } from 'vitest';
import { errorOf, exampleServer, isRunning, Workspace } from './harness.ts';

const space = new Workspace();

interface Listed {
  id: string;
  says: string;
  transports: string[];
  at: Record<string, string[] | 'legal'>;
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const idAsText = 'ping.result.id:as-string';

describe('faults list', () => {
  test('tells ids with the requirements that they violate', async () => {
    const { code, stdout, stderr } = await space.call([
      'faults',
      'list',
      'tools/list.result.tools[].inputSchema:',
      '--spec',
      '2025-11-25',
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain(
      'tools/list.result.tools[].inputSchema:null  tools.input-schema.object-root or tools.list.item-schema\n',
    );
    expect(stderr).toMatch(/^\d+ of \d{5} faults and legal variants\n$/);
  });

  test('keeps legal variants apart, and gives everything as JSON', async () => {
    const legal = JSON.parse((await space.call(['faults', 'list', 'ping.', '--legal', '--json'])).stdout) as Listed[];
    expect(legal.length).toBeGreaterThan(2);
    expect(legal.flatMap(({ at }) => Object.values(at)).every((one) => one === 'legal')).toBe(true);
    const wrong = JSON.parse(
      (await space.call(['faults', 'list', 'ping.', '--transport', 'http', '--json'])).stdout,
    ) as Listed[];
    expect(wrong.find(({ id }) => id === idAsText)).toMatchObject({
      says: 'Result of ping: $.id becomes a string.',
      transports: ['stdio', 'http', 'sse'],
      at: { '2025-11-25': ['jsonrpc.response.result-id'] },
    });
    expect(wrong.some(({ transports }) => !transports.includes('http'))).toBe(false);
  });
});

describe('faults serve', () => {
  test('is a server on stdio that does one thing wrong', async () => {
    const input = [
      initialize,
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'ping' },
    ]
      .map((message) => `${JSON.stringify(message)}\n`)
      .join('');
    const { code, stdout, stderr } = await space.run(['faults', 'serve', idAsText, '--spec', '2025-11-25'], { input });
    expect(code).toBe(0);
    expect(stderr).toContain('Result of ping: $.id becomes a string.');
    const messages = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id?: unknown });
    expect(messages.map(({ id }) => id)).toEqual(expect.arrayContaining([1, '2']));
  });

  test('serves over HTTP until it is ended', async () => {
    const running = space.start([
      'faults',
      'serve',
      'initialize.result.serverInfo.version:absent',
      '--transport',
      'http',
      '--port',
      '0',
    ]);
    await running.shows(/listening on http:\S+/);
    const [url] = /http:\S+/.exec(running.text())!;
    const response = await fetch(url!, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(initialize),
      signal: AbortSignal.timeout(20_000),
    });
    expect(await response.text()).toMatch(/"serverInfo":\{"name":"[^"]+"(?!.*"version")/);
    running.kill('SIGTERM');
    const { code } = await running.ended;
    expect(code).toBe(0);
    expect(isRunning(running.pid)).toBe(false);
  });

  test.each<[string[], RegExp, RegExp]>([
    [['tools/list.result.nothing'], /There is no fault "tools\/list.result.nothing"/, /mcpc faults list/],
    [['ping.result.stdio:pretty', '--transport', 'http'], /is one of stdio/, /--transport stdio/],
    [[idAsText, '--port', '8080'], /--port belongs to/, /Leave it out/],
    [[idAsText, '--spec', '2025-01-01'], /no revision "2025-01-01"/, /2025-11-25/],
  ])('%j is refused', async (args, why, fix) => {
    const outcome = await space.call(['faults', 'serve', ...args]);
    expect(outcome.code).toBe(2);
    expect(errorOf(outcome).why).toMatch(why);
    expect(errorOf(outcome).fix).toMatch(fix);
  });
});

describe('faults proxy', () => {
  test('gives a server on stdio a fault, and ends as it does', async () => {
    const input = [
      initialize,
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'ping' },
    ]
      .map((message) => `${JSON.stringify(message)}\n`)
      .join('');
    const { code, stdout, stderr } = await space.run(
      ['faults', 'proxy', idAsText, '--', 'node', exampleServer, 'stdio'],
      { input },
    );
    expect(code).toBe(0);
    expect(stderr).toContain('Result of ping: $.id becomes a string.');
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id?: unknown }).id),
    ).toEqual(expect.arrayContaining([1, '2']));
  });

  test.each<[string[], RegExp, RegExp]>([
    [['tools/list.result.nothing', '--', 'x'], /There is no fault "tools\/list.result.nothing"/, /mcpc faults list/],
    [['ping.result.stdio:pretty', '--upstream', 'http://127.0.0.1:1/'], /is one of stdio/, /after "--"/],
    [[idAsText], /No server is named/, /--upstream URL/],
    [[idAsText, '--upstream', 'http://127.0.0.1:1/', '--', 'x'], /both a command and an --upstream/, /Name a command/],
    [[idAsText, '--upstream', 'gopher://x'], /is no address/, /--upstream http:/],
  ])('%j is refused', async (args, why, fix) => {
    const outcome = await space.call(['faults', 'proxy', ...args]);
    expect(outcome.code).toBe(2);
    expect(errorOf(outcome).why).toMatch(why);
    expect(errorOf(outcome).fix).toMatch(fix);
  });
});
