/** Paths in findings: the place within a value, or within an entry of a list, as readers write it. Pure text. */

/** The path of an entry of a list; where the list was gathered from several places, its number says which. */
export function entryOf(place: string | undefined, index: number): string {
  return place === undefined || place.includes('*') || place.includes('?')
    ? `${place ?? 'the list'}, entry ${index}`
    : `${place}[${index}]`;
}

/** A path that goes on within a place. */
export function within(place: string | undefined, path: string): string {
  if (path === '') return place ?? 'the value';
  if (place === undefined) return path;
  if (place.includes(', entry ')) return `${place}: ${path}`;
  return path.startsWith('[') ? `${place}${path}` : `${place}.${path}`;
}

/** A path within an entry of a list. */
export function inEntry(index: number, path: string): string {
  return path === '' || path.startsWith('[') ? `[${index}]${path}` : `[${index}].${path}`;
}
