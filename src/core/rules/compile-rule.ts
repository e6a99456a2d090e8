/**
 * Compiles a rule file: expands names, takes levels and places from its requirements, and finds all faults now rather
 * than while a target is judged.
 */
import { factNames, isKnownFact } from '../facts/registry/registry.ts';
import type { DerivedFact } from '../model/rules/derived-fact.ts';
import type { Revision } from '../model/rules/requirement.ts';
import type { CompiledRule, Condition, FeatureFile, RuleFile, RulePlace } from '../model/rules/rule.ts';
import { suggestion } from '../model/suggestion.ts';
import type { SubjectKind } from '../model/rules/subject-kind.ts';
import type { TransportKind } from '../model/trace.ts';
import { bindsParty, requirementAt, type Catalogue } from '../spec/requirements/catalogue.ts';
import { linkFor } from '../spec/requirements/links.ts';
import { severityOf } from '../spec/requirements/severity.ts';
import { revisions } from '../spec/revisions.ts';
import { compileGiven } from './compile-given.ts';
import { misfit } from './fact-fit.ts';
import { checkMutations } from './compile-mutation.ts';
import { checkSoundness, unsaidSoundness, withSoundness } from './default-soundness.ts';
import type { DerivedFacts } from './derived-facts.ts';
import { asRule, checkFeature, featurePlaces } from './feature-rule.ts';
import type { RuleProblem } from './rule-problem.ts';
import { expandCondition, expandSteps, leavesOf, otherFact, type SharedDefinitions } from './shared-definitions.ts';
import { asText } from '../model/json.ts';

export interface RuleSource {
  /** Path for messages. */
  file: string;
  /** Path below the rules folder without `.json`. */
  id: string;
  rule: RuleFile | FeatureFile;
}

/** Options for compiling conditions. */
export interface ConditionContext {
  /** Facts that follow from others. */
  derived: DerivedFacts;
  shared: SharedDefinitions;
  /** Names of the operators that conditions may use. */
  operators: ReadonlySet<string>;
  /** Checks an operator's option; the message says what is wrong, undefined that nothing is. */
  checkOption(operator: string, option: unknown): string | undefined;
}

export interface CompileContext extends ConditionContext {
  catalogue: Catalogue;
  /** The methods of all revisions and extensions; asked for only where a mutation names one. */
  methods(): readonly string[];
}

export const allTransports: TransportKind[] = ['stdio', 'http', 'sse'];
const levelOrder = ['MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT', 'MAY'];

/** @returns the compiled rule, or undefined when there are problems (which are added to the list) */
export function compileRule(
  source: RuleSource,
  context: CompileContext,
  problems: RuleProblem[],
): CompiledRule | undefined {
  const { rule: written, id, file } = source;
  const isFeature = written.uses !== undefined;
  const rule = isFeature ? asRule(written) : written;
  const before = problems.length;
  const report = (path: string, message: string): void => void problems.push({ file, path, message });

  if (!/^[a-z][a-z0-9-]*\/[a-z0-9][a-z0-9-]*$/.test(id))
    report('', `the id "${id}" is not <area>/<slug> in kebab-case`);
  checkFeature(written, report);
  const places = placesOf(rule, context.catalogue, report);
  const at = isFeature ? featurePlaces(rule, context.catalogue, places, report) : places;
  const transports = transportsOf(rule, context.catalogue);
  if (transports.length === 0) report('transports', 'none of them is a transport of the requirement');
  checkSoundness(rule.given, report);
  const unsaid = unsaidSoundness(written);
  if (unsaid !== undefined) report('given', unsaid);
  const { kind, filter, selection } = compileGiven(
    // A use counts independent of the request.
    isFeature ? rule : { ...rule, given: withSoundness(rule.given, rule.role) },
    report,
  );
  const collected = selection?.kind === 'group' ? selection.values.map(([name]) => name) : [];
  const condition = (value: Condition | undefined, path: string, sessionOnly = false): Condition | undefined => {
    if (value === undefined) return undefined;
    return checkedCondition(
      value,
      path,
      { kind: sessionOnly ? 'session' : kind, sessionOnly, collected },
      context,
      report,
    );
  };
  const applies = condition(rule.applies, 'applies', true);
  const when = condition(rule.when, 'when');
  const expect = condition(rule.expect, 'expect');
  const advice = (rule.advice ?? []).flatMap((one, index) => {
    const check = condition(one.when, `advice[${index}].when`);
    return check ? [{ when: check, message: one.message }] : [];
  });
  checkMutations(rule, () => context.methods(), report);
  const stimulus = attempt(() => rule.stimulus && expandSteps(rule.stimulus, context.shared), 'stimulus', report);
  if (problems.length > before || !expect) return undefined;
  return {
    id,
    area: id.split('/')[0]!,
    title: rule.title,
    requirements: rule.requirement,
    role: rule.role,
    ...(bindsAuthorizationServer(rule, context.catalogue) ? { ofAuthorizationServer: true as const } : {}),
    transports,
    ...(isFeature ? { feature: true as const } : {}),
    at,
    ...(stimulus ? { stimulus } : {}),
    ...(rule.situation ? { situation: rule.situation } : {}),
    isolated: rule.isolated === true,
    ...(applies ? { applies } : {}),
    ...(rule.optional ? { optional: rule.optional } : {}),
    ...(rule.onlyIf === undefined ? {} : { onlyIf: rule.onlyIf }),
    kind,
    filter,
    ...(selection ? { selection } : {}),
    ...(when ? { when } : {}),
    expect,
    advice,
    message: rule.message,
    fix: rule.fix,
    ...textFactsOf(rule, kind, context.derived),
  };
}

