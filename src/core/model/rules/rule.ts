/** Rule files as they are written, and compiled rules as they are judged. Shapes only. */
import type { DerivedFact } from './derived-fact.ts';
import type { MutationEntry } from './mutation.ts';
import type { Level, Severity } from './requirement.ts';
import type { Situation } from './situation.ts';
import type { CompiledSelection, GroupSelection, PairSelection, SubjectChoice } from './selection.ts';
import type { Filter, SubjectKind } from './subject-kind.ts';
import type { TransportKind } from '../trace.ts';

/** One json-rules-engine leaf: the value of a fact (or of a part of it) against an operator's option. */
export interface LeafCondition {
  fact: string;
  /** JSONPath below the fact, for example `$.params.progress`. */
  path?: string;
  operator: string;
  value?: unknown;
  /** Compiled rules: what the fact follows from, where no code gives it. */
  derived?: DerivedFact;
}

/** A condition of rules/language/shared.json, by name. */
export interface NamedCondition {
  condition: string;
}

export type Condition =
  | LeafCondition
  | NamedCondition
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition };

/** One subject kind with its filter, for example `{ "exchange": { "method": "ping" } }`, or a selection over several subjects. */
export type Given = SubjectChoice | { group: GroupSelection } | { pair: PairSelection };

/** One act on the wire. The closed set of steps is in rules/language/stimulus.schema.json. */
export type Step = string | Record<string, unknown>;

export interface Advice {
  when: Condition;
  /** Handlebars, shown with a verdict that it does not change. */
  message: string;
}

/** The last two are those of rules of level MAY. */
export type ExampleVerdict = 'pass' | 'fail' | 'not-applicable' | 'not-exercised' | 'used' | 'not-seen';

/** A short trace in the notation of docs/rules.md, with the verdict that it must get. */
export interface RuleExample {
  verdict: ExampleVerdict;
  /** Purpose of the example, if the trace does not show it. */
  note?: string;
  /** Revision of the example; the newest one of the rule when absent. */
  revision?: string;
  /** Transport of the example; when absent every transport of the rule. */
  transport?: TransportKind | TransportKind[];
  /** Capabilities in the default handshake. */
  serverCapabilities?: Record<string, unknown>;
  clientCapabilities?: Record<string, unknown>;
  /** False: the trace starts without the default handshake. */
  handshake?: boolean;
  trace: string[];
  /** Why the puppet server cannot play it against a live probe. */
  notLive?: string;
}

/** A rule that can be broken. */
export interface RuleFile {
  uses?: undefined;
  $schema?: string;
  title: string;
  requirement: string[];
  role: 'server' | 'client';
  transports?: TransportKind[];
  stimulus?: Step[];
  /** Rules about clients: what the server does, and what the client has to do. */
  situation?: Situation;
  /** The stimulus needs a session of its own. */
  isolated?: boolean;
  /** True if the requirement binds the target at all; false in every session means `not-applicable`. */
  applies?: Condition;
  given: Given;
  /** Which of the selected subjects can be decided; when none can, the verdict is `not-exercised`. */
  when?: Condition;
  expect: Condition;
  advice?: Advice[];
  /** Handlebars: what was seen that breaks the requirement. */
  message: string;
  /** Handlebars: how to fix it. */
  fix: string;
  /** A server may leave out the subject of the rule. */
  optional?: Optional;
  /** Action of the server that gives the rule something to judge: completes `applies only if`. */
  onlyIf?: string;
  examples: RuleExample[];
  /** Faults of the reference server that the rule has to fail; of the reference client where the rule is about clients. */
  mutation?: MutationEntry | MutationEntry[];
  /** The same requirement binds the client: makes the rule `<area>/client-<slug>`, with the parties changed. */
  client?: ClientTwin;
}

/** Why a whole check with every tool called may bring nothing to judge: then the requirement does not apply. */
export interface Optional {
  /** Where it would have shown, and what has to have been seen of it. */
  in: (typeof optionalPlaces)[number];
  /** The reason, as a sentence without its full stop. */
  why: string;
}

export const optionalPlaces = ['handshake', 'lists', 'templates', 'messages', 'prompts', 'resources'] as const;

/**
 * A rule of level MAY: it cannot be broken, and reports if a permitted feature was used. It is used where `uses` holds
 * of a subject that `given` selects and `when` leaves.
 */
export interface FeatureFile
  extends Pick<
    RuleFile,
    | '$schema'
    | 'title'
    | 'requirement'
    | 'role'
    | 'transports'
    | 'stimulus'
    | 'isolated'
    | 'given'
    | 'when'
    | 'examples'
  > {
  uses: Condition;
  mutation?: undefined;
}

/** Differences of the rule about the client; absent members are those of the rule, with exchanged parties. */
export interface ClientTwin {
  situation?: Situation;
  /** Faults of the reference client; absent: those of the rule that a client can have as well. */
  mutation?: MutationEntry | MutationEntry[];
  title?: string;
  message?: string;
  fix?: string;
  examples?: RuleExample[];
}

/** A rule made ready to judge: named conditions expanded, levels and places taken from its requirement. */
export interface CompiledRule {
  id: string;
  area: string;
  title: string;
  requirements: string[];
  role: 'server' | 'client';
  /** About a server: the requirement binds its authorization server, in some revision. */
  ofAuthorizationServer?: true;
  transports: TransportKind[];
  /** Of level MAY: says `used` or `not-seen`, and takes no part in score, counts and exit code. */
  feature?: true;
  /** Per revision in which the rule holds. */
  at: Record<string, RulePlace>;
  stimulus?: Step[];
  situation?: Situation;
  isolated: boolean;
  applies?: Condition;
  optional?: Optional;
  onlyIf?: string;
  kind: SubjectKind;
  filter: Filter;
  /** Derived facts that the texts of the rule name. */
  textFacts?: Record<string, DerivedFact>;
  /** Sources of the subjects of the kinds `group` and `pair`. */
  selection?: CompiledSelection;
  when?: Condition;
  expect: Condition;
  advice: Advice[];
  message: string;
  fix: string;
}

export interface RulePlace {
  level: Level;
  severity: Severity;
  /** Why a MUST counts as a warning; absent for all else. */
  basis?: 'prose' | 'contested';
  statement: string;
  ref: string;
  link: string | null;
  /** The extension that the requirement belongs to. */
  extension?: string;
}

/** Data that judging and probing load at start: every rule, and the digest of the set. */
export interface Plan {
  digest: string;
  rules: CompiledRule[];
}
