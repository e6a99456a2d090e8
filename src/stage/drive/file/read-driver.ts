/** Reads the file of `--driver`: YAML (or JSON, which is YAML), held against rules/language/driver.schema.json. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgsStringToArgv } from 'string-argv';
import { usageError } from '../../../core/model/errors.ts';
import { suggestion } from '../../../core/model/suggestion.ts';
import { parseSchemaFile } from '../../../files/config/schema-file.ts';

/** The commands of a client, by the names of acts. */
export interface DriverFile {
  cwd: string | undefined;
  env: Readonly<Record<string, string>>;
  acts: ReadonlyMap<string, readonly string[]>;
}

const remedy = 'docs/clients.md describes the file; `mcpc client driver init` writes one to start from.';
const largest = 100_000;

/** The placeholders that the command of an act is of no use without. */
const needed: Readonly<Record<string, readonly string[]>> = {
  call: ['tool', 'arguments'],
  cancel: ['tool'],
  read: ['uri'],
  subscribe: ['uri'],
  get: ['name'],
  'set-level': ['level'],
};

const everywhere = ['url', 'command', 'config', 'clientId', 'clientSecret'];
const ofAct: Readonly<Record<string, readonly string[]>> = {
  ...needed,
  cancel: ['tool', 'arguments'],
  get: ['name', 'arguments'],
  complete: ['name', 'uri', 'arguments'],
};

/** @throws McpcError usage, naming file, line and place of everything that is wrong */
export function readDriver(file: string): DriverFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(
      `Cannot read the driver ${file}: ${(error as Error).message}`,
      'Check the path given with --driver.',
      error,
    );
  }
  const { value, lineOf } = parseSchemaFile<{
    cwd?: string;
    env?: Record<string, string>;
    acts: Record<string, string | string[]>;
  }>(text, { file, schema: 'driver.schema.json', remedy, largest });
  const acts = Object.entries(value.acts).map(([act, command]): [string, string[]] => [
    act,
    typeof command === 'string' ? parseArgsStringToArgv(command) : command,
  ]);
  const wrong = acts.flatMap(([act, words]) =>
    problemsOf(act, words).map((problem) => `${file}:${lineOf(['acts', act])}: acts.${act}: ${problem}`),
  );
  if (wrong.length > 0) throw usageError(wrong.join('\n'), remedy);
  return {
    cwd: value.cwd === undefined ? undefined : path.resolve(path.dirname(file), value.cwd),
    env: value.env ?? {},
    acts: new Map(acts),
  };
}

function problemsOf(act: string, words: readonly string[]): string[] {
  const known = [...everywhere, ...(act.startsWith('list-') ? ['cursor'] : (ofAct[act] ?? []))];
  const used = words.flatMap(placeholdersIn);
  return [
    ...used
      .filter((name) => !known.includes(name))
      .map((name) => `there is no {{${name}}} here.${suggestion(name, known)} Known are ${known.join(', ')}.`),
    ...(needed[act] ?? [])
      .filter((name) => !used.includes(name))
      .map((name) => `the command needs {{${name}}}, or it cannot know what to do.`),
  ];
}

/** Names between double braces. */
export function placeholdersIn(word: string): string[] {
  return word
    .split('{{')
    .slice(1)
    .flatMap((rest) => (rest.includes('}}') ? [rest.slice(0, rest.indexOf('}}')).trim()] : []));
}
