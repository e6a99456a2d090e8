import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { McpcError } from '../../src/core/model/errors.ts';
import type { TransportLimits } from '../../src/client/transport/limits.ts';
import { groupMembers, watchedGroups } from '../../src/client/transport/process/process-registry.ts';
import {
  openStdioProcess,
  type StdioOptions,
  type StdioProcess,
} from '../../src/client/transport/process/stdio-process.ts';
import { budgetOf, heldReason } from '../../src/client/transport/read-budget.ts';
import { tape } from './harness.ts';

const open: StdioProcess[] = [];

/** Longest grace that a test gives; a process that heeds its stdin ends long before. */
const grace = 20_000;

async function node(script: string, options: Partial<StdioOptions> & { limits?: Partial<TransportLimits> } = {}) {
  const recorded = tape();
  const server = await openStdioProcess({
    command: process.execPath,
    args: ['-e', script],
    session: 's1',
    sink: recorded.sink,
    ...options,
  });
  open.push(server);
  return { server, ...recorded };
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close(0)));
  expect(watchedGroups()).toEqual([]);
});

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // Zombies of a container without init are gone for our purpose.
  return (groupMembersOf(pid) ?? [pid]).includes(pid);
};
const groupMembersOf = (pid: number): number[] | null => {
  const own = groupMembers(pid);
  return own === null || own.length > 0 ? own : null;
};

test('every line on stdout becomes an event, with what differs from canonical JSON', async () => {
  const { server, events } = await node(`
    const lines = ['{"a":1}\\n', '{"a": 1}\\n', '{"a":1,"a":2}\\n', '{"n":1.0}\\n', '{"a":1}\\r\\n', '\\n', 'hello\\n', '[1,2]\\n', '42\\n', '{"s":"\\u00e9"}\\n', '{"end":1}'];
    process.stdout.write(lines.join(''));`);
  await server.exited;
  const seen = events
    .filter((event) => event.from === 'server' && event.kind !== 'exit')
    .map(({ seq: _s, t: _t, session: _n, from: _f, ...rest }) => rest);
  expect(seen).toEqual([
    { kind: 'message', message: { a: 1 } },
    { kind: 'message', message: { a: 1 }, raw: '{"a": 1}' },
    { kind: 'message', message: { a: 2 }, raw: '{"a":1,"a":2}' },
    { kind: 'message', message: { n: 1 }, raw: '{"n":1.0}' },
    { kind: 'message', message: { a: 1 }, raw: '{"a":1}\r' },
    { kind: 'unparsable', raw: '' },
    { kind: 'unparsable', raw: 'hello' },
    { kind: 'message', message: [1, 2] },
    { kind: 'message', message: 42 },
    { kind: 'message', message: { s: 'é' } },
    { kind: 'message', message: { end: 1 }, reason: 'no newline at end' },
    { kind: 'closed', what: 'stdout' },
  ]);
  expect(events.map((event) => event.kind)[0]).toBe('spawn');
  expect(events.at(-1)).toMatchObject({
    kind: 'exit',
    from: 'server',
    reason: 'by itself',
    exit: { code: 0, signal: null },
  });
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
});

test('bytes that are no UTF-8 are marked, valid characters cut by a chunk are not', async () => {
  const { server, of } = await node(`
    const whole = Buffer.from('{"s":"€"}\\n');
    process.stdout.write(whole.subarray(0, 7), () => setImmediate(() => {
      process.stdout.write(whole.subarray(7));
      process.stdout.write(Buffer.from([0x7b, 0x22, 0x73, 0x22, 0x3a, 0x22, 0xc3, 0x28, 0x22, 0x7d, 0x0a]));
      process.stdout.write(Buffer.from([0xff, 0x0a]));
    }));`);
  await server.exited;
  expect(of('message').map(({ message, raw, invalidUtf8 }) => ({ message, raw, invalidUtf8 }))).toEqual([
    { message: { s: '€' }, raw: undefined, invalidUtf8: undefined },
    { message: { s: '\uFFFD(' }, raw: '{"s":"\uFFFD("}', invalidUtf8: true },
  ]);
  expect(of('unparsable')).toMatchObject([{ raw: '\uFFFD', invalidUtf8: true }]);
});

test('a line over the limit is skipped, the next one is read', async () => {
  const { server, events } = await node(
    `process.stdout.write('x'.repeat(5000) + '\\n{"ok":true}\\n' + 'y'.repeat(5000));`,
    { limits: { maxLineBytes: 1000 } },
  );
  await server.exited;
  const kinds = events.filter((event) => event.from === 'server').map((event) => event.kind);
  expect(kinds).toEqual(['limit', 'message', 'limit', 'closed', 'exit']);
  expect(events.find((event) => event.kind === 'limit')?.raw).toMatch(/^x{256}$/);
});

