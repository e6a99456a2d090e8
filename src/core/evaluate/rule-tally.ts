/** Counts the outcomes of the subjects of one rule and keeps the evidence, for all evaluators. */
import { settled } from '../facts/core/reading.ts';
import type { Subject } from '../facts/state/subject.ts';
import type { CompiledRule } from '../model/rules/rule.ts';
import type { TransportKind } from '../model/trace.ts';
import type { Status } from '../model/reports/verdict.ts';
import { answerWords } from './answer-words.ts';
import { explainLeaf, type LeafResult } from './conditions/engine.ts';
import { leafWords, type LeafWords } from './conditions/leaf-words.ts';
import type { OperatorContext } from './operators/operator.ts';
import {
  causeOf,
  eventsShowing,
  inOrder,
  keptCases,
  noWords,
  subjectWords,
  type Cause,
  type OutcomeCase,
} from './outcome-cases.ts';
import { leavesOf } from '../rules/shared-definitions.ts';
import { asText } from '../model/json.ts';

export interface RuleOutcome {
  rule: CompiledRule;
  status: Status;
  judged: number;
  failed: number;
  /** Subjects that `given` selected, decided or not. */
  selected: number;
  /** How the target answered them, in clauses, where none decided anything and each was refused or left open. */
  answers: string[];
  /** Expectation and observation of conditions, in the words of rule authors; `cases` has others for reports. */
  expected?: string;
  actual?: string;
  /** Facts of the first failing subject, for the rule's message; of the first passing one otherwise. */
  facts: Record<string, unknown>;
  /** Remarks due: the rule's message templates with the facts they speak of. */
  advice: { message: string; facts: Record<string, unknown> }[];
  /** All events that the verdict rests on, up to two hundred. */
  evidence: number[];
  /** The first subjects that failed (or passed, where none failed), each with what it shows. */
  cases: OutcomeCase[];
  /** Where each failure is, of the first hundred. */
  causes: Cause[];
  /** Why the status is `error` or `not-applicable`; and `not-exercised`, where something was judged all the same. */
  reason?: string;
  /** Leaves of the first failing subject (tests look for conditions that no example makes false). */
  leaves: LeafResult[];
}

/** A subject that broke a rule, reported as soon as that is certain. */
export interface Failure {
  rule: CompiledRule;
  facts: Record<string, unknown>;
  events: readonly number[];
  words: LeafWords;
}

export interface JudgeHooks {
  /** Where the engine is asked, its answer has to be waited for; subjects that hold cost no turn of the event loop. */
  wait(due: Promise<void>): void;
  onFailure?: ((failure: Failure) => void) | undefined;
  /** Called for events that may become evidence, as soon as a verdict needs them. */
  onCited?: ((seq: number) => void) | undefined;
}

export interface RuleTally {
  /** Subjects that `given` selected, and judged ones among them; the caller counts. */
  selected: number;
  judged: number;
  /** The trace lacks facts of some subject that may have broken the rule. */
  dropped: boolean;
  /** Notes a subject that decides nothing. */
  leave(subject: Subject): void;
  pass(subject: Subject): void;
  /** Counts a subject that failed. @returns takes the leaves of it; undefined when enough failures have been accounted for */
  fail(subject: Subject): ((leaves: LeafResult[]) => void) | undefined;
  /** Notes a remark. */
  remark(message: string, subject: Subject): void;
  /** No more remarks are kept. */
  remarksFull(): boolean;
  /** True if the rule binds the target, according to one connection. */
  bind(held: boolean): void;
  /** A fault of our own, or of the rule; the first one becomes the reason. */
  note(error: unknown): void;
  outcome(transport: TransportKind): RuleOutcome;
}

const keptEvidence = 200;

/** Number of failing subjects of one rule with reported leaves; a hostile transcript may have a million. */
const accounted = 100;

const keptRemarks = 5;

/** Subjects whose answers are looked at, and different answers that are worth a sentence. */
const keptSubjects = 20;
const keptAnswers = 3;

