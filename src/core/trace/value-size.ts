/** Approximate size of a JSON value: good enough for a limit, and without making the text. */

export interface ValueSize {
  /** Bytes as JSON text. */
  text: number;
  /** Bytes in memory: each object, list and member takes more than its text. */
  memory: number;
}

/** Size of an object, a list or a string without its content, and of a member or element. */
const perValue = 32;
const perPlace = 16;
const deepest = 600;

export function sizeOf(value: unknown): ValueSize {
  let text = 0;
  let memory = 0;

  function add(one: unknown, depth: number): void {
    if (typeof one === 'string') {
      text += one.length + 2;
      memory += one.length + perValue;
      return;
    }
    if (one === null || typeof one !== 'object' || depth > deepest) {
      text += 8;
      memory += 8;
      return;
    }
    text += 2;
    memory += perValue;
    if (Array.isArray(one)) {
      for (const item of one) {
        text += 1;
        memory += perPlace;
        add(item, depth + 1);
      }
      return;
    }
    for (const key of Object.keys(one)) {
      text += key.length + 4;
      memory += perPlace;
      add((one as Record<string, unknown>)[key], depth + 1);
    }
  }

  add(value, 0);
  return { text, memory };
}
