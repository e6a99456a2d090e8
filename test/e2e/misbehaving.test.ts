/**
 * Servers with one bad habit each are failed by the rule that names it, with the offending bytes as evidence;
 * servers that are merely unusual are failed by nothing. Some of either in `npm test`; all of them with --mode all.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultTiming } from '../../src/client/target/timing.ts';
import { freePort } from '../support/free-port.ts';
import { everything } from '../support/run/options.ts';
import { someOf } from '../support/run/some-of.ts';
import { check, evidenceText, rulesWith, verdictOf, type Checked } from './run-check.ts';

const servers = { stdio: 'odd-server.mjs', http: 'odd-http-server.mjs' } as const;
type Transport = keyof typeof servers;

/** One of the transports, by turns; both in the full run. */
const onTransports = (habit: string): Transport[] =>
  someOf(['stdio', 'http'] as const, 2, (transport) => `${habit} ${transport}`);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mcpc-odd-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const done = new Map<string, Promise<Checked>>();
/** More at a time only make each other slow. */
const limit = pLimit(2);

/** Each server is checked once, whatever the tests look at. */
function checkOdd(habit: string, transport: Transport = 'stdio'): Promise<Checked> {
  const key = `${transport} ${habit}`;
  const known = done.get(key) ?? limit(() => startCheck(habit, transport));
  done.set(key, known);
  return known;
}

/** No check of a server of this folder takes longer, however many others run at the same time (alone: 40 s). */
const mostMs = 150_000;

/** A check with everyday deadlines, which gives up when it has taken longer than any check may. */
async function startCheck(habit: string, transport: Transport): Promise<Checked> {
  const script = fileURLToPath(new URL(`servers/${servers[transport]}`, import.meta.url));
  const traceFile = path.join(folder, `${transport}-${habit}.jsonl`);
  const common = { name: habit, traceFile, timing: defaultTiming, jobs: 4, signal: AbortSignal.timeout(mostMs) };
  if (transport === 'stdio')
    return check({ ...common, target: { kind: 'stdio', command: process.execPath, args: [script, habit] } });
  const port = await freePort();
  return check({
    ...common,
    target: { kind: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: [] },
    serve: { command: process.execPath, args: [script, habit, String(port)], port },
  });
}

/** Checks wait for each other. */
const patience = { timeout: 300_000 };

/** The checks of these take more than half a minute: the full run has them. */
const lasting = new Set(['endless-pages', 'slow-replies']);
const inTime = (habit: string): boolean => everything || !lasting.has(habit);

describe('one bad habit', patience, () => {
  const habits = [
    { habit: 'banner', rule: 'stdio/stdout-purity', shows: '*** odd-server 1.0 is ready ***' },
    { habit: 'endless-pages', rule: 'pagination/cursor-continuation', shows: '"nextCursor":"page-2"' },
    {
      habit: 'answers-notifications',
      rule: 'jsonrpc/notification-response-absence',
      shows: '"result":{"noted":"notifications/',
    },
    { habit: 'backwards-progress', rule: 'progress/value-increase', shows: '"progress":1,' },
    {
      habit: 'echoes-any-version',
      rule: 'versioning/initialize-server-alternative',
      shows: '"result":{"protocolVersion":"1999-01-01"',
    },
    { habit: 'ignores-end-of-input', rule: 'stdio/shutdown-server-exit-on-eof', shows: 'the process did not end' },
  ];

  /** Rules that the same bytes break as well. */
  const alsoBroken: Record<string, string[]> = {
    // The same tools on page after page.
    'endless-pages': ['tools/name-uniqueness'],
    // Cancellations are notifications, too; and the answer has an id that no request had.
    'answers-notifications': ['cancellation/receiver-invalid-notices', 'jsonrpc/response-result-id'],
  };

  test.concurrent.each(
    someOf(
      habits.filter(({ habit }) => inTime(habit)),
      6,
      ({ habit }) => habit,
    ),
  )('$habit is failed by $rule, and by nothing unrelated', async ({ habit, rule, shows }) => {
    const checked = await checkOdd(habit);
    const verdict = verdictOf(checked, rule);
    expect(verdict.status).toBe('fail');
    expect(evidenceText(checked, verdict)).toContain(shows);
    expect(rulesWith(checked, 'fail')).toEqual([rule, ...(alsoBroken[habit] ?? [])].sort());
    expect(rulesWith(checked, 'error')).toEqual([]);
  });
});

