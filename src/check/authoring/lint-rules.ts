/**
 * Checks rule files without a server: form, names, and the verdict of every example. Every condition of `expect` must
 * be false in some failing example, and the texts of that example must be readable.
 */
import { compileWith, openCatalogue } from '../project.ts';
import { createTextRenderer, verdictOf, type Render } from '../reporting/verdict-text.ts';
import { createJudge } from '../../core/evaluate/judge.ts';
import type { FeatureOutcome } from '../../core/evaluate/feature-outcome.ts';
import type { RuleOutcome } from '../../core/evaluate/rule-tally.ts';
import type { MethodTable } from '../../core/facts/state/subject.ts';
import { mergeMethodTables } from '../../core/facts/requests/method-table.ts';
import type { Revision } from '../../core/model/rules/requirement.ts';
import type { CompiledRule, RuleExample } from '../../core/model/rules/rule.ts';
import type { Trace } from '../../core/model/trace.ts';
import type { RuleSource } from '../../core/rules/compile-rule.ts';
import type { ExampleSetting } from '../../core/rules/examples/example-setting.ts';
import { exampleTrace } from '../../core/rules/examples/example-trace.ts';
import { readHouseRules, readRuleFolder } from '../../files/package/load-rules.ts';
import { withRuleCode } from '../../files/package/rule-code.ts';
import { RuleFileError, withLines } from '../../files/package/rule-file-error.ts';
import { type RuleProblem } from '../../core/rules/rule-problem.ts';
import { leavesOf } from '../../core/rules/shared-definitions.ts';
import { loadValidators } from '../../files/package/load-validators.ts';
import { methodTables } from '../../files/package/method-tables.ts';
import { rulesFolder } from '../../files/package/package-root.ts';
import { eraOf, isKnownRevision, revisions } from '../../core/spec/revisions.ts';
import { asText } from '../../core/model/json.ts';
import { leftOfScaffold } from './rule-scaffold.ts';
import { openRuleWords, type RuleWords } from './rule-words.ts';

export interface LintResult {
  rules: number;
  /** Examples that were judged, counted once for each transport. */
  examples: number;
  problems: RuleProblem[];
}

/**
 * @param files paths or globs of rule files; mcpc's own rules when empty
 * @param facts paths of files of derived facts
 * @param rulesCode runs the code that the rules bring
 * @throws RequirementsError for broken requirement files, McpcError usage for code that is not to run
 */
export async function lintRules(
  files: readonly string[],
  houseRequirements: readonly string[],
  facts: readonly string[],
  rulesCode = false,
): Promise<LintResult> {
  const houseFacts = withRuleCode(files, facts, rulesCode);
  const catalogue = openCatalogue(houseRequirements);
  let sources: RuleSource[] = [];
  let rules: CompiledRule[];
  try {
    sources = files.length === 0 ? readRuleFolder(rulesFolder()) : readHouseRules(files);
    ({ rules } = compileWith(sources, catalogue, houseFacts));
  } catch (error) {
    if (!(error instanceof RuleFileError)) throw error;
    return { rules: sources.length, examples: 0, problems: [...error.problems] };
  }
  const tools: Tools = {
    methods: mergeMethodTables(await methodTables()),
    render: createTextRenderer(),
    words: openRuleWords(houseFacts),
  };
  const result: LintResult = { rules: sources.length, examples: 0, problems: [] };
  for (const [index, source] of sources.entries()) await lintExamples(source, rules[index]!, tools, result);
  return { ...result, problems: withLines(result.problems) };
}

/** Inputs for the check of all rules. */
interface Tools {
  methods: MethodTable;
  render: Render;
  words: RuleWords;
}

async function lintExamples(
  source: RuleSource,
  rule: CompiledRule,
  { methods, render, words }: Tools,
  result: LintResult,
): Promise<void> {
  const alive = new Set<string>();
  const report = (path: string, message: string): void =>
    void result.problems.push({ file: source.file, path, message });
  const unfinished = leftOfScaffold(source.rule);
  for (const { path, message } of unfinished) report(path, message);
  // The examples still belong to the scaffold.
  if (unfinished.some(({ path }) => path === 'given')) return;
  for (const { text, why } of words.foreign(rule, JSON.stringify(source.rule.examples))) report(text, why);
  for (const [index, example] of source.rule.examples.entries()) {
    const place = `examples[${index}]`;
    const settings = exampleSettings(rule, example);
    if (settings.length === 0) report(place, 'no transport and revision of the rule fits it');
    for (const [at, setting] of settings.entries()) {
      result.examples += 1;
      const trace = exampleTrace(example, setting);
      const outcome = await judgeExample(rule, trace, setting, methods).catch((error: unknown) =>
        error instanceof Error ? error.message : asText(error),
      );
      if (typeof outcome === 'string') {
        report(place, outcome);
        continue;
      }
      for (const leaf of outcome?.leaves ?? [])
        if (!leaf.holds) alive.add(leafKey(leaf.fact, leaf.path, leaf.operator.replace(/^not /, '')));
      const status = outcome?.status ?? (rule.feature === true ? 'not-seen' : 'not-exercised');
      if (status === 'fail' && at === 0)
        for (const { text, why } of [
          ...words.ofVerdict(verdictOf(outcome as RuleOutcome, setting, render), rule, JSON.stringify(trace.events)),
          ...words.zeroes(rule, (outcome as RuleOutcome).facts),
        ])
          report(place, `${text} ${why}`);
      if (status === example.verdict) continue;
      const why = outcome?.reason ?? outcome?.actual;
      report(
        place,
        `gets ${status} on ${setting.transport} at ${setting.revision}, but is labelled ${example.verdict}${why === undefined ? '' : ` (${why})`}`,
      );
    }
  }
  if (rule.feature === true) return;
  for (const { leaf, path } of leavesOf(rule.expect, 'expect')) {
    if (!alive.has(leafKey(leaf.fact, leaf.path, leaf.operator)))
      report(path, `no failing example makes the condition on ${leaf.fact}${leaf.path?.slice(1) ?? ''} false`);
  }
}

function leafKey(fact: string, path: string | undefined, operator: string): string {
  return JSON.stringify([fact, path ?? null, operator]);
}

/** Every transport on which an example has to get its verdict; HTTP+SSE belongs to 2024-11-05. */
function exampleSettings(rule: CompiledRule, example: RuleExample): (ExampleSetting & { revision: Revision })[] {
  const held = revisions.filter((revision) => rule.at[revision] !== undefined);
  const own = isKnownRevision(example.revision)
    ? example.revision
    : (held.findLast((revision) => eraOf(revision) === 'stateful') ?? held.at(-1));
  if (own === undefined) return [];
  const wanted = example.transport === undefined ? rule.transports : [example.transport].flat();
  return wanted.flatMap((transport) => {
    const legacy = transport === 'sse' && example.revision === undefined;
    if (legacy && rule.at['2024-11-05'] === undefined) return [];
    const revision: Revision = legacy ? '2024-11-05' : own;
    return [{ transport, revision, era: eraOf(revision) }];
  });
}

async function judgeExample(
  rule: CompiledRule,
  trace: Trace,
  setting: ExampleSetting,
  methods: MethodTable,
): Promise<RuleOutcome | FeatureOutcome | undefined> {
  const judge = createJudge({
    rules: [rule],
    role: rule.role,
    transport: setting.transport,
    revision: setting.revision,
    methods,
    knownRevisions: revisions,
    loadValidators,
  });
  for (const event of trace.events) await judge.push(event);
  const { outcomes, features } = await judge.finish();
  return outcomes[0] ?? features[0];
}
