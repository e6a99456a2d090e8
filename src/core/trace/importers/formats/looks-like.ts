/** Description of a file that is not a capture, for an error with a remedy. */
import { isExactObject } from '../exact-json.ts';
import { rowKind, wrappers } from './rows.ts';

interface Look {
  what: string;
  remedy: string;
}

const recordWhole =
  'Record the messages themselves, for example with "mcpc intercept"; rows that hold them as payload, raw, msg or message are read.';

/** @param value the document, or one of its rows */
export function looksLike(value: unknown): Look {
  const row = Array.isArray(value) ? (value.find((one) => isExactObject(one)) as unknown) : value;
  if (!isExactObject(row)) return plain(value);
  const has = (...names: string[]): boolean => names.every((name) => name in row);
  if (rowKind(row) === 'notes')
    return {
      what: `rows in which a tool noted parts of messages (${namesOf(row)}), without the messages themselves: none has "jsonrpc"`,
      remedy: recordWhole,
    };
  const wrapper = wrappers.find((name) => isExactObject(row[name]));
  if (wrapper !== undefined)
    return {
      what: `rows with something under "${wrapper}" that is no JSON-RPC message: it has no "jsonrpc"`,
      remedy: recordWhole,
    };
  if (rowKind(row) === 'bare')
    return {
      what: `requests or responses without "jsonrpc" (${namesOf(row)}), so that nothing says that they are JSON-RPC`,
      remedy: 'Name --from jsonrpc if each line was sent just like that.',
    };
  if (has('mcpServers') || isExactObject(row['servers']))
    return {
      what: 'a configuration of an MCP client',
      remedy: 'Check its servers: mcpc check --config FILE --server NAME, or mcpc fleet init.',
    };
  if (typeof row['format'] === 'string' && row['format'].startsWith('mcpc-'))
    return { what: `a file of mcpc (${row['format']})`, remedy: 'mcpc report renders reports.' };
  if (has('resourceSpans') || has('resourceLogs') || has('traceId'))
    return { what: 'spans of OpenTelemetry, which do not hold the messages', remedy: recordWhole };
  if (has('level') || has('severity') || has('debug') || has('direction'))
    return { what: `rows of a log (${namesOf(row)}) without messages`, remedy: recordWhole };
  if (has('tools') || has('resources') || has('prompts'))
    return { what: 'a list of what a server offers, without the messages', remedy: recordWhole };
  return plain(value);
}

function plain(value: unknown): Look {
  const what = Array.isArray(value)
    ? 'a list without JSON-RPC messages'
    : isExactObject(value)
      ? `an object that is no JSON-RPC message (its members: ${namesOf(value)})`
      : 'JSON without messages';
  return {
    what,
    remedy:
      'Put the message alone on each line, or all in one list, which is the format inspector; docs/import.md describes each format.',
  };
}

function namesOf(row: Record<string, unknown>): string {
  const names = Object.keys(row).slice(0, 6);
  return names.length === 0 ? 'none' : names.join(', ');
}
