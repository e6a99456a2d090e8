/** What a hostile server is, and what `mcpc check` must make of it. */

/** The promise of docs/safety.md that a hostile server tries to break. */
export type HostilePart =
  | 'work'
  | 'deadlines'
  | 'leftovers'
  | 'memory'
  | 'endless'
  | 'broken'
  | 'damage'
  | 'secrets'
  | 'text'
  | 'files'
  | 'network'
  | 'odd';

export interface HostileCase {
  /** Kebab-case, unique; handed to the script, which knows by it how to behave. */
  readonly id: string;
  readonly part: HostilePart;
  /** What the server does, in one plain line for hostile.md. */
  readonly does: string;
  readonly transport: 'stdio' | 'http' | 'sse';
  /** A file of `servers/`: `node SCRIPT ID` on stdio; `node SCRIPT ID PORT` serves /mcp (http) or /sse (sse) on 127.0.0.1. */
  readonly script: string;
  /** Address in place of the usual one; `{{port}}` is the port of the script. */
  readonly url?: string;
  /** The script is a forward proxy, which the environment names; the server behind it does not exist. */
  readonly as?: 'proxy';
  /** What the script is told in place of the id. */
  readonly behaves?: string;
  /** Further flags of `mcpc check`. */
  readonly flags?: readonly string[];
  /** Environment of mcpc itself. */
  readonly env?: Readonly<Record<string, string>>;
  /** The exit code that is wanted. */
  readonly exit: number;
  /** What stdout and stderr of the check must say, each. */
  readonly says: readonly RegExp[];
  /** What neither may say. */
  readonly saysNot?: readonly RegExp[];
  /** Files of the folder that the check runs in, with what must stand in them afterwards. */
  readonly keeps?: Readonly<Record<string, string>>;
  /** Peak memory of mcpc's own process, in MB; 400 when nothing is said. */
  readonly mostMb?: number;
  /** Takes more than two seconds alone: only in the full run. */
  readonly slow?: true;
  /** Keeps the processors busy: nothing else runs beside it. */
  readonly alone?: true;
  /** Where the flags pick rules: what a check by all rules gives otherwise. */
  readonly whole?: Partial<Pick<HostileCase, 'exit' | 'says' | 'saysNot'>>;
}

/** The case with the rules of an ordinary check; undefined where it has them already. */
export function wholeOf(hostile: HostileCase): HostileCase | undefined {
  const { flags = [], whole } = hostile;
  const at = flags.indexOf('--only');
  return at === -1 ? undefined : { ...hostile, ...whole, flags: [...flags.slice(0, at), ...flags.slice(at + 2)] };
}
