/** A suite as it is run: cases, and in them steps that say what is sent and what must be seen. Shapes only. */
import type { Expectation } from './expectation.ts';
import type { Place } from './yaml-source.ts';

/** The client's answers to the server; nothing else is declared. */
export interface ClientFeatures {
  /** Paths. */
  roots?: string[];
  /** `tools`: uses of tools that the first answer to a request which offers tools consists of; an empty list only declares them. */
  sampling?: {
    text: string;
    model: string;
    stopReason: string;
    tools?: { name: string; input: Record<string, unknown> }[];
  };
  /** `url`: what is done about addresses to open. */
  elicitation?: { action: ElicitationAction; content?: Record<string, unknown>; url?: ElicitationAction };
}

export type ElicitationAction = 'accept' | 'decline' | 'cancel';

/** A server as a file describes it; variables and placeholders are not put in yet. */
export interface ServerBlock {
  command?: string;
  args: string[];
  env: Record<string, string>;
  transport: string;
  url?: string;
  headers: Record<string, string>;
  docker?: string;
  /** Program that runs its container; docker when absent. */
  engine?: 'docker' | 'podman';
  /** The container has no network. */
  network?: 'none';
  cwd?: string;
  features?: ClientFeatures;
}

/** How to make the text for expectations. */
export type View = 'tool' | 'prompt' | 'resource' | 'json';

/** Which placeholders of what is sent are filled in. */
export type Scope = 'none' | 'fixture' | 'text' | 'values';

export interface SendRequest {
  kind: 'request';
  method: string;
  params: Record<string, unknown> | undefined;
  scope: Scope;
  view: View;
  /** Ask for progress. */
  progress?: boolean;
  /** A list whose pages are all requested, by the name of its member. */
  pages?: string;
  /** Sent whatever the revision says of the method. */
  anyRevision?: true;
  /** Beginning of the sentence about a JSON-RPC error, or a missing answer. */
  failed: string;
}

/** Looks at the notifications since the case began. */
export interface Observe {
  kind: 'observe';
  /** Longest wait for more of them, in milliseconds; it ends as soon as nothing more can change the verdict. */
  graceMs: number;
  /** Only at log messages. */
  logs?: true;
}

/** Waits for a notification of a method, or for none. */
export interface AwaitNotice {
  kind: 'await-notice';
  method: string;
  wanted: boolean;
}

/** Steps that are begun without waiting for each other. */
export interface Parallel {
  kind: 'parallel';
  steps: Step[];
}

/** A program of the user's: words, no shell. */
export interface RunCommand {
  kind: 'run';
  words: string[];
}

/** Result of the handshake, judged again. */
export interface ShowHandshake {
  kind: 'handshake';
}

/** A call that is taken back while it runs. */
export interface CancelCall {
  kind: 'cancel';
  request: SendRequest;
  afterMs: number;
}

/** A whole check of the server against the specification. */
export interface CheckServer {
  kind: 'check';
  /** Lowest level of the requirements that take part. */
  level?: 'must' | 'should' | 'may';
  /** One letter, A the best. */
  minGrade?: string;
  /** Areas, ids of rules or globs over them; empty for all. */
  only: string[];
  skip: string[];
}

/** Judges tool calls that were recorded elsewhere. */
export interface JudgeCalls {
  kind: 'calls';
  /** Calls in the file itself, or the path of a log. */
  calls: { tool: string; args: Record<string, unknown> }[] | undefined;
  log: string | undefined;
  /** Path of a trace or capture; goes before the others. */
  recording?: string;
  assertions: Record<string, unknown>[];
  /** Place of each assertion. */
  places: Place[];
}

/** Impossible parts of the file. */
export interface Impossible {
  kind: 'impossible';
  words: string;
}

export type Act =
  | SendRequest
  | Observe
  | AwaitNotice
  | JudgeCalls
  | Impossible
  | Parallel
  | RunCommand
  | ShowHandshake
  | CancelCall
  | CheckServer;

/** An expectation with what it demands. */
export interface Demand {
  expectation: Expectation;
  option: unknown;
  scope: Scope;
  place: Place;
}

/** A path in the answer, or a pattern (RE2) for its text, whose first group is the value: a text, or a number. */
export type CapturePath = string | { matches: string; as?: 'number' };

export interface Step {
  /** Its place in the file, as `setup[0]` or `assert`. */
  id: string;
  phase: 'setup' | 'main' | 'teardown';
  /** Description for a reader: `tools/call read_file`. */
  title: string;
  act: Act;
  /** Name of a variable to the place of its value. */
  capture: Record<string, CapturePath>;
  demands: Demand[];
  place: Place;
  /** Of the native form: captures look into the result. */
  native?: true;
  /** Of the native form: it has no `expect` and nothing that may be meant as one, so that any result is what it asks for. */
  implied?: true;
  /** Ask again until the demands hold, at most this long. */
  eventuallyMs?: number;
  /** Steps whose answers have to be the same before this step and after it. */
  unchanged?: Step[];
  /** The request is made a second time, and has to come to the same. */
  again?: true;
  /** Path of the part of the answer that a snapshot keeps, in an object of `result` and `error`; all of it when absent. */
  snapshotTarget?: string;
}

export interface SuiteCase {
  /** File and number in it, as `notes/read.yaml#1`. */
  id: string;
  name: string;
  /** Path of the file as it was named. */
  file: string;
  place: Place;
  form: 'assert' | 'native';
  /** Key of the block, as `assert_prompts`. */
  block: string;
  /** The tool, prompt or resource under test, where there is one. */
  about?: string;
  tags: string[];
  server: ServerBlock | undefined;
  steps: Step[];
  timeoutMs?: number;
  skip?: { reason: string };
  skipUnlessEnv?: string;
  /** Revision to hold the server to. */
  spec?: string;
  language?: string;
  /** It asserts nothing: how that counts. */
  empty?: 'counted' | 'fails';
  /** Variables that the file gives. */
  values?: Record<string, unknown>;
  /** JSON paths of what may differ at any time; snapshots leave it out. */
  volatile?: string[];
  /** Never shares a server. */
  alone?: true;
  session?: 'fresh' | 'auto' | 'file' | 'suite';
  /** True if the traffic is judged by the rules of the specification, if the run does not decide. */
  conformance?: 'off' | 'warn' | 'fail';
}
