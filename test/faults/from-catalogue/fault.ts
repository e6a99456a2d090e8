/** The form of the faults that were written from the catalogue of revision 2026-07-28 alone, and the building blocks of their changes. */
import type { IncomingMessage } from 'node:http';
import type { About, BehaviourChange } from '../../../src/server/session/behaviour.ts';
import type { TransportKind } from '../../../src/server/session/host.ts';
import type { JsonObject } from '../../../src/server/protocol/json-rpc.ts';
import { isObject } from '../../../src/server/protocol/json-rpc.ts';
import type { ReplySink } from '../../../src/server/protocol/reply-sink.ts';
import type { Revision } from '../../../src/server/protocol/revisions.ts';
import type { Session } from '../../../src/server/session/session.ts';
import { metaKey } from '../../../src/server/dispatch/stateless-meta.ts';

export const revision: Revision = '2026-07-28';
/** For a server of this revision alone. */
export const modernOnly: readonly Revision[] = [revision];

export interface CatalogueFault {
  id: string;
  /** The requirements that it violates: a rule of one of them has to report it. */
  violates: readonly string[];
  /** Requirements that the same behaviour violates as well. */
  alsoBreaks?: readonly string[];
  description: string;
  transports: readonly TransportKind[];
  /** The revisions that the server has to be restricted to for the behaviour to be wrong. */
  serve?: readonly Revision[];
  change: BehaviourChange;
}

export const both: readonly TransportKind[] = ['stdio', 'http'];
export const overHttp: readonly TransportKind[] = ['http'];
export const onStdio: readonly TransportKind[] = ['stdio'];

type Incoming = NonNullable<BehaviourChange['incoming']>;
type Outgoing = NonNullable<BehaviourChange['outgoing']>;

export const versionKey = metaKey.version;
export const capabilitiesKey = metaKey.clientCapabilities;
export const subscriptionKey = metaKey.subscriptionId;
/** What the _meta of a result that a fault makes up holds, as that of all others does. */
export const serverMeta = { [metaKey.serverInfo]: { name: 'mcpc-reference', version: '1.0.0' } };

/** A request of this era, as far as its parts can be relied on. */
export interface Heard {
  message: JsonObject;
  params: JsonObject;
  meta: JsonObject;
  session: Session;
  sink: ReplySink;
}

function heard(message: JsonObject, session: Session, sink: ReplySink): Heard | undefined {
  const params = isObject(message.params) ? message.params : {};
  const meta = isObject(params._meta) ? params._meta : {};
  const isModern = meta[versionKey] !== undefined || session.host.stateful.length === 0;
  return message.id !== undefined && isModern ? { message, params, meta, session, sink } : undefined;
}

/**
 * An incoming seam for requests of this era by their method.
 * @param hear may change the request as it is; true if it has been answered
 */
export function hearing(method: string | readonly string[], hear: (request: Heard) => boolean | void): Incoming {
  return (message, session, sink) => {
    const request = [method].flat().includes(String(message.method)) ? heard(message, session, sink) : undefined;
    return request !== undefined && hear(request) === true;
  };
}

const asked = (id: unknown): string => `asked ${typeof id} ${String(id)}`;

/** An incoming seam that keeps the parameters of requests, for those who change what is answered. */
export const noting: Incoming = (message, session) => {
  if (message.id !== undefined) session.memo.set(asked(message.id), message.params ?? {});
  return false;
};

/** The parameters of the request that a message answers; of it `noting` has to have heard. */
export function paramsOf(message: JsonObject, about: About): JsonObject {
  const params = about.session.memo.get(asked(message.id));
  return isObject(params) ? params : {};
}

/** A change of the results of a method in this era; undefined leaves one as it is. */
export function ofResults(
  method: string,
  edit: (result: JsonObject, params: JsonObject, about: About) => JsonObject | undefined,
): BehaviourChange {
  return {
    incoming: noting,
    outgoing: (message, about) => {
      if (about.era !== 'stateless' || about.kind !== 'result' || about.method !== method || !isObject(message.result))
        return [message];
      const edited = edit(message.result, paramsOf(message, about), about);
      return [edited === undefined ? message : { ...message, result: edited }];
    },
  };
}