test('JSON that nests too deeply is a limit, not a crash', async () => {
  const { server, of } = await node(
    `console.log('['.repeat(200000) + ']'.repeat(200000)); console.log(JSON.stringify({ s: '['.repeat(1000) }));`,
  );
  await server.exited;
  expect(of('limit')).toHaveLength(1);
  expect(of('message')).toHaveLength(1);
});

test('JSON of too many values is a limit; commas within a string are no values', async () => {
  const { server, of } = await node(
    `console.log('[' + '{},'.repeat(400000) + '{}]'); console.log(JSON.stringify({ s: ','.repeat(400000) })); console.log('[' + '0,'.repeat(200000) + '0]');`,
  );
  await server.exited;
  expect(of('limit').map(({ reason }) => reason)).toEqual(['JSON of more than 250000 values']);
  expect(of('message')).toHaveLength(2);
});

test('unfinished lines of several processes share one budget', async () => {
  const recorded = tape();
  const budget = budgetOf(recorded.sink);
  const other = budget.share();
  expect(other.hold(budget.limits.maxHeldBytes - 1_000_000)).toBe(true);
  const server = await openStdioProcess({
    command: process.execPath,
    args: ['-e', `process.stdout.write('many words '.repeat(200000) + '\\n{"n":1}\\n')`],
    session: 's1',
    sink: recorded.sink,
  });
  open.push(server);
  await server.exited;
  expect(recorded.of('limit').map(({ reason }) => reason)).toEqual([`${heldReason(budget)}; it was skipped`]);
  expect(recorded.of('message').map(({ message }) => message)).toEqual([{ n: 1 }]);
});

test('a flood arrives whole and in order', async () => {
  const { server, of } = await node(
    `let s = ''; for (let i = 0; i < 50000; i++) s += JSON.stringify({ i }) + '\\n'; process.stdout.write(s);`,
  );
  await server.exited;
  expect(of('message').map((event) => (event.message as { i: number }).i)).toEqual(
    Array.from({ length: 50_000 }, (_, i) => i),
  );
});

test('stderr is kept line by line, within bounds', async () => {
  const { server, of } = await node(`process.stderr.write('one\\ntwo\\r\\n' + 'z'.repeat(500) + '\\nlast');`, {
    limits: { maxStderrLineBytes: 100 },
  });
  await server.exited;
  expect(of('stderr').map((event) => event.raw)).toEqual(['one', 'two', 'z'.repeat(100), 'last']);
  const flood = await node(`process.stderr.write('line\\n'.repeat(1000));`, { limits: { maxStderrBytes: 50 } });
  await flood.server.exited;
  expect(flood.of('stderr')).toHaveLength(10);
  expect(flood.of('limit')).toHaveLength(1);
});

const echo = `process.stdin.on('data', (d) => process.stdout.write(JSON.stringify({ got: d.toString('latin1') }) + '\\n'));`;

test('what is sent is recorded before it can be answered', async () => {
  const { server, until, events } = await node(echo);
  const sent = server.sendText('{"id":1, "method":"ping"}', { deviation: 'extra-space' });
  expect(await sent.written).toBe(true);
  const reply = await until((event) => event.from === 'server' && event.kind === 'message');
  expect(events[sent.seq - 1]).toMatchObject({
    kind: 'message',
    from: 'client',
    message: { id: 1, method: 'ping' },
    raw: '{"id":1, "method":"ping"}',
    deviation: 'extra-space',
  });
  expect(sent.seq).toBeLessThan(reply.seq);
  expect(reply.message).toEqual({ got: '{"id":1, "method":"ping"}\n' });
});

