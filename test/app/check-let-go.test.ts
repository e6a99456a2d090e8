/** A process that checks many servers, as a worker of a fleet does, keeps nothing of those that are done. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { runCheck } from '../../src/check/check.ts';
import { everything } from '../../src/check/plan.ts';
import type { Target } from '../../src/client/target/target.ts';
import { serveInMemory, startReferenceServer } from '../../src/testkit/example-server/start.ts';

/** What the check holds is known by a listener of its own, which it keeps as long as anything of itself. */
async function checked(target: Target): Promise<WeakRef<object>> {
  const onHeader = (): void => {};
  const report = await runCheck({
    target,
    name: 'reference',
    fallback: false,
    spec: '2025-11-25',
    selection: { ...everything, only: ['ping/answer-empty-result'] },
    timing: {},
    jobs: 1,
    mostJobs: 1,
    allowDestructive: false,
    secrets: [],
    toolVersion: '0',
    onHeader,
  });
  expect(report.parts[0]!.counts.pass).toBe(1);
  return new WeakRef(onHeader);
}

async function heldAfter(target: Target): Promise<number> {
  const made: WeakRef<object>[] = [];
  for (let n = 0; n < 4; n += 1) made.push(await checked(target));
  // What a WeakRef was made of is held until the turn is over.
  await new Promise((resolve) => setImmediate(resolve));
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const held = (): number => made.filter((ref) => ref.deref() !== undefined).length;
  // A socket that is being closed holds its check a little longer; what leaks stays for good.
  for (let tries = 0; tries < 20; tries += 1) {
    collect();
    if (held() < 2) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return held();
}

// The last one may still be at hand somewhere.
test('nothing of a check on stdio is held once it is over', async () => {
  expect(await heldAfter({ kind: 'stdio', command: 'reference', args: [], serve: serveInMemory({}) })).toBeLessThan(2);
});

test('nothing of a check over HTTP is held once it is over', async () => {
  const server = await startReferenceServer({ transport: 'http' });
  try {
    expect(await heldAfter({ kind: 'http', url: server.url, headers: [] })).toBeLessThan(2);
  } finally {
    await server.close();
  }
});
