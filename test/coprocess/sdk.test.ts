/** The TypeScript SDK: against binaries that speak the protocol, another version of it, or speak it wrongly; and against mcpc. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { COPROCESS_PROTOCOL_VERSION as binaryVersion } from '../../src/coprocess/protocol.ts';
import {
  ContractDrift,
  Coprocess,
  CoprocessDied,
  CoprocessError,
  COPROCESS_PROTOCOL_VERSION,
  DeadlineExceeded,
  laneCliHint,
  laneSkipReason,
  UNSUPPORTED_SDK_LANES,
  unsupportedLanes,
  UpstreamError,
  UpstreamGone,
  VersionMismatch,
} from '../../src/sdk/index.ts';
import { findBinary } from '../../src/sdk/find-binary.ts';
import { commandLine } from '../../src/sdk/quote.ts';
import { allGone, root, Workspace } from '../cli/harness.ts';
import { everything, moody } from './harness.ts';

const fake = join(root, 'test/coprocess/servers/fake-binary.mjs');

/** A coprocess of the fake binary in a mode; ends with the test. */
async function started(
  mode: string,
  more: { env?: Record<string, string>; timeoutMs?: number } = {},
): Promise<Coprocess> {
  const mcpc = await Coprocess.start({
    server: ['weather'],
    binary: fake,
    ...more,
    env: { ...process.env, FAKE_MODE: mode, ...more.env },
  });
  onTestFinished(() => mcpc.close());
  return mcpc;
}

const errorOf = (work: Promise<unknown>): Promise<CoprocessError> =>
  work.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: unknown) => error as CoprocessError,
  );

describe('versions', () => {
  test('are one number in coprocess, SDK and documentation', () => {
    expect(COPROCESS_PROTOCOL_VERSION).toBe(binaryVersion);
    const page = readFileSync(join(root, 'docs/coprocess.md'), 'utf8');
    expect(page).toContain(`| coprocess (\`mcpc exec\`) | v${binaryVersion} | \`src/coprocess/protocol.ts\` |`);
    expect(page).toContain(`| typescript (\`mcpc/sdk\`) | v${COPROCESS_PROTOCOL_VERSION} | \`src/sdk/protocol.ts\` |`);
  });

  test('a v1 binary answers -32601: the SDK says which side to upgrade', async () => {
    const error = await errorOf(started('v1'));
    expect(error).toBeInstanceOf(VersionMismatch);
    expect(error.message).toBe(
      'mcpc binary speaks coprocess v1; this SDK needs v2. Upgrade the mcpc binary (or pin the SDK to the matching release).',
    );
    expect(error.frame).toMatchObject({ error: { code: -32601 } });
  });

  test('a v2 binary works', async () => {
    expect((await started('v2')).binary).toEqual({ protocol_version: 2, binary_version: '1.0.0' });
  });

  test('a v3 binary refuses: its own words are shown', async () => {
    const error = await errorOf(started('v3'));
    expect(error).toBeInstanceOf(VersionMismatch);
    expect(error.message).toBe(
      'coprocess protocol version mismatch: this mcptest binary speaks v3, the typescript SDK sent v2. Upgrade the typescript SDK (or pin the mcptest binary to the matching release).',
    );
  });

  test.each([
    ['reply-v3', /speaks v3, this typescript SDK speaks v2\. Upgrade the typescript SDK/],
    ['reply-v1', /speaks v1, this typescript SDK speaks v2\. Upgrade the mcpc binary/],
  ])('a reply with another version (%s) ends it before anything is called', async (mode, message) => {
    const error = await errorOf(started(mode));
    expect(error).toBeInstanceOf(VersionMismatch);
    expect(error.message).toMatch(message);
  });

  test('SDKs of v1 and v3 against mcpc', async () => {
    // A v1 SDK sends no handshake, a v3 SDK one that mcpc refuses (wire.test.ts has the messages).
    const ask = (...frames: object[]): { error?: { code: number } }[] =>
      spawnSync(
        process.execPath,
        [join(root, 'bin/mcpc.js'), 'exec', '--connection-server', '--', process.execPath, moody],
        {
          input: frames.map((frame, id) => JSON.stringify({ jsonrpc: '2.0', id, ...frame })).join('\n'),
          encoding: 'utf8',
        },
      )
        .stdout.trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { error?: { code: number } });
    expect(ask({ method: 'mcp.listTools' })[0]!.error).toBeUndefined();
    expect(ask({ method: 'coprocess/handshake', params: { protocol_version: 3 } })[0]!.error!.code).toBe(-32602);
  });
});

