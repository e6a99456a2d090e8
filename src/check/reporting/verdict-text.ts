/** Turns the outcome of a rule into the verdict of a report: texts rendered, places looked up. */
import { excerpt } from '../../core/evaluate/conditions/engine.ts';
import { noWords, type OutcomeCase } from '../../core/evaluate/outcome-cases.ts';
import type { Failure, RuleOutcome } from '../../core/evaluate/rule-tally.ts';
import { derivation } from '../../core/facts/core/derived.ts';
import { handlebarsLibrary } from '../../report/handlebars/library.ts';
import { isObject } from '../../core/model/json.ts';
import type { CompiledRule } from '../../core/model/rules/rule.ts';
import type { EvidenceCase, ReportVerdict } from '../../core/model/reports/run-report.ts';
import type { TransportKind } from '../../core/model/trace.ts';
import { placeIn } from '../../core/spec/rule-place.ts';
import { openRow, type Surroundings } from './undecided/open-rows.ts';
import { sdkFixFor, type NamedSdk } from '../target/sdk-fixes.ts';

export type Render = (template: string, facts: Record<string, unknown>) => string;

/** Renders the texts of rules; loads Handlebars. */
export function createTextRenderer(): Render {
  const handlebars = handlebarsLibrary();
  const compiled = new Map<string, (facts: unknown) => string>();
  return (template, facts) => {
    let render = compiled.get(template);
    if (!render) compiled.set(template, (render = handlebars.compile(template, { noEscape: true, strict: false })));
    try {
      return render(facts);
    } catch {
      // Foreign data may hold an object whose toString is not a function, so it has no text.
      return render(Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, textThroughout(value)])));
    }
  };
}

/** A copy in which each structure, at any depth, reads as its JSON. */
function textThroughout(value: unknown): unknown {
  if (Array.isArray(value)) return withText(value, value.map(textThroughout));
  if (!isObject(value)) return value;
  return withText(value, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, textThroughout(part)])));
}

/** Where no rule failed, and none advises, there is nothing to render. */
export const unrendered: Render = () => {
  throw new Error('a text was to be rendered of a rule that neither failed nor advises');
};

/** Facts for a text: a structure reads as its JSON, and its parts can be named (`{{params.name}}`). */
function readable(facts: Record<string, unknown>, textFacts: CompiledRule['textFacts'] = {}): Record<string, unknown> {
  const derived = Object.entries(textFacts).map(([name, { of, steps }]): [string, unknown] => [
    name,
    derivation(steps)(facts[of.slice('subject.'.length)]),
  ]);
  const readable: Record<string, unknown> = {};
  for (const [name, value] of [...Object.entries(facts), ...derived]) {
    // Of a group, values.progress is a part of values; house.x is one of house.
    const [scope, inner] = name.split('.') as [string, string | undefined];
    if (inner === undefined) readable[name] = textThroughout(value);
    else readable[scope] = { ...(readable[scope] as object | undefined), [inner]: textThroughout(value) };
  }
  return readable;
}

/** A copy of the structure that reads as its JSON; its parts are those of `parts`. */
function withText(value: object, parts: object): object {
  return Object.defineProperty(parts, 'toString', { value: () => excerpt(value), enumerable: false });
}

/** The sentence for one failure during the run. */
export function failureText(failure: Failure, render: Render): string {
  return render(failure.rule.message, { ...readable(failure.facts, failure.rule.textFacts), ...failure.words });
}

