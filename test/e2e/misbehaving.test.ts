/**
 * Servers with one bad habit each are failed by the rule that names it, with the offending bytes as evidence;
 * servers that are merely unusual are failed by nothing.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { check, evidenceText, rulesWith, verdictOf, type Checked } from './run-check.ts';

const server = fileURLToPath(new URL('servers/odd-server.mjs', import.meta.url));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mcpc-odd-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const done = new Map<string, Promise<Checked>>();
/** More at a time only make each other slow. */
const limit = pLimit(2);

/** Each server is checked once, whatever the tests look at. */
function checkOdd(habit: string, answerMs = 4000): Promise<Checked> {
  const known = done.get(habit) ?? limit(() => startCheck(habit, answerMs));
  done.set(habit, known);
  return known;
}

function startCheck(habit: string, answerMs: number): Promise<Checked> {
  return check({
    name: habit,
    target: { kind: 'stdio', command: process.execPath, args: [server, habit] },
    traceFile: path.join(folder, `${habit}.jsonl`),
    timing: { answerMs },
  });
}

/** Checks wait for each other. */
const patience = { timeout: 300_000 };

describe('one bad habit', patience, () => {
  const habits = [
    { habit: 'banner', rule: 'stdio/stdout-purity', shows: '*** odd-server 1.0 is ready ***' },
    { habit: 'endless-pages', rule: 'pagination/cursor-continuation', shows: '"nextCursor":"page-2"' },
    { habit: 'answers-notifications', rule: 'jsonrpc/notification-response-absence', shows: '"result":{"noted":"notifications/' },
    { habit: 'backwards-progress', rule: 'progress/value-increase', shows: '"progress":1,' },
    { habit: 'echoes-any-version', rule: 'versioning/initialize-server-alternative', shows: '"result":{"protocolVersion":"1999-01-01"' },
    { habit: 'ignores-end-of-input', rule: 'stdio/shutdown-server-exit-on-eof', shows: 'the process did not end' },
  ];

  /** Rules that the same bytes break as well. */
  const alsoBroken: Record<string, string[]> = {
    // The same tools on page after page.
    'endless-pages': ['tools/name-uniqueness'],
    // Cancellations are notifications, too; and the answer has an id that no request had.
    'answers-notifications': ['cancellation/receiver-invalid-notices', 'jsonrpc/response-result-id'],
  };

  test.concurrent.each(habits)('$habit is failed by $rule, and by nothing unrelated', async ({ habit, rule, shows }) => {
    const checked = await checkOdd(habit);
    const verdict = verdictOf(checked, rule);
    expect(verdict.status).toBe('fail');
    expect(evidenceText(checked, verdict)).toContain(shows);
    expect(rulesWith(checked, 'fail')).toEqual([rule, ...(alsoBroken[habit] ?? [])].sort());
    expect(rulesWith(checked, 'error')).toEqual([]);
  });
});

describe('unusual, but legal', patience, () => {
  test.concurrent.each([
    { habit: 'none' },
    { habit: 'hanging-tool', answerMs: 1500 },
    { habit: 'pings-in-reply' },
    { habit: 'slow-start' },
    { habit: 'many-tools' },
    { habit: 'large-reply' },
  ])('$habit fails nothing', async ({ habit, answerMs }) => {
    const checked = await checkOdd(habit, answerMs);
    expect(rulesWith(checked, 'fail')).toEqual([]);
    expect(rulesWith(checked, 'error')).toEqual([]);
    expect(checked.report.incomplete).toBe(null);
    // The check got as far as with a plain server: what it decides does not depend on the habit.
    for (const rule of ['ping/answer-promptness', 'tools/list-result-schema', 'errors/code-method-not-found', 'stdio/stdout-purity']) {
      expect(verdictOf(checked, rule).status, rule).toBe('pass');
    }
  });

  test('all pages of a long list are walked', async () => {
    const checked = await checkOdd('many-tools');
    const names = new Set(
      [...checked.events.values()].flatMap(({ from, message }) => {
        const listed = from === 'server' ? (message as { result?: { tools?: { name: string }[] } } | undefined)?.result?.tools : undefined;
        return (listed ?? []).map(({ name }) => name);
      }),
    );
    expect(names.size).toBe(602);
    expect(verdictOf(checked, 'pagination/cursor-continuation').status).toBe('pass');
    expect(verdictOf(checked, 'pagination/cursor-stability').status).toBe('pass');
  });

  test('a ping of the server in the midst of a call is answered', async () => {
    const checked = await checkOdd('pings-in-reply');
    const events = [...checked.events.values()];
    const pings = events.filter(({ from, message }) => from === 'server' && (message as { method?: string } | undefined)?.method === 'ping');
    expect(pings.length).toBeGreaterThan(0);
    for (const { session, seq, message } of pings) {
      const { id } = message as { id: string };
      const answer = events.find((one) => one.session === session && one.seq > seq && one.from === 'client' && (one.message as { id?: unknown } | undefined)?.id === id);
      expect(answer?.message).toEqual({ jsonrpc: '2.0', id, result: {} });
    }
  });
});
