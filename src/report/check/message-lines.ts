/**
 * A JSON message over several lines with the wrong property marked. Only the path to it is printed in full; its
 * neighbours take a line each, and those far away are counted. Messages of any size give a few lines.
 */
import { isObject } from '../../core/model/json.ts';
import { visible } from '../text.ts';
import { memberPath } from './message-excerpt.ts';

export interface MessageLine {
  text: string;
  /** It shows the wrong property, or that it is missing. */
  fault: boolean;
}

/** Neighbours printed on each side of the path. */
const neighbours = 2;
/** A value beside the path that is longer is cut. */
const longestValue = 80;
/** The wrong property itself is printed in full up to as many lines. */
const mostFaultLines = 10;

/**
 * @param body of the message
 * @param member the wrong property, as in `result.tools[1].name`; null for a message without one
 * @returns null if the body is no JSON object, or names no property that can be marked
 */
export function messageLines(body: string, member: string | null): MessageLine[] | null {
  const steps = member === null ? [] : memberPath(member);
  if (steps.length === 0) return null;
  let message: unknown;
  try {
    message = JSON.parse(body);
  } catch {
    return null;
  }
  if (!isObject(message) || !(steps[0]! in message)) return null;
  const lines: MessageLine[] = [];
  print(message, steps, { lines, indent: '', label: '', comma: '' });
  return lines.map(({ text, fault }) => ({ text: visible(text), fault }));
}

interface Place {
  lines: MessageLine[];
  indent: string;
  label: string;
  comma: string;
}

/** Prints a value that holds the wrong property, or is it when no step is left. */
function print(value: unknown, steps: readonly string[], { lines, indent, label, comma }: Place): void {
  const put = (text: string, fault = false): void => void lines.push({ text: `${indent}${text}`, fault });
  const [step, ...rest] = steps;
  if (step === undefined || typeof value !== 'object' || value === null) {
    const all = `${label}${JSON.stringify(value, null, 2)}${comma}`.split('\n');
    for (const line of all.slice(0, mostFaultLines)) put(line, true);
    if (all.length > mostFaultLines) put(`… ${all.length - mostFaultLines} more lines`, true);
    return;
  }
  const isList = Array.isArray(value);
  const entries = Object.entries(value as Record<string, unknown>);
  const at = entries.findIndex(([name]) => name === step);
  const inner = `${indent}  `;
  const around = at === -1 ? entries.length : at;
  const from = Math.max(0, around - neighbours);
  const to = Math.min(entries.length, around + neighbours + 1);
  put(`${label}${isList ? '[' : '{'}`);
  if (from > 0) put(`  … ${from} more`);
  for (const [index, [name, child]] of entries.entries()) {
    if (index < from || index >= to) continue;
    const own = {
      lines,
      indent: inner,
      label: isList ? '' : `${JSON.stringify(name)}: `,
      comma: index < entries.length - 1 ? ',' : '',
    };
    if (index === at) print(child, rest, own);
    else put(`  ${own.label}${brief(child)}${own.comma}`);
  }
  if (to < entries.length) put(`  … ${entries.length - to} more`);
  if (at === -1) put(`  (no ${isList ? `[${step}]` : JSON.stringify(step)})`, true);
  put(`${isList ? ']' : '}'}${comma}`);
}

/** A value beside the path, on one line. */
function brief(value: unknown): string {
  const text = JSON.stringify(value);
  if (text.length <= longestValue) return text;
  if (Array.isArray(value)) return `[ … ${value.length} items ]`;
  if (isObject(value)) return `{ … ${Object.keys(value).length} properties }`;
  return `${text.slice(0, longestValue)}…`;
}
