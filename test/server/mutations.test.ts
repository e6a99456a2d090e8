/**
 * Mutations whose rule is still to be written have an effect that is seen from outside (of the others the
 * rule proves it, see test/rules), each variant works, and the compliant server behaves the same in every
 * run (so that a difference is never chance).
 */
import pLimit from 'p-limit';
import { beforeAll, describe, expect, it } from 'vitest';
import { resolveRule } from '../support/accuracy.ts';
import { startPeer } from './harness/peer.ts';
import { play } from './harness/scenario.ts';
import type { Revision } from '../../src/server/protocol/revisions.ts';
import { casesOf, mutations } from '../../src/testkit/example-server/mutations/catalogue.ts';
import { variants } from '../../src/testkit/example-server/variants/variants.ts';
import type { ReferenceOptions } from '../../src/testkit/example-server/start.ts';

type Transport = 'stdio' | 'http' | 'sse';

/** Most of a recording is waiting, so many run at a time. */
const limit = pLimit(40);
const recordings = new Map<string, Promise<string[]>>();

/** A recording of the scenario; the same one for the same parameters and `run`. */
function record(transport: Transport, revision: Revision, options: ReferenceOptions, run = 1): Promise<string[]> {
  const key = JSON.stringify([transport, revision, options, run]);
  const recording = recordings.get(key) ?? limit(() => play(() => startPeer(transport, options), revision));
  recordings.set(key, recording);
  return recording;
}

/** The lines that only one of two recordings has, each marked with its side. */
function difference(compliant: string[], other: string[]): string[] {
  const rest = [...other];
  const missing = compliant.filter((line) => {
    const index = rest.indexOf(line);
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
  return [...missing.map((line) => `- ${line}`), ...rest.map((line) => `+ ${line}`)];
}

describe('the compliant server', () => {
  const cases = (['stdio', 'http', 'sse'] as const).flatMap((transport) =>
    (['2025-03-26', '2025-11-25', '2026-07-28'] as const)
      .filter((revision) => transport !== 'sse' || revision !== '2026-07-28')
      .map((revision) => ({ transport, revision })),
  );
  beforeAll(() => {
    for (const { transport, revision } of cases) for (const run of [1, 2]) void record(transport, revision, {}, run);
  });
  it.each(cases)('shows the same in two runs: $transport $revision', async ({ transport, revision }) => {
    // On a busy machine a pause may grow too long in one of them; then two others are compared.
    let different: string[] = [];
    for (let run = 1; run < 6; run += 2) {
      different = difference(
        await record(transport, revision, {}, run),
        await record(transport, revision, {}, run + 1),
      );
      if (different.length === 0) return;
    }
    expect(different).toEqual([]);
  });
});

describe('every mutation', () => {
  const cases = mutations.flatMap((mutation) => {
    // One revision for each transport: the newest in which the behaviour is wrong.
    const newest = mutation.transports.map((transport) =>
      casesOf(mutation).findLast((one) => one.transport === transport),
    );
    return newest.map((one) => ({ ...one, id: mutation.id, rule: mutation.rule, revisions: mutation.serve }));
  });
  const seen = cases.filter(({ rule }) => resolveRule(rule) === undefined);
  beforeAll(() => {
    for (const { transport, revision, id, revisions } of seen) {
      if (transport === undefined || revision === undefined) continue;
      void record(transport, revision, { revisions });
      void record(transport, revision, { mutation: id, revisions });
    }
  });

  it.each(seen)('$id shows on $transport', async ({ transport, revision, id, revisions }) => {
    if (transport === undefined || revision === undefined) throw new Error('no revision in which this is wrong');
    const compliant = await record(transport, revision, { revisions });
    expect(difference(compliant, await record(transport, revision, { mutation: id, revisions }))).not.toEqual([]);
  });

  it('has an id of its own and the rule in it', () => {
    expect(new Set(mutations.map(({ id }) => id)).size).toBe(mutations.length);
    for (const { id, rule } of mutations) expect(id === rule || id.startsWith(`${rule}@`)).toBe(true);
  });
});

describe('every variant', () => {
  // Those that want a token have tests of their own, in test/rules/guarded.test.ts.
  const open = variants.filter(({ guard }) => guard === undefined);
  const cases = open.flatMap((variant) => variant.transports.map((transport) => ({ id: variant.id, transport })));
  /** Plain calls of tools are refused here, which is what makes the variant. */
  const callsNothing = ['no-capabilities', 'tasks-only'];
  it.each(cases)('$id works on $transport', async ({ id, transport }) => {
    const peer = await startPeer(transport, { variant: id });
    const answer = await peer.call(1, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    expect(answer).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
    await peer.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect(await peer.call(2, 'ping')).toHaveProperty('result');
    expect(await peer.call(3, 'tools/call', { name: 'about' })).toHaveProperty(
      callsNothing.includes(id) ? 'error' : 'result',
    );
    await peer.close();
  });
});
