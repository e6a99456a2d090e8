/**
 * Defaults with the settings that were given in their place. A setting that is present but undefined keeps its default,
 * so that callers can hand on optional settings as plain properties.
 */
export function withDefaults<T extends object>(
  defaults: T,
  given: { [K in keyof T]?: T[K] | undefined } | undefined,
): T {
  const merged = { ...defaults };
  for (const key of Object.keys(given ?? {}) as (keyof T)[]) {
    const value = given?.[key];
    if (value !== undefined) merged[key] = value;
  }
  return merged;
}

/** Without the members that are undefined. */
export function present<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
}
