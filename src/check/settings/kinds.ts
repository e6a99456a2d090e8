/**
 * Kinds of settings: the schema of what a fleet file writes, the value it becomes, how layers of it are joined, and
 * which texts in it may hold variables. Nothing here opens a file.
 */
import { resolve } from 'node:path';
import { durationOf } from '../../core/model/duration.ts';
import type { JsonObject } from '../../core/model/json.ts';

/** The surroundings of a value that is read from a file. */
export interface Reading {
  /** Makes a path absolute. */
  pathOf(text: string): string;
  /** Refuses a value that fits the schema and still is none. */
  fail(what: string): never;
}

/** The surroundings of a check that is about to begin: variables have their values. */
export interface Filling {
  folder: string;
  /** @param inside the place of the text within the value, for messages */
  put(text: string, inside?: string | number): string;
}

export interface Kind<Written, Value> {
  /** JSON Schema of what the file writes; it may refer to `$defs` of the schema of fleet files. */
  schema: JsonObject;
  read(written: Written, reading: Reading): Value;
  /** Joins it with that of the layers before; it replaces theirs when absent. */
  join?(earlier: Value | undefined, later: Value): Value;
  /** Replaces the variables in it and makes its paths absolute; it holds none when absent. */
  fill?(value: Value, filling: Filling): Value;
  /** Values of the flag that sets it; the value itself when absent. @param near a path as people write it */
  words?(value: Value, near: (path: string) => string): string[];
  /** The value of one server of many; undefined where that server has none. */
  ofServer?(value: Value, own: (path: string) => string | undefined): Value | undefined;
}

/** A value as a flag of a command line: a switch that is off has no words. @param near a path as people write it */
export function flagWords(
  { words }: Pick<Kind<unknown, unknown>, 'words'>,
  flag: string,
  value: unknown,
  near: (path: string) => string,
): string[] {
  if (value === undefined || value === false) return [];
  if (value === true) return [`--${flag}`];
  const values = words === undefined ? [String(value as string | number)] : words(value, near);
  return values.map((one) => `--${flag}=${one}`);
}

/** A path that only its variables can complete. */
export function isVariable(written: string): boolean {
  return written.startsWith('${');
}

type Scalar = string | number | boolean;

/** A definition of the schema of fleet files. */
export function reference(name: string): JsonObject {
  return { $ref: `#/$defs/${name}` };
}

/** A value that is taken as it is written. */
export function plain<T>(schema: JsonObject): Kind<T, T> {
  return { schema, read: (written) => written };
}

/** A text for readers. */
export const text: Kind<string, string> = plain(reference('text'));

/** A text that may hold variables. */
export const variableText: Kind<string, string> = { ...text, fill: (value, { put }) => put(value) };

export const toggle: Kind<boolean, boolean> = plain({ type: 'boolean' });

export const grade: Kind<string, string> = plain(reference('grade'));

export function number(minimum: number, maximum: number): Kind<number, number> {
  return plain({ type: 'number', minimum, maximum });
}

function readPath(written: string, { pathOf }: Reading): string {
  return isVariable(written) ? written : pathOf(written);
}

/** The path of a file or folder, relative to the file that names it. */
export const path: Kind<string, string> = {
  schema: reference('text'),
  read: readPath,
  fill: (value, { put, folder }) => resolve(folder, put(value)),
  words: (value, near) => [near(value)],
};

/** A path in which `{{id}}` stands for the id of the server. */
export const serverPath: Kind<string, string> = { ...path, ofServer: (value, own) => own(value) };

/** Several of them. */
export const serverPaths: Kind<string[], string[]> = {
  schema: { type: 'array', minItems: 1, items: reference('text') },
  read: (written, reading) => written.map((one) => readPath(one, reading)),
  fill: (value, { put, folder }) => value.map((one, index) => resolve(folder, put(one, index))),
  ofServer(value, own) {
    const paths = value.flatMap((one) => own(one) ?? []);
    return paths.length === 0 ? undefined : paths;
  },
};

/** Texts by name; layers are merged by name. @param sameName the form in which two names are compared */
export function texts(
  definition: string,
  sameName: (name: string) => string = (name) => name,
): Kind<Record<string, Scalar>, Record<string, string>> {
  return {
    schema: reference(definition),
    read: (written) => Object.fromEntries(Object.entries(written).map(([name, value]) => [name, String(value)])),
    join(earlier, later) {
      const joined = new Map<string, [string, string]>();
      for (const layer of [earlier ?? {}, later])
        for (const [name, value] of Object.entries(layer)) joined.set(sameName(name), [name, value]);
      return Object.fromEntries(joined.values());
    },
    fill: (value, { put }) => Object.fromEntries(Object.entries(value).map(([name, one]) => [name, put(one, name)])),
  };
}

/** A list to which each layer adds. */
export function union(definition: string): Kind<string[], string[]> {
  return {
    ...plain(reference(definition)),
    join: (earlier = [], later) => [...new Set([...earlier, ...later])],
    words: (value) => value,
  };
}

/** Milliseconds, or a text with a unit. */
export const duration: Kind<number | string, number> = {
  schema: reference('duration'),
  read: (written, { fail }) =>
    typeof written === 'string'
      ? (durationOf(written) ?? fail(`"${written}" is longer or shorter than a time can be`))
      : written,
  words: (value) => [`${value}ms`],
};
