/**
 * Marks in the trace that messages of a server came in another form than that of the transport, and were read
 * nevertheless: once for each form in a run. A run that needed it is not whole, since other clients read nothing there.
 */
import type { EventInput, TraceEvent, TransportKind } from '../../core/model/trace.ts';

export interface OddForm {
  /** The part of an event to record. */
  markFor(event: TraceEvent): EventInput | undefined;
}

/** @param reported forms that were already reported in the run */
export function createOddForm(transport: TransportKind, reported: Set<string>): OddForm {
  return {
    markFor(event) {
      if (transport === 'stdio' || event.kind !== 'message' || event.from !== 'server') return undefined;
      const form = formOf(event, transport);
      if (form === undefined || reported.has(form)) return undefined;
      reported.add(form);
      return {
        session: event.session,
        from: 'harness',
        kind: 'assumed',
        reason: `messages came ${form}, and were read all the same`,
      };
    },
  };
}

function formOf({ message, sse, readAs }: TraceEvent, transport: TransportKind): string | undefined {
  if (readAs !== undefined) return 'in bodies of another media type';
  if (transport !== 'sse') return undefined;
  if (sse?.event !== undefined && sse.event !== 'message') return 'as events of other names than "message"';
  // A refusal may contain its reason in the reply.
  return sse === undefined && typeof message === 'object' && message !== null && 'result' in message
    ? 'in replies to POST requests'
    : undefined;
}
