/**
 * Variables in texts of configurations: `${VAR}`, `${VAR:-default}`, `${env:VAR}`, and the places that VS Code and
 * Cursor name. Texts in, texts out; it reads no files.
 */
import { homedir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { isSecretVariable } from '../../core/trace/redaction/secret-names.ts';

const form = /\$\{([^}]*)\}/g;

export interface Surroundings {
  /** Where variables are looked up. */
  env: NodeJS.ProcessEnv;
  /** What stands for places, such as `${workspaceFolder}`. */
  places: Readonly<Record<string, string>>;
  /** Gets the values of variables that are named like a secret. */
  secrets: string[];
  fail(what: string, remedy?: string): never;
}

/**
 * Puts in every variable.
 * @param place where the text stands, for messages
 * @throws what `fail` throws, for one that is not set or not known
 */
export function putVariables(text: string, place: string, { env, places, secrets, fail }: Surroundings): string {
  return text.replace(form, (whole, inside: string) => {
    if (Object.hasOwn(places, inside)) return places[inside]!;
    if (inside.startsWith('input:')) {
      return fail(
        `${place} asks for ${whole}, which only an editor can ask its user for.`,
        `Put \${env:NAME} there instead, and set NAME.`,
      );
    }
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

/** Puts in the places alone; variables stay as they are. */
export function putPlaces(text: string, places: Readonly<Record<string, string>>): string {
  return text.replace(form, (whole, inside: string) => (Object.hasOwn(places, inside) ? places[inside]! : whole));
}

/** What stands for places in a file: the folder that it is about, and the user's. */
export function placesOf(file: string, env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const folder = dirname(resolve(file));
  const workspace = /^\.(?:vscode|cursor)$/.test(basename(folder)) ? dirname(folder) : folder;
  return {
    workspaceFolder: workspace,
    workspaceFolderBasename: basename(workspace),
    userHome: homeOf(env),
    pathSeparator: sep,
    '/': sep,
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
