/**
 * The judge: takes trace events in order, gives a verdict for each rule. It reads the trace and nothing else,
 * holds what verdicts need and no more, and does not know who made the events.
 */
import { createFold, type LetGo } from '../facts/fold/fold.ts';
import { FactError, settled } from '../facts/core/reading.ts';
import type { MethodTable, Subject } from '../facts/state/subject.ts';
import { createUnrecorded, recordedAfterLoss } from '../facts/registry/unrecorded.ts';
import { createSelections, type Selections } from '../facts/selections/selections.ts';
import type { Moment } from '../facts/selections/selection.ts';
import type { SessionState } from '../facts/state/session-state.ts';
import type { CompiledRule, Condition, RulePlace } from '../model/rules/rule.ts';
import type { Party, Recorded, TraceEvent, TransportKind } from '../model/trace.ts';
import { placeIn } from '../spec/rule-place.ts';
import { createConditionFactory } from './conditions/engine.ts';
import { compilePredicate, type Predicate } from './conditions/predicate.ts';
import { createEngineJudge, type Account } from './engine-judge.ts';
import type { OperatorContext, SchemaFindingLike } from './operators/operator.ts';
import { featureOutcome, type FeatureOutcome } from './feature-outcome.ts';
import { createJudgeFinder } from './find-judges.ts';
import { createMoments } from './moments.ts';
import { createRuleJudge, type RuleJudge } from './rule-judge.ts';
import { belongsTo, isSelected, judgesSchemas, readsFactsOf } from './rule-needs.ts';
import type { Failure, RuleOutcome } from './rule-tally.ts';

/** Message types of one revision, as src/core/spec provides them. */
export interface Validators {
  revision: string;
  has(typeName: string): boolean;
  validate(typeName: string, value: unknown): SchemaFindingLike[];
}

export interface JudgeOptions {
  rules: CompiledRule[];
  /** Whose behaviour is judged. */
  role: 'server' | 'client' | 'both';
  transport: TransportKind;
  /** Revision to judge by; when absent the first negotiated one, or else the first that a client requests. */
  revision?: string;
  /** Revision to judge by if no connection negotiates one; it precedes the one that a client requests. */
  otherwise?: string | undefined;
  methods: MethodTable;
  knownRevisions: readonly string[];
  /** The authorization server that the trace is about. */
  issuer?: string | undefined;
  /** Missing parts of the trace; everything was recorded when absent. */
  recorded?: Recorded;
  loadValidators(revision: string): Promise<Validators>;
  /** Called for subjects that break a rule, at once; for at most the first hundred of one rule. */
  onFailure?: (failure: Failure) => void;
  /** Called for events that may become evidence, as soon as a verdict needs them. */
  onCited?: (seq: number) => void;
  /** Evaluator of conditions: the fast path, confirmed by json-rules-engine (the default), or the engine alone. */
  evaluator?: Evaluator;
  /** Engine alone: called for each subject with its outcome and reason. */
  onAccount?: (account: Account) => void;
  /** Called for rules that cannot select some subjects, since the trace does not contain these facts. */
  onUnselectable?: (rule: CompiledRule, hidden: ReadonlySet<string>) => void;
}

export type Evaluator = 'fast' | 'engine';

export interface Judge {
  /** Gives a promise only where something has to be waited for; await it before the next event. */
  push(event: TraceEvent): void | Promise<void>;
  /** The outcomes so far, without those of what is still going on. */
  peek(): JudgeResult;
  /** Ends the fold and gives the outcomes, in the order of the rules. */
  finish(): Promise<JudgeResult>;
}

export interface JudgeResult {
  /** The revision judged by; undefined when none was negotiated or asked for. */
  revision: string | undefined;
  /** It was never negotiated: a client or the caller named it. */
  unagreed?: 'asked' | 'named';
  outcomes: RuleOutcome[];
  /** Results of rules of level MAY, in their order; rules of other transports have none. */
  features: FeatureOutcome[];
  /** Dropped because there was too much of it at a time: undecided. */
  letGo?: LetGo;
}

const keptDeviations = 100_000;
/** Subjects that wait for the revision; of further ones nothing is said. */
const keptEarly = 50_000;
/** Evaluations of the engine that may be due at a time. */
const keptWaiting = 5000;

