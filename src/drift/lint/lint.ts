/**
 * Applies the rules of rules/language/lint.json to the tools of a server, and the rules of rules/tool-surface to all
 * texts that it offers. Both are advice: a finding is no violation of the specification.
 */
import table from '../../../rules/language/lint.json' with { type: 'json' };
import { createTextRenderer, type Render } from '../../check/reporting/verdict-text.ts';
import type { Offer } from '../../core/drift/lock.ts';
import { compilePredicate } from '../../core/evaluate/conditions/predicate.ts';
import { surfaceIn } from '../../core/facts/tool-surface/surface-texts.ts';
import { asText, type JsonObject } from '../../core/model/json.ts';
import { append } from '../../core/model/lists.ts';
import type { LintFinding, LintFix, LintReport } from '../../core/drift/lint-report.ts';
import type { CompiledRule, Condition } from '../../core/model/rules/rule.ts';
import { subjectsOf, type LintSubject, type RecordedCalls } from './subjects.ts';

interface LintRule {
  code: string;
  severity: LintFinding['severity'];
  of: LintSubject['of'];
  requirement: string;
  when: Condition;
  message: string;
  field: string;
  fixes?: { when?: Condition; action: string; value: string }[];
}

export const lintRules = table.rules as LintRule[];

export interface LintInput {
  server: string;
  offer: Offer;
  /** Calls of a recording; empty for a live server, of which nothing is called. */
  calls: readonly RecordedCalls[];
  /** Largest result that is not reported, in bytes. */
  maxBytes: number;
  /** Codes and ids of rules to leave out. */
  skip: ReadonlySet<string>;
  /** The rules of rules/tool-surface, compiled. */
  surfaceRules: readonly CompiledRule[];
}

/** @returns the report, and a suggestion for each finding that has one */
export function lintOffer(input: LintInput): { report: LintReport; fixes: LintFix[] } {
  const { server, offer } = input;
  const render = createTextRenderer();
  const { findings, fixes } = adviceOn(input, render);
  append(findings, surfaceFindings(input, render));
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return {
    report: { server, tools: offer.tools.length, findings, errors, warnings: findings.length - errors },
    fixes,
  };
}

function adviceOn(
  { offer, calls, maxBytes, skip }: LintInput,
  render: Render,
): { findings: LintFinding[]; fixes: LintFix[] } {
  const chosen = lintRules
    .filter(({ code }) => !skip.has(code))
    .map((rule) => ({ rule, holds: holdsOf(rule.when), fixes: (rule.fixes ?? []).map(withHolds) }));
  const findings: LintFinding[] = [];
  const suggested: LintFix[] = [];
  for (const { of, tool, facts } of subjectsOf(offer.tools, calls, maxBytes))
    for (const { rule, holds, fixes } of chosen) {
      if (rule.of !== of || !holds(facts)) continue;
      const { code, severity } = rule;
      const field = render(rule.field, facts);
      const message = render(rule.message, facts);
      findings.push({ tool, code, severity, message, field });
      const fix = fixes.find((one) => one.holds(facts));
      if (fix === undefined) continue;
      const value = render(fix.value, facts).trim();
      suggested.push({ tool, code, field, action: fix.action, value, message });
    }
  return { findings, fixes: suggested };
}

function withHolds<F extends { when?: Condition }>(fix: F): F & { holds: (facts: JsonObject) => boolean } {
  return { ...fix, holds: fix.when === undefined ? () => true : holdsOf(fix.when) };
}

function holdsOf(condition: Condition): (facts: JsonObject) => boolean {
  const predicate = compilePredicate(condition, { schemaFindings: () => undefined });
  return (facts) => predicate({ kind: 'message', facts, events: [] });
}

/** The rules about hidden characters and long texts, for each tool and each other list. */
function surfaceFindings({ offer, skip, surfaceRules }: LintInput, render: Render): LintFinding[] {
  const chosen = surfaceRules.filter(({ id }) => !skip.has(id)).map((rule) => ({ rule, holds: holdsOf(rule.expect) }));
  const { instructions, serverInfo, tools, prompts, resources, templates } = offer;
  const offered: [tool: string, value: unknown][] = [
    ['(server)', { instructions, serverInfo }],
    ...tools.map((tool): [string, unknown] => [asText(tool['name']), tool]),
    ['(prompts)', prompts],
    ['(resources)', resources],
    ['(resource templates)', templates],
  ];
  return offered.flatMap(([tool, value]) => {
    const surface = surfaceIn(value, '');
    if (surface === undefined) return [];
    return chosen
      .filter(({ holds }) => !holds({ surface }))
      .map(
        ({ rule }): LintFinding => ({
          tool,
          code: rule.id,
          severity: 'warning',
          message: render(rule.message, { surface }),
        }),
      );
  });
}
