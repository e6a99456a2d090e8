/**
 * What `--assert-compat` changes, for scripts that were written for mcp-assert: its spelling of flags, its exit codes
 * (0, 1, and 2 for a misused flag) and the form of its errors. Values only; nothing of a verdict changes.
 */
import { stripVTControlCharacters } from 'node:util';
import { exitCodes } from '../../../../core/model/errors.ts';
import type { Reported } from '../error-text.ts';

export const compatFlag = 'assert-compat';

/** Flags of a command, by name, as oclif describes them. */
export type KnownFlags = Readonly<Record<string, { type?: string; char?: string } | undefined>>;

/** True if the line, before any `--`, asks for it, or the environment does. */
export function wantsCompat(words: readonly string[], env: NodeJS.ProcessEnv): boolean {
  return ownWords(words).includes(`--${compatFlag}`) || env['MCPC_ASSERT_COMPAT'] === '1';
}

/**
 * The line as the commands of mcpc read it: `-suite x` is `--suite x`, `--json=true` is `--json`, `--json=false` is left
 * out. What follows `--` is the server's own.
 * @param known undefined for a command that does not exist
 */
export function mcpcWords(words: readonly string[], known: KnownFlags | undefined): string[] {
  const own = ownWords(words);
  const rest = words.slice(own.length);
  const kept = own.filter((word) => word !== `--${compatFlag}`);
  const plain = kept.flatMap((word) => {
    const [, dashes = '', name = '', value] = /^(--?)([a-z][a-z-]*)(=.*)?$/s.exec(word) ?? [];
    const flag = known !== undefined && Object.hasOwn(known, name) ? known[name] : undefined;
    if (flag === undefined || (dashes === '-' && name.length === 1)) return [word];
    if (flag.type === 'boolean' && value !== undefined)
      return value === '=true' ? [`--${name}`] : value === '=false' ? [] : [word];
    return [`--${name}${value ?? ''}`];
  });
  const takes = known !== undefined && Object.hasOwn(known, compatFlag);
  return [...plain, ...(takes ? [`--${compatFlag}`] : []), ...rest];
}

/** The exit code of a command that ended by itself. */
export function compatCode(code: number): number {
  return code === exitCodes.compliant ? 0 : 1;
}

/**
 * An error in the form `error: run: …`; a misused flag keeps exit code 2, everything else is 1.
 * @param command that was called; empty if there is no such command
 * @param flags names of its flags, which the error of a misused one lists
 */
export function compatError(
  error: unknown,
  { text }: Reported,
  { command, flags }: { command: string; flags: readonly string[] },
): Reported {
  const [headline = '', ...more] = stripVTControlCharacters(text).trimEnd().split('\n');
  const said = headline.replace(/^✖ /, '');
  const misused = isMisusedFlag(error);
  const list = misused ? [`Flags of ${command}: ${flags.map((name) => `--${name}`).join(' ')}`] : [];
  const lines = [`error: ${command === '' ? '' : `${command}: `}${said}`, ...more, ...list];
  return { code: misused ? 2 : 1, text: `${lines.join('\n')}\n` };
}

/** An unknown flag, or a value that a flag does not take: what the parser of command lines throws. */
function isMisusedFlag(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { flags } = error as { flags?: unknown };
  return Array.isArray(flags) || /^(?:Parsing|Expected|Flag) --/.test(error.message);
}

function ownWords(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end === -1 ? words : words.slice(0, end);
}
