/**
 * Decides which tools of a target may be called without harm being risked. The one place for that: whatever calls
 * tools (a check, its plan, a suite, an audit) asks `decideTool` before each of them. Pure.
 *
 * Without consent of the user these are called: tools that say `readOnlyHint: true`, unless their name says that
 * they change something; and tools without `readOnlyHint` and `destructiveHint` whose name begins with a reading
 * verb or consists of such words, and whose description names no change. `readOnlyHint: false` counts as
 * destructive, which is the default that the specification gives it.
 */
import picomatch from 'picomatch';
import { isObject, type JsonObject as Json } from '../model/json.ts';
import type { ToolHint } from '../model/rules/hints.ts';
import { changeIn } from './description.ts';
import { readName } from './tool-name.ts';

/** What the user consents to. */
export interface Permission {
  /** Every tool, but for those that are denied. */
  allowDestructive: boolean;
  /** Names of tools, or globs over names. */
  allowTools: readonly string[];
  /** The same for tools that are never called, whatever else is said. */
  denyTools: readonly string[];
  /** What a file of hints says of tools, by name. */
  hints?: Readonly<Record<string, ToolHint>>;
}

/** No consent: only what certainly reads. */
export const noPermission: Permission = { allowDestructive: false, allowTools: [], denyTools: [] };

export interface Decision {
  call: boolean;
  /** Why, as the end of a sentence that begins with the tool. */
  why: string;
  /** What the user can do to have it called; absent where it is called, or was forbidden by the user. */
  remedy?: string;
  /** The user asked for it by name. */
  asked?: boolean;
}

const decided = new WeakMap<Permission, WeakMap<Json, Decision>>();

/** Whether the tool, as tools/list describes it, may be called. Decided once for each tool and permission. */
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
  // Nothing that may tell secrets is called for no other reason than to see what it does; a hint about the tool is a reason.
  const why = reasonAgainst(tool, name) ?? (hint === undefined && mayTellSecrets(name) ? tellsSecrets : undefined);
  // Whoever knows a tool to be slow or talkative wants it called, as long as nothing speaks of harm.
  if (why === tellsNothing && hint !== undefined) return { call: true, why: 'the hints allow it', asked: true };
  return why === undefined ? { call: true, why: 'it reads' } : { call: false, why, remedy: remedyFor(name) };
}

const tellsSecrets = 'its name suggests that it returns secrets or the environment';

/** Whether the name of a tool says that it tells the environment or credentials. */
export function mayTellSecrets(name: string): boolean {
  return /env|secret|token|credential|password|passwd/i.test(name);
}

const tellsNothing = 'neither its name nor an annotation says that it only reads';

/** What makes a tool that was left out be called. */
export function remedyFor(name: string): string {
  return `--allow-tool ${quoted(name)}, --allow-destructive, or "call: allowed" in a file of hints`;
}

/** Whether the name is one of the names, or fits one of the globs. Long names fit none: a pattern must not be slow. */
export function matchesTool(patterns: readonly string[], name: string): boolean {
  return patterns.some(
    (pattern) => pattern === name || (isGlob(pattern) && name.length <= 200 && matcherOf(pattern)(name)),
  );
}

/** Whether a flag names tools by a pattern. */
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
  if (said.says !== 'reads') return tellsNothing;
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