describe('contract drift', () => {
  test.each([
    ['handshake-more', 'unknown property "x"'],
    ['envelope-more', 'unknown property "trace"'],
    ['result-and-error', 'both result and error'],
    ['neither', 'neither result nor error'],
    ['other-id', 'id "2", not 2'],
    ['error-more', 'unknown property "more"'],
    ['banner', 'no response: Welcome to the weather service'],
    ['verdict-more', 'unknown property "mood"'],
    ['verdict-less', 'lacks "data"'],
    ['both', 'both a verdict and a result of tools/call'],
    ['nothing', 'no object'],
  ])('%s fails loudly', async (mode, words) => {
    const error = await errorOf(started(mode).then((mcpc) => mcpc.call('get_weather')));
    expect(error).toBeInstanceOf(ContractDrift);
    expect(error.message).toContain(words);
  });
});

describe('results', () => {
  test.each([
    ['verdict', { success: true, text: 'sunny', data: null, error: null, duration_ms: 3, result: null }],
    ['verdict-failed', { success: false, error: { why: 'rain' } }],
    ['passthrough', { success: true, text: 'sunny', error: null }],
    ['passthrough-false', { success: true, text: 'sunny' }],
    ['passthrough-true', { success: false, text: 'rain', error: 'rain' }],
    ['structured', { success: true, text: null, data: { sky: 'blue' } }],
  ])('%s', async (mode, expected) => {
    expect(await (await started(mode)).call('get_weather')).toMatchObject(expected);
  });
});

describe('errors', () => {
  test.each([
    ['upstream-error', UpstreamError, { message: 'tool refused', code: -32000, data: { tool: 'get_weather' } }],
    ['upstream-gone', UpstreamGone, { code: -32001 }],
    ['internal', CoprocessError, { code: -32603 }],
    ['dies', CoprocessDied, { message: 'the coprocess ended (exit code 3); stderr: out of weather', code: undefined }],
  ] as const)('%s', async (mode, kind, expected) => {
    const mcpc = await started(mode);
    const error = await errorOf(mcpc.call('get_weather'));
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject(expected);
    if (mode === 'dies') expect(await errorOf(mcpc.listTools())).toBe(error);
  });

  test('no binary, and one that does not start', async () => {
    expect(await errorOf(Coprocess.start({ server: 'x', binary: '/no/such/mcpc' }))).toBeInstanceOf(CoprocessDied);
    const error = await errorOf(started('no-start'));
    expect(error).toBeInstanceOf(CoprocessDied);
    expect(error.message).toContain('exit code 7');
  });

  test('a deadline and a signal end the wait, and the next call gets its own response', async () => {
    const slow = await started('slow');
    expect(await errorOf(slow.call('get_weather', {}, { timeoutMs: 20 }))).toBeInstanceOf(DeadlineExceeded);
    expect((await slow.call('get_weather')).text).toBe('sunny');
    const controller = new AbortController();
    const aborted = errorOf(slow.call('get_weather', {}, { signal: controller.signal }));
    controller.abort(new Error('enough'));
    expect(await aborted).toMatchObject({ message: 'aborted', cause: new Error('enough') });
    expect(await errorOf(slow.call('get_weather', {}, { signal: AbortSignal.abort() }))).toMatchObject({
      message: 'aborted',
    });
    expect((await slow.listTools()).tools).toHaveLength(1);
    const deaf = await started('deaf', { timeoutMs: 30 });
    expect(await errorOf(deaf.call('get_weather'))).toBeInstanceOf(DeadlineExceeded);
  });
});

describe('its process ends', () => {
  test.each(['await using', 'a failing handshake', 'a signal', 'drift', 'a binary that stays'] as const)(
    'with %s',
    async (how) => {
      const space = new Workspace();
      const file = space.path('pid');
      const env = { FAKE_PID_FILE: file };
      const controller = new AbortController();
      if (how === 'await using') {
        await using mcpc = await Coprocess.start({
          server: 'x',
          binary: fake,
          env: { ...process.env, ...env, FAKE_MODE: 'v2' },
        });
        await mcpc.listTools();
      } else if (how === 'a failing handshake') await errorOf(started('v1', { env }));
      else if (how === 'drift') await errorOf((await started('banner', { env })).call('x'));
      else if (how === 'a binary that stays') {
        const mcpc = await started('stays', { env });
        void mcpc.call('x').catch(() => {});
        await mcpc.close();
      } else {
        const mcpc = await Coprocess.start({
          server: 'x',
          binary: fake,
          signal: controller.signal,
          env: { ...process.env, ...env, FAKE_MODE: 'deaf' },
        });
        const waiting = errorOf(mcpc.call('x'));
        controller.abort();
        expect(await waiting).toMatchObject({ message: 'aborted' });
      }
      await allGone([Number(space.read('pid'))]);
    },
  );

  test('with the process that started it, closed or not', async () => {
    const space = new Workspace();
    const script = space.write(
      'forgetful.mjs',
      `import { Coprocess } from ${JSON.stringify(join(root, 'dist/sdk/index.mjs'))};
const mcpc = await Coprocess.start({ server: [process.execPath, ${JSON.stringify(moody)}] });
console.log((await mcpc.call('echo', { message: 'bye' })).text);`,
    );
    const { status, stdout } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'bye\n' });
  });
});

