/** What a step needs of its surroundings. Shapes only. */
import type { MethodTables } from '../../spec/messages/method-tables.ts';
import type { Connection } from './connection.ts';

export interface StepSetting {
  connection: Connection;
  remaining(): number;
  /** Words for an answer that did not come in time. */
  overdue(): string;
  timedOut(): boolean;
  methods: MethodTables;
}