test('chunks are written one by one, and nothing comes between them', async () => {
  const { server, until, events, of } = await node(`
    let all = ''; let reads = 0;
    process.stdin.on('data', (d) => { reads++; all += d; if (all.includes('"last"')) process.stdout.write(JSON.stringify({ all, reads }) + '\\n'); });`);
  const split = server.sendBytes(['{"id":', '1}', '\n'], { framing: 'split', deviation: 'd' });
  const joined = server.sendBytes(['{"id":2}\n{"id":3}\n'], { framing: 'joined' });
  const bad = server.sendBytes([Buffer.from([0xff, 0x0a])]);
  const after = server.sendText('{"id":"last"}');
  await after.written;
  const reply = await until((event) => event.from === 'server' && event.kind === 'message');
  expect((reply.message as { all: string }).all).toBe('{"id":1}\n{"id":2}\n{"id":3}\n\uFFFD\n{"id":"last"}\n');
  expect(split.seqs).toHaveLength(1);
  expect(events[split.seq - 1]).toMatchObject({ message: { id: 1 }, framing: 'split', deviation: 'd' });
  expect(joined.seqs.map((seq) => events[seq - 1]?.message)).toEqual([{ id: 2 }, { id: 3 }]);
  expect(events[bad.seq - 1]).toMatchObject({ kind: 'unparsable', invalidUtf8: true });
  expect(of('message').filter((event) => event.from === 'client')).toHaveLength(4);
});

test('bytes without a newline are told so', async () => {
  const { server, until, events } = await node(echo);
  const sent = server.sendBytes(['{"id":1}']);
  await until((event) => event.from === 'server' && event.kind === 'message');
  expect(events[sent.seq - 1]).toMatchObject({ kind: 'message', reason: 'no newline at end' });
});

