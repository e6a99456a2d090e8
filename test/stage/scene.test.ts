/** What the server of a situation does beside its answers. */
import { expect, test } from 'vitest';
import { stageScene } from '../../src/stage/scene/play.ts';

test('a task that is cancelled before it reports says nothing, and harms nothing', async () => {
  const bread = { name: 'bake', inputSchema: { type: 'object' }, result: { content: [] }, reportsMs: 20 };
  const { host } = stageScene({ offers: { tools: [bread], only: true } }, ['2025-11-25']);
  const stop = new AbortController();
  const reports: string[] = [];
  const failures: unknown[] = [];
  const note = (reason: unknown): void => void failures.push(reason);
  process.on('unhandledRejection', note);
  try {
    await host.tools[0]!.run({}, { signal: stop.signal, reportStatus: (message) => void reports.push(message) });
    stop.abort();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect({ reports, failures }).toEqual({ reports: [], failures: [] });
  } finally {
    process.off('unhandledRejection', note);
  }
});
