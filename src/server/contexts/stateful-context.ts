/**
 * The request context of the stateful era: questions to the client are requests, changes are
 * announced to the session.
 */
import { askAsTask, runsAsTask } from './client-task.ts';
import type { JsonObject } from '../protocol/json-rpc.ts';
import { isObject } from '../protocol/json-rpc.ts';
import { reachesLevel } from '../protocol/log-levels.ts';
import type { ReplySink } from '../protocol/reply-sink.ts';
import type { ClientMethod, RequestContext } from '../session/request-context.ts';
import { canAsk, MissingCapability, neededCapability, progressReporter } from '../session/request-context.ts';
import type { Session } from '../session/session.ts';

/** Special members in messages of a request that runs as a task. */
export interface ClientBehavior {
  /** Changes whatever is sent on behalf of the request. */
  mark(message: JsonObject): JsonObject;
  /** Runs while the client is asked for something. */
  whileAsking(question: Promise<JsonObject>): Promise<JsonObject>;
}

const plainly: ClientBehavior = { mark: (message) => message, whileAsking: (question) => question };

export function statefulContext(
  session: Session,
  params: JsonObject,
  sink: ReplySink,
  signal: AbortSignal,
  { mark, whileAsking }: ClientBehavior = plainly,
): RequestContext {
  const { host } = session;
  const relate = (message: JsonObject): void => session.relate(mark(message), sink);
  async function ask(method: ClientMethod, questionParams?: JsonObject): Promise<JsonObject> {
    const capability = neededCapability[method];
    const declared = isObject(session.clientCapabilities[capability]);
    if (!declared && host.keeps('ask-only-declared-capabilities')) {
      throw new MissingCapability(`The client does not offer ${capability}.`);
    }
    if (
      declared &&
      !canAsk(session.clientCapabilities, method, questionParams) &&
      host.keeps('ask-only-declared-modes')
    ) {
      throw new MissingCapability(`The client does not offer this way of ${capability}.`);
    }
    const asTask = mark === plainly.mark && runsAsTask(session, method);
    return whileAsking(
      asTask
        ? askAsTask(session, method, questionParams, { sink, signal })
        : session.request(method, questionParams, { sink, signal, mark }),
    );
  }

  return {
    host,
    session,
    transport: session.transport,
    era: 'stateful',
    revision: session.revision ?? '2025-03-26',
    world: session.world,
    clientCapabilities: session.clientCapabilities,
    sink,
    signal,
    progress: progressReporter(params, relate),
    log(level, data, logger = 'server') {
      if (!host.offers('logging') || !reachesLevel(level, session.logLevel)) return;
      relate({ jsonrpc: '2.0', method: 'notifications/message', params: { level, logger, data } });
    },
    ask: (_name, method, questionParams) => ask(method, questionParams),
    async askTogether(questions) {
      const answers: Record<string, JsonObject> = {};
      for (const [name, { method, params: asked }] of Object.entries(questions))
        answers[name] = await ask(method, asked);
      return answers;
    },
    tell: (method, notice) => relate({ jsonrpc: '2.0', method, params: notice }),
    listChanged(list) {
      if (session.host.offers(list)) session.notify(`notifications/${list}/list_changed`);
    },
    resourceUpdated(uri) {
      if (session.subscriptions.has(uri)) session.notify('notifications/resources/updated', { uri });
    },
    pingClient() {
      session.request('ping').catch(() => {});
      return true;
    },
    dropConnection: () => sink.drop?.() ?? false,
  };
}
