/** `${name}` in a lane file: values that the file gives under `variables`, and the folder of the file. */
import { dirname, resolve } from 'node:path';
import { capturedText } from '../judge/substitute.ts';
import type { Part } from '../part.ts';
import type { Problem } from '../yaml-source.ts';

const form = /\$\{([A-Za-z_][\w.]{0,200})\}/g;

/** Values by name. */
export type LaneVariables = ReadonlyMap<string, unknown>;

/** Those of a file, which go before those of the files that it imports. */
export function variablesOf(file: Part, path: string, imported: readonly LaneVariables[]): LaneVariables {
  return new Map<string, unknown>([
    ...imported.flatMap((one) => [...one]),
    ...file
      .at('variables')
      .members()
      .map(([name, part]): [string, unknown] => [name, part.value]),
    ['CONFIG_DIR', resolve(dirname(path))],
  ]);
}

/** The part with the values put in. A text that is one name takes the value with its type; other names stay. */
export function withVariables(part: Part, variables: LaneVariables): Part {
  const put = (text: string): unknown => {
    const whole = text.startsWith('${') && text.endsWith('}') ? text.slice(2, -1) : undefined;
    if (whole !== undefined && variables.has(whole)) return variables.get(whole);
    return text.replace(form, (name: string, inner: string) =>
      variables.has(inner) ? capturedText(variables.get(inner)) : name,
    );
  };
  const mapped = (value: unknown): unknown => {
    if (typeof value === 'string') return put(value);
    if (Array.isArray(value)) return value.map(mapped);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapped(inner)]));
  };
  const wrapped = (inner: Part): Part => ({
    path: inner.path,
    get value() {
      return mapped(inner.value);
    },
    get place() {
      return inner.place;
    },
    at: (name) => wrapped(inner.at(name)),
    has: (name) => inner.has(name),
    text() {
      const text = inner.text();
      return text === undefined ? undefined : capturedText(put(text));
    },
    items: () => inner.items().map(wrapped),
    members: () => inner.members().map(([name, member]): [string, Part] => [name, wrapped(member)]),
  });
  return wrapped(part);
}

/** A warning for each name in a part without a value: it stays unchanged. */
export function unknownVariables(part: Part, variables: LaneVariables, problems: Problem[]): void {
  const { value } = part;
  if (typeof value === 'string') {
    for (const [, name] of value.matchAll(form))
      if (!variables.has(name!))
        problems.push({
          ...part.place,
          text: `there is no variable "${name}"; "\${${name}}" is sent unchanged`,
          severity: 'warning',
        });
  } else if (Array.isArray(value)) for (const item of part.items()) unknownVariables(item, variables, problems);
  else for (const [, member] of part.members()) unknownVariables(member, variables, problems);
}
