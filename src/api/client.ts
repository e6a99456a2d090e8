/** `mcpc/client`: the client alone, for programs that talk to a server and want nothing checked but what they ask for. */
import type { ConnectOptions } from './session/connect.ts';
import type { Session } from './session/session.ts';
import type { TargetOption } from './target/target.ts';

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
 * @throws McpcError of stage `usage` for options that do not fit, `target` for a server that cannot be reached or does not
 *   speak MCP, `interrupted` once the signal was given
 */
export async function connect(target: TargetOption, options?: ConnectOptions): Promise<Session> {
  return (await import('./session/connect.ts')).connect(target, options);
}
