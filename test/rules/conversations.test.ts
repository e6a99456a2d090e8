/**
 * Whole conversations, judged by all rules of both parties: legal ones break no MUST, however odd they are; of the
 * others just those rules that they name fail.
 */
import { describe, expect, test } from 'vitest';
import type { Revision } from '../../src/core/model/rules/requirement.ts';
import type { RuleExample } from '../../src/core/model/rules/rule.ts';
import type { TransportKind } from '../../src/core/model/trace.ts';
import { exampleTrace } from '../../src/core/rules/examples/example-trace.ts';
import { eraOf } from '../../src/core/spec/revisions.ts';
import { judgeByAll, loadProject } from '../support/rules.ts';
import { conversations } from './conversations.ts';

const { plan } = await loadProject();

describe.each(conversations)('$name', (conversation) => {
  const { revision, on, fails = [], decides = {}, ...example } = conversation;
  test.each([on].flat().map((transport) => ({ transport })))('$transport', async ({ transport }) => {
    const outcomes = await judgeByAll(plan.rules, traceOf(example, revision, transport), 'both');
    const failed = outcomes.filter(
      ({ status, rule }) => status === 'error' || (status === 'fail' && rule.at[revision]?.severity === 'error'),
    );
    expect(failed.map(({ rule }) => rule.id).sort()).toEqual([...fails].sort());
    const statuses = Object.fromEntries(
      outcomes.filter(({ rule }) => rule.id in decides).map(({ rule, status }) => [rule.id, status]),
    );
    expect(statuses).toEqual(decides);
  });
});

function traceOf(
  example: Omit<RuleExample, 'verdict' | 'revision' | 'transport'>,
  revision: Revision,
  transport: TransportKind,
): ReturnType<typeof exampleTrace> {
  return exampleTrace({ verdict: 'pass', ...example }, { transport, revision, era: eraOf(revision) });
}
