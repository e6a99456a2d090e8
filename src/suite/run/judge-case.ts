/**
 * Judges a case by what its record holds, step by step. The runner asks after each step whether to go on; a kept
 * trace is judged by the same code. Pure.
 */
import { append } from '../../model/lists.ts';
import type { Finding, Notice, Subject } from '../expectations/subject.ts';
import type { Place } from '../file/yaml-source.ts';
import type { Demand, JudgeCalls, SendRequest, Step, SuiteCase } from '../model.ts';
import type { CaseRecord, SentRequest, StepRecord } from './case-record.ts';
import { progressOf } from './case-record.ts';
import { judgeCalls } from './judge-calls.ts';
import { lookUp, parseJson, pathSteps } from './json-text.ts';
import { substitute } from './substitute.ts';
import type { Variables } from './substitute.ts';
import { textOf } from './views.ts';

export interface Failure {
  step: string;
  title: string;
  /** Name of the expectation; undefined when the step itself went wrong. */
  expectation?: string;
  words: string;
  expected?: string;
  actual?: string;
  place: Place;
  /** Events that show it: the exchange, and what else the expectation read. */
  seqs: number[];
}

export interface CaseVerdict {
  status: 'pass' | 'fail';
  failures: Failure[];
}

export interface CaseJudge {
  readonly variables: Variables;
  /** Judges the next step, which has been carried out. False when the case is to be ended. */
  settle(step: Step): boolean;
  /** Whether what has come so far is enough for a step that observes, whatever else may come. */
  enough(step: Step): boolean;
  /** Whether an update of a resource has come. */
  updated(): boolean;
  verdict(): CaseVerdict;
}

export interface JudgeOptions {
  /** Tell every expectation that does not hold, not only the first. */
  all?: boolean;
}

export function createCaseJudge(one: SuiteCase, record: CaseRecord, options: JudgeOptions = {}): CaseJudge {
  const failures: Failure[] = [];
  let settled = 0;
  const values = new Map<string, unknown>();
  const variables: Variables = {
    get fixture() {
      return record.fixture;
    },
    values,
  };

  function settle(step: Step): boolean {
    const seen = record.steps.get(step.id);
    const found = seen === undefined ? [failure(step, { words: `${step.title} was not carried out` })] : judgeStep(step, seen);
    settled += 1;
    append(failures, found);
    return found.length === 0 || (step.phase === 'main' && options.all === true);
  }

  function judgeStep(step: Step, seen: StepRecord): Failure[] {
    if (seen.stopped) return [failure(step, { words: seen.stopped.words, seqs: seqsOf(seen) })];
    const { act } = step;
    if (seen.done === true) return [];
    if (act.kind === 'impossible') return [failure(step, { words: act.words })];
    if (act.kind === 'calls') return judgeLog(step, act, seen);
    if (act.kind === 'await-update') return judgeUpdate(step, act.wanted);
    const subject = act.kind === 'observe' ? subjectOf(undefined, undefined, seen) : answered(act, seen);
    if ('words' in subject) return [failure(step, { words: subject.words, seqs: seqsOf(seen) })];
    const found = demanded(step, subject, seen);
    if (found.length > 0) return found;
    const lost = capture(step, subject);
    return lost === undefined ? [] : [failure(step, { words: lost, seqs: seqsOf(seen) })];
  }

  /** The answer of a request as expectations see it, or why there is none. */
  function answered(act: SendRequest, seen: StepRecord): Subject | { words: string } {
    const last = seen.requests.at(-1);
    const refused = seen.requests.find(({ answer }) => answer !== undefined && !('result' in answer.message));
    if (refused) return { words: `${act.failed}: ${errorWords(refused.answer!.message['error'])}` };
    if (last?.answer === undefined) return { words: `${act.failed}: no answer came` };
    const results = seen.requests.map(({ answer }) => answer!.message['result']);
    return subjectOf(act.pages === undefined ? results.at(-1) : joined(results, act.pages), { act, sent: last }, seen);
  }

  function subjectOf(result: unknown, call: { act: SendRequest; sent: SentRequest } | undefined, seen: StepRecord): Subject {
    return {
      text: call === undefined ? '' : textOf(result, call.act.view),
      isError: typeof result === 'object' && result !== null && (result as { isError?: unknown }).isError === true,
      result,
      notices: record.notices,
      progress: call === undefined ? [] : progressOf(call.sent, record.notices),
      file: (path, when) => seen[when].get(path),
    };
  }

  function demanded(step: Step, subject: Subject, seen: StepRecord): Failure[] {
    const found: Failure[] = [];
    for (const demand of step.demands) {
      const finding = demand.expectation.test(subject, optionOf(demand));
      if (finding === undefined) continue;
      const response = subject.isError ? `; server response: ${subject.text}` : '';
      found.push(failure(step, { ...finding, words: `${finding.words}${response}`, seqs: [...seqsOf(seen), ...(finding.seqs ?? [])] }, demand));
      if (options.all !== true) break;
    }
    return found;
  }

  function optionOf(demand: Demand): unknown {
    if (demand.expectation.files === undefined || demand.scope === 'none') return substitute(demand.option, demand.scope, variables);
    return withPaths(demand.option, (text) => substitute(text, demand.scope, variables));
  }

  function capture(step: Step, subject: Subject): string | undefined {
    for (const [name, path] of Object.entries(step.capture)) {
      const found = captured(subject.text, path);
      if ('problem' in found) return `setup step ${step.title.replace(/^\S+ /, '')}: capture ${JSON.stringify(name)} from ${JSON.stringify(path)} failed: ${found.problem}`;
      values.set(name, found.value);
    }
    return undefined;
  }

  function judgeUpdate(step: Step, wanted: boolean): Failure[] {
    const updates = updatesIn(record.notices);
    if (wanted === updates.length > 0) return [];
    const words = wanted ? 'expected resource update notification, none came' : `expected no resource update notification, got ${updates.length}`;
    return [failure(step, { words, expected: wanted ? 'notifications/resources/updated' : 'none', actual: wanted ? otherMethods(record.notices) : String(updates.length), seqs: updates.slice(0, 3).map(({ seq }) => seq) })];
  }

  function judgeLog(step: Step, act: JudgeCalls, seen: StepRecord): Failure[] {
    const [file] = [...seen.after.values()];
    return judgeCalls(act, file).map((words) => failure(step, { words, seqs: file === undefined ? [] : [file.seq] })).slice(0, options.all === true ? undefined : 1);
  }

  function failure(step: Step, finding: Finding, demand?: Demand): Failure {
    return {
      step: step.id,
      title: step.title,
      ...(demand === undefined ? {} : { expectation: demand.expectation.name }),
      words: finding.words,
      ...(finding.expected === undefined ? {} : { expected: finding.expected }),
      ...(finding.actual === undefined ? {} : { actual: finding.actual }),
      place: demand?.place ?? step.place,
      seqs: [...new Set(finding.seqs ?? [])].sort((a, b) => a - b),
    };
  }

  return {
    variables,
    settle,
    enough(step) {
      const seen = record.steps.get(step.id);
      if (seen === undefined) return false;
      const subject = subjectOf(undefined, undefined, seen);
      return step.demands.every((demand) => demand.expectation.lasting === true && demand.expectation.test(subject, optionOf(demand)) === undefined);
    },
    updated: () => updatesIn(record.notices).length > 0,
    verdict() {
      const { stopped, stderr } = record;
      if (stopped && failures.length === 0) {
        const tail = stderr.length === 0 ? '' : `; stderr: ${stderr.slice(-3).join(' | ')}`;
        failures.push({ step: '', title: 'start', words: `${stopped.words}${tail}`, place: one.place, seqs: [] });
      }
      // A case whose end was not seen proves nothing.
      if (failures.length === 0 && settled < one.steps.length) failures.push({ step: '', title: 'end', words: 'the case was not carried out to its end', place: one.place, seqs: [] });
      return { status: failures.length === 0 ? 'pass' : 'fail', failures };
    },
  };
}

