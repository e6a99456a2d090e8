/**
 * Any error as the text that a user reads: what went wrong, why, and what to do, on one screen. It decides
 * which exit code an error means; it must not print or exit.
 */
import { stripVTControlCharacters } from 'node:util';
import pc from 'picocolors';
import { exitCodes, McpcError } from '../../../core/model/errors.ts';
import type { ErrorStage } from '../../../core/model/errors.ts';
import { append } from '../../../core/model/lists.ts';
import { closestName } from '../../../core/model/suggestion.ts';
import { visible } from '../../../report/text.ts';
import { asText } from '../../../core/model/json.ts';

export interface Reported {
  code: number;
  text: string;
}

export interface ReportOptions {
  /** Ids of the commands there are, words separated by blanks. */
  commands?: readonly string[];
  /** Words of the command line, for its display. */
  words?: readonly string[];
  /** Append the stack of internal errors. */
  stack?: boolean;
  /** Lines that the target wrote to stderr and that say why it ended. */
  stderr?: readonly string[];
}

const headings: Record<ErrorStage, string> = {
  // Of wrong usage the message itself is the heading.
  usage: '',
  target: 'The target could not be checked',
  internal: 'mcpc itself failed',
  interrupted: 'Interrupted',
};

/** Lines of a message that are shown; rule files can have a problem each. */
const mostLines = 16;

/** The part of oclif's parse errors that is of use here. */
interface OclifError extends Error {
  oclif?: { exit?: number };
  code?: string;
  flags?: string[];
  args?: unknown;
  parse?: { input?: { flags?: Record<string, { type?: string; char?: string } | undefined> } };
}

export function formatError(error: unknown, options: ReportOptions = {}): Reported {
  if (error instanceof McpcError) return fromMcpcError(error, options);
  const oclif = error as OclifError;
  if (error instanceof Error && oclif.oclif !== undefined && oclif.code !== 'MODULE_NOT_FOUND')
    return fromOclif(oclif, options);
  return internal(error, options);
}

function fromMcpcError(error: McpcError, options: ReportOptions): Reported {
  if (error.stage === 'internal') return internal(error, options);
  return {
    code: error.exitCode,
    text: screen(
      headings[error.stage],
      withoutParser(error.message),
      error.remedy,
      error.stage === 'target' ? options.stderr : undefined,
    ),
  };
}

function fromOclif(error: OclifError, { commands = [], words = [] }: ReportOptions): Reported {
  // The parser's note, that flags which repeat swallow what follows, does not hold here: they take one word each.
  const message = withoutParser(clean(error.message))
    .replace(/^The following errors? occurred:\s*/, '')
    .split('\nNote: ')[0]!
    .trim();
  const missing = /^command (.+) not found$/.exec(message);
  if (missing) {
    const asked = missing[1]!.replaceAll(':', ' ');
    const near = nearest(asked, commands);
    return usage(
      `There is no command "${asked}".`,
      `${near ? `Did you mean "mcpc ${near}"? ` : ''}See mcpc --help for all commands.`,
    );
  }
  if (error.flags !== undefined) {
    const known = Object.keys(error.parse?.input?.flags ?? {});
    const unknown = error.flags.map((flag) => flag.replace(/=.*$/s, ''));
    const renamed = unknown.find((flag) => Object.hasOwn(renamedFlags, flag));
    if (renamed !== undefined) return usage(`${renamed} is no flag of mcpc.`, renamedFlags[renamed]!);
    const hints = unknown.flatMap((flag) => {
      const near = nearest(flag.replace(/^-+/, ''), known);
      return near ? [`--${near}`] : [];
    });
    const plural = unknown.length === 1 ? '' : 's';
    const typed = separated(words, commands, error);
    return usage(
      `Unknown flag${plural} ${unknown.join(', ')}.`,
      `${typed}${typed === '' && hints.length > 0 ? `Did you mean ${hints.join(', ')}? ` : ''}Add --help to see all flags; what belongs to a server's own command goes after "--".`,
    );
  }
  if (Array.isArray(error.args) && message.startsWith('Unexpected argument'))
    return usage(
      `${message}.`,
      `${separated(words, commands, error)}Add --help to see how the command is used; what belongs to a server's own command goes after "--".`,
    );
  return usage(plainly(/[.!?]$/.test(message) ? message : `${message}.`), 'Add --help to see how the command is used.');
}

/** The parser's message in plain words. */
function plainly(message: string): string {
  const argument = /^Missing 1 required arg:\s+(\S+) {2}(.*)$/s.exec(message);
  if (argument) return `The argument ${argument[1]!.toUpperCase()} is missing: ${argument[2]!}`;
  const needed = /^All of the following must be provided when using (--\S+): (.*)$/s.exec(message);
  return needed ? `${needed[1]!} needs ${needed[2]!}` : message;
}

