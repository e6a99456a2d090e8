/** The transport, revision and era that an example is played under. */
import type { TransportKind } from '../../model/trace.ts';

export interface ExampleSetting {
  transport: TransportKind;
  revision: string;
  era: 'stateful' | 'stateless';
}
