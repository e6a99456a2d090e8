/** `lock`, `compareLocks` and `replay` as programs use them. */
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeAll, expect, test, vi } from 'vitest';
import { check, compareLocks, connect, lock, replay } from '../../src/api/index.ts';
import { root, Workspace } from '../cli/harness.ts';

const server = join(root, 'test/drift/drifting-server.mjs');
const drifting = (drift: string) => ({ command: [process.execPath, server], env: { DRIFT: drift } });

const space = new Workspace();
let recording: string;
beforeAll(async () => {
  recording = space.path('run.jsonl');
  await check(drifting(''), { profile: 'quick', traceFile: recording });
});

test('locks of a server, of its changed form and of its recording are compared, and nothing is written', async () => {
  const write = vi.spyOn(process.stdout, 'write');
  const before = await lock(drifting(''));
  expect(Object.keys(before.tools)).toEqual(['add', 'pong']);
  const after = await lock(drifting('annotations'));
  expect(compareLocks(before, before)).toEqual([]);
  expect(compareLocks(before, after)).toMatchObject([
    { class: 'security', what: 'tool', name: 'add', at: '/annotations/readOnlyHint' },
    { name: 'add', at: '/annotations/destructiveHint' },
  ]);
  expect(await lock({ recording })).toEqual(before);
  expect(write).not.toHaveBeenCalled();
  write.mockRestore();
});

test('a lock that is aborted rejects, and a notice names lists that differ', async () => {
  const over = AbortSignal.abort();
  await expect(lock(drifting(''), { signal: over })).rejects.toMatchObject({ stage: 'interrupted' });
  const notices: string[] = [];
  const target = { command: [process.execPath, server], env: { UNSTEADY: 'client' } };
  await lock(target, { as: ['claude-ai'], onNotice: (line) => void notices.push(line) });
  expect(notices).toEqual(['tools differ for a client that is called "claude-ai"']);
});

test('a recording is the server, over HTTP and over streams, until it is closed or aborted', async () => {
  const over = new AbortController();
  const served = await replay(recording, { signal: over.signal });
  await using session = await connect(served.url!);
  expect((await session.list('tools')).items.map(({ name }) => name)).toEqual(['add', 'pong']);
  expect((await session.call('no-such')).error).toMatchObject({
    message: expect.stringContaining('is not in the recording'),
  });
  expect(served.report()).toMatchObject({ format: 'mcpc-replay-report', clients: expect.any(Number) as number });
  over.abort();
  await served.ended;
  await expect(fetch(served.url!)).rejects.toThrow();

  const streams = { input: new PassThrough(), output: new PassThrough() };
  const onStreams = await replay(recording, { streams });
  expect(onStreams.url).toBeUndefined();
  streams.input.end();
  await onStreams.ended;
  await expect(replay(recording, { streams, port: 1 })).rejects.toMatchObject({ stage: 'usage' });
  await expect(replay(space.path('missing'))).rejects.toMatchObject({ stage: 'usage' });
});
