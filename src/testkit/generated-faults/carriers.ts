/** The messages of one party in one revision: what they are called in faults, and the shape of what they carry. */
import type { FaultPlace } from '../../core/model/rules/mutation.ts';
import type { MessageLayout } from '../../core/spec/messages/message-layout.ts';
import type { Shape } from '../../core/spec/messages/message-shape.ts';
import { membersOf, resolved } from './shapes.ts';

export interface Carrier {
  kind: 'result' | 'request' | 'notification';
  method: string;
  on: FaultPlace;
  /** Of `result` or `params`, each shape that it may have; none where it may be anything or is never there. */
  payloads: readonly { shape: Shape; word: string }[];
}

/**
 * The results of a party, its requests and its notifications.
 *
 * @param faultId of a fault: only those that it can mean
 */
export function carriersOf(layout: MessageLayout, faultId?: string, sender: 'server' | 'client' = 'server'): Carrier[] {
  const other = sender === 'server' ? 'client' : 'server';
  return [...layout.methods].flatMap(([method, { from, kind, message, result, taskResult }]): Carrier[] => {
    if (kind === 'input-request' || (faultId !== undefined && !faultId.startsWith(`${method}.`))) return [];
    const carriers: Carrier[] = [];
    if (kind === 'request' && from !== sender) {
      const shapes = [result!, ...(taskResult === undefined ? [] : [taskResult])];
      carriers.push({
        kind: 'result',
        method,
        on: { result: method },
        payloads: shapes.map((name, index) => ({
          shape: { kind: 'reference', name },
          word: index === 0 ? 'result' : 'result(task)',
        })),
      });
    }
    if (from !== other) carriers.push({ kind, method, on: { [kind]: method }, payloads: paramsOf(layout, message) });
    return carriers;
  });
}

function paramsOf(layout: MessageLayout, message: string): Carrier['payloads'] {
  const { shape } = resolved(layout, { kind: 'reference', name: message });
  const params = shape.kind === 'object' ? membersOf(layout, shape).get('params') : undefined;
  return params === undefined ? [] : [{ shape: params.shape, word: 'params' }];
}
