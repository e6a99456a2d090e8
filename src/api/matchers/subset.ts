/** Compares a value with a part of it. */
import { isObject } from '../../core/model/json.ts';

/** The form of `expect.any(Number)` and similar ones in vitest and Jest. */
interface Asymmetric {
  asymmetricMatch(value: unknown): boolean;
}

/**
 * Compares a value with the expected part: an object may have more properties, a list must have as many items.
 * @returns the path of the first difference, empty for the value itself; undefined without one
 */
export function differsAt(value: unknown, expected: unknown, path = ''): string | undefined {
  if (isAsymmetric(expected)) return expected.asymmetricMatch(value) ? undefined : path;
  if (Array.isArray(expected)) {
    if (!Array.isArray(value) || value.length !== expected.length) return path;
    return first(expected.map((one, index) => differsAt(value[index], one, `${path}[${index}]`)));
  }
  if (isObject(expected)) {
    if (!isObject(value)) return path;
    return first(
      Object.entries(expected).map(([name, one]) =>
        differsAt(Object.hasOwn(value, name) ? value[name] : undefined, one, path === '' ? name : `${path}.${name}`),
      ),
    );
  }
  return Object.is(value, expected) ? undefined : path;
}

function first(found: (string | undefined)[]): string | undefined {
  return found.find((one) => one !== undefined);
}

function isAsymmetric(value: unknown): value is Asymmetric {
  return isObject(value) && typeof value['asymmetricMatch'] === 'function';
}
