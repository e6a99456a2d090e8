/**
 * Finds the `_meta` members of a message: in params and results, and from 2025-06-18 on also in the entries of lists
 * and in content. Looks nowhere else, since tool arguments and structured content may have a member of that name which
 * means something else. It makes no judgement.
 */
import { isObject, type JsonObject } from '../../model/json.ts';

export interface MetaFacts {
  /** The values, in the order of the message. */
  metas: readonly unknown[];
  /** Keys of all members that are objects; a shared key appears several times. */
  metaKeys: readonly string[];
}

/** Members of params and results whose entries may have a `_meta` of their own. */
const holders: ReadonlySet<string> = new Set([
  'tools',
  'prompts',
  'resources',
  'resourceTemplates',
  'contents',
  'content',
  'roots',
  'messages',
]);
const widened = '2025-06-18';
const kept = 5000;
const none: MetaFacts = { metas: Object.freeze([]), metaKeys: Object.freeze([]) };

/**
 * @param revision that of the connection; before it is known, only params and result are read
 * @param known the message, or its request, has a method of the protocol
 */
export function metaFacts(message: unknown, revision: string | undefined, known: boolean): MetaFacts {
  if (!isObject(message)) return none;
  const metas: unknown[] = [];
  const entries = known && revision !== undefined && revision >= widened;
  takeMembers(message.params, entries, metas);
  takeMembers(message.result, entries, metas);
  if (metas.length === 0) return none;
  return { metas, metaKeys: metas.flatMap((meta) => (isObject(meta) ? Object.keys(meta) : [])).slice(0, kept) };
}

/** In the order of the message. */
function takeMembers(outer: unknown, entries: boolean, into: unknown[]): void {
  if (!isObject(outer)) return;
  take(outer, into);
  if (!entries) return;
  for (const name of Object.keys(outer)) if (holders.has(name)) takeEntries(outer[name], into);
}

function take(holder: JsonObject, into: unknown[]): void {
  if (Object.hasOwn(holder, '_meta') && into.length < kept) into.push(holder._meta);
}

/** Entries of a list, or a single one; with the resource or the content that they carry. */
function takeEntries(value: unknown, into: unknown[]): void {
  if (value === undefined) return;
  if (Array.isArray(value)) for (const entry of value as unknown[]) takeEntry(entry, into);
  else takeEntry(value, into);
}

function takeEntry(entry: unknown, into: unknown[]): void {
  if (!isObject(entry)) return;
  take(entry, into);
  if (entry.type === 'resource' && isObject(entry.resource)) take(entry.resource, into);
  if (entry.type === undefined || entry.type === 'tool_result') takeEntries(entry.content, into);
}
