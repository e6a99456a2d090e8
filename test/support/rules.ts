/** What the gates over rule files share: the compiled project rules, and judging one trace by one rule. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createJudge, type Evaluator, type JudgeResult } from '../../src/core/evaluate/judge.ts';
import { operators } from '../../src/core/evaluate/operators/operators.ts';
import type { FeatureOutcome } from '../../src/core/evaluate/feature-outcome.ts';
import type { RuleOutcome } from '../../src/core/evaluate/rule-tally.ts';
import { mergeMethodTables } from '../../src/core/facts/requests/method-table.ts';
import type { Era, Revision } from '../../src/core/model/rules/requirement.ts';
import type { CompiledRule, RuleExample } from '../../src/core/model/rules/rule.ts';
import type { Trace, TransportKind } from '../../src/core/model/trace.ts';
import {
  compileRules,
  createRuleChecker,
  readFactFiles,
  readRuleFolder,
  readSharedDefinitions,
} from '../../src/files/package/load-rules.ts';
import { loadValidators } from '../../src/files/package/load-validators.ts';
import { methodTables } from '../../src/files/package/method-tables.ts';
import { loadCatalogue } from '../../src/files/package/load-catalogue.ts';
import { eraOf, revisions } from '../../src/core/spec/revisions.ts';

const methods = mergeMethodTables(await methodTables());

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

export interface ExampleSetting {
  transport: TransportKind;
  revision: Revision;
  era: Era;
}

let project: ReturnType<typeof readProject> | undefined;

/** The rules of the project, compiled; once for all test files that share their modules. */
export function loadProject(): ReturnType<typeof readProject> {
  project ??= readProject();
  return project;
}

async function readProject() {
  const folder = path.join(root, 'rules');
  const catalogue = loadCatalogue({ generated: path.join(root, 'generated/requirements.json'), house: [] });
  const checker = createRuleChecker(folder, new Map(operators.map((one) => [one.name, one.option])));
  const sources = readRuleFolder(folder);
  const plan = compileRules(
    sources,
    checker,
    catalogue,
    readSharedDefinitions(folder),
    readFactFiles(folder, [], checker),
  );
  const byId = new Map(plan.rules.map((rule) => [rule.id, rule]));
  return { catalogue, sources, plan, rule: (id: string) => byId.get(id)! };
}

/** Revision that an example is judged at: its own, or the newest one of the rule (stateful ones first). */
export function revisionOf(rule: CompiledRule, example: RuleExample): Revision {
  if (example.revision !== undefined) return example.revision as Revision;
  const held = revisions.filter((revision) => rule.at[revision] !== undefined);
  return held.findLast((revision) => eraOf(revision) === 'stateful') ?? held.at(-1)!;
}

/** Every transport that an example has to get its verdict on. HTTP+SSE belongs to 2024-11-05. */
export function settingsOf(rule: CompiledRule, example: RuleExample): ExampleSetting[] {
  const wanted = example.transport === undefined ? rule.transports : [example.transport].flat();
  const revision = revisionOf(rule, example);
  return wanted.flatMap((transport): ExampleSetting[] => {
    const legacy = transport === 'sse' && example.revision === undefined;
    if (legacy && rule.at['2024-11-05'] === undefined) return [];
    const at = legacy ? '2024-11-05' : revision;
    return [{ transport, revision: at, era: eraOf(at) }];
  });
}

export async function judgeTrace(rule: CompiledRule, trace: Trace): Promise<RuleOutcome | undefined> {
  return (await judgeByAll([rule], trace, rule.role))[0];
}

/** What a rule says, also one of level MAY. */
export async function judgeAny(rule: CompiledRule, trace: Trace): Promise<RuleOutcome | FeatureOutcome | undefined> {
  const { outcomes, features } = await judgeWhole([rule], trace, rule.role);
  return outcomes[0] ?? features[0];
}

/** Outcomes of all rules that hold in the revision of the trace. */
export async function judgeByAll(
  rules: CompiledRule[],
  trace: Trace,
  role: 'server' | 'client' | 'both',
  evaluator: Evaluator = 'fast',
): Promise<RuleOutcome[]> {
  return (await judgeWhole(rules, trace, role, evaluator)).outcomes;
}

/** The same with what rules of level MAY saw. */
export async function judgeWhole(
  rules: CompiledRule[],
  trace: Trace,
  role: 'server' | 'client' | 'both',
  evaluator: Evaluator = 'fast',
): Promise<JudgeResult> {
  const judge = createJudge({
    rules,
    role,
    transport: trace.header.transport,
    ...(trace.header.revision === undefined ? {} : { revision: trace.header.revision }),
    evaluator,
    methods,
    knownRevisions: revisions,
    loadValidators: (revision) => loadValidators(revision as Revision),
  });
  for (const event of trace.events) await judge.push(event);
  return judge.finish();
}
