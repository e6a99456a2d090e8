/** Puts values in for placeholders: `{{fixture}}` first, then captured ones. Unknown placeholders stay as they are. */
import type { Scope } from '../model.ts';
import { jsonOf } from '../json-text.ts';
import { asText } from '../../../core/model/json.ts';

export interface Variables {
  /** Path of the files of the case; undefined when there is none. */
  fixture: string | undefined;
  /** Captured values and those of `each`. */
  values: ReadonlyMap<string, unknown>;
}

/** A copy with all placeholders of the scope put in; names of members stay. With `values` a text that is one placeholder takes the value with its type. */
export function substitute<T>(value: T, scope: Scope, variables: Variables): T {
  if (scope === 'none') return value;
  return mapped(value, (text) => {
    const whole = scope === 'values' ? /^\{\{\s*([^{}]+?)\s*\}\}$/.exec(text)?.[1] : undefined;
    if (whole !== undefined && variables.values.has(whole)) return variables.values.get(whole);
    return substituteText(text, scope, variables);
  }) as T;
}

export function substituteText(text: string, scope: Scope, { fixture, values }: Variables): string {
  if (scope === 'none' || !text.includes('{{')) return text;
  const first = fixture === undefined ? text : text.replaceAll('{{fixture}}', () => fixture);
  if (scope === 'fixture') return first;
  const form = scope === 'values' ? /\{\{\s*([^{}]+?)\s*\}\}/g : /\{\{([^{}]+)\}\}/g;
  return first.replace(form, (whole, name: string) => (values.has(name) ? capturedText(values.get(name)) : whole));
}

function mapped(value: unknown, put: (text: string) => unknown): unknown {
  if (typeof value === 'string') return put(value);
  if (Array.isArray(value)) return value.map((item) => mapped(item, put));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapped(item, put)]));
}

/** A captured value as text: texts as they are, whole numbers without an exponent, lists and objects as JSON. */
export function capturedText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return typeof value === 'object' && value !== null ? jsonOf(value) : asText(value);
  if (Number.isInteger(value)) return BigInt(value).toString();
  return printedFloat(value);
}

/** A number with a fraction as Go's %g writes it: with an exponent of at least two digits below 1e-4 and from 1e6 on. */
function printedFloat(value: number): string {
  const [digits = '', power = ''] = value.toExponential().split('e');
  return Number(power) < -4 || Number(power) >= 6
    ? `${digits}e${power.replace(/^([+-])(\d)$/, '$10$2')}`
    : String(value);
}
