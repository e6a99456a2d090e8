/** Plays the example of a rule about clients against the live situation of that rule, and judges what was recorded. */
import { isDeepStrictEqual } from 'node:util';
import { everything, loadPlan } from '../../../src/check/plan.ts';
import type { CompiledRule, RuleExample } from '../../../src/core/model/rules/rule.ts';
import type { RunReport } from '../../../src/core/model/reports/run-report.ts';
import { createRedactor } from '../../../src/core/trace/redaction/redact.ts';
import { functionsDriver } from '../../../src/stage/drive/functions-driver.ts';
import { openRecording } from '../../../src/stage/run/recording.ts';
import { playStart } from '../../../src/stage/run/play-start.ts';
import { servedBy, traceHeaderOf } from '../../../src/stage/run/served.ts';
import { planStarts, type PlannedStart } from '../../../src/stage/scene/start-plan.ts';
import type { ExampleSetting } from '../rules.ts';
import { asksOf, clientScript } from './script.ts';
import { patient, playScript, quick, type Patience } from './play-script.ts';

export interface PlayedExample {
  verdict: string;
  message: string | undefined;
  /** What the script has the server do, and the live one did not. */
  missed: string[];
}

/** Plays the example; should the verdict be another than `expected`, once more with patience: a loaded machine must not change it. */
export async function runClientExample(
  rule: CompiledRule,
  example: RuleExample,
  setting: ExampleSetting,
  expected?: string,
): Promise<PlayedExample> {
  const played = await play(rule, example, setting, quick);
  return expected === undefined || played.verdict === expected ? played : play(rule, example, setting, patient);
}

async function play(
  rule: CompiledRule,
  example: RuleExample,
  setting: ExampleSetting,
  patience: Patience,
): Promise<PlayedExample> {
  const { transport, revision } = setting;
  const plan = await loadPlan({ ...everything, only: [rule.id] });
  const start = await startFor(rule, example, setting);
  const script = clientScript(example, rule.situation);
  const served = { transport, spec: revision, name: 'puppet' };
  const recording = await openRecording({
    header: traceHeaderOf(served),
    plan,
    redactor: createRedactor(),
    traceFile: undefined,
    toolVersion: 'test',
  });
  let missed: string[] = [];
  const over = new AbortController();
  try {
    await playStart(start, recording, {
      driver: functionsDriver({
        connect: async (server) => {
          missed = await playScript(example, script, setting, server, {
            patience,
            ends: start.situation.closes?.after,
          });
        },
        // Otherwise nothing shows that it is done.
        ...(script.acts.some(({ act }) => act === 'client-exit') ? { close: () => {} } : {}),
      }),
      env: process.env,
      transport,
      revisions: servedBy(transport, revision),
      pinned: revision,
      startMs: 60_000,
      signal: over.signal,
      print: (line) => missed.push(line),
    });
    const report = await recording.conclude({ skipped: [] });
    return { ...verdictOf(report, rule.id), missed };
  } finally {
    recording.dispose();
  }
}

function verdictOf(report: RunReport, rule: string): Pick<PlayedExample, 'verdict' | 'message'> {
  const [part] = report.parts;
  const found = part?.verdicts.find((one) => one.rule === rule);
  if (found) return { verdict: found.status, message: found.message };
  return { verdict: part?.features?.find((one) => one.rule === rule)?.status ?? 'no verdict', message: undefined };
}

/**
 * The start that is for the rule. Of an ordinary server, which asks many things, no more than the example has it ask.
 */
async function startFor(
  rule: CompiledRule,
  example: RuleExample,
  { transport, revision }: ExampleSetting,
): Promise<PlannedStart> {
  const [plain, special] = planStarts([rule], { transport, revision });
  if (special !== undefined) return special;
  const { rules } = await loadPlan(everything);
  const [ordinary] = planStarts(rules, { transport, revision });
  const own = plain!.situation.asks ?? [];
  const others = (ordinary!.situation.asks ?? []).filter((ask) => !own.some((one) => isDeepStrictEqual(one, ask)));
  return { ...ordinary!, situation: { ...ordinary!.situation, asks: asksOf(example, [...own, ...others]) } };
}
