/** Where a value lacks what another has. Pure. */
import { diffArrays } from 'diff';
import { asText, isObject } from '../../../core/model/json.ts';
import { beginning, printed, quoted } from '../expectation.ts';
import { lookUp } from '../json-text.ts';

/** Lists that differ in more entries than this are compared as wholes: finding the shortest difference takes long. */
const mostEdits = 500;
/** Entries of a difference that a message shows. */
const mostShown = 20;

/**
 * As `partDiffers`, for the value at a JSON path.
 * @returns undefined where nothing differs
 */
export function pathDiffers(value: unknown, path: string, due: unknown): string | undefined {
  const found = lookUp(value, path);
  if ('problem' in found) return `${quoted(path)}: ${found.problem}`;
  return partDiffers(found.value, due, path);
}

/** Where a value lacks what another has; objects may have more members, lists may not. */
export function partDiffers(value: unknown, due: unknown, place: string): string | undefined {
  if (isObject(due)) {
    if (!isObject(value)) return `${place}: want an object, got ${printed(value)}`;
    for (const [name, inner] of Object.entries(due)) {
      const lack = partDiffers(Object.hasOwn(value, name) ? value[name] : undefined, inner, `${place}.${name}`);
      if (lack !== undefined) return lack;
    }
    return undefined;
  }
  if (Array.isArray(due)) {
    if (!Array.isArray(value)) return `${place}: want ${printed(due)}, got ${printed(value)}`;
    const lacks = due.map((inner, index) => partDiffers(value[index], inner, `${place}[${index}]`));
    const found = lacks.filter((lack) => lack !== undefined);
    if (found.length === 0 && value.length === due.length) return undefined;
    // One changed entry is told by its place; everything else by what is missing and what is there instead.
    return found.length === 1 && value.length === due.length
      ? found[0]
      : `${place}: want ${due.length} entries, got ${value.length}\n${listDifference(due, value).join('\n')}`;
  }
  return value !== undefined && equalTo(value, due)
    ? undefined
    : `${place}: want ${printed(due)}, got ${printed(value)}`;
}

/** Lines of a diff by entry: `- ` is wanted and missing, `+ ` is there and not wanted, equal entries are counted. */
export function listDifference(
  due: readonly unknown[],
  value: readonly unknown[],
  same: (got: unknown, wanted: unknown) => boolean = (got, wanted) => partDiffers(got, wanted, '') === undefined,
): string[] {
  const parts = diffArrays<unknown>([...due], [...value], {
    comparator: (wanted, got) => same(got, wanted),
    maxEditLength: mostEdits,
  });
  if (parts === undefined) return [`  more than ${mostEdits} entries differ`];
  const lines = parts.flatMap((part) => {
    if (part.removed || part.added)
      return part.value.map((entry) => `${part.removed ? '-' : '+'} ${beginning(printed(entry))}`);
    return [`  ${part.value.length} equal`];
  });
  return lines.length <= mostShown
    ? lines
    : [...lines.slice(0, mostShown), `  and ${lines.length - mostShown} more lines`];
}

/** Equal as values, where a number or a word of truth also equals its text. */
export function equalTo(actual: unknown, wanted: unknown): boolean {
  if (wanted === null || actual === null) return actual === wanted;
  if (typeof wanted === 'object' || typeof actual === 'object') {
    if (typeof wanted !== 'object' || typeof actual !== 'object' || Array.isArray(wanted) !== Array.isArray(actual))
      return false;
    const [left, right] = [actual as Record<string, unknown>, wanted as Record<string, unknown>];
    const names = Object.keys(left!);
    return (
      names.length === Object.keys(right!).length &&
      names.every((name) => Object.hasOwn(right!, name) && equalTo(left![name], right![name]))
    );
  }
  if (actual === wanted || asText(actual) === asText(wanted)) return true;
  // 1.0 and "1.0" are the number 1 to who compares numbers; two texts are compared as they are.
  if (typeof actual === 'string' && typeof wanted === 'string') return false;
  return (
    isNumeric(actual) &&
    isNumeric(wanted) &&
    Number(actual) === Number(wanted) &&
    Number.isSafeInteger(Math.trunc(Number(actual)))
  );
}

function isNumeric(value: unknown): boolean {
  return (
    typeof value === 'number' ||
    typeof value === 'bigint' ||
    (typeof value === 'string' && /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(value))
  );
}
