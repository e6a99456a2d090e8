/** Addresses in what a server sends that it has a client show, open or look up. Reads one message, without memory. */
import { asObject } from '../../model/json.ts';
import { lists } from '../values/lists.ts';

/** Place of an address: the src of an icon, the url of an elicitation, a $ref of a schema. */
export type AddressPlace = 'icon' | 'elicitation' | 'reference';

export interface NamedAddress {
  place: AddressPlace;
  url: string;
  /** Of an elicitation in a result: the key of its answer. */
  key?: string;
}

const mostAddresses = 1_000;
const mostValues = 20_000;

/** The addresses in a result, or in a request of the server. */
export function addressesIn(body: Record<string, unknown>): NamedAddress[] {
  const asked = body.method === 'elicitation/create' ? elicitation(body.params) : undefined;
  if (asked !== undefined) return [{ place: 'elicitation', url: asked }];
  const result = asObject(body.result);
  if (result === undefined) return [];
  const found: NamedAddress[] = [];
  for (const [key, request] of Object.entries(asObject(result.inputRequests) ?? {})) {
    const { method, params } = asObject(request) ?? {};
    const url = method === 'elicitation/create' ? elicitation(params) : undefined;
    if (url !== undefined) found.push({ place: 'elicitation', url, key });
  }
  for (const { member } of Object.values(lists))
    if (Array.isArray(result[member])) for (const entry of result[member]) listed(asObject(entry), found);
  listed(asObject(result.serverInfo), found);
  return found;
}

function listed(entry: Record<string, unknown> | undefined, found: NamedAddress[]): void {
  if (entry === undefined) return;
  for (const icon of Array.isArray(entry.icons) ? entry.icons : []) {
    const src = asObject(icon)?.src;
    if (typeof src === 'string' && found.length < mostAddresses) found.push({ place: 'icon', url: src });
  }
  const open: unknown[] = [entry.inputSchema, entry.outputSchema];
  for (let looked = 0; open.length > 0 && looked < mostValues; looked += 1) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, part] of Object.entries(value)) {
      if (name === '$ref' && typeof part === 'string' && found.length < mostAddresses)
        found.push({ place: 'reference', url: part });
      else open.push(part);
    }
  }
}

function elicitation(params: unknown): string | undefined {
  const { mode, url } = asObject(params) ?? {};
  return mode === 'url' && typeof url === 'string' ? url : undefined;
}
