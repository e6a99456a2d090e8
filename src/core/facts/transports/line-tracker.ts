/**
 * Accounts for every line that was written over stdio: on stdout by the server, on stdin by the client. A run of lines that
 * are no JSON-RPC each is one subject, since only together do they show pretty-printed JSON.
 */
import type { TraceEvent } from '../../model/trace.ts';
import type { Definitions, Facts, Feature, Given } from '../core/plugin.ts';
import type { Subject } from '../state/subject.ts';
import { shapeOf } from '../values/rpc.ts';
import type { SessionState } from '../state/session-state.ts';

interface Run {
  session: SessionState;
  texts: string[];
  bytes: number;
  unterminated: boolean;
  /** It began before a revision was agreed on. */
  early: boolean;
  events: number[];
}

const keptLines = 500;
const keptBytes = 1 << 20;

const lineFacts: Definitions = {
  parses: { says: 'It is JSON, an object or array.', rests: ['lines'] },
  text: { says: 'The text, cut at 2000 characters.', rests: ['lines'] },
  content: { says: 'message, batch, other-json, text or blank.', rests: ['lines'] },
  run: { says: 'The run: lines (how many) and isJson (together they are JSON).', rests: ['lines'] },
  unterminated: { says: 'The stream ended within the line.', rests: ['lines'] },
  framingFaults: {
    says: 'What is wrong with its framing: header (a line is a Content-Length header), several (one line holds several JSON objects) and runsOn (it is a whole message, no newline came behind it, and more was written all the same); true or false each.',
    rests: ['bytes'],
  },
};

type LineKind = 'stdoutLine' | 'stdinLine';

export const lines: Feature = {
  name: 'lines',
  kinds: {
    stdoutLine:
      'stdio: a line that the server wrote on stdout, or a run of lines that are no JSON. Complete when the next message begins.',
    stdinLine: 'The same of the client, on stdin.',
  },
  facts: { stdoutLine: lineFacts, stdinLine: lineFacts },
  create() {
    const written = { server: createLines('stdoutLine'), client: createLines('stdinLine') };
    return {
      eventOver({ event, session }): Given | undefined {
        if (session.transport !== 'stdio' || event.from === 'harness') return undefined;
        return { subjects: written[event.from].take(event, session) };
      },
      sessionOver: (session) => ({ subjects: [...written.server.end(session), ...written.client.end(session)] }),
    };
  },
};

/** The lines of one direction. */
interface Lines {
  take(event: TraceEvent, session: SessionState): Subject[];
  end(session: SessionState): Subject[];
}