/** @param sdk what the target is made with, where that is known */
export function verdictOf(
  outcome: RuleOutcome,
  { revision, transport }: { revision: string; transport: TransportKind },
  render: Render,
  sdk?: NamedSdk,
): ReportVerdict {
  const { rule, status } = outcome;
  const place = placeIn(rule, revision, transport)!;
  const failed = status === 'fail';
  const words = outcome.cases[0]?.words ?? noWords;
  const facts = { ...readable(outcome.facts, rule.textFacts), ...words, revision };
  const sdkFix = failed && rule.role === 'server' ? sdkFixFor(rule.id, sdk) : undefined;
  return {
    rule: rule.id,
    role: rule.role,
    title: rule.title,
    requirements: rule.requirements,
    statement: place.statement,
    area: rule.area,
    extension: place.extension,
    level: place.level,
    severity: place.severity,
    basis: place.basis,
    ref: place.ref,
    link: place.link,
    status,
    message: messageOf(outcome, facts, render),
    expected: failed ? words.expected : null,
    actual: failed && words.told !== '' ? words.told : null,
    fix: failed ? render(rule.fix, facts) : null,
    ...(sdkFix === undefined ? {} : { sdkFix: `${sdk!.name}: ${sdkFix}` }),
    advice: [...new Set(outcome.advice.map((one) => render(one.message, readable(one.facts, rule.textFacts))))],
    judged: outcome.judged,
    failed: outcome.failed,
    evidence: outcome.cases.map((one, at) => evidenceCase(one, at, outcome, { render, revision })),
    moreCases:
      status === 'not-exercised' ? 0 : Math.max(0, (failed ? outcome.failed : outcome.judged) - outcome.cases.length),
  };
}

/** The verdict of an outcome that nothing decided, as its surroundings have it. */
export function decidedOpen(verdict: ReportVerdict, outcome: RuleOutcome, around: Surroundings): ReportVerdict {
  if (verdict.status !== 'not-exercised') return verdict;
  // Something was judged; what was not is a matter of the capture.
  if (outcome.reason !== undefined)
    return {
      ...verdict,
      open: 'not-reached',
      remedy: 'record the conversation with mcpc: some cases may have failed without a trace in this capture',
    };
  const row = openRow(outcome, around);
  if (row.status === 'not-exercised')
    return {
      ...verdict,
      open: row.open,
      ...(row.remedy === undefined ? {} : { remedy: row.remedy }),
      message: `${row.open === 'conditional' ? 'Conditional' : 'Not reached'}: ${row.why}.`,
    };
  if (row.status === 'not-applicable')
    return { ...verdict, status: 'not-applicable', message: `Not applicable: ${row.why}.` };
  return {
    ...verdict,
    status: 'pass',
    message: row.why,
    evidence: [{ subject: 'handshake', events: [...around.occasions.handshake], seen: 'Not declared.' }],
  };
}

/** Maximum number of events of the first case, and of each further one. */
const mostEvents = { first: 200, further: 12 };

function evidenceCase(
  { subject, events, facts, words }: OutcomeCase,
  at: number,
  { rule, status }: RuleOutcome,
  { render, revision }: { render: Render; revision: string },
): EvidenceCase {
  const shown = events.slice(0, at === 0 ? mostEvents.first : mostEvents.further);
  return {
    subject,
    events: shown,
    ...(shown.length < events.length ? { moreEvents: events.length - shown.length } : {}),
    seen:
      status === 'fail'
        ? render(rule.message, { ...readable(facts, rule.textFacts), ...words, revision })
        : 'As required.',
  };
}

function messageOf(outcome: RuleOutcome, facts: Record<string, unknown>, render: Render): string {
  const { rule, status, judged, failed } = outcome;
  switch (status) {
    case 'fail': {
      const text = render(rule.message, facts);
      return judged > 1 ? `${text} (${failed} of ${judged} cases)` : text;
    }
    case 'pass':
      return judged === 1 ? 'Passed in the one observed case.' : `Passed in all ${judged} observed cases.`;
    case 'not-applicable':
      return `Not applicable: ${outcome.reason ?? 'the target does not offer what the requirement is about'}.`;
    case 'error':
      return `mcpc could not judge this: ${outcome.reason ?? 'unknown reason'}.`;
    case 'not-exercised':
      return outcome.reason === undefined ? 'Not exercised.' : `Not exercised: ${outcome.reason}.`;
  }
}
