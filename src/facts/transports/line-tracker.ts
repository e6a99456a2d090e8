/**
 * Accounts for every line that a stdio server wrote on stdout (the `line` subjects). A run of lines that are
 * no JSON-RPC each is one subject, since only together do they show pretty-printed JSON.
 */
import type { TraceEvent } from '../../model/trace.ts';
import type { EmitSubject } from '../core/subject.ts';
import { shapeOf } from '../jsonrpc/rpc.ts';
import type { Phase, SessionState } from '../session/session-state.ts';

interface Run {
  session: SessionState;
  texts: string[];
  bytes: number;
  unterminated: boolean;
  events: number[];
}

const keptLines = 500;
const keptBytes = 1 << 20;

export interface LineTracker {
  observe(event: TraceEvent, session: SessionState): void;
  endSession(session: SessionState): void;
}

export function createLineTracker(emit: EmitSubject): LineTracker {
  const runs = new Map<SessionState, Run>();
  const facts = createLineFacts();

  function flush(session: SessionState): void {
    const run = runs.size === 0 ? undefined : runs.get(session);
    if (!run) return;
    runs.delete(session);
    const joined = run.texts.join('\n');
    emit({
      kind: 'line',
      session,
      events: run.events,
      facts: {
        parses: false,
        blank: false,
        lines: run.texts.length,
        text: joined.length > 2000 ? `${joined.slice(0, 2000)}…` : joined,
        content: 'text',
        joinedIsJson: run.texts.length > 1 && parsesToObject(joined),
        severalMessages: run.texts.some(holdsSeveral),
        framingHeader: run.texts.some((text) => /^content-length\s*:/i.test(text)),
        unterminated: run.unterminated,
        phase: session.phase,
      },
    });
  }

  return {
    observe(event, session) {
      if (session.transport !== 'stdio' || event.from !== 'server') return;
      if (event.kind === 'message' && typeof event.message === 'object' && event.message !== null) {
        flush(session);
        emit({ kind: 'line', session, events: [event.seq], facts: facts(event, session.phase) });
      } else if (event.kind === 'unparsable' || event.kind === 'message') {
        const text = event.raw ?? JSON.stringify(event.message) ?? '';
        if (text.trim() === '' && event.kind === 'unparsable') {
          flush(session);
          emitBlankLine(event, session, emit);
          return;
        }
        let run = runs.get(session);
        if (!run) runs.set(session, (run = { session, texts: [], bytes: 0, unterminated: false, events: [] }));
        if (run.texts.length < keptLines && run.bytes < keptBytes) run.texts.push(text);
        run.bytes += text.length;
        if (run.events.length < keptLines) run.events.push(event.seq);
        if (event.reason !== undefined) run.unterminated = true;
      } else if (event.kind === 'closed') flush(session);
    },
    endSession: flush,
  };
}

/** Facts of lines that are JSON objects or arrays. Those of which nothing but the message was kept are all alike, and share them. */
function createLineFacts(): (event: TraceEvent, phase: Phase) => Record<string, unknown> {
  const shared = new Map<string, Map<Phase, Record<string, unknown>>>();
  return (event, phase) => {
    const content = contentOf(event.message);
    if (event.raw !== undefined) return messageLineFacts(content, phase, event.raw);
    let byPhase = shared.get(content);
    if (!byPhase) shared.set(content, (byPhase = new Map()));
    let facts = byPhase.get(phase);
    if (!facts) byPhase.set(phase, (facts = messageLineFacts(content, phase, '')));
    return facts;
  };
}

function contentOf(message: unknown): string {
  if (!Array.isArray(message)) return shapeOf(message) === 'invalid' ? 'other-json' : 'message';
  return (message as unknown[]).some((one) => shapeOf(one) === 'invalid') ? 'other-json' : 'batch';
}

function messageLineFacts(content: string, phase: Phase, raw: string): Record<string, unknown> {
  return Object.freeze({
    parses: true,
    blank: false,
    lines: 1,
    content,
    joinedIsJson: false,
    severalMessages: false,
    framingHeader: false,
    unterminated: false,
    byteOrderMark: raw.startsWith('\uFEFF'),
    text: raw.slice(0, 2000),
    phase,
  });
}

function emitBlankLine(event: TraceEvent, session: SessionState, emit: EmitSubject): void {
  emit({
    kind: 'line',
    session,
    events: [event.seq],
    facts: {
      parses: false,
      blank: true,
      lines: 1,
      content: 'blank',
      text: '',
      joinedIsJson: false,
      severalMessages: false,
      framingHeader: false,
      unterminated: false,
      phase: session.phase,
    },
  });
}

function parsesToObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

/** True when one line holds two or more JSON objects one after another. */
function holdsSeveral(text: string): boolean {
  let from = 0;
  for (let tries = 0; tries < 50; tries += 1) {
    const seam = /\}\s*\{/.exec(text.slice(from));
    if (!seam) return false;
    const end = from + seam.index + 1;
    if (parsesToObject(text.slice(0, end))) return true;
    from = end;
  }
  return false;
}
