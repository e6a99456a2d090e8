/**
 * What a project file says of a run, below `check:` and `ci:`: one row for each member, in the order of the schema.
 * Types, reading, the schema and the words of `mcpc check` and `mcpc ci` follow from the rows.
 */
import type { JsonObject } from '../../core/model/json.ts';
import { flagWords, grade, type Kind, path, plain, reference, text, toggle } from './kinds.ts';

interface ProjectRow {
  kind: Kind<unknown, unknown>;
  /** Sentence for editors, in the schema. */
  says: string;
  /** The flag of the command that does the same. */
  flag: string;
}

const percent = plain<number>(reference('percent'));
const patterns: Kind<string[], string[]> = { ...plain<string[]>(reference('patterns')), words: (value) => value };
const files: Kind<string[], string[]> = {
  ...patterns,
  read: (written, { pathOf }) => written.map(pathOf),
  words: (value, near) => value.map(near),
};

function oneOf<const T extends string>(...values: T[]): Kind<T, T> {
  return plain<T>({ enum: values });
}

function integer(minimum: number, maximum: number): Kind<number, number> {
  return plain<number>({ type: 'integer', minimum, maximum });
}

/** The members, by the section, which is the name of the command. */
export const projectRows = {
  check: {
    only: { kind: patterns, says: 'Judge only these rules: areas, ids, requirements or globs.', flag: 'only' },
    skip: { kind: patterns, says: 'Leave these rules out.', flag: 'skip' },
    level: { kind: oneOf('must', 'should', 'may'), says: 'Lowest requirement level to include.', flag: 'level' },
    set: { kind: plain<string>(reference('revision')), says: 'Frozen set of rules, named by a revision.', flag: 'set' },
    profile: { kind: oneOf('full', 'quick'), says: 'How much to ask.', flag: 'profile' },
    rules: { kind: files, says: 'Files of your own rules, or globs.', flag: 'rules' },
    requirements: { kind: files, says: 'Files of your own requirements.', flag: 'requirements' },
    facts: { kind: files, says: 'Files of your own derived facts.', flag: 'facts' },
    minScore: { kind: percent, says: 'Lowest score that passes.', flag: 'min-score' },
    minGrade: { kind: grade, says: 'Worst grade that passes.', flag: 'min-grade' },
  },
  ci: {
    threshold: {
      kind: percent,
      says: 'Lowest percentage of cases that have to pass; 100 by default.',
      flag: 'threshold',
    },
    minCoverage: { kind: percent, says: 'Lowest percentage of the tools that the cases call.', flag: 'min-coverage' },
    maxFlaky: { kind: integer(0, 1_000_000), says: 'Most flaky cases.', flag: 'max-flaky' },
    trials: { kind: integer(1, 10_000), says: 'How often each case runs.', flag: 'trials' },
    baseline: { kind: path, says: 'File of an earlier run to compare with.', flag: 'baseline' },
    failOnRegression: {
      kind: toggle,
      says: 'Fail when a case that passed in the baseline does not pass now.',
      flag: 'fail-on-regression',
    },
    lock: { kind: path, says: 'Lock file of what the server offers.', flag: 'lock' },
    driftFailOn: {
      kind: text,
      says: 'Classes of changes since the lock that fail, separated by commas.',
      flag: 'drift-fail-on',
    },
  },
} satisfies Record<string, Record<string, ProjectRow>>;

export type ProjectSection = keyof typeof projectRows;

/** The members of a section; paths are absolute. */
type Members<Section extends ProjectSection> = {
  -readonly [Name in keyof (typeof projectRows)[Section]]?: (typeof projectRows)[Section][Name] extends {
    kind: Kind<never, infer Value>;
  }
    ? Value
    : never;
};

/** The sections of a project file. */
export type ProjectSections = { [Section in ProjectSection]: Members<Section> };

const sections = Object.keys(projectRows) as ProjectSection[];

function rowsOf(section: ProjectSection): [name: string, row: ProjectRow][] {
  return Object.entries(projectRows[section] as Record<string, ProjectRow>);
}

/** The sections with absolute paths. @param written sections that fit the schema */
export function readSections(written: Partial<ProjectSections>, pathOf: (text: string) => string): ProjectSections {
  // Each kind of these rows has a value for all that fits the schema.
  const fail = (what: string): never => {
    throw new Error(what);
  };
  const read = (section: ProjectSection): object => {
    const own = (written[section] ?? {}) as Record<string, unknown>;
    return Object.fromEntries(
      rowsOf(section)
        .filter(([name]) => own[name] !== undefined)
        .map(([name, { kind }]) => [name, kind.read(own[name], { pathOf, fail })]),
    );
  };
  return Object.fromEntries(sections.map((section) => [section, read(section)])) as unknown as ProjectSections;
}

/** The flags that say what the section of the command does. @param near a path as people write it */
export function sectionFlags(
  all: ProjectSections,
  command: string,
  near: (path: string) => string,
): { flag: string; words: string[] }[] {
  const section = sections.find((one) => one === command);
  if (section === undefined) return [];
  const own = all[section] as Record<string, unknown>;
  return rowsOf(section).map(([name, { kind, flag }]) => ({ flag, words: flagWords(kind, flag, own[name], near) }));
}

/** JSON Schema of the members of a section. */
export function sectionSchema(section: ProjectSection): Record<string, JsonObject> {
  return Object.fromEntries(
    rowsOf(section).map(([name, { kind, says }]) => [name, { description: says, ...kind.schema }]),
  );
}
