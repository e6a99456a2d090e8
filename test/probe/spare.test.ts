/** The process that was asked for the stateless era begins a session, where the server bears that; where it does not, that session has a process of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { noPermission } from '../../src/core/permission/decide.ts';
import { createPeerHub } from '../../src/client/peer/open-peer.ts';
import type { Peer } from '../../src/client/peer/peer.ts';
import { detect } from '../../src/client/reach/detect.ts';
import type { Probe } from '../../src/client/schedule/plan/probe.ts';
import { defaultTiming } from '../../src/client/target/timing.ts';
import { createRecorder } from '../../src/core/trace/recorder.ts';
import { runPlan } from '../support/run-plan.ts';

let folder = '';
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'mcpc-spare-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const peers = new Set<Peer>();
afterEach(async () => {
  await Promise.all([...peers].map((peer) => peer.close()));
  peers.clear();
});

/** Knows no server/discover, and does what the code says when it is to begin a session in the same process. @param startMs how long it takes to start @param before what it does at each request */
const server = (then: string, startMs: number, before = ''): string => `
  let asked = false;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${startMs});
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    ${before}
    const answer = (body) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...body }) + '\\n');
    if (method === 'server/discover') { asked = true; return answer({ error: { code: -32601, message: 'no such method' } }); }
    if (method === 'initialize' && asked) { ${then} }
    answer({ result: method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: 'once', version: '1' } } : {} });
  });`;

const opening: Probe = { steps: [{ handshake: { version: '2025-06-18' } }], rules: ['opening'] };

async function sessionsOf(
  then: string,
  startMs = 0,
  before = '',
): Promise<{ sessions: string[]; starts: number; done: number[]; incomplete: string | undefined }> {
  const recorder = createRecorder({ keep: true });
  const hub = createPeerHub(recorder.sink, (listener) => recorder.subscribe(listener));
  const open = async (how = {}): Promise<Peer> => {
    const peer = await hub.open({
      ...how,
      target: { kind: 'stdio', command: process.execPath, args: ['-e', server(then, startMs, before)] },
      timing: defaultTiming,
      era: 'stateful',
      revision: '2025-11-25',
      permission: noPermission,
      toolVersion: '0',
    });
    peers.add(peer);
    return peer;
  };
  const found = await detect({
    target: { kind: 'stdio', command: process.execPath, args: ['-e', server(then, startMs, before)] },
    spec: 'auto',
    fallback: false,
    open: (_target, _era, _revision, how) => open(how),
  });
  const done: number[] = [];
  const { incomplete } = await runPlan({
    plan: { shared: [{ steps: ['sentinel'], rules: [] }], isolated: [opening] },
    first: found.peer,
    ...(found.spare === undefined ? {} : { spare: found.spare }),
    open,
    sink: recorder.sink,
    timing: defaultTiming,
    jobs: 2,
    onProgress: (count) => done.push(count),
  });
  const asks = recorder.events.filter(
    ({ from, message }) =>
      from === 'client' &&
      (message as { params?: { protocolVersion?: unknown } } | undefined)?.params?.protocolVersion === '2025-06-18',
  );
  return {
    sessions: asks.map(({ session }) => session),
    starts: recorder.events.filter(({ kind }) => kind === 'spawn').length,
    done,
    incomplete,
  };
}

test('a session begins in the process that was asked for the other era', async () => {
  expect(await sessionsOf('')).toEqual({ sessions: ['s2'], starts: 3, done: [1, 2], incomplete: undefined });
});

test('where processes start slowly, that one shows too that the server runs twice', async () => {
  expect(await sessionsOf('', 900)).toEqual({ sessions: ['s2'], starts: 2, done: [1, 2], incomplete: undefined });
});

test.each([
  ['is silent', 'return;', 0],
  ['ends', 'process.exit(1);', 0],
  ['ends, and starts slowly,', 'process.exit(1);', 900],
  ['refuses', "return answer({ error: { code: -32600, message: 'initialize comes first' } });", 0],
])('where the server %s then, the session has a process of its own', async (_what, then, startMs) => {
  // Before that a third process showed that the server runs twice.
  expect(await sessionsOf(then, startMs)).toEqual({
    sessions: ['s2', 's4'],
    starts: 4,
    done: [1, 2],
    incomplete: undefined,
  });
});

test('where it ends the first process then, one runs at a time, and nothing is left out', async () => {
  const known = JSON.stringify(join(folder, 'first'));
  // The first that is asked leaves its number, by which the spare one ends it.
  const before = `const fs = require('node:fs'); if (method === 'initialize' && !asked) fs.writeFileSync(${known}, String(process.pid));`;
  const takesOver = `process.kill(Number(require('node:fs').readFileSync(${known}, 'utf8')), 'SIGKILL');`;
  expect(await sessionsOf(takesOver, 900, before)).toEqual({
    sessions: ['s2', 's4'],
    starts: 4,
    done: [1, 2],
    incomplete: undefined,
  });
});
