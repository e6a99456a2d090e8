/**
 * Reads the logs that clients keep of their servers, among whose lines stand the messages: `mcp-server-*.log` of Claude
 * Desktop and the MCP output of VS Code. Both hold what the client read and sent, as JSON that it wrote itself.
 */
import { brokenEntry } from '../broken-text.ts';
import type { Captured } from '../captured.ts';
import { isExactObject, parseExact, type ExactOptions } from '../exact-json.ts';
import type { SourceLine } from '../source-text.ts';

export type LogFormat = 'claude-log' | 'vscode-log';

interface Logged {
  /** Without a sender: text that the client could not read as a message. */
  from?: 'client' | 'server';
  text: string;
  time?: number;
  /** The server, where one file has several. */
  stream?: string;
}

const claudeLine =
  /^(\d{4}-\d\d-\d\dT\S+) \[([^\]]*)\] (?:\[([^\]]*)\] )?Message from (client|server): (.*?)( \{ metadata: [^}]*\})?$/s;
const levels = new Set(['info', 'error', 'warn', 'warning', 'debug', 'trace']);

const vscodeLine =
  /^(?:(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[.,]\d+) )?(?:\[\w+\] )?\[(editor -> server|server -> editor)\] (.*)$/s;
const vscodeStray =
  /^(?:(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[.,]\d+) )?(?:\[\w+\] )?Failed to parse message: ("(?:[^"\\]|\\.)*")$/s;
const vscodeStderr = /^(?:\d{4}-\d\d-\d\d[ T]\S+ )?(?:\[\w+\] )?\[server stderr\] /;

const readers: Record<LogFormat, (line: string) => Logged | undefined> = {
  'claude-log'(line) {
    const [, time = '', first = '', second, from, text = ''] = claudeLine.exec(line) ?? [];
    if (from === undefined) return undefined;
    const stream = levels.has(first) ? second : first;
    return {
      from: from as 'client' | 'server',
      text,
      time: Date.parse(time),
      ...(stream === undefined ? {} : { stream }),
    };
  },
  'vscode-log'(line) {
    const [, time, way, text = ''] = vscodeLine.exec(line) ?? [];
    if (way !== undefined)
      return { from: way.startsWith('editor') ? 'client' : 'server', text, time: localTime(time), stream: 'editor' };
    const [, later, quoted] = vscodeStray.exec(line) ?? [];
    return quoted === undefined
      ? undefined
      : { text: JSON.parse(quoted) as string, time: localTime(later), stream: 'editor' };
  },
};

/** Whether a line shows that a file is such a log. */
export function logFormatOf(line: string): LogFormat | undefined {
  if (claudeLine.test(line)) return 'claude-log';
  return vscodeLine.test(line) ? 'vscode-log' : undefined;
}

/** Whether a line of VS Code shows that the server runs on stdio. */
export function showsStdio(line: string): boolean {
  return vscodeStderr.test(line);
}

/** Lines without a message are what the client or the server's stderr says; they are left out. */
export async function* logEntries(
  batches: AsyncIterable<SourceLine[]>,
  format: LogFormat,
  options: ExactOptions,
): AsyncGenerator<Captured[]> {
  const read = readers[format];
  let began: number | undefined;
  for await (const lines of batches) {
    yield lines.flatMap((line) => {
      const logged = read(line.text);
      if (logged === undefined) return [];
      // The clock of VS Code's log is local: only what passed since its first message is known.
      if (format === 'vscode-log') began ??= logged.time;
      return [entryOf(logged, line, began ?? 0, options)];
    });
  }
}

function entryOf(logged: Logged, line: SourceLine, began: number, options: ExactOptions): Captured {
  const { from, text, stream } = logged;
  const time = logged.time === undefined || Number.isNaN(logged.time) ? undefined : Math.max(0, logged.time - began);
  const where = {
    at: line.number,
    place: `line ${line.number}`,
    ...(time === undefined ? {} : { time }),
    ...(stream === undefined ? {} : { stream }),
  };
  if (from === undefined) return unread(text, where);
  try {
    const message = parseExact(text, options);
    // A batch is written one by one; anything else that is JSON came from the server and is no message.
    if (isExactObject(message)) return { ...where, from, kind: 'message', message };
    return { ...where, from, kind: 'stray', text: text.slice(0, 2000), reason: 'JSON that is no message' };
  } catch {
    return brokenEntry(text, { ...where, from }, line.ended);
  }
}

/** What the server wrote and VS Code could not read: a whole line, unless the process ended within it. */
function unread(text: string, where: Pick<Captured, 'at' | 'place' | 'time' | 'stream'>): Captured {
  const entry = brokenEntry(text, where);
  return entry.kind === 'stray' && text.endsWith('\n')
    ? { ...entry, from: 'server', text: (entry.text ?? '').trimEnd() }
    : entry;
}

/** Milliseconds of a time without a zone. */
function localTime(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(`${text.replace(' ', 'T').replace(',', '.')}Z`);
}
