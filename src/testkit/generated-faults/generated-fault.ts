/** A fault, or a legal variant, that the generator makes. Shapes only. */
import type { Fault } from '../../core/model/rules/mutation.ts';
import type { Revision } from '../../core/model/rules/requirement.ts';
import type { TransportKind } from '../../core/model/trace.ts';

export interface GeneratedFault {
  /** Plain and stable: `tools/list.result.tools[].inputSchema:null`. */
  id: string;
  /** Of the changed message, or of its carrier. */
  area: string;
  fault: Fault;
  transports: readonly TransportKind[];
  /**
   * Requirements by revision, at least one of which it violates, or `legal`. Empty: it violates the message schema,
   * without a requirement.
   */
  at: Partial<Record<Revision, readonly string[] | 'legal'>>;
  /** It is a violation because a message does not fit its schema any more; a message that still does makes it none. */
  bySchema?: true;
}

export const allTransports: readonly TransportKind[] = ['stdio', 'http', 'sse'];
