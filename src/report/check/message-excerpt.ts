/**
 * A message on one line that begins with its fault: the wrong property comes first, with its neighbours, and the path
 * to it is an address. So a narrow terminal cuts only the less relevant part.
 */
import { isObject, type JsonObject as Json } from '../../core/model/json.ts';

export interface Excerpt {
  /** The path to the fault; the fault itself, a property or a missing one; and its neighbours. */
  before: string;
  fault: string;
  after: string;
}

/**
 * @param body of the original message
 * @param member the wrong property, as in `result.tools[1].name`; null for a message without one
 * @returns undefined if it is not a JSON object
 */
export function excerptOf(body: string, member: string | null): Excerpt | undefined {
  let message: unknown;
  try {
    message = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (!isObject(message)) return undefined;
  const steps = member === null ? [] : memberPath(member);
  if (steps.length === 0) return { before: '', fault: '', after: inline(withoutEnvelope(message)) };
  let place: unknown = message;
  const way: string[] = [];
  // As far as it is there; the first step that is not is what is missing.
  while (way.length < steps.length - 1) {
    const next = childOf(place, steps[way.length]!);
    if (typeof next !== 'object' || next === null) break;
    place = next;
    way.push(steps[way.length]!);
  }
  const name = steps[way.length]!;
  const address = way.map((step, at) => (isIndex(step) ? `[${step}]` : `${at === 0 ? '' : '.'}${step}`)).join('');
  const before = address === '' ? '' : `${address}: `;
  const value = childOf(place, name);
  if (Array.isArray(place)) return { before, fault: value === undefined ? `no [${name}]` : inline(value), after: '' };
  const { [name]: _fault, ...others } = way.length === 0 ? withoutEnvelope(place as Json) : (place as Json);
  const rest = inline(others);
  return {
    before: `${before}{ `,
    fault: value === undefined ? `no ${JSON.stringify(name)}` : `${JSON.stringify(name)}: ${inline(value)}`,
    after: Object.keys(others).length === 0 ? ' }' : `, ${rest.slice(2)}`,
  };
}

/** Properties of every message are omitted, and event numbers distinguish events. */
function withoutEnvelope({ jsonrpc, id: _id, ...message }: Json): Json {
  return { ...(jsonrpc === '2.0' || jsonrpc === undefined ? {} : { jsonrpc }), ...message };
}

function childOf(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return isIndex(step) ? (value as unknown[])[Number(step)] : undefined;
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

function isIndex(step: string): boolean {
  return step !== '' && Number.isInteger(Number(step));
}

/** `result.tools[1]['a.b']` as its steps; empty if it is no path. */
export function memberPath(member: string): string[] {
  const steps: string[] = [];
  let step = '';
  const end = (): void => {
    if (step !== '') steps.push(step);
    step = '';
  };
  for (let at = 0; at < member.length; at += 1) {
    const sign = member[at]!;
    if (sign === '.') end();
    else if (sign === '[') {
      end();
      const close = member.indexOf(member[at + 1] === "'" ? "']" : ']', at);
      if (close === -1) return [];
      steps.push(member[at + 1] === "'" ? member.slice(at + 2, close) : member.slice(at + 1, close));
      at = member[at + 1] === "'" ? close + 1 : close;
    } else step += sign;
  }
  end();
  return steps;
}

/** JSON on one line, as people write it. */
function inline(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[ ${value.map(inline).join(', ')} ]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${inline(one)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
