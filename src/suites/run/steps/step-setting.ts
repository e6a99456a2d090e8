/** Context of a step. Shapes only. */
import type { MethodTables } from '../../../files/package/method-tables.ts';
import type { CheckServer } from '../../language/model.ts';
import type { HarnessAnswer, StepMark } from '../../language/judge/case-record.ts';
import type { Connection } from '../connect/connection.ts';

export interface StepSetting {
  connection: Connection;
  /** Milliseconds that are left of the time of the case; at least 1. */
  remaining(): number;
  /** Words for an answer that did not come in time. */
  overdue(): string;
  timedOut(): boolean;
  methods: MethodTables;
  /** Checks the server of the case against the specification. */
  check(what: CheckServer): Promise<{ words: string } | { answer: HarnessAnswer }>;
  /** Notes in the trace what the harness does. */
  mark(detail: StepMark): void;
  sink(kind: 'file', detail: object): void;
}
