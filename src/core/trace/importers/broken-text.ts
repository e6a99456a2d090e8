/** Text in the place of a message that is not JSON: a message that was cut, or something else. */
import type { Captured } from './captured.ts';

type Place = Pick<Captured, 'at' | 'place' | 'time' | 'from' | 'way' | 'stream'>;

/** Kept of such text, in characters. */
const kept = 2000;

/** Marks of tools where they cut a payload: `...[11759 chars truncated]...` and similar ones. */
const mark = /\[\d{1,12} (?:chars|characters|bytes) (?:truncated|omitted)\]|\.\.\. ?[[(<]?truncated/i;

/**
 * A gap at the beginning of a message, or in one with a version member: the message is lost, and dependent facts are
 * unknown. All else is stray text.
 *
 * @param ended false when the file ends within the text
 */
export function brokenEntry(text: string, where: Place, ended = true): Captured {
  const entry = { ...where, text: text.length > kept ? `${text.slice(0, kept)}…` : text };
  if (!isPartOfMessage(text)) return { ...entry, kind: 'stray', reason: 'text that is no message' };
  const reason = mark.test(text)
    ? 'the tool that wrote the capture cut the message'
    : ended
      ? 'the message is not whole'
      : 'the file ends within the message';
  const id = idOfResponse(text);
  return { ...entry, kind: 'gap', reason, ...(id === undefined ? {} : { message: { id } }) };
}

function isPartOfMessage(text: string): boolean {
  return text.trimStart().startsWith('{') || text.includes('"jsonrpc"');
}

// As programs write JSON: without blanks, or with one.
const atStart = [
  /^\{ ?"jsonrpc": ?"2\.0", ?"id": ?(\d{1,15}|"[^"\\]{0,200}"), ?"(?:result|error)":/,
  /^\{ ?"id": ?(\d{1,15}|"[^"\\]{0,200}"), ?"jsonrpc": ?"2\.0", ?"(?:result|error)":/,
];
const atEnd = [
  /, ?"jsonrpc": ?"2\.0", ?"id": ?(\d{1,15}|"[^"\\]{0,200}") ?\}$/,
  /, ?"id": ?(\d{1,15}|"[^"\\]{0,200}"), ?"jsonrpc": ?"2\.0" ?\}$/,
];

/**
 * The id of a response, if it is next to the version at either end of the text: ids further inside may belong to
 * anything.
 */
function idOfResponse(text: string): string | number | undefined {
  const start = text.slice(0, 500);
  const end = text.slice(-500);
  const found = [
    ...atStart.map((form) => form.exec(start)),
    ...(/^\{ ?"(?:result|error)":/.test(start) ? atEnd.map((form) => form.exec(end)) : []),
  ].find((match) => match !== null);
  return found?.[1] === undefined ? undefined : (JSON.parse(found[1]) as string | number);
}
