/** Systematic small changes of a JSON value: every member left out, and replaced by a value of every kind. */

export interface Mutation {
  /** Path of what was changed, with `.` between the parts and `#` for a list's index. */
  path: string;
  /** What was done, such as `removed` or `= null`. */
  change: string;
  value: unknown;
}

const replacements: unknown[] = [null, 5, 1.5, -1, 'x', true, [], {}, ['x'], { x: 1.5 }, { x: null }];

export function mutationsOf(value: unknown): Mutation[] {
  const found: Mutation[] = [];
  const visit = (node: unknown, path: string[], rebuild: (replacement: unknown) => unknown): void => {
    const name = path.join('.');
    for (const replacement of replacements) {
      found.push({ path: name, change: `= ${JSON.stringify(replacement)}`, value: rebuild(replacement) });
    }
    if (Array.isArray(node)) {
      node.forEach((item, index) =>
        visit(item, [...path, '#'], (replacement) =>
          rebuild(node.map((old, at) => (at === index ? replacement : old))),
        ),
      );
    } else if (typeof node === 'object' && node !== null) {
      found.push({ path: name, change: 'extended', value: rebuild({ ...node, unheardOf: { of: [1] } }) });
      for (const [key, item] of Object.entries(node)) {
        const rest = Object.fromEntries(Object.entries(node).filter(([other]) => other !== key));
        found.push({ path: [...path, key].join('.'), change: 'removed', value: rebuild(rest) });
        visit(item, [...path, key], (replacement) => rebuild({ ...node, [key]: replacement }));
      }
    }
  };
  visit(value, [], (replacement) => replacement);
  return found;
}