/** Flags that have another name now. */
const renamedFlags: Readonly<Record<string, string>> = {
  '--env-file':
    'Write --server-env-file FILE: Node takes the old name for itself, so that the variables of the server would hold for mcpc too.',
};

/** Commands whose only words are those of a server's command: elsewhere a word is a file, a folder or an id. */
const takeServers: ReadonlySet<string> = new Set(['audit', 'check', 'fuzz', 'generate', 'intercept']);

/** Programs that start servers: where one follows flags, the server's command begins. */
const starters: ReadonlySet<string> = new Set([
  'bun',
  'bunx',
  'deno',
  'docker',
  'dotnet',
  'go',
  'java',
  'node',
  'npm',
  'npx',
  'pnpm',
  'podman',
  'python',
  'python3',
  'ruby',
  'tsx',
  'uv',
  'uvx',
  'yarn',
]);

/** A command line that names a server's command without the "--" before it, as it should be written. */
function separated(words: readonly string[], commands: readonly string[], error: OclifError): string {
  const [command = '', ...rest] = words;
  if (!commands.includes(command) || !takeServers.has(command) || rest.length === 0 || rest.includes('--')) return '';
  const valued = Object.entries(error.parse?.input?.flags ?? {}).flatMap(([name, flag]) =>
    flag?.type === 'option' ? [`--${name}`, `-${flag.char ?? name}`] : [],
  );
  const start = rest[0]!.startsWith('-')
    ? rest.findIndex((word, at) => starters.has(word) && !valued.includes(rest[at - 1]!))
    : 0;
  if (start === -1 || ['http:', 'https:'].some((scheme) => rest[start]!.startsWith(scheme))) return '';
  return `A command goes after "--", as in: mcpc ${[command, ...rest.slice(0, start), '--', ...rest.slice(start)].join(' ')}\n`;
}

/** Without what oclif puts around every message; where to find help is said in the remedy. */
function withoutParser(message: string): string {
  const bare = message.replace(/^Parsing --\S+\s+/, '').trim();
  const where = 'See more help with --help';
  return bare.endsWith(where) ? bare.slice(0, -where.length).trim() : bare;
}

function usage(message: string, remedy: string): Reported {
  return { code: exitCodes.usage, text: screen(headings.usage, message, remedy) };
}

function internal(error: unknown, { stack }: ReportOptions): Reported {
  const message = error instanceof Error ? error.message : asText(error);
  const remedy = error instanceof McpcError ? error.remedy : undefined;
  const ask = `This is an internal error in mcpc, not a fault of the target. Please report it, with the command and ${stack === true ? 'this output' : 'the output of the same command with --verbose'}.`;
  const text = screen(headings.internal, message, remedy === undefined ? ask : `${remedy} ${ask}`);
  return {
    code: exitCodes.internal,
    text: stack === true && error instanceof Error ? `${text}${clean(stackOf(error))}\n` : text,
  };
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\nCaused by: ${stackOf(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}

function screen(heading: string, why: string, remedy?: string, stderr: readonly string[] = []): string {
  const lines = clean(why).trim().split('\n');
  const shown =
    lines.length > mostLines ? [...lines.slice(0, mostLines - 1), `… and ${lines.length - mostLines + 1} more`] : lines;
  const [title = '', ...more] = heading === '' ? shown : [heading, ...shown];
  const parts = [`${pc.red('✖')} ${pc.bold(title)}`, ...field('why', more)];
  if (stderr.length > 0)
    append(
      parts,
      field(
        'stderr',
        stderr.map((line) => clean(line).slice(0, 300)),
      ),
    );
  if (remedy !== undefined) append(parts, field('fix', clean(remedy).split('\n')));
  return `${parts.join('\n')}\n`;
}

function field(name: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => `  ${pc.dim((index === 0 ? name : '').padEnd(6))} ${line}`);
}

/**
 * Without colours, and with control sequences made visible: a target's text must not steer a terminal. What the
 * system says of a file is cut to its meaning, since the message names the file already.
 */
function clean(text: string): string {
  return visible(stripVTControlCharacters(text)).replace(
    /\bE[A-Z]{3,}: ([^,\n]+), [a-z]+(?: '[^'\n]*')?(?: -> '[^'\n]*')?/g,
    '$1',
  );
}

/** The known word that is meant, when one is near enough or begins with what was written. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const found = closestName(word, known);
  return found?.near === true || (word.length > 2 && found?.name.startsWith(word)) ? found?.name : undefined;
}
