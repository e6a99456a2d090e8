/** A process that checks many servers, as a worker of a fleet does, keeps nothing of those that are done. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { runCheck } from '../../src/app/check.ts';
import { everything } from '../../src/app/plan.ts';
import type { Target } from '../../src/probe/target.ts';
import { serveInMemory, startReferenceServer } from '../reference/start.ts';

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
  (runInNewContext('gc') as () => void)();
  return made.filter((ref) => ref.deref() !== undefined).length;
}

// Of four the last ones may still be at hand somewhere.
test('nothing of a check on stdio is held once it is over', async () => {
  expect(await heldAfter({ kind: 'stdio', command: 'reference', args: [], serve: serveInMemory({}) })).toBeLessThan(3);
});

test('nothing of a check over HTTP is held once it is over', async () => {
  const server = await startReferenceServer({ transport: 'http' });
  try {
    expect(await heldAfter({ kind: 'http', url: server.url, headers: [] })).toBeLessThan(3);
  } finally {
    await server.close();
  }
});