/** Judges a case whose events are all there. */
export function judgeRecord(one: SuiteCase, record: CaseRecord, options: JudgeOptions = {}): CaseVerdict {
  const judge = createCaseJudge(one, record, options);
  for (const step of one.steps) if (!judge.settle(step)) break;
  return judge.verdict();
}

/** The paths that have to be looked at around a step. */
export function pathsOf(step: Step, variables: Variables): string[] {
  const named = step.demands.flatMap(({ expectation, option, scope }) => expectation.files?.(option).map((path) => substitute(path, scope, variables)) ?? []);
  return [...new Set(named)];
}

/** Names of members are paths, too. */
function withPaths(option: unknown, put: (text: string) => string): unknown {
  if (Array.isArray(option)) return option.map((path: string) => put(path));
  return Object.fromEntries(Object.entries(option as Record<string, string>).map(([path, text]) => [put(path), text]));
}

function errorWords(error: unknown): string {
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as { code?: unknown; message?: unknown };
  return code === undefined && message === undefined ? 'an answer with neither result nor error' : `JSON-RPC error ${String(code)}: ${String(message)}`;
}

function captured(text: string, path: string): { value: unknown } | { problem: string } {
  if (pathSteps(path).length === 0) return { value: text };
  try {
    return lookUp(parseJson(text), path);
  } catch {
    return { problem: `the response is not JSON: ${JSON.stringify(text.slice(0, 200))}` };
  }
}

/** One result of all pages of a list. */
function joined(results: readonly unknown[], member: string): unknown {
  if (results.length < 2) return results[0];
  const [first] = results as Record<string, unknown>[];
  const { nextCursor: _next, ...rest } = first!;
  return { ...rest, [member]: results.flatMap((result) => ((result as Record<string, unknown>)[member] as unknown[] | undefined) ?? []) };
}

function seqsOf({ requests }: StepRecord): number[] {
  return requests.slice(-2).flatMap(({ seq, answer }) => [seq, ...(answer === undefined ? [] : [answer.seq])]);
}

function updatesIn(notices: readonly Notice[]): Notice[] {
  return notices.filter(({ method }) => method === 'notifications/resources/updated');
}

function otherMethods(notices: readonly Notice[]): string {
  const methods = [...new Set(notices.map(({ method }) => method))];
  return methods.length === 0 ? 'no notification' : `only ${methods.slice(0, 5).join(', ')}`;
}