/** Whether a cancellation overtakes the answer, or two calls run at the same moment, is for the machine to say. */
const aboutRaces = new Set([
  'cancellation/receiver-response-suppression',
  'cancellation/receiver-work-stop',
  'http/get-message-independence',
]);

/** What is decided by the reply of the tool that hangs. */
const restsOnReplies: Record<string, string[]> = { 'hanging-tool': ['tasks/capability-undeclared-processing'] };

/** Nothing may fail of these. Some are met in a run, each on one transport, by turns. */
const habitsDue = someOf(
  ['hanging-tool', 'pings-in-reply', 'asks-in-reply', 'slow-start', 'slow-replies', 'many-tools', 'large-reply'].filter(
    inTime,
  ),
  7,
  String,
);
const legal = habitsDue.flatMap((habit) => onTransports(habit).map((transport) => ({ habit, transport })));
const dueOn = (habit: string): Transport[] => legal.flatMap((one) => (one.habit === habit ? [one.transport] : []));

describe('unusual, but legal', patience, () => {
  test.concurrent.each(legal)('$habit over $transport fails nothing', async ({ habit, transport }) => {
    const checked = await checkOdd(habit, transport);
    expect(rulesWith(checked, 'fail')).toEqual([]);
    expect(rulesWith(checked, 'error')).toEqual([]);
    // Had the check been stopped at its limit, it would say so here.
    expect(checked.report.incomplete).toBe(null);
    // The check got as far as with a plain server: what it decides does not depend on the habit.
    const passed = new Set([...rulesWith(checked, 'pass'), ...(restsOnReplies[habit] ?? [])]);
    const plain = await checkOdd('none', transport);
    expect(rulesWith(plain, 'pass').filter((rule) => !passed.has(rule) && !aboutRaces.has(rule))).toEqual([]);
  });

  test.each(dueOn('many-tools'))('all pages of a long list are walked over %s', async (transport) => {
    const checked = await checkOdd('many-tools', transport);
    const names = new Set(
      [...checked.events.values()].flatMap(({ from, message }) => {
        const listed =
          from === 'server'
            ? (message as { result?: { tools?: { name: string }[] } } | undefined)?.result?.tools
            : undefined;
        return (listed ?? []).map(({ name }) => name);
      }),
    );
    expect(names.size).toBe(602);
    expect(verdictOf(checked, 'pagination/cursor-continuation').status).toBe('pass');
    expect(verdictOf(checked, 'pagination/cursor-stability').status).toBe('pass');
  });

  const asking = [
    { habit: 'pings-in-reply', method: 'ping' },
    { habit: 'asks-in-reply', method: 'sampling/createMessage' },
  ];
  test.each(asking.flatMap((one) => dueOn(one.habit).map((transport) => ({ ...one, transport }))))(
    'a $method of the server in the midst of a call is answered over $transport',
    async ({ habit, transport, method }) => {
      const checked = await checkOdd(habit, transport);
      const events = [...checked.events.values()];
      const asked = events.filter(
        ({ from, message }) => from === 'server' && (message as { method?: string } | undefined)?.method === method,
      );
      expect(asked.length).toBeGreaterThan(0);
      for (const { session, seq, message } of asked) {
        const { id } = message as { id: string };
        const answer = events.find(
          (one) =>
            one.session === session &&
            one.seq > seq &&
            one.from === 'client' &&
            (one.message as { id?: unknown } | undefined)?.id === id,
        );
        expect(answer?.message).toMatchObject({ jsonrpc: '2.0', id });
        expect(answer?.message).not.toHaveProperty('error');
      }
    },
  );

  test.each(dueOn('hanging-tool'))('a tool that hangs is left alone once that is known, over %s', async (transport) => {
    const { report, events } = await checkOdd('hanging-tool', transport);
    expect(report.skipped).toContainEqual({
      what: 'tool get-echo',
      why: 'it did not answer in time (--timeout gives it more)',
    });
    const calls = [...events.values()].filter(
      ({ from, message }) =>
        from === 'client' && (message as { params?: { name?: string } } | undefined)?.params?.name === 'get-echo',
    );
    const known = [...events.values()].find(
      ({ kind, awaited }) => kind === 'timeout' && calls.some(({ seq }) => seq === awaited),
    )!;
    expect(calls.filter(({ seq }) => seq > known.seq)).toEqual([]);
  });
});