export function createRuleTally(rule: CompiledRule, context: OperatorContext, hooks: JudgeHooks): RuleTally {
  const passed = new Set<number>();
  const failedEvents = new Set<number>();
  const remarks: RuleOutcome['advice'] = [];
  let failed = 0;
  let bound: boolean | undefined;
  let first: { leaves: LeafResult[]; facts: Record<string, unknown> } | undefined;
  const passedCases: OutcomeCase[] = [];
  const failedCases: OutcomeCase[] = [];
  const causes: Cause[] = [];
  const answers = new Set<string>();
  let answered = 0;
  let firstPassed: Record<string, unknown> | undefined;
  let problem: string | undefined;

  /** A failure that depends on the declared capabilities cites the response that declares them. */
  const declaration: (subject: Subject) => readonly number[] = dependsOnCapabilities(rule)
    ? ({ session }) => (session?.declarationSeq === undefined ? [] : [session.declarationSeq])
    : () => [];

  function citeIn(events: readonly number[], into: Set<number>): void {
    if (into.size >= keptEvidence) return;
    for (const seq of events) {
      if (into.size >= keptEvidence || into.has(seq)) continue;
      into.add(seq);
      hooks.onCited?.(seq);
    }
  }

  return {
    selected: 0,
    judged: 0,
    dropped: false,
    leave(subject) {
      if (this.judged > 0 || answered >= keptSubjects) return;
      const words = answerWords(subject);
      if (words === undefined) return;
      answered += 1;
      answers.add(words);
    },
    pass(subject) {
      firstPassed ??= settled(subject.facts);
      citeIn(subject.events, passed);
      if (passedCases.length < keptCases)
        passedCases.push({
          subject: subjectWords(subject),
          events: inOrder(subject.events),
          facts: {},
          words: noWords,
        });
    },
    fail(subject) {
      failed += 1;
      const declared = declaration(subject);
      citeIn([...declared, ...subject.events], failedEvents);
      if (failed > accounted) return undefined;
      const facts = settled(subject.facts);
      const mine: typeof first = first === undefined ? { leaves: [], facts } : undefined;
      first ??= mine;
      const kept: OutcomeCase | undefined =
        failedCases.length < keptCases
          ? {
              subject: subjectWords({ kind: subject.kind, facts }),
              events: inOrder([...declared, ...subject.events]),
              facts,
              words: noWords,
            }
          : undefined;
      if (kept) failedCases.push(kept);
      const cause: Cause = { events: [], members: [] };
      causes.push(cause);
      return (leaves) => {
        if (mine) mine.leaves = leaves;
        const events = eventsShowing(subject, leaves);
        const words = leafWords(leaves, rule.title, context);
        Object.assign(cause, causeOf(events, leaves, context));
        const shown = declared.length === 0 ? events : inOrder([...declared, ...events]);
        if (kept) Object.assign(kept, { events: shown, words });
        hooks.onFailure?.({ rule, facts, events: shown, words });
      };
    },
    remark(message, subject) {
      remarks.push({ message, facts: settled(subject.facts) });
    },
    remarksFull: () => remarks.length >= keptRemarks,
    bind(held) {
      bound = held || bound === true;
    },
    note(error) {
      problem ??= error instanceof Error ? error.message : asText(error);
    },
    outcome(transport) {
      const { judged, selected } = this;
      const base = {
        rule,
        judged,
        failed,
        selected,
        answers: judged === 0 && answered === selected && answers.size <= keptAnswers ? [...answers] : [],
        facts: first?.facts ?? firstPassed ?? {},
        advice: remarks,
        leaves: first?.leaves ?? [],
        evidence: inOrder(failed > 0 ? failedEvents : passed),
        cases: failed > 0 ? failedCases : passedCases,
        causes,
      };
      if (problem !== undefined) return { ...base, status: 'error', reason: problem };
      if (!rule.transports.includes(transport)) {
        return { ...base, status: 'not-applicable', reason: `holds on ${rule.transports.join(' and ')} only` };
      }
      if (failed > 0) {
        return { ...base, status: 'fail', ...reported(first?.leaves ?? [], context) };
      }
      // An undecided subject may be the one that breaks the rule; but one use is a use in any case.
      if (judged > 0 && this.dropped && rule.feature !== true)
        return {
          ...base,
          status: 'not-exercised',
          reason: `${judged} ${judged === 1 ? 'case' : 'cases'} passed; another may have failed, for all that is recorded`,
          evidence: [],
          cases: [],
        };
      if (judged > 0) return { ...base, status: 'pass' };
      if (bound === false) return { ...base, status: 'not-applicable', reason: 'does not bind this target' };
      return { ...base, status: 'not-exercised' };
    },
  };
}

/** Whether a rule judges by what the server declares; `applies` only says where it holds. */
function dependsOnCapabilities({ when, expect }: CompiledRule): boolean {
  return [when, expect].some(
    (condition) =>
      condition !== undefined &&
      leavesOf(condition, '').some(({ leaf }) => (leaf.derived?.of ?? leaf.fact) === 'session.serverCapabilities'),
  );
}

/** Expectation and observation, by the leaves that do not hold. */
function reported(leaves: readonly LeafResult[], context: OperatorContext): { expected: string; actual: string } {
  const broken = leaves.filter((leaf) => leaf.matters).map((leaf) => explainLeaf(leaf, context));
  return {
    expected: broken.map((one) => one.expected).join('; or '),
    actual: [...new Set(broken.map((one) => one.actual))].join('; '),
  };
}
