/** Judging the saved trace of a run gives the report of that run again, member for member. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runCheck } from '../../src/check/check.ts';
import { judgeTraceFile } from '../../src/check/judge.ts';
import { everything } from '../../src/check/plan.ts';
import type { RunReport } from '../../src/core/model/reports/run-report.ts';
import type { Target } from '../../src/client/target/target.ts';
import { someOf } from '../support/run/some-of.ts';
import { listening, smallMcp } from '../support/small-mcp.ts';
import { startReferenceServer } from '../../src/testkit/example-server/start.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'mcpc-judge-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const resolve = (file: string): string => createRequire(import.meta.url).resolve(file);

async function checkAndJudge(target: Target, name: string): Promise<RunReport> {
  const traceFile = path.join(folder, `${name}.trace.jsonl`);
  const common = { selection: everything, toolVersion: '0.0.0' };
  const live = await runCheck({
    ...common,
    target,
    name,
    fallback: false,
    spec: 'auto',
    timing: {},
    jobs: 3,
    allowDestructive: false,
    traceFile,
    secrets: [],
  });
  const again = await judgeTraceFile(traceFile, common);
  expect(live.parts[0]!.decided).toBeGreaterThan(30);
  const cited = live.parts[0]!.verdicts.flatMap(({ evidence }) => evidence.flatMap(({ events }) => events));
  expect(Math.min(...cited)).toBeGreaterThan(0);
  expect(JSON.stringify(again)).toBe(JSON.stringify(live));
  return live;
}

const references = [
  ['http', 'stateful', ['2025-11-25']],
  ['http', 'stateless', ['2026-07-28']],
  ['sse', 'stateful', ['2024-11-05']],
] as const;
/** One server in `npm test`; all with --mode all. */
const due = someOf(['published', ...references.map(String)], 4, (what) => `again ${what}`);

describe('a saved trace gives the live report', () => {
  test.runIf(due.includes('published'))('server-everything over stdio', async () => {
    const args = [resolve('@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'];
    await checkAndJudge({ kind: 'stdio', command: process.execPath, args }, 'everything');
  });

  test('a server that breaks down now and then: the run stays incomplete', async () => {
    let posts = 0;
    const failing = createServer((request, response) => {
      if (request.method !== 'POST' || (posts += 1) % 9 > 0) return smallMcp(request, response);
      request.resume();
      response.writeHead(502).end();
    });
    await listening(failing, async (port) => {
      const { incomplete, compliant } = await checkAndJudge(
        { kind: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: [] },
        'broken',
      );
      expect(incomplete).toMatch(/requests? w(?:as|ere) not answered by the server: 502/);
      expect(compliant).toBe(false);
    });
  });

  test.each(references.filter((one) => due.includes(String(one))))(
    'the reference server over %s, %s',
    async (transport, _era, revisions) => {
      const server = await startReferenceServer({ transport, revisions: [...revisions] });
      try {
        await checkAndJudge(
          { kind: transport, url: server.url, headers: [] },
          `reference-${transport}-${revisions[0]}`,
        );
      } finally {
        await server.close();
      }
    },
  );
});
