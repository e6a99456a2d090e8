/** The server behind a puppet is faultless: with an empty script it fails no rule, on any transport and revision. */
import { afterAll, describe, expect, test } from 'vitest';
import type { Revision } from '../../src/core/model/rules/requirement.ts';
import type { RuleExample } from '../../src/core/model/rules/rule.ts';
import type { TransportKind } from '../../src/core/model/trace.ts';
import { eraOf } from '../../src/core/spec/revisions.ts';
import { judgeByAll, loadProject } from '../support/rules.ts';
import { everything } from '../support/run/options.ts';
import { someOf } from '../support/run/some-of.ts';
import { probePuppet } from '../support/live-run.ts';
import { openStdioPuppets } from '../support/stdio-puppets.ts';
import { traceText } from '../support/trace-text.ts';

const project = await loadProject();
const puppets = await openStdioPuppets({ processes: everything ? 'always' : 'where needed' });
afterAll(() => puppets.dispose());

function anExample(revision: Revision): RuleExample {
  const base = { tools: {}, prompts: {}, resources: {}, logging: {} };
  return {
    verdict: 'pass',
    trace: [],
    serverCapabilities: revision === '2024-11-05' ? base : { ...base, completions: {} },
  };
}

const timing = { startMs: 20_000, answerMs: 8_000, lateMs: 150, streamEndMs: 3_000, exitMs: 3_000, closeMs: 200 };
const settings: [TransportKind, Revision][] = [
  ['stdio', '2024-11-05'],
  ['stdio', '2025-03-26'],
  ['stdio', '2025-06-18'],
  ['stdio', '2025-11-25'],
  ['stdio', '2026-07-28'],
  ['http', '2025-03-26'],
  ['http', '2025-06-18'],
  ['http', '2025-11-25'],
  ['http', '2026-07-28'],
  ['sse', '2024-11-05'],
];

describe.concurrent('the plain server', () => {
  // A ninth of them in `npm test`; all with --mode all.
  test.each(someOf(settings, 9, String))('on %s at %s', async (transport, revision) => {
    const setting = { transport, revision, era: eraOf(revision) };
    const { trace, unreachable } = await probePuppet(project.plan.rules, anExample(revision), setting, puppets, {
      timing,
      partOf: () => 'plain',
    });
    expect(unreachable).toBeUndefined();
    const outcomes = await judgeByAll(project.plan.rules, trace, 'server');
    const bad = outcomes.filter(({ status }) => status === 'fail' || status === 'error');
    const told = bad.map(
      (one) =>
        `${one.rule.id}: ${one.actual ?? one.reason}\n${traceText({ ...trace, events: trace.events.filter((event) => one.evidence.includes(event.seq)) }, 20)}`,
    );
    expect(told).toEqual([]);
    expect(outcomes.filter(({ status }) => status === 'pass').length).toBeGreaterThan(10);
  });
});
