/** One message in its conversation: what facts of messages are read from, and what features see of each message. */
import type { JsonObject } from '../../model/json.ts';
import type { MethodEntry } from '../state/subject.ts';
import type { Phase, SessionState } from '../state/session-state.ts';
import type { HttpState } from '../http/http-state.ts';
import type { MetaFacts } from '../values/meta-members.ts';
import type { Place } from './rpc-record.ts';
import type { RpcItem } from '../values/rpc.ts';

export interface MessageView {
  item: RpcItem;
  session: SessionState;
  /** Phase before the message took effect. */
  phase: Phase;
  place: Place;
  http: HttpState | undefined;
  /** The message, if it is an object; its method, and what the protocol knows of that. */
  body: JsonObject | undefined;
  method: unknown;
  known: MethodEntry | undefined;
  /** It answers a request with a method of the protocol. */
  answersKnown: boolean;
  /** Event streams connected in the session at that moment. */
  openStreams: number;
  /** The same server request was seen on another stream of the session. */
  copied: boolean;
  /** The message came before with the same event id. */
  replay: boolean;
  /** The client had sent something in this session that no server can read. */
  afterUnparseableInput: boolean;
  /** Found when it is asked for. */
  meta?: MetaFacts;
}
