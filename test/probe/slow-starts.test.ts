/** Servers that start slowly, and slower the more of them start: a handshake is waited for as long as others let expect. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noPermission } from '../../src/core/permission/decide.ts';
import { createPeerHub } from '../../src/client/peer/open-peer.ts';
import { runProbes } from '../../src/client/schedule/run-probes.ts';
import { defaultTiming } from '../../src/client/target/timing.ts';
import { createRecorder } from '../../src/core/trace/recorder.ts';
import { thorough } from '../support/run/options.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpc-slow-starts-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.runIf(thorough)(
  'each may take four times as long as the slowest before it',
  async () => {
    // The first ones answer within the deadline, those after them do not.
    const starts = join(folder, 'starts.txt');
    const server = join(folder, 'slow.mjs');
    writeFileSync(starts, '');
    writeFileSync(
      server,
      `
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
appendFileSync(${JSON.stringify(starts)}, 's');
const waits = readFileSync(${JSON.stringify(starts)}, 'utf8').length <= 2 ? 4000 : 8500;
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const result = method === 'initialize' ? { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'slow', version: '1' } } : {};
  setTimeout(() => console.log(JSON.stringify({ jsonrpc: '2.0', id, result })), method === 'initialize' ? waits : 0);
});
`,
    );
    const timing = { ...defaultTiming, startMs: 8000 };
    const recorder = createRecorder({ keep: true });
    const hub = createPeerHub(recorder.sink, (listener) => recorder.subscribe(listener));
    const open = () =>
      hub.open({
        target: { kind: 'stdio', command: process.execPath, args: [server], env: {} },
        era: 'stateful',
        revision: '2025-11-25',
        timing,
        toolVersion: '0',
      });
    const first = await open();
    await first.handshake();
    const asks = (name: string) => ({
      steps: [{ handshake: { clientCapabilities: { experimental: { [name]: {} } } } }, 'sentinel' as const],
      rules: [name],
    });
    const { incomplete } = await runProbes({
      plan: { shared: [{ steps: ['sentinel'], rules: [] }], chains: ['a', 'b', 'c'].map((mark) => [asks(mark)]) },
      first,
      open,
      closeAll: () => first.close(),
      sink: recorder.sink,
      timing,
      jobs: 3,
      permission: noPermission,
      recordListening: () => {},
    });
    await first.close();
    expect(incomplete).toBeUndefined();
    expect(readFileSync(starts, 'utf8').length).toBeGreaterThanOrEqual(4);
    expect(recorder.events.filter(({ kind }) => kind === 'timeout')).toEqual([]);
    expect(
      recorder.events.filter(
        ({ message }) =>
          (message as { result?: { serverInfo?: unknown } } | undefined)?.result?.serverInfo !== undefined,
      ).length,
    ).toBe(readFileSync(starts, 'utf8').length);
  },
  120_000,
);
