/**
 * The shape of a requirement: one normative statement of the specification, with what differs between
 * revisions. Shapes only; where requirements come from and what they mean for a verdict is decided in
 * `spec`.
 */

/** A revision of the Model Context Protocol, named by its date. */
export type Revision = '2024-11-05' | '2025-03-26' | '2025-06-18' | '2025-11-25' | '2026-07-28';

/** `stateful`: a connection starts with an initialize handshake. `stateless`: every request stands alone. */
export type Era = 'stateful' | 'stateless';

export type Level = 'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT' | 'MAY';

/** Who is bound. `host` is the application around the client. */
export type Role = 'server' | 'client' | 'both' | 'host' | 'authorization-server';

/** What a failed requirement means: `error` costs compliance, `warning` and `info` never do. */
export type Severity = 'error' | 'warning' | 'info';

/**
 * How the requirement can be seen. `active`: the checker must send something special; `passive`:
 * ordinary traffic shows it; `auth`: needs an authorization set-up; `none`: not visible on the wire.
 */
export type Observation = 'server-active' | 'server-passive' | 'client-active' | 'client-passive' | 'auth' | 'none';

/** `*` is every transport, `http` Streamable HTTP, `sse` the HTTP+SSE transport of 2024-11-05. */
export type RequirementTransport = '*' | 'stdio' | 'http' | 'sse';

/**
 * What the level rests on: a capitalised keyword, a required member or type of the schema, plain prose
 * (the level is an estimate), or a keyword that another place of the specification contradicts.
 */
export type Basis = 'keyword' | 'schema' | 'prose' | 'contested';

/** What may differ between the revisions that a requirement stands in. */
export interface RequirementFacts {
  role: Role;
  /** What holds in a conforming implementation, one sentence, also for the negative levels. */
  statement: string;
  /** Never empty, the most telling way first; `none` stands alone. */
  observe: readonly Observation[];
  /** Never empty; `*` stands alone. */
  transports: readonly RequirementTransport[];
  basis: Basis;
  /** Why nothing can be observed; null unless `observe` is `none`. */
  reason: string | null;
  /** What a check has to tolerate, or null. */
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
  /** What older revisions have otherwise than the facts above. */
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
  /** The extension that it belongs to, if any; the revision is then the core one that the extension is for. */
  extension?: string;
  house: boolean;
}
