/** Where the time of a check went (`mcpc check --timings`). Shapes only; all times in milliseconds. */

export type StageName = 'loading' | 'detecting' | 'probing' | 'closing' | 'judging' | 'reporting';

export interface Spent {
  wallMs: number;
  /** CPU time of mcpc, all threads; that of the target is not counted. */
  cpuMs: number;
}

export interface Timings extends Spent {
  /** CPU cores of the machine. */
  cores: number;
  /** Processes started. */
  starts: number;
  /** In order; together they are the whole. */
  stages: (Spent & { name: StageName })[];
  /** Of the stage `probing`: what judging took meanwhile, on the same thread. */
  judgedMs: number;
  connections: ConnectionTime[];
  /** Connections beyond the listed ones. */
  moreConnections?: number;
  /** Steps that took longest, longest first. */
  steps: StepTime[];
  /** Times in which nothing came or went on a connection, longest first. */
  idle: StepTime[];
}

export interface ConnectionTime {
  session: string;
  /** From its first event to its last one. */
  wallMs: number;
  messages: number;
  /** Probes that were run on it. */
  probes: number;
  /** Purpose: ids of rules that requested its probes, the first few. */
  rules: string[];
  /** The first few steps (docs/rules.md) that were carried out on it. */
  steps: string[];
}

export interface StepTime {
  session: string;
  /** The step (docs/rules.md) that took most of the time; the stage where none did. */
  step: string;
  wallMs: number;
}
