/** The kinds of subjects that rules can be about, and the filter that selects among those of a kind. */
export const subjectKinds = [
  'message',
  'exchange',
  'followUp',
  'stdoutLine',
  'stdinLine',
  'http',
  'stream',
  'pagination',
  'turn',
  'opening',
  'resumption',
  'address',
  'serverRequest',
  'task',
  'session',
  'metadata',
  'authorization',
  'grant',
  'issuance',
  'trace',
  'group',
  'pair',
] as const;
export type SubjectKind = (typeof subjectKinds)[number];

/** Scalar facts of a subject that must have the value, or one of the values. */
export type Filter = Record<string, unknown>;

/** True if a filter accepts subjects with that value of the fact, as far as this fact goes. */
export function allows(filter: Filter, fact: string, value: unknown): boolean {
  return !(fact in filter) || allowed(filter[fact]).includes(value);
}

/** Values that a filter allows for a fact. */
export function allowed(wanted: unknown): unknown[] {
  return Array.isArray(wanted) ? (wanted as unknown[]) : [wanted];
}
