/**
 * Judges a case by what its record holds, step by step. The runner asks after each step whether to go on; a kept
 * trace is judged by the same code. Pure.
 */
import { append } from '../../../core/model/lists.ts';
import type { Finding, SnapshotView, Subject } from '../subject.ts';
import type { Place } from '../yaml-source.ts';
import type { Demand, JudgeCalls, SendRequest, Step, SuiteCase } from '../model.ts';
import {
  captured,
  errorOf,
  errorWords,
  joined,
  lastRound,
  otherMethods,
  repeatFindings,
  seqsOf,
  withPaths,
} from './answers.ts';
import type { CaseRecord, SentRequest, StepRecord } from './case-record.ts';
import { progressOf } from './case-record.ts';
import { judgeCalls } from './judge-calls.ts';
import { jsonOf } from '../json-text.ts';
import { substitute, substituteText } from './substitute.ts';
import type { Variables } from './substitute.ts';
import { textOf } from './views.ts';
import type { ToolCall } from '../../../check/trajectory/trajectory.ts';
import { asText } from '../../../core/model/json.ts';

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
  /** True if the messages so far are enough for an observing step, whatever may follow. */
  enough(step: Step): boolean;
  /** True if a step holds in the current state. */
  holds(step: Step): boolean;
  /** True if a notification of a method has arrived. */
  came(method: string): boolean;
  verdict(): CaseVerdict;
}

export interface JudgeOptions {
  /** Report every failed expectation, not only the first. */
  all?: boolean;
  /** Stored snapshots for the steps of the case. */
  snapshots?: SnapshotsOfCase;
}

/** @param fixture path of the files of the case */
export type SnapshotsOfCase = (step: Step, fixture: string | undefined) => SnapshotView | undefined;

