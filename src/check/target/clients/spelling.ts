/** Format of a row of the table of clients. Data only. */

/** Properties of a server, each with the names that it may have. */
export interface Spelling {
  command: readonly string[];
  args: readonly string[];
  env: readonly string[];
  cwd: readonly string[];
  envFile: readonly string[];
  url: readonly string[];
  /** A path of names joined by dots where they stand deeper. */
  headers: readonly string[];
  /** Headers whose values are names of environment variables. */
  envHeaders: readonly string[];
  /** Name of the environment variable that holds the bearer token. */
  bearerVariable: readonly string[];
  type: readonly string[];
  /** A command line, or an address, in one text. */
  line: readonly string[];
  /** Switched off where it is true. */
  off: readonly string[];
  /** Switched off where it is false. */
  on: readonly string[];
}

/**
 * Notations of variables in texts, in addition to `${NAME}`, `${NAME:-default}` and `${env:NAME}`:
 *
 * - `dollar`: `$NAME`
 * - `braces`: `{env:NAME}`
 * - `secrets`: `${{ secrets.NAME }}`, `${{ inputs.NAME }}`
 * - `moustache`: `{{NAME}}`
 * - `userConfig`: `${user_config.name}`, declared in the file
 */
export type VariableStyle = 'dollar' | 'braces' | 'secrets' | 'moustache' | 'userConfig';

export interface ClientTool {
  /** For a reader. */
  tool: string;
  /** Short form, for names. */
  short: string;
  /** Files in a folder of a repository; `*` stands for any name. */
  project?: readonly string[];
  /** Files of the user: `~` is the home folder, `{data}` the folder where the system keeps settings of programs. */
  user?: readonly string[];
  /** Paths of properties to the servers, names to servers or a list of servers with names; an empty path is the file. */
  servers: readonly (readonly string[])[];
  spelling?: Partial<Spelling>;
  /** Meaning of the address property alone in this file. */
  transports?: Readonly<Record<string, 'http' | 'sse'>>;
  variables?: readonly VariableStyle[];
  /** Variables that stand for the folder of the file, or one above it. */
  folders?: Readonly<Record<string, '.' | '..'>>;
  /** Types of entries among the servers that are not servers. */
  builtIn?: readonly string[];
  /** Only files of these names: elsewhere the property means something else. */
  named?: true;
  /** For the table in generated/FLEET.md. */
  remark?: string;
}

/** Spellings that each tool has. */
export const usualSpelling: Spelling = {
  command: ['command'],
  args: ['args'],
  env: ['env'],
  cwd: ['cwd'],
  envFile: ['envFile'],
  url: ['url'],
  headers: ['headers'],
  envHeaders: [],
  bearerVariable: [],
  type: ['type', 'transport'],
  line: [],
  off: ['disabled'],
  on: ['enabled'],
};

export const mcpServers = [['mcpServers']] as const;
