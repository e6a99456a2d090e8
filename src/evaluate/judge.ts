/**
 * The judge: takes trace events in order, gives a verdict for each rule. It reads the trace and nothing else,
 * holds what verdicts need and no more, and does not know who made the events.
 */
import { createFold } from '../facts/fold.ts';
import { sessionFacts, type SessionState } from '../facts/session-state.ts';
import type { MethodTable, Subject } from '../facts/subject.ts';
import type { CompiledRule, SubjectKind } from '../model/rule.ts';
import type { TraceEvent, TransportKind } from '../model/trace.ts';
import { createConditionFactory, type FactReader } from './condition-check.ts';
import type { OperatorContext, SchemaFindingLike } from './operators.ts';
import { createRuleJudge, type RuleJudge, type RuleOutcome } from './rule-judge.ts';

/** Message types of one revision, as src/spec provides them. */
export interface Validators {
  revision: string;
  has(typeName: string): boolean;
  validate(typeName: string, value: unknown): SchemaFindingLike[];
}

export interface JudgeOptions {
  rules: CompiledRule[];
  role: 'server' | 'client';
  transport: TransportKind;
  /** Revision to judge by; when absent the first one that a connection negotiates. */
  revision?: string;
  methods: MethodTable;
  knownRevisions: readonly string[];
  loadValidators(revision: string): Promise<Validators>;
  /** Told of each subject that fails a rule, at the moment it does. */
  onFailure?: (rule: CompiledRule, subject: Subject) => void;
}

export interface Judge {
  push(event: TraceEvent): Promise<void>;
  /** Ends the fold and gives the outcomes, in the order of the rules. */
  finish(): Promise<JudgeResult>;
}

export interface JudgeResult {
  /** The revision judged by; undefined when none was negotiated. */
  revision: string | undefined;
  outcomes: RuleOutcome[];
}

export function createJudge(options: JudgeOptions): Judge {
  let revision = options.revision;
  let validators: Validators | undefined;
  let queue: Subject[] = [];
  const endedSessions: SessionState[] = [];
  const context: OperatorContext = {
    schemaFindings: (type, value) => (validators?.has(type) ? validators.validate(type, value) : undefined),
  };
  const factory = createConditionFactory(context);
  /** Judges that the revision and transport leave, by the subjects they take; made once the revision is known. */
  let byKind: Map<SubjectKind, RuleJudge[]> | undefined;
  const judges = options.rules
    .filter((rule) => rule.role === options.role)
    .map((rule) => createRuleJudge(rule, factory, context, options.onFailure));

  const fold = createFold({
    transport: options.transport,
    methods: options.methods,
    knownRevisions: options.knownRevisions,
    emit: (subject) => queue.push(subject),
    onRevision: (session) => {
      revision ??= session.revision;
    },
    onSessionEnd: (session) => {
      if (session.initializeResult !== undefined || session.era === 'stateless') endedSessions.push(session);
    },
  });

  async function drain(): Promise<void> {
    if (revision === undefined) return;
    validators ??= await options.loadValidators(revision).catch(() => undefined);
    byKind ??= groupByKind(judges.filter(({ rule }) => rule.at[revision!] !== undefined && rule.transports.includes(options.transport)));
    const subjects = queue;
    queue = [];
    for (const subject of subjects) {
      if (!belongsTo(subject, revision)) continue;
      const read = readerOf(subject);
      for (const judge of byKind.get(subject.kind) ?? []) {
        const due = judge.take(subject, read);
        if (due) await due;
      }
    }
    for (const session of endedSessions.splice(0)) {
      if (session.revision !== revision) continue;
      const read = readerOf({ kind: 'session', session, facts: {}, events: [] });
      for (const judge of judges) if (judge.rule.at[revision]) judge.takeSession(read);
    }
  }

  return {
    async push(event) {
      fold.push(event);
      if (queue.length > 0 || endedSessions.length > 0) await drain();
    },
    async finish() {
      fold.end();
      await drain();
      const known = revision;
      if (known === undefined) return { revision: undefined, outcomes: [] };
      const here = judges.filter((judge) => judge.rule.at[known] !== undefined);
      return { revision: known, outcomes: here.map((judge) => judge.finish(options.transport)) };
    },
  };
}

function groupByKind(judges: readonly RuleJudge[]): Map<SubjectKind, RuleJudge[]> {
  const groups = new Map<SubjectKind, RuleJudge[]>();
  for (const judge of judges) {
    const group = groups.get(judge.rule.kind);
    if (group) group.push(judge);
    else groups.set(judge.rule.kind, [judge]);
  }
  return groups;
}

/** Connections that negotiated another revision are judged by the rules of none; the target spans all of them. */
function belongsTo(subject: Subject, revision: string): boolean {
  const negotiated = subject.session?.revision;
  return negotiated === undefined || negotiated === revision;
}

function readerOf(subject: Subject): FactReader {
  let session: Record<string, unknown> | undefined;
  return (fact) => {
    if (fact.startsWith('subject.')) return subject.facts[fact.slice(8)];
    if (!subject.session) return undefined;
    session ??= sessionFacts(subject.session);
    return session[fact.slice(8)];
  };
}
