/** A generated fault in the reference server, with what it did: whether it befell anything, and what was sent then. */
import { isDeepStrictEqual } from 'node:util';
import { createFaultEngine } from '../../../src/core/faults/engine.ts';
import type { GeneratedFault } from '../../../src/testkit/generated-faults/generated-fault.ts';
import { operatorsOf, type Sending } from '../../../src/core/faults/operators.ts';
import type { MessageValidators } from '../../../src/core/spec/messages/message-validator.ts';
import type {
  About,
  BehaviourChange,
  HttpHead,
  HttpReplying,
  HttpView,
} from '../../../src/server/session/behaviour.ts';
import { marked, marksOf } from '../../../src/server/session/due.ts';
import type { JsonObject } from '../../../src/server/protocol/json-rpc.ts';

/** A message on its way out, as the compliant server sends it. */
export interface Sent {
  message: JsonObject;
  about: Pick<About, 'kind' | 'method'>;
  connection: object;
}

/** A reply of the compliant server before its head is sent. */
export interface Replied {
  head: HttpHead;
  replying: HttpReplying;
}

export interface WatchedFault {
  change: BehaviourChange;
  /** The messages that it sent changed, as JSON text. */
  sent: ReadonlySet<string>;
  /** It befell something, and that violates what it is to violate; of checks that are left out: always, since not to try them is to miss them. */
  took(): boolean;
}

/** A change of the reference server that notes what it does. */
export function watched(generated: GeneratedFault, validators: MessageValidators): WatchedFault {
  const engine = createFaultEngine(generated.fault);
  const over = new Set(operatorsOf(generated.fault).map((operator) => operator.over));
  const sent = new Set<string>();
  let tookPlace = false;
  const outgoing: BehaviourChange['outgoing'] = (message, { kind, method, asked, era, session }) => {
    const sendings = engine.send({
      message,
      kind,
      method,
      asked,
      connection: era === 'stateful' ? session : session.host,
    });
    if (
      !isUntouched(sendings, message) &&
      fitsWhatItIs(
        generated,
        validators,
        { kind, method },
        message,
        sendings.map((one) => one.message),
      )
    ) {
      tookPlace = true;
      for (const one of sendings) sent.add(JSON.stringify(one.message));
    }
    return sendings.map(({ message: changed, ...how }) =>
      marked(changed as JsonObject, { ...marksOf(message), ...how }),
    );
  };
  const head = (given: HttpHead, replying: HttpReplying): HttpHead => {
    const made = engine.head({ ...given, ...replying });
    if (!isDeepStrictEqual(made, given)) tookPlace = true;
    return made;
  };
  const hear = (view: HttpView): HttpView['headers'] => {
    const heard = engine.hear(view);
    if (!isDeepStrictEqual(heard, view.headers)) tookPlace = true;
    return heard;
  };
  return {
    change: {
      ...(over.has('message') ? { outgoing } : {}),
      ...(over.has('http') || over.has('request') ? { http: { head, ...(over.has('request') ? { hear } : {}) } } : {}),
    },
    sent,
    took: () => tookPlace || over.has('request') || generated.fault.on.more !== undefined,
  };
}

/** Whether the fault would befall something of what a compliant server sent. */
export function befalls(
  generated: GeneratedFault,
  validators: MessageValidators,
  messages: readonly Sent[],
  replies: readonly Replied[],
): boolean {
  const engine = createFaultEngine(generated.fault);
  const over = new Set(operatorsOf(generated.fault).map((operator) => operator.over));
  const isBefallen = ({ message, about, connection }: Sent): boolean => {
    const sendings = engine.send({ message, ...about, connection });
    return (
      !isUntouched(sendings, message) &&
      fitsWhatItIs(
        generated,
        validators,
        about,
        message,
        sendings.map((one) => one.message),
      )
    );
  };
  if (over.has('message') && messages.some(isBefallen)) return true;
  // A check that the server leaves out is missed by whoever never tries it.
  if (over.has('request') || generated.fault.on.more !== undefined) return true;
  return (
    over.has('http') &&
    replies.some(
      ({ head, replying }) =>
        !isDeepStrictEqual(engine.head({ ...head, ...replying }), { status: head.status, headers: head.headers }),
    )
  );
}

/** Messages that differ in more than their ids, those of each method for itself; what counts messages needs them all. */
export function distinct(messages: readonly Sent[]): Sent[] {
  const seen = new Map<string, Sent>();
  for (const one of messages) {
    const { id: _id, ...rest } = one.message;
    const key = JSON.stringify([one.about.kind, one.about.method, rest]);
    if (!seen.has(key)) seen.set(key, one);
  }
  return [...seen.values()];
}

function isUntouched(sendings: readonly Sending[], message: JsonObject): boolean {
  const [first] = sendings;
  return (
    sendings.length === 1 &&
    first!.raw === undefined &&
    first!.delayMs === undefined &&
    first!.everywhere === undefined &&
    isDeepStrictEqual(first!.message, message)
  );
}

/** A violation of a schema is one where the message fitted and no more does; where it still does, the fault is none there. */
function fitsWhatItIs(
  generated: GeneratedFault,
  validators: MessageValidators,
  about: Sent['about'],
  before: JsonObject,
  after: readonly object[],
): boolean {
  if (!generated.bySchema) return true;
  const types = typesOf(validators, about).filter((type) => fits(validators, type, about, before));
  return types.length > 0 && types.every((type) => !after.every((message) => fits(validators, type, about, message)));
}

function typesOf({ methods }: MessageValidators, { kind, method }: Sent['about']): string[] {
  const info = method === undefined ? undefined : methods[method];
  if (info === undefined || kind === 'error') return [];
  return (kind === 'result' ? [info.result, info.taskResult] : [info.message]).filter(
    (type) => type !== null && type !== undefined,
  );
}

function fits(validators: MessageValidators, type: string, { kind }: Sent['about'], message: object): boolean {
  const value = kind === 'result' ? (message as JsonObject).result : message;
  return validators.validate(type, value).length === 0;
}
