/** Names of folders for servers: readable, unique, safe in every file system. Pure. */
import { createHash } from 'node:crypto';

const longest = 64;
/** Names that Windows keeps for devices, with whatever ending. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/;

/**
 * An id for each name, in their order. The id of a name depends on other names only where two would be alike; the
 * name that is its own id keeps it.
 * @param names unique
 */
export function entryIds(names: readonly string[]): string[] {
  const slugs = names.map(slugOf);
  const counts = new Map<string, number>();
  for (const slug of slugs) counts.set(slug, (counts.get(slug) ?? 0) + 1);
  const taken = new Set(names.filter((name, index) => slugs[index] === name && isSafe(name)));
  return names.map((name, index) => {
    const slug = slugs[index]!;
    if (slug === name && isSafe(slug)) return slug;
    const alone = counts.get(slug) === 1 && isSafe(slug) && !taken.has(slug);
    const id = alone ? slug : hashed(slug, name, taken);
    taken.add(id);
    return id;
  });
}

/** Lower case, without accents, everything but letters, digits, dots, dashes and underlines a dash; perhaps empty or too long. */
function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
}

function isSafe(slug: string): boolean {
  return slug !== '' && slug.length <= longest && !reserved.test(slug);
}

function hashed(slug: string, name: string, taken: ReadonlySet<string>): string {
  const digest = createHash('sha256').update(name).digest('hex');
  // A reserved name stays reserved with something behind it, unless that comes before its first dot.
  const start = (slug === '' ? 'server' : slug)
    .slice(0, longest)
    .replace(reserved, (device) => `server-${device}`)
    .replace(/[-.]+$/, '');
  const length = [8, 16, 32, 64].find((one) => !taken.has(`${start}-${digest.slice(0, one)}`)) ?? 64;
  return `${start}-${digest.slice(0, length)}`;
}
