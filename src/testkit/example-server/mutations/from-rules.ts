/** Mutations that rule files carry (member `mutation`), as changes of the reference server. */
import compiled from '../../../../generated/mutations.json' with { type: 'json' };
import { createFaultEngine } from '../../../core/faults/engine.ts';
import { operatorsOf } from '../../../core/faults/operators.ts';
import type { CompiledMutation, Fault } from '../../../core/model/rules/mutation.ts';
import type { BehaviourChange } from '../../../server/session/behaviour.ts';
import { marked, marksOf } from '../../../server/session/due.ts';
import type { JsonObject } from '../../../server/protocol/json-rpc.ts';
import type { Revision } from '../../../server/protocol/revisions.ts';
import type { Mutation } from './mutation.ts';

export const ruleMutations: readonly Mutation[] = (compiled as CompiledMutation[]).map(asMutation);

/** Content of a rule file, with data of the catalogue. */
export function asMutation({ revisions, fault, ...rest }: CompiledMutation): Mutation {
  return { ...rest, revisions: revisions as Revision[], change: changeOf(fault) };
}

/** The seams that the operators of a fault need, and no others: the fewer there are, the more mutations share a server. */
export function changeOf(fault: Fault): BehaviourChange {
  const engine = createFaultEngine(fault);
  const over = new Set(operatorsOf(fault).map((operator) => operator.over));
  return {
    ...(over.has('message')
      ? {
          outgoing: (message, { kind, method, asked, era, session }) =>
            // Requests of the stateless era share no session.
            engine
              .send({ message, kind, method, asked, connection: era === 'stateful' ? session : session.host })
              .map((sending) => {
                const { message: sent, ...how } = sending;
                return marked(sent as JsonObject, { ...marksOf(message), ...how });
              }),
        }
      : {}),
    ...(over.has('http') || over.has('request')
      ? {
          http: {
            head: (head, replying) => engine.head({ ...head, ...replying }),
            ...(over.has('request') ? { hear: (view) => engine.hear(view) } : {}),
          },
        }
      : {}),
  };
}
