/** The command that checks one rule again, where the target was reached by a command or an address. */
import { visible } from '../text.ts';
import type { PartReport } from '../../core/model/reports/run-parts.ts';

/** @returns null for rules about clients, and where nothing says how the target is reached */
export function reproduction(
  { target, transport, revision }: Pick<PartReport, 'target' | 'transport' | 'revision'>,
  { rule, role }: { rule: string; role: 'server' | 'client' },
): string | null {
  const reached =
    target.url === undefined
      ? target.command === undefined
        ? undefined
        : `-- ${target.command.map(quoted).join(' ')}`
      : `--url ${quoted(target.url)}${transport === 'sse' ? ' --transport sse' : ''}`;
  // Text that cannot be displayed cannot be typed either.
  if (role === 'client' || reached === undefined || visible(reached) !== reached) return null;
  const who = target.kind === 'authorization-server' ? ' --role authorization-server' : '';
  return `mcpc check${who} --spec ${revision} --only ${quoted(rule)} ${reached}`;
}

/** A word for a POSIX shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
