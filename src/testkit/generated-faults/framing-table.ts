/** Possible faults in the bytes of a message: on stdio, where a line is a message, and on every transport. */
import type { Fault } from '../../core/model/rules/mutation.ts';

interface Row {
  word: string;
  does: Omit<Fault, 'on'>;
  breaks: readonly string[] | 'legal';
}

const line = ['stdio.framing.newline-delimiter'];
const stdout = ['stdio.stdout.purity', ...line];

/** A newline ends each message, and stdout contains only messages. */
export const framingFaults: readonly Row[] = [
  { word: 'no-newline', does: { raw: '{{message}}', end: '' }, breaks: line },
  { word: 'carriage-return', does: { raw: '{{message}}', end: '\r' }, breaks: line },
  { word: 'content-length', does: { raw: 'Content-Length: 100\r\n\r\n{{message}}', end: '' }, breaks: stdout },
  { word: 'event-stream', does: { raw: 'data: {{message}}\n' }, breaks: stdout },
  { word: 'log-line-before', does: { raw: 'INFO sending a message\n{{message}}' }, breaks: stdout },
  { word: 'log-line-behind', does: { raw: '{{message}}\nDEBUG sent' }, breaks: stdout },
  { word: 'log-in-line', does: { raw: '[info] {{message}}' }, breaks: stdout },
  { word: 'twice-in-line', does: { raw: '{{message}}{{message}}' }, breaks: stdout },
  { word: 'pretty', does: { raw: '{{pretty}}' }, breaks: ['stdio.framing.embedded-newline', ...stdout] },
  { word: 'comma', does: { raw: '{{message}},' }, breaks: stdout },
  { word: 'cut-off', does: { raw: '{"jsonrpc":"2.0","id":' }, breaks: stdout },
  { word: 'batch', does: { raw: '[{{message}}]' }, breaks: ['stdio.framing.single-message'] },
  { word: 'utf-16', does: { raw: '{{message}}', encoding: 'utf16le' }, breaks: ['jsonrpc.encoding.utf8', ...stdout] },
  { word: 'crlf', does: { raw: '{{message}}', end: '\r\n' }, breaks: 'legal' },
  { word: 'blanks-around', does: { raw: '  {{message}}\t ' }, breaks: 'legal' },
];

/** Blanks between the parts of a JSON text mean nothing; over HTTP line ends neither. */
export const bodyVariants: readonly Row[] = [
  { word: 'blank-behind', does: { raw: '{{message}} ' }, breaks: 'legal' },
  { word: 'pretty', does: { raw: '{{pretty}}' }, breaks: 'legal' },
];