test('more than a pipe holds waits until the process reads', async () => {
  const { server, until } = await node(`
    const stay = setInterval(() => {}, 1000);
    process.on('SIGUSR2', () => { clearInterval(stay); let n = 0; process.stdin.on('data', (d) => { n += d.length; }); process.stdin.on('end', () => console.log(JSON.stringify({ n }))); });
    process.stderr.write('ready\\n');`);
  await until((event) => event.kind === 'stderr');
  const sent = server.sendText(JSON.stringify({ big: 'x'.repeat(4_000_000) }));
  let written = false;
  void sent.written.then(() => (written = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(written).toBe(false);
  process.kill(server.pid, 'SIGUSR2');
  expect(await sent.written).toBe(true);
  server.closeStdin();
  const reply = await until((event) => event.from === 'server' && event.kind === 'message');
  expect(reply.message).toEqual({ n: 4_000_011 });
});

test('closing stdin is an event of the client, and sending ends there', async () => {
  const { server, events } = await node(`process.stdin.resume(); process.stdin.on('end', () => process.exit(3));`);
  server.closeStdin();
  server.closeStdin();
  expect(await server.exited).toEqual({ code: 3, signal: null });
  expect(events.filter((event) => event.kind === 'closed')).toMatchObject([
    { from: 'client', what: 'stdin' },
    { from: 'server', what: 'stdout' },
  ]);
  expect(server.sendText('{}')).toMatchObject({ seq: 0 });
  expect(await server.sendText('{}').written).toBe(false);
  expect(events.at(-1)).toMatchObject({ kind: 'exit', from: 'server', reason: 'by itself' });
});

test('a server that closes its stdin is noticed when it is written to', async () => {
  const { server, until, events } = await node(
    `require('fs').closeSync(0); console.log('{}'); setInterval(() => {}, 1000);`,
  );
  await until((event) => event.kind === 'message');
  expect(await server.sendText('{"id":1}').written).toBe(false);
  const closed = await until((event) => event.kind === 'closed');
  expect(closed).toMatchObject({ from: 'server', what: 'stdin', reason: 'EPIPE' });
  await server.close(0);
  expect(events.at(-1)?.kind).toMatch(/exit|closed/);
});

test('a server that closes its stdout and lives on is told by both', async () => {
  const { server, until, events } = await node(
    `process.stdin.resume(); console.log('{}'); setTimeout(() => require('fs').closeSync(1), 0);`,
  );
  const closed = await until((event) => event.kind === 'closed' && event.what === 'stdout');
  expect(closed.from).toBe('server');
  server.closeStdin();
  await server.exited;
  expect(events.at(-1)).toMatchObject({ kind: 'exit', exit: { code: 0 } });
});

test('a process that heeds its stdin is not stopped, one that does not is', async () => {
  const good = await node(`process.stdin.resume();`);
  await Promise.all([good.server.close(grace), good.server.close(grace)]);
  expect(good.events.at(-1)).toMatchObject({ kind: 'exit', reason: 'by itself' });

  const deaf = await node(`console.log('{}'); setInterval(() => {}, 1000);`);
  await deaf.until((event) => event.kind === 'message');
  await deaf.server.close(500);
  expect(deaf.of('exit')).toMatchObject([
    { from: 'harness', exit: { code: null, signal: 'SIGTERM' }, reason: 'stopped by the checker (SIGTERM)' },
  ]);

  const stubborn = await node(`process.on('SIGTERM', () => {}); console.log('{}'); setInterval(() => {}, 1000);`);
  await stubborn.until((event) => event.kind === 'message');
  await stubborn.server.close(1);
  expect(stubborn.of('exit')).toMatchObject([
    { from: 'harness', exit: { signal: 'SIGKILL' }, reason: 'stopped by the checker (SIGKILL)' },
  ]);
});

test('half a line that the checker itself cut off is not held against the server', async () => {
  const { server, until, of, events } = await node(
    `process.stdout.write('{}\\n{"half":'); setInterval(() => {}, 1000);`,
  );
  await until((event) => event.kind === 'message');
  await server.close(1);
  expect(of('unparsable')).toEqual([]);
  expect(events.find((event) => event.what === 'stdout')).toMatchObject({ kind: 'closed', raw: '{"half":' });
});

const withGrandchild = (leader: string, child: string): string => `
  const c = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: ['ignore', 'inherit', 'inherit'] });
  c.once('spawn', () => { console.log(JSON.stringify({ pid: c.pid })); ${leader} });`;

test('grandchildren end with their group, whether the leader lives or not', async () => {
  for (const leader of ['setInterval(() => {}, 1000);', 'process.exit(0);']) {
    const { server, until, of } = await node(
      withGrandchild(leader, `process.on('SIGTERM', () => {}); console.log('"up"'); setInterval(() => {}, 1000);`),
    );
    const told = await until((event) => event.kind === 'message' && typeof event.message === 'object');
    await until((event) => event.kind === 'message' && event.message === 'up');
    const { pid } = told.message as { pid: number };
    expect(alive(pid)).toBe(true);
    await server.close(50);
    expect(groupMembers(server.pid) ?? []).toEqual([]);
    expect(of('exit')).toHaveLength(1);
  }
});

test('a crash is an exit by itself, with its signal', async () => {
  const { server, events } = await node(`process.kill(process.pid, 'SIGSEGV');`);
  expect((await server.exited).signal).toBe('SIGSEGV');
  expect(events.at(-1)).toMatchObject({ kind: 'exit', from: 'server', reason: 'by itself' });
});

test('a command that cannot start is an error of the target, with an event', async () => {
  const { sink, events } = tape();
  const failed = openStdioProcess({ command: 'mcpc-no-such-command', session: 's1', sink });
  await expect(failed).rejects.toBeInstanceOf(McpcError);
  await expect(failed).rejects.toMatchObject({ stage: 'target', remedy: expect.stringContaining('PATH') });
  expect(events).toMatchObject([
    { kind: 'spawn' },
    { kind: 'closed', from: 'harness', reason: expect.stringContaining('not found') },
  ]);
  await expect(
    openStdioProcess({ command: process.execPath, cwd: '/no/such/folder', session: 's1', sink }),
  ).rejects.toThrow(/folder/);
});

test('free text on stdout of an HTTP server is kept as its log', async () => {
  const { server, of } = await node(`console.log('listening on 1'); console.log('');`, { stdout: 'log' });
  await server.exited;
  expect(of('stderr')).toMatchObject([
    { raw: 'listening on 1', what: 'stdout' },
    { raw: '', what: 'stdout' },
  ]);
  expect(of('unparsable')).toEqual([]);
});

test.each(['SIGINT', 'SIGTERM', 'exit', 'throw'])('processes end when mcpc ends by %s', async (way) => {
  const script = `
    import { openStdioProcess } from './src/client/transport/process/stdio-process.ts';
    const server = await openStdioProcess({ command: process.execPath, args: ['-e', 'process.on("SIGTERM", () => {}); console.log("{}"); setInterval(() => {}, 1000)'], session: 's', sink: (event) => {
      if (event.kind === 'message') { console.log(server.pid); ${way === 'exit' ? 'process.exit(0);' : way === 'throw' ? 'setImmediate(() => { throw new Error("x"); });' : ''} }
      return 1;
    } });`;
  const run = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exit = once(run, 'exit');
  const [data] = (await once(run.stdout, 'data')) as [Buffer];
  const pid = Number(data.toString());
  expect(pid).toBeGreaterThan(0);
  if (way.startsWith('SIG')) run.kill(way as NodeJS.Signals);
  const [, signal] = (await exit) as [number | null, string | null];
  if (way.startsWith('SIG')) expect(signal).toBe(way);
  // SIGKILL was sent before mcpc ended; the kernel may take a moment to carry it out.
  await expect.poll(() => groupMembers(pid), { timeout: 10_000, interval: 10 }).toEqual([]);
});