function createLines(kind: LineKind): Lines {
  const runs = new Map<SessionState, Run>();
  const facts = createLineFacts();
  /** Messages without a newline, until it is known whether one comes. */
  const loose = new Map<SessionState, TraceEvent>();

  /** @param runsOn something else than the newline came */
  function settle(session: SessionState, runsOn: boolean): Subject[] {
    const event = loose.size === 0 ? undefined : loose.get(session);
    if (!event) return [];
    loose.delete(session);
    return [
      {
        kind,
        session,
        events: [event.seq],
        facts: {
          ...messageLineFacts(contentOf(event.message), event.raw ?? JSON.stringify(event.message)),
          framingFaults: { ...noFaults, runsOn },
        },
      },
    ];
  }

  function flush(session: SessionState): Subject[] {
    const run = runs.size === 0 ? undefined : runs.get(session);
    if (!run) return [];
    runs.delete(session);
    const joined = run.texts.join('\n');
    const facts: Facts = {
      ...plainFacts,
      text: joined.length > 2000 ? `${joined.slice(0, 2000)}…` : joined,
      content: 'text',
      run: { lines: run.texts.length, isJson: run.texts.length > 1 && parsesToObject(joined) },
      unterminated: run.unterminated,
      framingFaults: {
        ...noFaults,
        header: run.texts.some((text) => /^content-length\s*:/i.test(text)),
        several: run.texts.some(holdsSeveral),
      },
    };
    return [{ kind, session, events: run.events, facts, ...(run.early ? { early: true } : {}) }];
  }

  function addTo(event: TraceEvent, session: SessionState, text: string): void {
    let run = runs.get(session);
    if (!run)
      runs.set(
        session,
        (run = {
          session,
          texts: [],
          bytes: 0,
          unterminated: false,
          early: session.revision === undefined,
          events: [],
        }),
      );
    if (run.texts.length < keptLines && run.bytes < keptBytes) run.texts.push(text);
    run.bytes += text.length;
    if (run.events.length < keptLines) run.events.push(event.seq);
    if (event.reason !== undefined) run.unterminated = true;
  }

  return {
    take(event, session) {
      // Nearly every line: a message, before which nothing is open.
      if (
        event.kind === 'message' &&
        event.readAs === undefined &&
        runs.size === 0 &&
        loose.size === 0 &&
        isObjectOrArray(event.message)
      )
        return [whole(event, session)];
      if (event.readAs === 'lines' || event.readAs === 'part') return flush(session);
      const isNewline = event.kind === 'unparsable' && (event.raw ?? '').trim() === '';
      const before = settle(session, !isNewline && (event.kind === 'message' || event.kind === 'unparsable'));
      if (event.readAs === 'unfinished') {
        loose.set(session, event);
        return [...before, ...flush(session)];
      }
      if (before.length > 0) return [...before, ...(isNewline ? [] : lineOf(event, session))];
      return lineOf(event, session);
    },
    end: (session) => [...settle(session, false), ...flush(session)],
  };

  /** A line that is a message. */
  function whole(event: TraceEvent, session: SessionState): Subject {
    return { kind, session, facts: facts(event), events: [event.seq] };
  }

  /** The lines that are complete by an event. */
  function lineOf(event: TraceEvent, session: SessionState): Subject[] {
    if (event.kind === 'message' && isObjectOrArray(event.message)) return [...flush(session), whole(event, session)];
    if (event.kind === 'closed') return flush(session);
    if (event.kind !== 'unparsable' && event.kind !== 'message') return none;
    const text = event.raw ?? JSON.stringify(event.message) ?? '';
    if (text.trim() === '' && event.kind === 'unparsable')
      return [...flush(session), { kind, session, events: [event.seq], facts: { ...plainFacts, content: 'blank' } }];
    // Complete lines are judged, independent of an incomplete one.
    const before = event.reason !== undefined || runs.get(session)?.unterminated === true ? flush(session) : none;
    addTo(event, session, text);
    return before;
  }
}

const none: Subject[] = [];

function isObjectOrArray(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

const noFaults = Object.freeze({ header: false, several: false, runsOn: false });

/** Common form of most lines that are not messages. */
const plainFacts: Facts = {
  parses: false,
  text: '',
  run: Object.freeze({ lines: 1, isJson: false }),
  unterminated: false,
  framingFaults: noFaults,
};

/**
 * Facts of lines that are JSON objects or arrays. Events of which only the message was kept are all alike, and share
 * them.
 */
function createLineFacts(): (event: TraceEvent) => Facts {
  const shared = new Map<string, Facts>();
  return ({ message, raw }) => {
    const content = contentOf(message);
    if (raw !== undefined) return messageLineFacts(content, raw);
    let facts = shared.get(content);
    if (!facts) shared.set(content, (facts = messageLineFacts(content, '')));
    return facts;
  };
}

function contentOf(message: unknown): string {
  if (!Array.isArray(message)) return shapeOf(message) === 'invalid' ? 'other-json' : 'message';
  return (message as unknown[]).some((one) => shapeOf(one) === 'invalid') ? 'other-json' : 'batch';
}

function messageLineFacts(content: string, raw: string): Facts {
  return Object.freeze({ ...plainFacts, parses: true, content, text: raw.slice(0, 2000) });
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
