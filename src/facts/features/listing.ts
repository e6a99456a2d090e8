/**
 * Remembers the entries that list results gave, so that a later use of one (a call, a get, a read) can be
 * judged beside what its listing says, also on another connection. Keeps the newest entry of each name;
 * judges nothing.
 */
import { asObject, isObject, type JsonObject } from '../../model/json.ts';
import type { RpcRecord } from '../jsonrpc/rpc-record.ts';
import { paramsOf } from '../jsonrpc/rpc.ts';
import { readTemplate, schemeOf, type UriTemplate } from './uri-template.ts';

interface Listed {
  /** Member of the result that holds the entries. */
  member: string;
  /** Member that names an entry, in the listing and in the params of its use. */
  key: string;
  use: string;
}

const listings: Record<string, Listed> = {
  'tools/list': { member: 'tools', key: 'name', use: 'tools/call' },
  'prompts/list': { member: 'prompts', key: 'name', use: 'prompts/get' },
  'resources/list': { member: 'resources', key: 'uri', use: 'resources/read' },
};
const uses = new Map(Object.values(listings).map((listing) => [listing.use, listing]));
const keptEntries = 5000;
const longestKept = 10_000;
/** Calls whose results are kept to compare with: whoever tries out another spelling does so early. */
const comparedCalls = 2000;
const keptTexts = 10;

export interface Listing {
  /** Adds what is known of the entry that an answered request uses to the facts of its exchange. */
  observe(record: RpcRecord, facts: Record<string, unknown>): void;
}

export function createListing(): Listing {
  const known = new Map<string, unknown>();
  /** Spellings of tool names, by the name in lower case. */
  const spellings = new Map<string, Set<string>>();
  const templates = new Map<string, { entry: JsonObject; template: UriTemplate }>();
  /** What tools gave that were called by their listed names, by name in lower case and arguments; it may differ by connection. */
  const given = new Map<string, Set<string>>();
  let compared = 0;

  function remember(record: RpcRecord, { member, key, use }: Listed): void {
    const entries = asObject(asObject(record.reply)?.result)?.[member];
    if (!Array.isArray(entries)) return;
    for (const entry of entries as unknown[]) {
      if (!isObject(entry) || typeof entry[key] !== 'string') continue;
      const name = `${use} ${entry[key]}`;
      if (!known.has(name) && known.size >= keptEntries) continue;
      known.set(name, entry);
      if (use === 'tools/call') noteSpelling(entry[key]);
    }
  }

  function noteSpelling(name: string): void {
    const plain = name.toLowerCase();
    const same = spellings.get(plain);
    if (same) same.add(name);
    else spellings.set(plain, new Set([name]));
  }

  function rememberTemplates(record: RpcRecord): void {
    const entries = asObject(asObject(record.reply)?.result)?.resourceTemplates;
    for (const entry of Array.isArray(entries) ? (entries as unknown[]) : []) {
      if (!isObject(entry) || typeof entry.uriTemplate !== 'string') continue;
      const before = templates.get(entry.uriTemplate);
      if (before || templates.size < keptEntries) templates.set(entry.uriTemplate, { entry, template: before?.template ?? readTemplate(entry.uriTemplate) });
    }
  }

  /** How a tool name that is called stands to those that are listed. */
  function spelledAs(name: unknown): string | undefined {
    if (typeof name !== 'string' || spellings.size === 0) return undefined;
    const same = spellings.get(name.toLowerCase());
    return same === undefined ? undefined : same.has(name) ? 'exact' : 'other-case';
  }

  /** Whether a call by a name in other letter case gave what the call by the listed name had given. */
  function besideExact(record: RpcRecord, spelled: unknown, facts: Record<string, unknown>): void {
    if (spelled === 'exact' && compared >= comparedCalls) return;
    const contents = asObject(asObject(record.reply)?.result)?.content;
    if (spelled === undefined || !Array.isArray(contents) || contents.length === 0) return;
    const params = paramsOf(record.message);
    const key = JSON.stringify([String(params?.name).toLowerCase(), params?.arguments ?? {}]);
    const text = JSON.stringify(contents);
    const texts = given.get(key) ?? new Set();
    if (spelled === 'other-case') {
      facts.equalsExactCall = texts.has(text);
      return;
    }
    compared += 1;
    if (text.length <= longestKept && texts.size < keptTexts) given.set(key, texts.add(text));
  }

  function besideTemplates(record: RpcRecord, uri: unknown, facts: Record<string, unknown>): void {
    if (typeof uri !== 'string') return;
    facts.openTemplates = 0;
    if (templates.size === 0) return;
    const all = [...templates.values()];
    const fitting = all.filter(({ template }) => template.expandsTo(uri));
    const scheme = schemeOf(uri);
    if (fitting.length === 1) facts.templateMimeType = compareTypes(fitting[0]!.entry.mimeType, contentsAt(record, uri)?.mimeType);
    facts.openTemplates = all.filter(({ template }) => template.scheme === scheme && template.takesAnyPath).length;
  }

  return {
    observe(record, facts) {
      if (record.from !== 'client') return;
      const method = String(record.method);
      const listing = Object.hasOwn(listings, method) ? listings[method] : undefined;
      if (listing) remember(record, listing);
      if (method === 'resources/templates/list') rememberTemplates(record);
      const used = uses.get(method);
      if (!used) return;
      const name = paramsOf(record.message)?.[used.key];
      facts.listed = known.get(`${method} ${String(name)}`);
      if (method === 'tools/call') besideExact(record, (facts.spelled = spelledAs(name)), facts);
      if (method === 'resources/read') besideTemplates(record, name, facts);
    },
  };
}

/** The contents that have the URI that was read. */
function contentsAt(record: RpcRecord, uri: string): JsonObject | undefined {
  const contents = asObject(asObject(record.reply)?.result)?.contents;
  return Array.isArray(contents) ? (contents as unknown[]).filter(isObject).find((one) => one.uri === uri) : undefined;
}

/** Media types without case and parameters; undefined unless there are two. */
function compareTypes(left: unknown, right: unknown): 'same' | 'differs' | undefined {
  if (typeof left !== 'string' || typeof right !== 'string') return undefined;
  const essence = (type: string): string => type.split(';')[0]!.trim().toLowerCase();
  return essence(left) === essence(right) ? 'same' : 'differs';
}
