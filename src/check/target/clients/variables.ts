/**
 * Variables as the tools of the table write them, made into those of mcpc: `${NAME}`, `${NAME:-default}`, and
 * `${input:NAME}` for what an editor asks its user for. Pure.
 */
import { asText, isObject, type JsonObject as Json } from '../../../core/model/json.ts';
import type { ClientTool } from './spelling.ts';

/** Descriptions in a file of the values that its user is asked for, by name. */
export type Inputs = ReadonlyMap<string, { fallback?: string; secret: boolean }>;

/**
 * `inputs` of VS Code, next to the servers or above them, and `user_config` of a bundle.
 *
 * @param path where the servers stand
 */
export function readInputs(value: Json, path: readonly (string | number)[]): Inputs {
  const inputs = new Map<string, { fallback?: string; secret: boolean }>();
  const note = (name: unknown, declared: Json, secret: boolean): void => {
    if (typeof name !== 'string') return;
    const fallback = defaultOf(declared);
    inputs.set(name, { secret, ...(fallback === undefined ? {} : { fallback }) });
  };
  let holder: unknown = value;
  for (const name of ['', ...path.slice(0, -1)]) {
    if (name !== '') holder = isObject(holder) ? holder[name as string] : undefined;
    const list = isObject(holder) ? holder['inputs'] : undefined;
    for (const one of Array.isArray(list) ? list : [])
      if (isObject(one)) note(one['id'], one, one['password'] === true);
  }
  const configured = value['user_config'];
  if (isObject(configured))
    for (const [name, one] of Object.entries(configured)) if (isObject(one)) note(name, one, one['sensitive'] === true);
  return inputs;
}

/** A list has several values where one is asked for: its first. */
function defaultOf(declared: Json): string | undefined {
  const usual: unknown = Array.isArray(declared['default']) ? declared['default'][0] : declared['default'];
  return typeof usual === 'string' || typeof usual === 'number' || typeof usual === 'boolean'
    ? String(usual)
    : undefined;
}

/** A text of the tool's file with variables of mcpc. */
export function withOwnVariables(text: string, { variables = [] }: ClientTool, inputs: Inputs): string {
  let made = text.replace(/\$\{input:([^{}]{1,200})\}/g, (_, name: string) => inputVariable(name, inputs));
  if (variables.includes('userConfig'))
    made = made.replace(/\$\{user_config\.([^{}]{1,200})\}/g, (_, name: string) => inputVariable(name, inputs));
  if (variables.includes('secrets'))
    made = made.replace(/\$\{\{ ?(?:secrets|inputs)\.([A-Za-z0-9_]{1,200}) ?\}\}/g, (_, name: string) => `\${${name}}`);
  if (variables.includes('braces'))
    made = made.replace(/\{env:([A-Za-z0-9_]{1,200})\}/g, (_, name: string) => `\${${name}}`);
  if (variables.includes('moustache'))
    made = made.replace(/\{\{([A-Z][A-Z0-9_]{0,200})\}\}/g, (_, name: string) => `\${${name}}`);
  if (variables.includes('dollar'))
    made = made.replace(/\$([A-Za-z_][A-Za-z0-9_]*)/g, (_, name: string) => `\${${name}}`);
  return made;
}

/** As `putVariables` reads it: `${input:NAME}`, marked where its value is a secret, with what is usual. */
function inputVariable(name: string, inputs: Inputs): string {
  const { fallback, secret = false } = inputs.get(name) ?? {};
  // A default is read up to the first brace.
  const usual = fallback === undefined || fallback.includes('}') ? '' : `:-${asText(fallback)}`;
  return `\${input:${name}${secret ? ':password' : ''}${usual}}`;
}
