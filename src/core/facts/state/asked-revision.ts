/** The revision that a client means, for traces in which none was agreed on. A fold; holds no events. */
import { asText } from '../../model/json.ts';
import type { TraceEvent } from '../../model/trace.ts';
import type { MethodTable } from './subject.ts';
import { methodOf, type RpcItem } from '../values/rpc.ts';
import type { SessionState } from './session-state.ts';

export interface AskedRevision {
  /** A message of the client has taken effect. */
  saw(item: RpcItem, session: SessionState): void;
  /** An HTTP request of the client. */
  sawHeaders(event: TraceEvent): void;
  /** The first known one, by initialize, else by a header of a request, else by a method that one revision alone has. */
  readonly known: string | undefined;
}

export function createAskedRevision(knownRevisions: readonly string[], methods: MethodTable): AskedRevision {
  let byInitialize: string | undefined;
  let byHeader: string | undefined;
  let byMethod: string | undefined;
  const isKnown = (one: unknown): one is string => typeof one === 'string' && knownRevisions.includes(one);

  return {
    saw({ shape, message }, { requestedVersion }) {
      if (isKnown(requestedVersion)) byInitialize ??= requestedVersion;
      const [only, ...more] = (shape === 'request' && methods[asText(methodOf(message))]?.revisions) || [];
      if (more.length === 0) byMethod ??= only;
    },
    sawHeaders({ http }) {
      const named = http?.headers?.['mcp-protocol-version'];
      if (isKnown(named)) byHeader ??= named;
    },
    get known() {
      return byInitialize ?? byHeader ?? byMethod;
    },
  };
}
