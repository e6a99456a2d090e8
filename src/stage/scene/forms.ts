/** The form in which a staged server replies: over HTTP media, comments and letters of headers, and the cursors of lists. */
import type { SituationAnswer } from '../../core/model/rules/situation.ts';
import { isObject, type JsonObject } from '../../server/protocol/json-rpc.ts';
import type { BehaviourChange, HttpReply, HttpView } from '../../server/session/behaviour.ts';

type HttpSeams = NonNullable<BehaviourChange['http']>;

/** The seams for the form that the situation asks for. */
export function httpForm(answers: readonly SituationAnswer[]): HttpSeams {
  const { as, to } = answers.find((one) => one.as !== undefined) ?? {};
  switch (as) {
    case undefined:
      return {};
    case 'json':
      return { replies: 'json' };
    case 'capitals':
      return {
        head: (head, { method }) =>
          method === to
            ? {
                status: head.status,
                headers: Object.fromEntries(
                  Object.entries(head.headers).map(([name, value]) => [name.toUpperCase(), value]),
                ),
              }
            : head,
      };
    default:
      return {
        replies: 'sse',
        ...(as === 'commented' ? { beforeEvents: (method) => (method === to ? ': keep-alive\n\n: again\n' : '') } : {}),
      };
  }
}

/** The reply to the very first POST, where it is to have no body. */
export function createBareRefusal(answers: readonly SituationAnswer[]): (view: HttpView) => HttpReply | undefined {
  const refusal = answers.find(({ bare }) => bare === true);
  let refused = refusal === undefined;
  return ({ verb }) => {
    if (refused || verb !== 'POST') return undefined;
    refused = true;
    return { status: refusal?.httpStatus ?? 400, reason: 'staged' };
  };
}

/** Cursors that clients see as the empty string. */
export interface EmptyCursors {
  /** Puts the cursor of the server in place of the empty one. */
  take(request: JsonObject): void;
  /** The list with an empty cursor in place of that of the server. */
  give(method: string | undefined, message: JsonObject): JsonObject;
}

export function createEmptyCursors(answers: readonly SituationAnswer[]): EmptyCursors {
  const methods = new Set(answers.filter(({ emptyCursor }) => emptyCursor === true).map(({ to }) => to));
  let real: unknown;
  return {
    take({ method, params }) {
      if (typeof method === 'string' && methods.has(method) && isObject(params) && params.cursor === '')
        params.cursor = real;
    },
    give(method, message) {
      const { result } = message;
      if (!methods.has(method) || !isObject(result) || result.nextCursor === undefined) return message;
      real = result.nextCursor;
      return { ...message, result: { ...result, nextCursor: '' } };
    },
  };
}
