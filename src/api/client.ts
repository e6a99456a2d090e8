/** `mcpc/client`: a client to talk to a server with, and the check of clients, to which mcpc is the server. */
import type { ClientFunctions } from '../stage/drive/functions-driver.ts';
import type { RunReport } from '../core/model/reports/run-report.ts';
import type { CheckClientOptions } from './runs/check-client.ts';
import type { ConnectOptions } from './session/connect.ts';
import type { Session } from './session/session.ts';
import type { TargetOption } from './target/target.ts';

export type { ClientAct } from '../core/model/rules/situation.ts';
export type { ClientFunctions, ClientServer } from '../stage/drive/functions-driver.ts';
export type { CheckClientOptions } from './runs/check-client.ts';
export { McpcError } from '../core/model/errors.ts';
export type { ConnectOptions } from './session/connect.ts';
export type {
  AskOptions,
  JsonObject,
  ListKind,
  ListReply,
  Notification,
  Reply,
  ReplyError,
  Session,
  SessionTrace,
} from './session/session.ts';
export type {
  CommandTarget,
  ConfiguredTarget,
  TargetOption,
  UrlTarget,
} from './target/target.ts';
export type { LinkedTransport, ServerFactory, ServerObject } from './target/server-object.ts';
export type { RuleOptions } from './runs/rule-options.ts';
export type { ReportVerdict, RunReport } from '../core/model/reports/run-report.ts';
export type { TraceEvent, TraceHeader } from '../core/model/trace.ts';
export type { Revision } from '../core/model/rules/requirement.ts';

/**
 * Starts or reaches a server and does the handshake. The server may be an object of SDK 1.x or 2.x in this process.
 * @throws McpcError of stage `usage` for invalid options, `target` for a server that cannot be reached or does not
 * speak MCP, `interrupted` once the signal was given
 */
export async function connect(target: TargetOption, options?: ConnectOptions): Promise<Session> {
  return (await import('./session/connect.ts')).connect(target, options);
}

/**
 * Checks a client against the specification, as `mcpc client` does: mcpc is the server, and hands its address to
 * `connect` in each of several starts. Errors of the functions are left to the client; its messages decide.
 * @throws McpcError of stage `usage` for invalid options, `target` for a client that never connects, `interrupted` once
 * the signal was given
 */
export async function checkClient<C>(
  client: ClientFunctions<C> | readonly string[],
  options?: CheckClientOptions,
): Promise<RunReport> {
  return (await import('./runs/check-client.ts')).checkClient(client, options);
}
