/** Input of expectations: the answer of a step and accompanying messages. Shapes only. */

/** A notification of the server. */
export interface Notice {
  seq: number;
  /** Milliseconds since the trace began. */
  t: number;
  method: string;
  params: unknown;
}

/** A file as the harness saw it. */
export interface SeenFile {
  path: string;
  exists: boolean;
  size?: number;
  /** SHA-256 in hexadecimal. */
  digest?: string;
  /** Text of the file; absent when it is larger than what is kept, or no text. */
  content?: string;
  /** Error of the system for an unreadable file. */
  problem?: string;
  seq: number;
}

/** Comparison of an answer with the stored one. */
export interface SnapshotView {
  stored: string | undefined;
  /** Path of the part that is kept, in an object of `result` and `error`. */
  target?: string;
  places: readonly { path: string; word: string }[];
  /** JSON paths of what may differ at any time. */
  volatile: readonly string[];
  /** Takes secrets out of a message. */
  clean(message: Record<string, unknown>): Record<string, unknown>;
  /** Takes the text in place of a comparison. */
  note?(now: string): undefined;
}

export interface Subject {
  /** Text of the answer, in the way of its block. */
  text: string;
  isError: boolean;
  /** Member `result` of the answer; of lists of several pages all pages joined. Numbers that no double holds are bigint. */
  result: unknown;
  /** The error of an answer that has no result. */
  error?: { code: unknown; message: unknown; data?: unknown };
  /** Milliseconds from the request to its answer. */
  tookMs?: number;
  /** Bytes of the answer as JSON. */
  bytes?: number;
  /** The reply that carried the answer, over HTTP. */
  http?: { status: number; headers: Record<string, string | string[]> };
  /** The tool that was called, as the server lists it. */
  tool?: Record<string, unknown>;
  /** Of a whole list of what the server offers: the member of the result that has its entries. */
  list?: string;
  /** Everything that the server notified since the case began, in order. */
  notices: readonly Notice[];
  /** Notifications of the progress of this request. */
  progress: readonly Notice[];
  file(path: string, when: 'before' | 'after'): SeenFile | undefined;
  /** Stored snapshot of the step, if snapshots are available. */
  snapshot?: SnapshotView;
}

/** Why an expectation does not hold. */
export interface Finding {
  /** Begins with the words that scripts know. */
  words: string;
  /** Expectation and observation, for a reader. */
  expected?: string;
  actual?: string;
  /** Member or item of the option that does not hold. */
  at?: (string | number)[];
  /** Further events as evidence, in addition to the exchange itself. */
  seqs?: number[];
}
