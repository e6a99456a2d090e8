/** A fault that a server can be given, as rule files and lists of faults write it. Shapes only. */
import type { TransportKind } from '../trace.ts';

/**
 * Messages or HTTP replies of the server that a fault changes; one member names the kind, `where`, `more` and `nth`
 * narrow it.
 */
export interface FaultPlace {
  /** Answers to requests of the method, results and errors; `*` for every method. */
  reply?: MethodNames;
  result?: MethodNames;
  error?: MethodNames;
  /** Requests of the server. */
  request?: MethodNames;
  /** Notifications of the server. */
  notification?: MethodNames;
  /** HTTP replies, by what was asked. */
  http?: HttpPlace;
  /** JSONPath to the value that the message has there. */
  where?: Record<string, unknown>;
  /** Of answers: only where the request held a member there that no schema names. */
  more?: MorePlace;
  /** Only the n-th such message of a connection, from 1. */
  nth?: number;
}

/** Place of an additional member in a request: next to `method`, in `params`, or in `params._meta`. */
export type MorePlace = 'message' | 'params' | '_meta';

export type MethodNames = string | string[];

export interface HttpPlace {
  /** Verb of the HTTP request. */
  method?: string;
  /** The posted message. */
  posted?: 'request' | 'notification' | 'response' | 'batch';
  /** Method of the message that was posted. */
  rpc?: MethodNames;
  /** Status that the reply would have. */
  status?: number;
  /** True if the request names a session. */
  session?: boolean;
}

/** A fault: an `on` and at least one operator of src/core/faults/operators.ts with its options. */
export interface Fault {
  on: FaultPlace;
  set?: string;
  to?: unknown;
  plus?: number | string;
  as?: 'string' | 'number' | 'int32';
  remove?: string;
  repeat?: number;
  delay?: number;
  drop?: true;
  copy?: true;
  status?: number;
  header?: Record<string, string | null>;
  hears?: Record<string, string | null>;
  spelling?: Record<string, string>;
  raw?: string;
  encoding?: 'utf8' | 'latin1' | 'utf16le';
  end?: string;
}

/** Member `mutation` of a rule file: a fault that the rule has to fail. */
export interface MutationEntry extends Fault {
  /** Distinguishes several mutations of one rule. */
  name?: string;
  /** The server's fault, as a sentence. */
  says?: string;
  /** Narrower than those of the rule. */
  transports?: TransportKind[];
  /** Revisions in which it shows and is wrong, if not all of the rule. */
  revisions?: string[];
  /** Rules that the same fault breaks as well; `*` if hardly any rule can be decided. */
  alsoBreaks?: string[];
  /** Only advice is broken: a checker may let it pass. */
  advisory?: true;
}

/** A mutation with all that its rule says of it. */
export interface CompiledMutation {
  /** Id of the rule, with the name after @ where there is one. */
  id: string;
  rule: string;
  transports: TransportKind[];
  revisions: string[];
  description: string;
  alsoBreaks?: string[];
  advisory?: true;
  fault: Fault;
}
