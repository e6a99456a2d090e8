/** The expectation `rule`: compiles the conditions of cases, and holds the traffic of a case against them when it has ended. */
import { operators } from '../../../core/evaluate/operators/operators.ts';
import type { SuiteFailure, SuiteTrial } from '../../../core/model/reports/suite-report.ts';
import type { CompiledRule } from '../../../core/model/rules/rule.ts';
import type { TraceEvent, TraceHeader } from '../../../core/model/trace.ts';
import { compileCaseRule, type CaseRule } from '../../../core/rules/compile-case-rule.ts';
import type { ConditionContext } from '../../../core/rules/compile-rule.ts';
import { resolveDerivedFacts } from '../../../core/rules/derived-facts.ts';
import {
  createRuleChecker,
  readFactFiles,
  readSharedDefinitions,
  type RuleChecker,
} from '../../../files/package/load-rules.ts';
import { rulesFolder } from '../../../files/package/package-root.ts';
import type { RuleOption } from '../../language/expectations/rule.ts';
import type { Problem } from '../../language/yaml-source.ts';
import type { SuiteCase } from '../../language/model.ts';
import { demandsOfCase } from '../../language/judge/prepare.ts';
import { evidenceOf } from './case-report.ts';
import { trafficJudge } from './conformance.ts';

type Compiled = { rule: CompiledRule; problems?: undefined } | { problems: Problem[] };

let language: { checker: RuleChecker; context: ConditionContext } | undefined;
const compiled = new WeakMap<RuleOption, Compiled>();
let count = 0;

/** The rule of an option, or everything that is wrong with it, with its place. Compiled once. */
export function caseRule(option: RuleOption): Compiled {
  const known = compiled.get(option);
  if (known !== undefined) return known;
  const { checker, context } = (language ??= openLanguage());
  const unfit = checker.checkCase(option.rule);
  const made =
    unfit.length > 0
      ? { problems: unfit }
      : compileCaseRule(`suite/rule-${(count += 1)}`, option.rule as unknown as CaseRule, context);
  const result: Compiled =
    'rule' in made
      ? made
      : {
          problems: made.problems.map(({ path, message }) => ({
            ...option.placeOf(path),
            text: `rule${path === '' ? '' : `.${path}`}: ${message}`,
            severity: 'error',
          })),
        };
  compiled.set(option, result);
  return result;
}

function openLanguage(): { checker: RuleChecker; context: ConditionContext } {
  const folder = rulesFolder();
  const checker = createRuleChecker(folder, new Map(operators.map((one) => [one.name, one.option])));
  const derived = resolveDerivedFacts(readFactFiles(folder, [], checker), []);
  return {
    checker,
    context: {
      derived,
      shared: readSharedDefinitions(folder),
      operators: checker.operators,
      checkOption: checker.checkOption,
    },
  };
}

/**
 * The trial with what its rules find. A failed trial stays unchanged, unless everything is reported.
 * @param events those of the case, without secrets
 * @param clean removes secrets from a text
 * @param changed numbers of redacted events: a result that depends on them alone is undecided
 */
export async function withCaseRules(
  trial: SuiteTrial,
  one: SuiteCase,
  {
    header,
    events,
    changed,
    all,
    whole,
    clean,
  }: {
    header: TraceHeader;
    events: readonly TraceEvent[];
    changed: ReadonlySet<number>;
    all: boolean;
    whole: boolean;
    clean(text: string): string;
  },
): Promise<SuiteTrial> {
  const demands = demandsOfCase(one);
  if (demands.length === 0 || trial.status === 'undecided' || (trial.status === 'fail' && !all)) return trial;
  const rules = new Map(
    demands.flatMap((demand) =>
      'rule' in caseRule(demand.option as RuleOption)
        ? [[demand, (caseRule(demand.option as RuleOption) as { rule: CompiledRule }).rule] as const]
        : [],
    ),
  );
  const judged = await trafficJudge([...new Set(rules.values())], header, events, whole);
  const found: SuiteFailure[] = [];
  let doubtful = false;
  for (const [demand, rule] of rules) {
    const outcome = judged.outcomes.find((one) => one.rule === rule);
    if (outcome?.status === 'pass') continue;
    if (outcome?.status === 'fail' && outcome.evidence.some((seq) => changed.has(seq))) doubtful = true;
    const evidence = outcome === undefined || outcome.status !== 'fail' ? [] : outcome.evidence;
    found.push({
      step: demand.step.id,
      title: demand.step.title,
      expectation: 'rule',
      detail: clean(`rule: ${wordsOf(rule, outcome)}`),
      expected: outcome?.expected === undefined ? null : clean(outcome.expected),
      actual: outcome?.actual === undefined ? null : clean(outcome.actual),
      ...demand.place,
      evidence: evidenceOf(events, evidence),
    });
    if (!all) break;
  }
  if (found.length === 0) return trial;
  const failures = [...trial.failures, ...found];
  const detail = failures.map((failure) => failure.detail).join('\n');
  if (doubtful && trial.status !== 'fail')
    return { ...trial, failures, status: 'undecided', detail: `secrets were taken out of what is judged: ${detail}` };
  return { ...trial, failures, status: 'fail', detail };
}

type Outcome = Awaited<ReturnType<typeof trafficJudge>>['outcomes'][number];

function wordsOf({ kind }: CompiledRule, outcome: Outcome | undefined): string {
  if (outcome === undefined) return 'nothing could be judged: the revision of the connection is not known';
  const { status, selected, judged, failed, expected, actual, reason } = outcome;
  if (status === 'fail')
    return `${failed} of ${judged} ${kind} ${judged === 1 ? 'subject' : 'subjects'}: want ${expected ?? 'what stands in expect'}, got ${actual ?? 'something else'}`;
  if (status === 'error') return `nothing could be judged: ${reason ?? 'unknown reason'}`;
  return selected === 0
    ? `given selects no ${kind} of the case`
    : `given selects ${selected} ${kind} ${selected === 1 ? 'subject' : 'subjects'}, but when holds for none`;
}