export function createJudge(options: JudgeOptions): Judge {
  let revision = options.revision;
  let validators: Validators | undefined;
  /** Subjects to judge as soon as the revision is known. */
  let early: (() => void)[] = [];
  let waiting: Promise<void>[] = [];
  /** Deliberate faults and their party, by seq; only rules about that party need them. */
  const deviations = new Map<number, Party>();
  let ready = false;
  const context: OperatorContext = {
    schemaFindings: (type, value) => (validators?.has(type) ? validators.validate(type, value) : undefined),
  };
  const factory = createConditionFactory(context);
  const predicateOf = (condition: Condition): Predicate => compilePredicate(condition, context);
  const byEngine = options.evaluator === 'engine';
  /** Subjects over several messages; made with them. */
  let selections: Selections | undefined;
  const moments = createMoments();
  /** Judges that the revision and transport leave, by the subjects they take; made once the revision is known. */
  let judgesOf: (subject: Subject) => readonly RuleJudge[] = () => [];
  const hooks = {
    wait: (due: Promise<void>) => void waiting.push(due),
    onFailure: options.onFailure,
    onCited: options.onCited,
    onAccount: options.onAccount,
  };
  const asked = options.rules
    .filter((rule) => options.role === 'both' || rule.role === options.role)
    .map((rule) =>
      byEngine
        ? createEngineJudge(rule, { factory, context }, hooks)
        : createRuleJudge(rule, { factory, predicateOf, context }, hooks),
    );
  const judges = asked.filter(({ rule }) => rule.feature !== true);
  /** Those of level MAY. */
  const watchers = asked.filter(({ rule }) => rule.feature === true);

  let { recorded } = options;
  let gaps = createUnrecorded(recorded, options.transport, options.methods);
  const transportKnown = options.recorded?.transport !== false;
  const holdsHere = ({ transports }: CompiledRule): boolean =>
    transportKnown
      ? transports.includes(options.transport)
      : transports.includes('stdio') && transports.includes('http');

  const placeOf = ({ rule }: RuleJudge, known: string): RulePlace | undefined =>
    placeIn(rule, known, options.transport);

  const fold = createFold({
    transport: options.transport,
    methods: options.methods,
    knownRevisions: options.knownRevisions,
    issuer: options.issuer,
    ...(options.recorded?.start === false && revision !== undefined ? { midway: revision } : {}),
  });

  /** Takes what the fold gives, each subject while its connection is in the state that the subject is about. */
  function takeAll(subjects: Iterable<Subject>): void {
    for (const subject of subjects) {
      if (!ready) hold(subject);
      else {
        if (subject.session?.letGo !== true) judgeSubject(subject);
        if (subject.kind === 'session') endOf(subject.session!);
      }
    }
    revision ??= fold.revision;
  }

  /** Subjects before the revision is known are judged once it is. */
  function hold(subject: Subject): void {
    const { session, kind } = subject;
    // Values that are read later must keep their current state.
    subject.facts = settled(subject.facts);
    const at = moments.of(subject);
    if (session?.letGo !== true && early.length < keptEarly) early.push(() => judgeSubject(subject, at));
    if (kind === 'session') early.push(() => endOf(session!));
  }

  /** A connection is over. */
  function endOf(session: SessionState): void {
    moments.forget(session.name);
    endSelections(session);
    if (session.initializeResult !== undefined || session.era === 'stateless') judgeEnd(session);
  }

  /** @param at when it came, where that is not now */
  function judgeSubject(subject: Subject, at?: Moment): void {
    if (!belongsTo(subject, revision!) && !isStray(subject.session)) return;
    const reported = gaps ? gaps.hide(subject) : subject;
    if (!reported) return;
    judgeReported(reported);
    if (selections?.any)
      for (const made of selections.take(reported, at === undefined ? moments.of : () => at)) judgeMade(made);
  }

  /** Groups and pairs that are complete because nothing more is to come. */
  function endSelections(session: SessionState | undefined): void {
    if (selections?.any) for (const made of selections.end(session)) judgeMade(made);
  }

  function judgeMade(made: Subject): void {
    const reported = gaps ? gaps.hide(made) : made;
    if (reported) judgeReported(reported);
  }

  function judgeReported(reported: Subject): void {
    // The engine decides later, by what is known now.
    const subject = byEngine ? { ...reported, facts: settled(reported.facts) } : reported;
    let taking: readonly RuleJudge[];
    try {
      taking = judgesOf(subject);
    } catch (error) {
      if (!(error instanceof FactError)) throw error;
      // A fact by which rules select cannot be read: each of those says so, the others take the subject themselves.
      taking = asked.filter(
        (judge) =>
          judge.rule.kind === subject.kind && placeOf(judge, revision!) !== undefined && isSelected(judge, subject),
      );
    }
    // Deliberate faults of a checker are no evidence about it, in either role.
    const sinner = deviationIn(subject) ?? (isStray(subject.session) ? 'server' : undefined);
    for (const judge of taking) if (judge.rule.role !== sinner) judge.take(subject);
  }

  /** A connection is over: does each requirement bind it? */
  function judgeEnd(session: SessionState): void {
    if (session.revision !== revision || session.bothEras) return;
    const bare: Subject = { kind: 'session', session, facts: {}, events: [] };
    const subject = gaps?.hide(bare) ?? bare;
    for (const judge of judges) if (placeOf(judge, revision!)) judge.takeSession(subject);
  }

  /** The server named an unknown revision: only the client's reaction to it can be judged. */
  function isStray(session: SessionState | undefined): boolean {
    return (
      options.role !== 'server' && session?.revision !== undefined && !options.knownRevisions.includes(session.revision)
    );
  }

  /** The party that did something wrong on purpose in it; undefined if none did. */
  function deviationIn(subject: Subject): Party | undefined {
    if (deviations.size === 0) return undefined;
    const found = subject.events.find((seq) => deviations.has(seq));
    return found === undefined ? undefined : deviations.get(found);
  }

  async function begin(known: string): Promise<void> {
    validators = await options.loadValidators(known).catch(() => undefined);
    const isDue = (judge: RuleJudge): boolean => placeOf(judge, known) !== undefined && holdsHere(judge.rule);
    const [due, watching] = [judges.filter(isDue), watchers.filter(isDue)];
    const all = [...due, ...watching];
    if (all.some(({ rule }) => judgesSchemas(rule))) {
      const { createJsonSchemas } = await import('../json-schema/json-schemas.ts');
      context.jsonSchemas = createJsonSchemas(known);
    }
    judgesOf = createJudgeFinder(all, options.onUnselectable);
    selections = createSelections(
      all.flatMap(({ rule }) => (rule.selection ? [rule.selection] : [])),
      (subject, by) => deviationIn(subject) === by,
    );
    ready = true;
    for (const act of early) {
      act();
      // Subjects that wait for the engine are held in memory until they are decided.
      if (waiting.length > keptWaiting) await settle();
    }
    early = [];
    await settle();
  }

  function outcomes(): JudgeResult {
    const known = revision;
    for (const { feature, reason } of fold.faults)
      for (const judge of asked) if (readsFactsOf(judge.rule, feature)) judge.spoil(reason);
    if (known === undefined) return { revision: undefined, outcomes: [], features: [], letGo: fold.letGo() };
    const here = judges.filter((judge) => placeOf(judge, known) !== undefined);
    const seen = watchers.filter((judge) => placeOf(judge, known) !== undefined && holdsHere(judge.rule));
    // Where the transport is unknown, no rule can be said to be of another one.
    return {
      revision: known,
      outcomes: here.map((judge) => judge.outcome(transportKnown ? options.transport : judge.rule.transports[0]!)),
      features: seen.map((judge) => featureOutcome(judge.outcome(judge.rule.transports[0]!))),
      letGo: fold.letGo(),
    };
  }

  async function settle(): Promise<void> {
    while (waiting.length > 0) await Promise.all(waiting.splice(0));
  }

  return {
    push(event) {
      if (
        event.deviation !== undefined &&
        (options.role === 'both' || options.role === event.from) &&
        deviations.size < keptDeviations
      )
        deviations.set(event.seq, event.from);
      moments.saw(event);
      if (event.kind === 'gap' && event.lost !== undefined) {
        recorded = recordedAfterLoss(recorded, event.lost);
        gaps = createUnrecorded(recorded, options.transport, options.methods);
      }
      takeAll(fold.push(event));
      if (!ready && revision !== undefined) return begin(revision);
      if (waiting.length > 0) return settle();
    },
    peek: outcomes,
    async finish() {
      takeAll(fold.end());
      // Nothing was agreed on: what the client asked for is the best that is known.
      const unagreed = revision !== undefined ? undefined : options.otherwise === undefined ? 'asked' : 'named';
      revision ??= options.otherwise ?? fold.asked;
      if (!ready && revision !== undefined) await begin(revision);
      endSelections(undefined);
      await settle();
      return { ...outcomes(), ...(unagreed === undefined ? {} : { unagreed }) };
    },
  };
}
