/**
 * Reads the logs that clients keep of their servers, among whose lines stand the messages: `mcp-server-*.log` of Claude
 * Desktop and the MCP output of VS Code. Both hold what the client read and sent, as JSON that it wrote itself.
 */
import { brokenEntry } from '../broken-text.ts';
import type { Captured } from '../captured.ts';
import { isExactObject, parseExact, type ExactOptions } from '../exact-json.ts';
import type { SourceLine } from '../source-line.ts';

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
  /^(\d{4}-\d\d-\d\dT[\d:.]{1,20}Z?) \[([^\]]{0,200})\] (?:\[([^\]]{0,200})\] )?Message from (client|server): /;
/** Follows the message in newer versions. */
const claudeBehind = ' { metadata: ';
const levels = new Set(['info', 'error', 'warn', 'warning', 'debug', 'trace']);

const vscodeLine =
  /^(?:(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[.,]\d{1,9}) )?(?:\[\w{1,20}\] )?\[(editor -> server|server -> editor)\] /;
const vscodeStray =
  /^(?:(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[.,]\d{1,9}) )?(?:\[\w{1,20}\] )?Failed to parse message: (?=")/;
const vscodeStderr = /^(?:\d{4}-\d\d-\d\d[ T][\d:.,]{1,20} )?(?:\[\w{1,20}\] )?\[server stderr\] /;

const readers: Record<LogFormat, (line: string) => Logged | undefined> = {
  'claude-log'(line) {
    const [before, time = '', first = '', second, from] = claudeLine.exec(line) ?? [];
    if (before === undefined) return undefined;
    const stream = levels.has(first) ? second : first;
    const behind = line.endsWith('}') ? line.lastIndexOf(claudeBehind) : -1;
    return {
      from: from as 'client' | 'server',
      text: line.slice(before.length, behind < before.length ? undefined : behind),
      time: Date.parse(time),
      ...(stream === undefined ? {} : { stream }),
    };
  },
  'vscode-log'(line) {
    const [before, time, way] = vscodeLine.exec(line) ?? [];
    const stream = 'editor';
    if (before !== undefined && way !== undefined)
      return {
        from: way.startsWith('editor') ? 'client' : 'server',
        text: line.slice(before.length),
        time: localTime(time),
        stream,
      };
    const [ahead, later] = vscodeStray.exec(line) ?? [];
    if (ahead === undefined) return undefined;
    const text = quotedText(line.slice(ahead.length));
    return text === undefined ? undefined : { text, time: localTime(later), stream };
  },
};

function quotedText(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** True if a line shows that a file is such a log. */
export function logFormatOf(line: string): LogFormat | undefined {
  if (claudeLine.test(line)) return 'claude-log';
  return vscodeLine.test(line) ? 'vscode-log' : undefined;
}

/** True if a line of VS Code shows that the server runs on stdio. */
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

/** Server output that VS Code could not read: a whole line, unless the process ended within it. */
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
