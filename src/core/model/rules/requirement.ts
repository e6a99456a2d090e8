/**
 * The shape of a requirement: one normative statement of the specification, with what differs between
 * revisions. Shapes only; where requirements come from and what they mean for a verdict is decided in
 * `spec`.
 */

/** A revision of the Model Context Protocol, named by its date. */
export type Revision = '2024-11-05' | '2025-03-26' | '2025-06-18' | '2025-11-25' | '2026-07-28';

/** `stateful`: a connection starts with an initialize handshake. `stateless`: every request is independent. */
export type Era = 'stateful' | 'stateless';

export type Level = 'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT' | 'MAY';

/** The bound party. `host` is the application around the client. */
export type Role = 'server' | 'client' | 'both' | 'host' | 'authorization-server';

/** Meaning of a failed requirement: `error` costs compliance, `warning` and `info` never do. */
export type Severity = 'error' | 'warning' | 'info';

/**
 * Observability of the requirement. `active`: the checker must send something special. `passive`: ordinary traffic
 * shows it. `auth`: needs an authorization set-up. `none`: not visible on the wire.
 */
export type Observation = 'server-active' | 'server-passive' | 'client-active' | 'client-passive' | 'auth' | 'none';

/** `*` is every transport, `http` Streamable HTTP, `sse` the HTTP+SSE transport of 2024-11-05. */
export type RequirementTransport = '*' | 'stdio' | 'http' | 'sse';

/**
 * Basis of the level: a capitalised keyword, a required member or type of the schema, plain prose (the level is an
 * estimate), or a keyword that another place of the specification contradicts.
 */
export type Basis = 'keyword' | 'schema' | 'prose' | 'contested';

/** Facts of a requirement that may differ between its revisions. */
export interface RequirementFacts {
  role: Role;
  /** Behaviour of a conforming implementation, one sentence, also for the negative levels. */
  statement: string;
  /** Never empty, the most useful way first; `none` only alone. */
  observe: readonly Observation[];
  /** Never empty; `*` only alone. */
  transports: readonly RequirementTransport[];
  basis: Basis;
  /** Why nothing can be observed; null unless `observe` is `none`. */
  reason: string | null;
  /** Tolerances of a check, or null. */
  note: string | null;
}

/**
 * A requirement over all revisions. Its own facts are those of the newest revision that has it; read a
 * certain revision with `requirementAt` of `spec/catalogue.ts`.
 */
export interface Requirement extends RequirementFacts {
  /** For example `ping.answer.empty-result`. */
  id: string;
  /** First segment of the id. */
  area: string;
  /** A revision without a level does not have the requirement. */
  levels: Partial<Record<Revision, Level>>;
  /** `page`, `page#anchor`, `schema#Type`, an address, or empty where a house requirement names no place. Of an extension: of its own specification. */
  refs: Partial<Record<Revision, string>>;
  /** Differences in older revisions from the facts above. */
  variants?: Partial<Record<Revision, Partial<RequirementFacts>>>;
  /** The identifier of the extension that it belongs to; absent where it is one of a core revision. */
  extension?: string;
  /** Set on requirements of the user's own. */
  house?: true;
}

/** A requirement as one revision has it. */
export interface RequirementAt extends RequirementFacts {
  id: string;
  area: string;
  revision: Revision;
  level: Level;
  ref: string;
  /** The extension that it belongs to, if any; the revision is then the core one of the extension. */
  extension?: string;
  house: boolean;
}
