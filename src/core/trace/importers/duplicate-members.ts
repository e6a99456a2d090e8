/** Finds members that an object has twice, which JSON.parse passes over in silence. */
import { visit } from 'jsonc-parser';

/** The first such member of a JSON text, or undefined. The text must be JSON. */
export function duplicateMember(text: string): string | undefined {
  const open: Set<string>[] = [];
  let found: string | undefined;
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty(name) {
      const names = open.at(-1);
      if (names?.has(name)) found ??= name;
      names?.add(name);
    },
  });
  return found;
}