/** The derived facts that the texts of a rule name. */
function textFactsOf(
  rule: RuleFile,
  kind: SubjectKind,
  derived: DerivedFacts,
): { textFacts?: Record<string, DerivedFact> } {
  const texts = [rule.message, rule.fix, ...(rule.advice ?? []).map(({ message }) => message)].join('\n');
  // Of a name with dots the first is the fact, and the others are parts of it; but house.x is one name.
  const names = new Set(
    [...texts.matchAll(/\{\{[{#/]?(?:(?:if|unless|each|with) )?([a-z][a-zA-Z0-9]*(?:\.[a-z][a-zA-Z0-9]*)?)/g)].map(
      ([, name]) => (name!.startsWith('house.') ? name! : name!.split('.')[0]!),
    ),
  );
  const found = [...names].flatMap((name): [string, DerivedFact][] => {
    const fact = derived.find(kind, name.startsWith('house.') ? name : `subject.${name}`);
    // Texts read the facts of the subject alone.
    return fact?.of.startsWith('subject.') ? [[name, fact]] : [];
  });
  return found.length === 0 ? {} : { textFacts: Object.fromEntries(found) };
}

type Report = (path: string, message: string) => void;

function attempt<T>(work: () => T, path: string, report: Report): T | undefined {
  try {
    return work();
  } catch (error) {
    report(path, error instanceof Error ? error.message : asText(error));
    return undefined;
  }
}

/**
 * A condition with expanded names.
 * @param report called for every fault; the result is useless then
 */
export function checkedCondition(
  value: Condition,
  path: string,
  { kind, sessionOnly, collected }: { kind: SubjectKind; sessionOnly: boolean; collected: readonly string[] },
  context: ConditionContext,
  report: Report,
): Condition | undefined {
  const expanded = attempt(() => expandCondition(value, context.shared), path, report);
  if (!expanded) return undefined;
  for (const { leaf, path: place } of leavesOf(expanded, path)) {
    if (sessionOnly && !leaf.fact.startsWith('session.'))
      report(place, 'only session facts can say whether a rule applies');
    const known = (fact: string): boolean =>
      isKnownFact(kind, fact, collected) || context.derived.find(kind, fact) !== undefined;
    if (!known(leaf.fact)) report(place, unknownFact(leaf.fact, kind, context.derived));
    if (!context.operators.has(leaf.operator)) {
      report(
        place,
        `unknown operator "${leaf.operator}".${suggestion(leaf.operator, [...context.operators])} Known: ${[...context.operators].join(', ')}`,
      );
      continue;
    }
    const unmet = misfit(kind, leaf);
    if (unmet !== undefined) report(place, unmet);
    // A value may be taken from another fact; its option is then known only when judging.
    const fromFact = typeof leaf.value === 'object' && leaf.value !== null && 'fact' in leaf.value;
    if (fromFact) {
      const other = asText((leaf.value as { fact: unknown }).fact);
      if (!known(other)) report(place, unknownFact(other, kind, context.derived));
      continue;
    }
    const wrong = context.checkOption(leaf.operator, leaf.value);
    if (wrong !== undefined) report(place, `wrong value for ${leaf.operator}: ${wrong}`);
  }
  return withDerived(expanded, kind, context.derived);
}

function unknownFact(fact: string, kind: SubjectKind, derived: DerivedFacts): string {
  const made = derived.entries.map(({ name }) =>
    name.startsWith(`${kind}.`) ? `subject.${name.slice(kind.length + 1)}` : name,
  );
  return `unknown fact "${fact}" for ${kind} subjects.${suggestion(fact, [...factNames(kind), ...made])} generated/FACTS.md lists them.`;
}

/** The condition with what its derived facts follow from. */
function withDerived(condition: Condition, kind: SubjectKind, derived: DerivedFacts): Condition {
  if ('all' in condition) return { all: condition.all.map((one) => withDerived(one, kind, derived)) };
  if ('any' in condition) return { any: condition.any.map((one) => withDerived(one, kind, derived)) };
  if ('not' in condition) return { not: withDerived(condition.not, kind, derived) };
  if ('condition' in condition) return condition;
  const fact = derived.find(kind, condition.fact);
  const source = otherFact(condition.value);
  const sourceFact = source && derived.find(kind, source.fact);
  return {
    ...condition,
    ...(sourceFact ? { value: { ...source, derived: sourceFact } } : {}),
    ...(fact ? { derived: fact } : {}),
  };
}

/** The strongest level among the requirements that bind the rule's party, per revision. */
function placesOf(rule: RuleFile, catalogue: Catalogue, report: Report): Record<string, RulePlace> {
  const places: Record<string, RulePlace> = {};
  rule.requirement.forEach((id, index) => {
    if (!catalogue.byId.has(id))
      report(`requirement[${index}]`, `no requirement "${id}" in rules/spec or the house files`);
  });
  const extensions = new Set(
    rule.requirement.flatMap((id) => catalogue.byId.get(id) ?? []).map(({ extension }) => extension),
  );
  if (extensions.size > 1)
    report(
      'requirement',
      'requirements of an extension and others cannot share a rule: what an extension demands is reported by itself',
    );
  for (const revision of revisions) {
    const found = rule.requirement
      .map((id) => requirementAt(catalogue, id, revision as Revision))
      .filter((one) => one !== null)
      .filter((one) => bindsParty(one, rule.role))
      .sort((a, b) => levelOrder.indexOf(a.level) - levelOrder.indexOf(b.level));
    const [strongest] = found;
    if (!strongest) continue;
    places[revision] = {
      level: strongest.level,
      severity: severityOf(strongest.level, strongest.basis, strongest.extension),
      ...(strongest.level.startsWith('MUST') && (strongest.basis === 'prose' || strongest.basis === 'contested')
        ? { basis: strongest.basis }
        : {}),
      statement: strongest.statement,
      ref: strongest.ref,
      link: linkFor(strongest.ref, revision as Revision, strongest.extension),
      extension: strongest.extension,
    };
  }
  if (Object.keys(places).length === 0 && rule.requirement.some((id) => catalogue.byId.has(id)))
    report('role', `none of the requirements binds the ${rule.role} in any revision`);
  return places;
}

/** Every transport that a requirement of the rule has in some revision. */
/** A server's rule that decides a requirement on its authorization server as well, in some revision. */
function bindsAuthorizationServer({ requirement, role }: RuleFile, { byId }: Catalogue): boolean {
  if (role !== 'server') return false;
  const found = requirement.flatMap((id) => byId.get(id) ?? []);
  return found.some((one) =>
    [one, ...Object.values(one.variants ?? {})].some(({ role: bound }) => bound === 'authorization-server'),
  );
}

function transportsOf(rule: RuleFile, catalogue: Catalogue): TransportKind[] {
  const named = rule.requirement.flatMap((id) => {
    const requirement = catalogue.byId.get(id);
    const variants = Object.values(requirement?.variants ?? {});
    return [requirement, ...variants].flatMap((one) => [...(one?.transports ?? [])]);
  });
  const all = named.includes('*') ? allTransports : allTransports.filter((one) => (named as string[]).includes(one));
  return rule.transports ? all.filter((one) => rule.transports!.includes(one)) : all;
}
