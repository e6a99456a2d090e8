/**
 * Decides which tools of a target may be called without harm being risked. The one place for that: whatever calls tools
 * (a check, its plan, a suite, an audit) asks `decideTool` before each of them. Pure.
 *
 * Without the user's consent these are called: tools with `readOnlyHint: true`, unless their name suggests a change.
 * Also tools without `readOnlyHint` and `destructiveHint` whose name begins with a reading verb or consists of such
 * words, and whose description names no change. `readOnlyHint: false` counts as destructive, which is the default that
 * the specification gives it.
 */
import picomatch from 'picomatch';
import { isObject, type JsonObject as Json } from '../model/json.ts';
import type { ToolHint } from '../model/rules/hints.ts';
import { changeIn } from './description.ts';
import { readName } from './tool-name.ts';

/** The user's consent. */
export interface Permission {
  /** Every tool that is not denied. */
  allowDestructive: boolean;
  /** Names of tools, or globs over names. */
  allowTools: readonly string[];
  /** The same for tools that are never called, whatever else is said. */
  denyTools: readonly string[];
  /** Information about tools in a file of hints, by name. */
  hints?: Readonly<Record<string, ToolHint>>;
}

/** No consent: only what certainly reads. */
export const noPermission: Permission = { allowDestructive: false, allowTools: [], denyTools: [] };

export interface Decision {
  call: boolean;
  /** Why, as the end of a sentence that begins with the tool. */
  why: string;
  /** The user's way to have it called; absent if it is called, or was forbidden by the user. */
  remedy?: string;
  /** The user asked for it by name. */
  asked?: boolean;
}

const decided = new WeakMap<Permission, WeakMap<Json, Decision>>();

/** True if the tool, as tools/list describes it, may be called. Decided once for each tool and permission. */
export function decideTool(tool: Json, permission: Permission): Decision {
  let known = decided.get(permission);
  if (!known) decided.set(permission, (known = new WeakMap<Json, Decision>()));
  const decision = known.get(tool) ?? decide(tool, permission);
  known.set(tool, decision);
  return decision;
}

function decide(tool: Json, permission: Permission): Decision {
  const name = typeof tool.name === 'string' ? tool.name : '';
  const hint =
    permission.hints !== undefined && Object.hasOwn(permission.hints, name) ? permission.hints[name] : undefined;
  if (matchesTool(permission.denyTools, name)) return { call: false, why: 'it is denied (--deny-tool)' };
  if (hint?.call === 'never') return { call: false, why: 'the hints say that it is never to be called' };
  if (matchesTool(permission.allowTools, name)) return { call: true, why: 'it is allowed (--allow-tool)', asked: true };
  if (hint?.call === 'allowed' || hint?.arguments !== undefined)
    return { call: true, why: 'the hints allow it', asked: true };
  if (permission.allowDestructive)
    return { call: true, why: 'every tool is allowed (--allow-destructive)', asked: true };
  // A tool that may reveal secrets is not called just to see its behaviour; a hint about the tool is a reason.
  const why = reasonAgainst(tool, name) ?? (hint === undefined && mayLeakSecrets(name) ? leaksSecrets : undefined);
  // A user who describes a tool as slow or talkative wants it called, as long as nothing suggests harm.
  if (why === isUninformative && hint !== undefined) return { call: true, why: 'the hints allow it', asked: true };
  return why === undefined ? { call: true, why: 'it reads' } : { call: false, why, remedy: remedyFor(name) };
}

const leaksSecrets = 'its name suggests that it returns secrets or the environment';

/** True if the name of a tool suggests that it returns the environment or credentials. */
export function mayLeakSecrets(name: string): boolean {
  return /env|secret|token|credential|password|passwd/i.test(name);
}

const isUninformative = 'neither its name nor an annotation says that it only reads';

/** The remedy for a tool that was left out. */
export function remedyFor(name: string): string {
  return `--allow-tool ${quoted(name)}, --allow-destructive, or "call: allowed" in a file of hints`;
}

/**
 * True if the name is one of the names, or matches one of the globs. Long names fit none: a pattern must not be slow.
 */
export function matchesTool(patterns: readonly string[], name: string): boolean {
  return patterns.some(
    (pattern) => pattern === name || (isGlob(pattern) && name.length <= 200 && matcherOf(pattern)(name)),
  );
}

/** True if a flag names tools by a pattern. */
export function isGlob(pattern: string): boolean {
  return /[*?[{!(]/.test(pattern);
}

const matchers = new Map<string, (name: string) => boolean>();

function matcherOf(pattern: string): (name: string) => boolean {
  const known = matchers.get(pattern) ?? picomatch(pattern, { bash: true, dot: true });
  matchers.set(pattern, known);
  return known;
}

/** Why nothing of the tool's own says that it does no harm; undefined when something does. */
function reasonAgainst(tool: Json, name: string): string | undefined {
  const annotations = isObject(tool.annotations) ? tool.annotations : {};
  const { readOnlyHint, destructiveHint } = annotations;
  const said = readName(name);
  if (readOnlyHint === true) {
    return said.says === 'damages'
      ? `its name says "${said.word}", so that its readOnlyHint: true is not trusted`
      : undefined;
  }
  if (isThere(readOnlyHint))
    return destructiveHint === false
      ? 'its annotations say that it changes something (readOnlyHint: false)'
      : 'its annotations say that it is destructive (readOnlyHint: false)';
  if (destructiveHint === true) return 'its annotations say that it is destructive';
  if (isThere(destructiveHint))
    return 'its annotations do not say that it only reads (destructiveHint: false, no readOnlyHint)';
  if (said.says === 'damages')
    return `its name says that it changes something ("${said.word}"), and no annotation says otherwise`;
  if (said.says === 'sums' && takesNumbersAlone(tool.inputSchema)) return undefined;
  if (said.says !== 'reads') return isUninformative;
  const change = typeof tool.description === 'string' ? changeIn(tool.description) : undefined;
  return change === undefined ? undefined : `its description says that it changes something ("${change}")`;
}

/** Some servers write null for what they leave out. */
function isThere(hint: unknown): boolean {
  return hint !== undefined && hint !== null;
}

/** Two numbers at least, or a list of them: then `add` is a sum. */
function takesNumbersAlone(schema: unknown): boolean {
  const properties = isObject(schema) && isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const isNumber = (one: unknown): boolean => isObject(one) && (one.type === 'number' || one.type === 'integer');
  const isList = (one: unknown): boolean => isObject(one) && one.type === 'array' && isNumber(one.items);
  const harmless = properties.every(
    ([name, one]) => (isNumber(one) || isList(one)) && !/id$|amount|price|quantity|balance/i.test(name),
  );
  return harmless && (properties.length > 1 || properties.some(([, one]) => isList(one)));
}

/** As a word of a command line. */
function quoted(name: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`;
}
