/** The requirements that a place of the message schemas stands for, in one revision. */
import { requirementAt, type Catalogue } from '../../spec/requirements/catalogue.ts';
import type { Revision } from '../../model/rules/requirement.ts';
import { requirementTable } from './requirement-table.ts';
import type { Spot } from './walk.ts';

/** Whether the revision asks this of a server, and in a way that can be seen. */
export function isAsked(catalogue: Catalogue, id: string, revision: Revision): boolean {
  const requirement = requirementAt(catalogue, id, revision);
  return requirement !== null && requirement.role !== 'client' && !requirement.observe.includes('none');
}

/** Area of a method: `tools` of `tools/list`. */
export function areaOf(method: string): string {
  if (method === 'initialize') return 'lifecycle';
  const [first, second] = method.split('/') as [string, string?];
  if (first === 'server') return 'discover';
  if (first !== 'notifications') return first;
  return { message: 'logging', cancelled: 'cancellation' }[second!] ?? second!;
}

/** Requests of the server that travel inside a result: what holds for them does not depend on what carries them. */
const embedded: readonly (readonly [type: string, method: string])[] = [['CreateMessageRequest', 'sampling/createMessage'], ['ElicitRequest', 'elicitation/create'], ['ListRootsRequest', 'roots/list']];

/** The lines that may stand for a place, the narrowest first. */
function keysOf(method: string, place: string): string[] {
  return [`${method}>${place}`, `${areaOf(method)}>${place}`, place];
}

/** From the nearest owner outwards, the first place with requirements that the revision has; empty where there is none. */
export function requirementsAt(catalogue: Catalogue, { owners, name }: Spot, carrier: string, revision: Revision): string[] {
  const method = embedded.find(([type]) => owners.some(({ types }) => types.includes(type)))?.[1] ?? carrier;
  const asked = (keys: readonly (string | undefined)[]): string[] => {
    const lines = keys.flatMap((key) => (key === undefined ? [] : keysOf(method, key).map((one) => requirementTable[one]).find((line) => line !== undefined) ?? []));
    return [...new Set(lines)].filter((id) => isAsked(catalogue, id, revision));
  };
  // _meta has the same form wherever it is.
  const meta = name.endsWith('._meta') ? asked(['Result._meta']).filter((id) => id === 'meta.value.object-type') : [];
  for (const { member, inherited, types } of owners) {
    const own = member === undefined ? undefined : keysOf(method, member).map((key) => requirementTable[key]).find((line) => line !== undefined);
    // A place with a line of its own has no other, even where the revision has nothing to say of it.
    const found = own ? asked([member]) : asked([inherited, ...types]);
    if (own || found.length > 0) return [...new Set([...meta, ...found])];
  }
  return meta;
}
