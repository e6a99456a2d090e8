/**
 * Variables in texts of configurations: `${VAR}`, `${VAR:-default}`, `${env:VAR}`, and the places that VS Code and
 * Cursor name. Texts in, texts out; it reads no files.
 */
import { homedir } from 'node:os';
import { basename, join, resolve, sep } from 'node:path';
import { isSecretVariable } from '../../core/trace/redaction/secret-names.ts';

const form = /\$\{([^}]*)\}/g;

export interface Surroundings {
  /** Where variables are looked up. */
  env: NodeJS.ProcessEnv;
  /** Replacements of places, such as `${workspaceFolder}`. */
  places: Readonly<Record<string, string>>;
  /** Gets the values of variables that are named like a secret. */
  secrets: string[];
  fail(what: string, remedy?: string): never;
}

/**
 * Replaces every variable.
 * @param place of the text, for messages
 * @throws the error of `fail`, for an unset or unknown one
 */
export function putVariables(text: string, place: string, { env, places, secrets, fail }: Surroundings): string {
  return text.replace(form, (whole, inside: string) => {
    if (Object.hasOwn(places, inside)) return places[inside]!;
    if (inside.startsWith('input:')) return inputValue(inside, place, { env, secrets, fail });
    const match = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s.exec(inside);
    if (!match)
      return fail(
        `${place} has ${whole}, which is no variable that mcpc knows.`,
        'Known are ${VAR}, ${VAR:-default}, ${env:VAR}, ${workspaceFolder} and ${userHome}.',
      );
    const [, variable = '', fallback] = match;
    const set = env[variable];
    // As in a shell, a default also stands in for a variable that is set but empty.
    const value = fallback !== undefined && (set === undefined || set === '') ? fallback : set;
    if (value === undefined)
      return fail(
        `${place} needs the environment variable ${variable}, which is not set.`,
        `Set it, or give a default: \${${variable}:-default}.`,
      );
    if (isSecretVariable(variable)) secrets.push(value);
    return value;
  });
}

/** Name of the environment variable with the value of an input; it precedes one with the name of the input. */
export function inputName(input: string): string {
  return `${inputPrefix}${variableName(input)}`;
}

/** Begins the names of variables that only give values of inputs; no server inherits them. */
export const inputPrefix = 'MCPC_INPUT_';

function variableName(input: string): string {
  return input.replace(/[^A-Za-z0-9]/g, '_').toUpperCase();
}

/** `input:NAME`, with `:password` where the value is a secret, and `:-default`. */
function inputValue(inside: string, place: string, { env, secrets, fail }: Omit<Surroundings, 'places'>): string {
  const [head = '', ...rest] = inside.slice('input:'.length).split(':-');
  const usual = rest.length === 0 ? undefined : rest.join(':-');
  const isPassword = head.endsWith(':password');
  const name = isPassword ? head.slice(0, -':password'.length) : head;
  const given = env[inputName(name)] ?? env[name] ?? env[variableName(name)];
  const value = given ?? usual;
  if (value === undefined)
    return fail(
      `${place} asks for the input "${name}", which has no value.`,
      `Give it: --input ${name}=VALUE, or set the environment variable ${variableName(name)}.`,
    );
  if (given !== undefined && (isPassword || isSecretVariable(variableName(name)))) secrets.push(value);
  return value;
}

/** Puts in the places alone; variables stay as they are. */
export function putPlaces(text: string, places: Readonly<Record<string, string>>): string {
  return text.replace(form, (whole, inside: string) => (Object.hasOwn(places, inside) ? places[inside]! : whole));
}

/** Replacements of places in a file about a folder. */
export function placesOf(workspace: string, env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const home = homeOf(env);
  return {
    workspaceFolder: workspace,
    workspaceFolderBasename: basename(workspace),
    userHome: home,
    pathSeparator: sep,
    '/': sep,
    DESKTOP: join(home, 'Desktop'),
    DOCUMENTS: join(home, 'Documents'),
    DOWNLOADS: join(home, 'Downloads'),
  };
}

/** The user's home folder; the environment goes before what the system says. */
export function homeOf(env: NodeJS.ProcessEnv): string {
  const named = process.platform === 'win32' ? env['USERPROFILE'] : env['HOME'];
  return named === undefined || named === '' ? homedir() : named;
}

/** A path as users write it, made absolute: `~/` is the home folder, anything relative starts at `folder`. */
export function pathFrom(folder: string, text: string, env: NodeJS.ProcessEnv): string {
  return text === '~' || text.startsWith('~/') ? join(homeOf(env), text.slice(1)) : resolve(folder, text);
}
