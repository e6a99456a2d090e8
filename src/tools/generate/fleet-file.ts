/** Writes the table of settings into the schema of fleet files. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type ProjectSection, projectRows, sectionSchema } from '../../check/settings/project-rows.ts';
import type { Row } from '../../check/settings/row.ts';
import { rows, type SettingName } from '../../check/settings/table.ts';
import type { Generator } from './outputs.ts';

const schema = 'rules/language/fleet-file.schema.json';

export const generateFleetFile: Generator = async (root) => ({
  [schema]: withSections(withSettings(await readFile(path.join(root, schema), 'utf8'))),
});

type Named = [name: SettingName, row: Row];
const top = rows.filter(([, { file }]) => file === undefined);

/** The schema with the settings of defaults, servers and includes, those in `timeouts`, and the conditions on them. */
function withSettings(text: string): string {
  const sets = ['defaults', 'server', 'include'];
  return text
    .replace(/(?<=\n) {8}"transport": [^]*?(?=\n {6}\})/g, (lines) => membersIn(lines, sets.shift() === 'server'))
    .replace(
      /(?<="description": "Deadlines\.",\n {6}"type": "object",\n {6}"properties": \{\n)[^]*?(?=\n {6}\})/,
      rows
        .filter(([, { file }]) => file?.in === 'timeouts')
        .map(([, row]) => member(row.file!.name, { description: row.says, ...row.kind.schema }))
        .join(',\n'),
    )
    .replace(
      /(?<="misplaced": \{\n.*\n {6}"allOf": \[\n)[^]*?(?= {6}\])/,
      `${conditions()
        .map((one) => `        ${inline(one)}`)
        .join(',\n')}\n`,
    );
}

/** The schema with the members of `check:` and `ci:`. */
function withSections(text: string): string {
  return (Object.keys(projectRows) as ProjectSection[]).reduce((whole, section) => {
    const opening = '"properties": {\n';
    const from = whole.indexOf(opening, whole.indexOf(`\n    "${section}": {`)) + opening.length;
    const lines = Object.entries(sectionSchema(section)).map(([name, value]) => member(name, value));
    return `${whole.slice(0, from)}${lines.join(',\n')}${whole.slice(whole.indexOf('\n      }', from))}`;
  }, text);
}

/** Lines of settings; what follows the last of them stays. */
function membersIn(lines: string, ofOneServer: boolean): string {
  const names = new Set<string>(['timeouts', ...top.map(([name]) => name)]);
  const before = lines.split(/,?\n/);
  const last = before.findLastIndex((line) => names.has(/^ {8}"(\w+)"/.exec(line)?.[1] ?? ''));
  const own = rows.flatMap(([name, row]: Named, index) => {
    if (row.file !== undefined)
      return rows[index - 1]?.[1].file?.in === row.file.in
        ? []
        : [member(row.file.in, { $ref: `#/$defs/${row.file.in}` })];
    return [
      member(
        name,
        ofOneServer && row.ofOneServer !== undefined ? row.ofOneServer : { description: row.says, ...row.kind.schema },
      ),
    ];
  });
  return [...own, ...before.slice(last + 1)].join(',\n');
}

/** Settings that a server has to be started for, to be reached at an address, or to be a package. */
function conditions(): object[] {
  const needing = (servers: Row['servers']): Named[] => top.filter(([, row]) => row.servers === servers);
  const namesOf = (named: readonly Named[]): string[] => named.map(([name]) => name);
  const addressed = needing('addressed').filter(([name]) => name !== 'transport');
  const isAlone = ([, { entry }]: Named): boolean => entry === false || entry?.in === undefined;
  const url = (names: string[]): object =>
    condition(names, names.length > 1 || names[0]!.endsWith('s') ? 'need a "url"' : 'needs a "url"', ['url']);
  return [
    condition(['bin', 'nodeArgs', ...namesOf(needing('packages'))], 'belong to an "npm" package', ['npm', 'client']),
    condition(namesOf(needing('started')), 'have no meaning for a server that mcpc does not start', [
      'command',
      'npm',
      'client',
    ]),
    ...addressed.filter(isAlone).map(([name]) => url([name])),
    url(namesOf(addressed.filter((one) => !isAlone(one)))),
  ];
}

/** Refuses the settings where none of the properties of `needed` is there. */
function condition(names: readonly string[], what: string, needed: readonly string[]): object {
  const quoted = names.map((name) => `"${name}"`);
  const list = quoted.length === 1 ? quoted[0]! : `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)!}`;
  return { description: `${list} ${what}`, not: { ...anyOf(names), not: anyOf(needed) } };
}

function anyOf(names: readonly string[]): object {
  return names.length === 1 ? { required: names } : { anyOf: names.map((name) => ({ required: [name] })) };
}

function member(name: string, value: object): string {
  return `        "${name}": ${inline(value)}`;
}

/** JSON in one line, with blanks as people write them. */
function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{ ${members.map(([name, one]) => `${JSON.stringify(name)}: ${inline(one)}`).join(', ')} }`;
}
