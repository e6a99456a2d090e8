/** The requirements that a place of the message schemas stands for, in one revision. */
import { requirementAt, type Catalogue } from '../../core/spec/requirements/catalogue.ts';
import type { Revision } from '../../core/model/rules/requirement.ts';
import { requirementTable } from './requirement-table.ts';
import type { Owner, Spot } from './walk.ts';

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
const embedded: readonly (readonly [type: string, method: string])[] = [
  ['CreateMessageRequest', 'sampling/createMessage'],
  ['ElicitRequest', 'elicitation/create'],
  ['ListRootsRequest', 'roots/list'],
];

/** From the nearest owner outwards, the first place with requirements that the revision has; empty where there is none. */
export function requirementsAt(
  catalogue: Catalogue,
  { owners, name }: Spot,
  carrier: string,
  revision: Revision,
): string[] {
  const method = embedded.find(([type]) => owners.some(({ types }) => types.includes(type)))?.[1] ?? carrier;
  const isAskedHere = (id: string): boolean => isAsked(catalogue, id, revision);
  // _meta has the same form wherever it is.
  const meta = name.endsWith('._meta') ? ['meta.value.object-type'].filter(isAskedHere) : [];
  for (const owner of owners) {
    const { ids, isOwn } = linesOf(owner, method);
    const found = ids.filter(isAskedHere);
    // A place with a line of its own has no other, even where the revision has nothing to say of it.
    if (isOwn || found.length > 0) return [...new Set([...meta, ...found])];
  }
  return meta;
}

/** True if the revision requires this of a server, visibly. */
function linesOf({ member, inherited, types }: Owner, method: string): { ids: readonly string[]; isOwn: boolean } {
  const scopes = [`${method}>`, `${areaOf(method)}>`, ''];
  for (const scope of scopes) {
    const own = member === undefined ? undefined : requirementTable[scope + member];
    if (own) return { ids: own, isOwn: true };
    const shared = [inherited, ...types].flatMap((place) =>
      place === undefined ? [] : (requirementTable[scope + place] ?? []),
    );
    if (shared.length > 0) return { ids: [...new Set(shared)], isOwn: false };
  }
  return { ids: [], isOwn: false };
}

/** Members that a page demands although the schema leaves them optional: the requirement of their place covers that. */
const demandedByPages: readonly { method: string; type: string; member: string }[] = [
  { method: 'prompts/get', type: 'EmbeddedResource', member: 'mimeType' },
];

/** Entries of the table for an owner: those of the method or area precede general ones, and members precede types. */
export function isDemanded({ name, owners }: Spot, method: string): boolean {
  return demandedByPages.some(
    (one) =>
      one.method === method && name.endsWith(`.${one.member}`) && owners.some(({ types }) => types.includes(one.type)),
  );
}
