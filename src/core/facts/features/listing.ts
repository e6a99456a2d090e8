/**
 * Keeps the entries of list results, so that a later use of one (a call, a get, a read) can be compared with its
 * listing, also on another connection. Keeps the newest entry of each name, without judgement.
 */
import { BoundedMap } from '../../model/bounded.ts';
import { asObject, asText, isObject, type JsonObject } from '../../model/json.ts';
import type { Definitions, Facts, Feature, Given, Hooks } from '../core/plugin.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import { lists, type ListShape } from '../values/lists.ts';
import { paramsOf } from '../values/rpc.ts';
import { readTemplate, schemeOf, type UriTemplate } from './uri-template.ts';

interface Listed extends ListShape {
  /** Method that uses an entry; its params name the entry by the same property. */
  use: string;
}

const listings: Record<string, Listed> = {
  'tools/list': { ...lists['tools/list'], use: 'tools/call' },
  'prompts/list': { ...lists['prompts/list'], use: 'prompts/get' },
  'resources/list': { ...lists['resources/list'], use: 'resources/read' },
};
const uses = new Map(Object.values(listings).map((listing) => [listing.use, listing]));
const keptEntries = 5000;

const listingFacts: Definitions<RpcRecord> = {
  listed: {
    says: 'tools/call, prompts/get, resources/read: the entry of that name or uri, if it was listed earlier; completion/complete: that of the prompt or template that ref names.',
    rests: [],
    doubtful: ({ listed }, { wholeOrder }) => !wholeOrder && listed === undefined,
  },
  templateMimeType: {
    says: 'resources/read: the uri is an expansion of exactly one listed template, and the mimeType that it states is that of the contents (same) or another (differs).',
    rests: ['order', 'start'],
  },
  openTemplates: {
    says: 'resources/read: how many listed templates with the scheme of the uri may be meant for every path.',
  },
};

export const listing: Feature = {
  name: 'listing',
  facts: { exchange: listingFacts },
  create: createListing,
};

function createListing(): Hooks {
  /** Listed entries by the method that uses them and their name. */
  const known = new Map<string, Map<unknown, unknown>>();
  let entriesKept = 0;
  const templates = new BoundedMap<string, { entry: JsonObject; template: UriTemplate }>(keptEntries);

  function remember(record: RpcRecord, { member, key, use }: Listed): void {
    const entries = asObject(asObject(record.reply)?.result)?.[member];
    if (!Array.isArray(entries)) return;
    const ofUse = known.get(use) ?? new Map<unknown, unknown>();
    known.set(use, ofUse);
    for (const entry of entries as unknown[]) {
      if (!isObject(entry) || typeof entry[key] !== 'string') continue;
      if (!ofUse.has(entry[key])) {
        if (entriesKept >= keptEntries) continue;
        entriesKept += 1;
      }
      ofUse.set(entry[key], entry);
    }
  }

  function rememberTemplates(record: RpcRecord): void {
    const entries = asObject(asObject(record.reply)?.result)?.resourceTemplates;
    for (const entry of Array.isArray(entries) ? (entries as unknown[]) : []) {
      if (!isObject(entry) || typeof entry.uriTemplate !== 'string') continue;
      const before = templates.get(entry.uriTemplate);
      templates.set(entry.uriTemplate, { entry, template: before?.template ?? readTemplate(entry.uriTemplate) });
    }
  }

  function withTemplates(record: RpcRecord, uri: unknown): Facts {
    if (typeof uri !== 'string') return {};
    if (templates.size === 0) return { openTemplates: 0 };
    const all = [...templates.values()];
    const [fitting, ...more] = all.filter(({ template }) => template.expandsTo(uri));
    const scheme = schemeOf(uri);
    return {
      ...(fitting && more.length === 0
        ? { templateMimeType: compareTypes(fitting.entry.mimeType, contentsAt(record, uri)?.mimeType) }
        : {}),
      openTemplates: all.filter(({ template }) => template.scheme === scheme && template.takesAnyPath).length,
    };
  }

  /** Entry for the reference of a completion: a prompt by its name, a template by its text. */
  function referredTo(params: JsonObject | undefined): unknown {
    const ref = asObject(params?.ref);
    if (ref?.type === 'ref/prompt') return known.get('prompts/get')?.get(ref.name);
    return ref?.type === 'ref/resource' && typeof ref.uri === 'string' ? templates.get(ref.uri)?.entry : undefined;
  }

  function usedFacts(record: RpcRecord, { key }: Listed): Facts {
    const name = paramsOf(record.message)?.[key];
    const listed = known.get(asText(record.method))?.get(name);
    if (record.method === 'resources/read') return { listed, ...withTemplates(record, name) };
    return { listed };
  }

  return {
    answered(record): Given | undefined {
      if (record.from !== 'client') return undefined;
      const method = asText(record.method);
      const listing = Object.hasOwn(listings, method) ? listings[method] : undefined;
      if (listing) remember(record, listing);
      if (method === 'resources/templates/list') rememberTemplates(record);
      if (method === 'completion/complete') return { facts: { listed: referredTo(paramsOf(record.message)) } };
      const used = uses.get(method);
      return used && { facts: usedFacts(record, used) };
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