test('the binary: option, MCPC_BIN, MCPTEST_BIN, the package, PATH', () => {
  const space = new Workspace();
  const script = space.write('mcpc.js', '');
  const program = space.write('mcptest', '');
  expect(findBinary(script, { MCPC_BIN: program })).toEqual([process.execPath, script]);
  expect(findBinary(undefined, { MCPC_BIN: program, MCPTEST_BIN: script })).toEqual([program]);
  expect(findBinary(undefined, { MCPC_BIN: '', MCPTEST_BIN: program })).toEqual([program]);
  expect(findBinary(undefined, {})).toEqual([process.execPath, join(root, 'bin/mcpc.js')]);
});

test('a command of words arrives word by word', async () => {
  const words = ['node', "it's", 'two words', '', 'a"b', '$HOME', 'back\\slash', 'ü'];
  const { split } = await import('shlex');
  expect(split(commandLine(words))).toEqual(words);
  expect(() => new URL('x')).toThrow();
  await expect(Coprocess.start({ server: 'x', url: 'http://x' })).rejects.toThrow(TypeError);
});

test('lanes: one list, with the command of each', () => {
  expect(UNSUPPORTED_SDK_LANES).toEqual(['agents', 'compliance', 'security', 'evals']);
  expect(UNSUPPORTED_SDK_LANES.map((lane) => laneCliHint(lane, 'suite.yaml'))).toEqual([
    'mcpc run suite.yaml',
    'mcpc compliance run --from-suite suite.yaml',
    'mcpc run suite.yaml',
    'mcpc eval suite.yaml',
  ]);
  expect(laneCliHint('evals')).toBe('mcpc eval <suite>');
  expect(laneSkipReason('agents', "it's.yaml")).toContain(`mcpc run 'it'\\''s.yaml'`);
  expect(unsupportedLanes({ servers: {}, tools: [], evals: [], agents: null })).toEqual(['evals']);
});

describe('with mcpc', () => {
  test('a whole conversation with server-everything', async () => {
    await using mcpc = await Coprocess.start({ server: [process.execPath, everything, 'stdio'] });
    expect(await mcpc.initialize()).toMatchObject({ serverInfo: { name: expect.any(String) } });
    expect((await mcpc.listTools()).tools.length).toBeGreaterThan(5);
    expect(await mcpc.call('echo', { message: 'hi' })).toMatchObject({ success: true, text: 'Echo: hi', error: null });
    expect((await mcpc.callPrompt('simple-prompt')).messages).toHaveLength(1);
    const { resources } = await mcpc.listResources();
    expect((await mcpc.readResource(resources[0]!['uri'] as string)).contents).toHaveLength(1);
  });

  test('what the server refuses, faults, and dies of', async () => {
    await using mcpc = await Coprocess.start({ server: [process.execPath, moody] });
    expect(await mcpc.call('refuse')).toMatchObject({ success: false, text: 'I would rather not' });
    expect(await errorOf(mcpc.call('fault'))).toMatchObject({ name: 'UpstreamError', message: 'tool refused' });
    expect(await errorOf(mcpc.call('die'))).toBeInstanceOf(UpstreamGone);
    expect(await errorOf(mcpc.listTools())).toBeInstanceOf(UpstreamGone);
  });

  test('cache, cassette and reports', async () => {
    const space = new Workspace();
    const path = space.path('tape.jsonl');
    {
      await using mcpc = await Coprocess.start({
        server: [process.execPath, moody],
        args: ['--output', space.path('calls.xml')],
      });
      await mcpc.setCassetteMode('record', path);
      await mcpc.setCacheMode('readwrite');
      await mcpc.setUpload({ enabled: false });
      expect((await mcpc.call('count')).text).toBe((await mcpc.call('count')).text);
      await mcpc.flushReports();
      expect(space.read('calls.xml')).toContain('tools/call count');
    }
    await using mcpc = await Coprocess.start({ server: 'no-such-server' });
    await mcpc.setCassetteMode('replay', path);
    expect((await mcpc.call('count')).text).toBe('1');
  });
});