export function createCaseJudge(one: SuiteCase, record: CaseRecord, options: JudgeOptions = {}): CaseJudge {
  const failures: Failure[] = [];
  let settled = 0;
  const values = new Map<string, unknown>(Object.entries(one.values ?? {}));
  const variables: Variables = {
    get fixture() {
      return record.fixture;
    },
    values,
  };

  function settle(step: Step): boolean {
    const seen = record.steps.get(step.id);
    const found =
      seen === undefined
        ? [failure(step, { words: `${step.title} was not carried out` })]
        : judgeStep(step, seen, true);
    if (step.phase !== 'teardown') settled += 1;
    append(failures, found);
    return found.length === 0 || (step.phase === 'main' && options.all === true);
  }

  /** @param last nothing of the step is asked again */
  function judgeStep(step: Step, seen: StepRecord, last = false): Failure[] {
    if (seen.stopped) return [failure(step, { words: seen.stopped.words, seqs: seqsOf(seen) })];
    const { act } = step;
    switch (act.kind) {
      case 'impossible':
        return [failure(step, { words: act.words })];
      case 'calls':
        return judgeLog(step, act, seen);
      case 'await-notice':
        return judgeNotice(step, act.method, act.wanted);
      case 'parallel':
        return act.steps.flatMap((one) => {
          const inner = record.steps.get(one.id);
          return inner === undefined
            ? [failure(one, { words: `${one.title} was not carried out` })]
            : judgeStep(one, inner, last);
        });
      case 'cancel':
        return [];
      case 'request':
        return judgeSubject(
          step,
          seen,
          seen.done === undefined ? answered(step, act, seen) : harnessSubject(seen),
          last,
        );
      default:
        return judgeSubject(step, seen, harnessSubject(seen), last);
    }
  }

  function judgeSubject(step: Step, seen: StepRecord, subject: Subject | { words: string }, last: boolean): Failure[] {
    if ('words' in subject) return [failure(step, { words: subject.words, seqs: seqsOf(seen) })];
    const demandsFailed = demanded(step, subject, seen);
    const found = demandsFailed.length > 0 ? demandsFailed : differences(step, seen);
    if (found.length > 0) {
      // The teardown needs the results of this step, however slow or wrong its answer was.
      if (last && !subject.isError) capture(step, subject);
      return found;
    }
    const lost = capture(step, subject);
    return lost === undefined ? [] : [failure(step, { words: lost, seqs: seqsOf(seen) })];
  }

  /** The answer of a request as expectations see it, or why there is none. */
  function answered(step: Step, act: SendRequest, seen: StepRecord): Subject | { words: string } {
    const round = act.pages === undefined ? seen.requests.slice(-1) : lastRound(seen.requests);
    const last = round.at(-1);
    const refused = round.find(({ answer }) => answer !== undefined && !('result' in answer.message));
    if (refused) {
      const error = refused.answer!.message['error'];
      if (takesErrors(step)) return subjectOf({ act, sent: refused }, undefined, seen, errorOf(error));
      return { words: `${act.failed}: ${errorWords(error)}` };
    }
    if (last?.answer === undefined) return { words: `${act.failed}: no answer came` };
    const results = round.map(({ answer }) => answer!.message['result']);
    return subjectOf({ act, sent: last }, act.pages === undefined ? results.at(-1) : joined(results, act.pages), seen);
  }

  /** The answer of the harness, or only the notifications. */
  function harnessSubject({ before, after, done }: StepRecord): Subject {
    return {
      text: done?.text ?? (done?.result === undefined ? '' : textOf(done.result, 'json')),
      isError: false,
      result: done?.result,
      notices: record.notices,
      progress: [],
      file: (path, when) => (when === 'before' ? before : after).get(path),
    };
  }

  function subjectOf(
    { act, sent }: { act: SendRequest; sent: SentRequest },
    result: unknown,
    seen: StepRecord,
    error?: Subject['error'],
  ): Subject {
    const http = record.reply(sent.exchange);
    const tool =
      act.method === 'tools/call'
        ? record.tools.get(asText((sent.message['params'] as { name?: unknown } | undefined)?.name))
        : undefined;
    return {
      ...harnessSubject(seen),
      text: error === undefined ? textOf(result, act.view) : jsonOf(error),
      isError: typeof result === 'object' && result !== null && (result as { isError?: unknown }).isError === true,
      result,
      ...(error === undefined ? {} : { error }),
      ...(sent.answer === undefined
        ? {}
        : { tookMs: sent.answer.t - sent.t, bytes: new TextEncoder().encode(jsonOf(sent.answer.message)).length }),
      ...(http === undefined ? {} : { http }),
      ...(tool === undefined ? {} : { tool }),
      ...(act.pages === undefined ? {} : { list: act.pages }),
      progress: progressOf(sent, record.notices),
    };
  }

  /** Conditions of `unchanged` and `idempotent`. */
  function differences(step: Step, seen: StepRecord): Failure[] {
    return repeatFindings(step, record).map((finding) => failure(step, { ...finding, seqs: seqsOf(seen) }));
  }

  function demanded(step: Step, subject: Subject, seen: StepRecord): Failure[] {
    const found: Failure[] = [];
    for (const demand of step.demands) {
      if (demand.expectation.ofCase === true) continue;
      const finding = demand.expectation.test(withSnapshot(step, subject), optionOf(demand));
      if (finding === undefined) continue;
      const response = subject.isError ? `; server response: ${subject.text}` : '';
      found.push(
        failure(
          step,
          { ...finding, words: `${finding.words}${response}`, seqs: [...seqsOf(seen), ...(finding.seqs ?? [])] },
          demand,
        ),
      );
      if (options.all !== true) break;
    }
    return found;
  }

  function withSnapshot(step: Step, subject: Subject): Subject {
    const snapshot = options.snapshots?.(step, record.fixture);
    return snapshot === undefined ? subject : { ...subject, snapshot };
  }

  function optionOf(demand: Demand): unknown {
    if (demand.expectation.files === undefined || demand.scope === 'none')
      return substitute(demand.option, demand.scope, variables);
    // The form of mcp-assert fills in paths alone.
    const option =
      demand.scope === 'values' && !Array.isArray(demand.option)
        ? withTextValues(demand.option as Record<string, string>, variables)
        : demand.option;
    return withPaths(option, (text) => substituteText(text, demand.scope, variables));
  }

  function capture(step: Step, { text, result }: Subject): string | undefined {
    for (const [name, path] of Object.entries(step.capture)) {
      const found = captured(text, step.native === true ? result : undefined, path);
      const title =
        step.phase === 'setup' && step.native !== true ? `setup step ${step.title.replace(/^\S+ /, '')}` : step.title;
      if ('problem' in found)
        return `${title}: capture ${JSON.stringify(name)} from ${JSON.stringify(typeof path === 'string' ? path : path.matches)} failed: ${found.problem}`;
      values.set(name, found.value);
    }
    return undefined;
  }

  function judgeNotice(step: Step, method: string, wanted: boolean): Failure[] {
    const came = record.notices.filter((notice) => notice.method === method);
    if (wanted === came.length > 0) return [];
    const name =
      method === 'notifications/resources/updated' ? 'resource update notification' : `notification ${method}`;
    const words = wanted ? `expected ${name}, none came` : `expected no ${name}, got ${came.length}`;
    return [
      failure(step, {
        words,
        expected: wanted ? method : 'none',
        actual: wanted ? otherMethods(record.notices) : String(came.length),
        seqs: came.slice(0, 3).map(({ seq }) => seq),
      }),
    ];
  }

  function judgeLog(step: Step, act: JudgeCalls, seen: StepRecord): Failure[] {
    const [file] = [...seen.after.values()];
    return judgeCalls(act, file, (seen.done?.result as { calls?: ToolCall[] } | undefined)?.calls)
      .map(({ words, place = step.place }) => ({
        ...failure(step, { words, seqs: file === undefined ? [] : [file.seq] }),
        place,
      }))
      .slice(0, options.all === true ? undefined : 1);
  }

  function failure(step: Step, finding: Finding, demand?: Demand): Failure {
    return {
      step: step.id,
      title: step.title,
      ...(demand === undefined ? {} : { expectation: demand.expectation.name }),
      words: finding.words,
      expected: finding.expected,
      actual: finding.actual,
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
      const subject = harnessSubject(seen);
      return step.demands.every(
        (demand) =>
          demand.expectation.ofCase === true ||
          (demand.expectation.lasting === true && demand.expectation.test(subject, optionOf(demand)) === undefined),
      );
    },
    holds(step) {
      const seen = record.steps.get(step.id);
      return seen !== undefined && judgeStep(step, seen).length === 0;
    },
    came: (method) => record.notices.some((notice) => notice.method === method),
    verdict() {
      const { stopped, stderr } = record;
      if (stopped) {
        const tail = stderr.length === 0 ? '' : `; stderr: ${stderr.slice(-3).join(' | ')}`;
        // The teardown may have failed as well.
        failures.unshift({ step: '', title: 'start', words: `${stopped.words}${tail}`, place: one.place, seqs: [] });
      }
      // A case whose end was not seen proves nothing.
      if (failures.length === 0 && settled < one.steps.filter(({ phase }) => phase !== 'teardown').length)
        failures.push({
          step: '',
          title: 'end',
          words: 'the case was not carried out to its end',
          place: one.place,
          seqs: [],
        });
      return { status: failures.length === 0 ? 'pass' : 'fail', failures };
    },
  };
}

