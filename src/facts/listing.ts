/**
 * Remembers the entries that list results gave, so that a later use of one (a call, a get, a read) can be
 * judged beside what its listing says, also on another connection. Keeps the newest entry of each name;
 * judges nothing.
 */
import { asObject, isObject, paramsOf } from './rpc.ts';
import type { RpcRecord } from './rpc-record.ts';

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

export interface Listing {
  /** Facts about the entry that an answered request uses, to be joined to those of its exchange. */
  observe(record: RpcRecord): Record<string, unknown>;
}

export function createListing(): Listing {
  const known = new Map<string, unknown>();

  function remember(record: RpcRecord, { member, key, use }: Listed): void {
    const entries = asObject(asObject(record.reply)?.result)?.[member];
    if (!Array.isArray(entries)) return;
    for (const entry of entries as unknown[]) {
      if (!isObject(entry) || typeof entry[key] !== 'string') continue;
      const name = `${use} ${entry[key]}`;
      if (known.has(name) || known.size < keptEntries) known.set(name, entry);
    }
  }

  return {
    observe(record) {
      if (record.from !== 'client') return {};
      const method = String(record.method);
      const listing = Object.hasOwn(listings, method) ? listings[method] : undefined;
      if (listing) remember(record, listing);
      const used = uses.get(method);
      if (!used) return {};
      const name = paramsOf(record.message)?.[used.key];
      return { listed: known.get(`${method} ${String(name)}`) };
    },
  };
}