/** An outgoing seam for errors of this era by their cause. */
export function ofErrors(
  reason: string,
  edit: (error: JsonObject, message: JsonObject) => JsonObject | undefined,
): Outgoing {
  return (message, about) => {
    if (about.era !== 'stateless' || about.kind !== 'error' || about.reason !== reason || !isObject(message.error))
      return [message];
    const edited = edit(message.error, message);
    return [edited === undefined ? message : { ...message, error: edited }];
  };
}

/** An outgoing seam for notifications of this era by their method. */
export function ofNotices(
  method: string,
  edit: (params: JsonObject, message: JsonObject, about: About) => JsonObject[] | JsonObject | undefined,
): Outgoing {
  return (message, about) => {
    if (
      about.era !== 'stateless' ||
      about.kind !== 'notification' ||
      message.method !== method ||
      !isObject(message.params)
    )
      return [message];
    const edited = edit(message.params, message, about);
    return edited === undefined ? [message] : [edited].flat();
  };
}

/** A change of the results that ask for input, of any method or of one tool. */
export function ofQuestions(
  edit: (result: JsonObject, params: JsonObject) => JsonObject | undefined,
  tool?: string,
): BehaviourChange {
  return {
    incoming: noting,
    outgoing: (message, about) => {
      if (about.kind !== 'result' || !isObject(message.result) || message.result.resultType !== 'input_required')
        return [message];
      const params = paramsOf(message, about);
      const edited = tool === undefined || params.name === tool ? edit(message.result, params) : undefined;
      return [edited === undefined ? message : { ...message, result: edited }];
    },
  };
}

/** A change of the parameters of one input request of one tool, by its name in the result. */
export function ofQuestion(tool: string, key: string, edit: (params: JsonObject) => JsonObject): BehaviourChange {
  return ofQuestions(({ inputRequests, ...rest }) => {
    const question = isObject(inputRequests) ? inputRequests[key] : undefined;
    if (!isObject(question) || !isObject(question.params)) return undefined;
    return {
      ...rest,
      inputRequests: { ...(inputRequests as JsonObject), [key]: { ...question, params: edit(question.params) } },
    };
  }, tool);
}

/** A change of the capabilities as discovery shows them; what is served stays. */
export function ofDiscovery(edit: (capabilities: JsonObject) => JsonObject): BehaviourChange {
  return ofResults('server/discover', (result) => ({
    ...result,
    capabilities: edit(result.capabilities as JsonObject),
  }));
}

/** A change of one entry of a list, on whichever page it stands. */
export function ofEntry(
  method: string,
  list: string,
  key: string,
  name: string,
  edit: (entry: JsonObject) => JsonObject,
): BehaviourChange {
  return ofResults(method, (result) => {
    const entries = result[list];
    return Array.isArray(entries)
      ? { ...result, [list]: entries.map((entry: JsonObject) => (entry[key] === name ? edit(entry) : entry)) }
      : undefined;
  });
}

/** A change of the pages of a list after the first. */
export function ofLaterPages(method: string, edit: (result: JsonObject) => JsonObject): BehaviourChange {
  return ofResults(method, (result, { cursor }) => (cursor === undefined ? undefined : edit(result)));
}

/** What a call of one tool gives when it is done. */
export function ofTool(tool: string, edit: (result: JsonObject) => JsonObject): BehaviourChange {
  return ofResults('tools/call', (result, { name }) =>
    name === tool && result.resultType === 'complete' ? edit(result) : undefined,
  );
}

/** The headers of the request that a reply over HTTP belongs to; to be changed as they are. */
export function headersOf(sink: ReplySink): Record<string, string | string[] | undefined> {
  const { response } = sink as unknown as { response?: { req: IncomingMessage } };
  return response?.req.headers ?? {};
}

/** The capabilities that a request declares, to be changed as they are. */
export function declaredBy({ meta }: Heard): JsonObject {
  return isObject(meta[capabilitiesKey]) ? meta[capabilitiesKey] : {};
}

/** Answers a request with an error, over HTTP with a status. */
export function refuseWith({ message, sink }: Heard, code: number, text: string, status?: number): true {
  sink.finish([{ jsonrpc: '2.0', id: message.id, error: { code, message: text } }], {
    method: String(message.method),
    status,
  });
  return true;
}