/** True if a JSON-RPC error is an acceptable answer: one is expected, or no expectation needs a result. */
function takesErrors({ demands }: Step): boolean {
  return (
    demands.some(({ expectation }) => expectation.name === 'expect_error') ||
    (demands.length > 0 && demands.every(({ expectation }) => expectation.takesErrors === true))
  );
}

/** Judges a case whose events are all there. */
export function judgeRecord(one: SuiteCase, record: CaseRecord, options: JudgeOptions = {}): CaseVerdict {
  const judge = createCaseJudge(one, record, options);
  if (record.stopped === undefined)
    for (const step of one.steps) if (step.phase !== 'teardown' && !judge.settle(step)) break;
  for (const step of one.steps) if (step.phase === 'teardown' && record.steps.has(step.id)) judge.settle(step);
  return judge.verdict();
}

/** Texts that files have to hold, by path. */
function withTextValues(option: Record<string, string>, variables: Variables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(option).map(([path, text]) => [path, substituteText(text, 'values', variables)]),
  );
}

/** The paths that have to be looked at around a step. */
export function pathsOf(step: Step, variables: Variables): string[] {
  const named = step.demands.flatMap(
    ({ expectation, option, scope }) =>
      expectation.files?.(option).map((path) => substituteText(path, scope, variables)) ?? [],
  );
  return [...new Set(named)];
}
