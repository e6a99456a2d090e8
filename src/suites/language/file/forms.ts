/**
 * The forms that a document of a suite may have, one entry each: how it is known, held against its schema, and read. The
 * first entry that fits counts.
 */
import { append } from '../../../core/model/lists.ts';
import { blocks } from '../blocks/table.ts';
import { isLaneFile, openLaneFile, readLaneCases, unknownLanes, type LaneFile } from './lane-form.ts';
import type { ServerBlock, SuiteCase } from '../model.ts';
import { readAssertCase, readServer, type FileNames } from './assert-form.ts';
import { checkPart, checkSteps } from './check.ts';
import { readNativeCases, sharedOf, type NativeShared } from './native-form.ts';
import { partOf, type Part } from '../part.ts';
import { readYaml, type Problem, type YamlDocument } from '../yaml-source.ts';

export interface ReadOptions {
  /** Unknown members are errors. */
  strict: boolean;
  /** Cases that assert nothing fail. */
  emptyFails?: boolean;
  /**
   * An imported file, by its path from the importing one; undefined when unreadable.
   * @param from path of the importing file; that of the suite when absent
   */
  imported(path: string, from?: string): { path: string; text: string } | undefined;
}

export interface FormContext {
  names: FileNames;
  /** Number of the first case within the file, from 1. */
  first: number;
  options: ReadOptions;
  problems: Problem[];
}

export interface SuiteForm {
  name: string;
  fits(file: Part): boolean;
  check(document: YamlDocument, file: Part, strict: boolean): Problem[];
  /** The cases, and the servers that the document names. */
  read(file: Part, context: FormContext): { cases: SuiteCase[]; servers: ReadonlyMap<string, ServerBlock> };
}

const nativeForm: SuiteForm = {
  name: 'version 1',
  fits: (file) => file.has('version'),
  check(document, file, strict) {
    const lists = [
      file.at('before'),
      file.at('after'),
      ...file
        .at('cases')
        .items()
        .flatMap((one) => [one.at('steps'), one.at('teardown')]),
    ];
    return [
      ...checkPart(document, file, 'native-file', strict),
      ...lists.flatMap((list) => checkSteps(document, list, strict)),
    ];
  },
  read(file, { names, first, options, problems }) {
    const imported = importsOf(file, options, problems);
    const servers = [...imported.flatMap((one) => [...one.servers]), ...sharedOf(file).servers].flatMap(
      ([name, part]): [string, ServerBlock][] => {
        const block = readServer(part, 'http');
        return block === undefined ? [] : [[name, block]];
      },
    );
    return { cases: readNativeCases(file, names, first, imported, problems), servers: new Map(servers) };
  },
};

const laneForm: SuiteForm = {
  name: 'lanes',
  fits: isLaneFile,
  check: (document, file, strict) => [...unknownLanes(file), ...checkPart(document, file, 'lane-file', strict)],
  read(file, { names, first, options, problems }) {
    const opened = openWithImports(file, names, options, problems, new Set([names.path]));
    const cases: SuiteCase[] = [];
    const numbers = new Map<string, number>([[names.path, first]]);
    for (const one of opened.all) {
      const own = readLaneCases(one, numbers.get(one.names.path) ?? 1, problems);
      numbers.set(one.names.path, (numbers.get(one.names.path) ?? 1) + own.length);
      append(cases, own);
    }
    return { cases, servers: opened.own.servers };
  },
};

const assertForm: SuiteForm = {
  name: 'mcp-assert',
  fits: () => true,
  check: (document, file, strict) => [
    ...checkPart(document, file, 'assert-file', strict),
    ...blocks.flatMap(({ key }) => checkSteps(document, file.at(key).at('expect').at('unchanged'), strict)),
  ],
  read(file, { names, first, problems }) {
    const one = readAssertCase(file, names, first, problems);
    return { cases: [one], servers: new Map(one.server === undefined ? [] : [[one.name, one.server]]) };
  },
};

const forms: readonly SuiteForm[] = [nativeForm, laneForm, assertForm];

export function formOf(file: Part): SuiteForm {
  return forms.find((form) => form.fits(file))!;
}

/** Additions of imported files; their own imports do not count. */
function importsOf(file: Part, options: ReadOptions, problems: Problem[]): NativeShared[] {
  return file
    .at('imports')
    .items()
    .flatMap((item) => {
      const opened = openImport(item, options, problems);
      if (opened === undefined) return [];
      if (opened.form === nativeForm) return [sharedOf(opened.part)];
      problems.push({
        ...item.place,
        text: `imports: ${item.text()} is in the form of ${opened.form.name}; only files with version: 1 have servers and defaults to import`,
        severity: 'error',
      });
      return [];
    });
}

/** A lane file with all that it imports, each file once; servers and variables come before those who import them. */
function openWithImports(
  part: Part,
  names: FileNames,
  options: ReadOptions,
  problems: Problem[],
  met: Set<string>,
): { own: LaneFile; all: LaneFile[] } {
  const imported = part
    .at('imports')
    .items()
    .flatMap((item) => {
      const opened = openImport(item, options, problems, names.path);
      if (opened === undefined || met.has(opened.names.path)) return [];
      met.add(opened.names.path);
      if (opened.form === laneForm) return [openWithImports(opened.part, opened.names, options, problems, met)];
      problems.push({
        ...item.place,
        text: `imports: ${item.text()} is in the form of ${opened.form.name}; a file of lanes imports others of lanes`,
        severity: 'error',
      });
      return [];
    });
  const own = openLaneFile(
    part,
    names,
    imported.map((one) => one.own),
  );
  // A test of an imported file may name a server of the file that imports it.
  const all = imported
    .flatMap((one) => one.all)
    .map((one) => ({ ...one, servers: new Map([...own.servers, ...one.servers]) }));
  return { own, all: [own, ...all] };
}

/** The first document of a file that is imported, unless something is wrong with it. */
function openImport(
  item: Part,
  { imported, strict }: ReadOptions,
  problems: Problem[],
  from?: string,
): { part: Part; form: SuiteForm; names: FileNames } | undefined {
  const name = item.text() ?? '';
  const found = imported(name, from);
  const read = found === undefined ? undefined : readYaml(found.text, found.path);
  const [document] = read?.documents ?? [];
  if (document === undefined)
    problems.push({ ...item.place, text: `imports: ${name} cannot be read`, severity: 'error' });
  const part = document === undefined ? undefined : partOf(document);
  const form = part === undefined ? undefined : formOf(part);
  const wrong = [
    ...(read?.problems ?? []),
    ...(document === undefined || part === undefined ? [] : form!.check(document, part, strict)),
  ];
  append(problems, wrong);
  if (part === undefined || form === undefined || wrong.some(({ severity }) => severity === 'error')) return undefined;
  return { part, form, names: { path: found!.path, base: name.split('/').at(-1)! } };
}
