/** The command line: finds the command, runs it, ends the process. All work is done by commands. */
import { Config, run, settings } from '@oclif/core';
import { compatCode, compatError, mcpcWords, wantsCompat } from './check/commands/support/flags/assert-compat.ts';
import { endWith, type OtherEnd } from './check/commands/support/base.ts';
import { findProjectFile } from './check/project-file/find.ts';
import { packageRoot } from './files/package/package-root.ts';

// Run the built code: with a NODE_ENV other than production oclif looks for TypeScript to load sources with.
settings.enableAutoTranspile = false;

/** Runs a command line, without the two leading words of `process.argv`, and leaves the process. */
export async function main(argv: readonly string[]): Promise<never> {
  let commands: string[] = [];
  let other: OtherEnd | undefined;
  return endWith(
    async () => {
      const config = await Config.load({ root: packageRoot() });
      commands = config.commands.filter((one) => !one.hidden).map((one) => one.id.replaceAll(':', ' '));
      const compat = wantsCompat(argv, process.env);
      const given = compat ? mcpcWords(argv, undefined) : [...argv];
      // "mcpc help check" is what many try first.
      let words = given[0] === 'help' ? [...given.slice(1), '--help'] : given;
      if (words[0] === 'version') words[0] = '--version';
      if (compat) {
        const found = commandOf(words, config)?.command;
        const named = { command: found?.id ?? '', flags: Object.keys(found?.flags ?? {}) };
        other = { code: compatCode, error: (error, reported) => compatError(error, reported, named) };
        const [first = ''] = words;
        if (first === '--version' || first === '-v') return printVersion(config);
        if (found === undefined && first !== '' && !first.startsWith('-') && config.findTopic(first) === undefined)
          return refuseUnknown(first, config);
        words = mcpcWords(words, found?.flags);
      }
      const end = words.indexOf('--');
      const own = end === -1 ? words : words.slice(0, end);
      const all = own.indexOf('--help-all');
      if (all !== -1) words[all] = '--help';
      else if (own.includes('--help') || own.includes('-h')) hideSeldomFlags(config);
      return run(await withProject(words, config), config);
    },
    () => commands,
    () => other,
  );
}

/** As mcp-assert does: what is wrong on stderr, how it is used on stdout. */
async function refuseUnknown(word: string, config: Config): Promise<number> {
  process.stderr.write(`unknown command: ${word}\n`);
  await run(['--help'], config);
  return 1;
}

function printVersion({ name, version }: Config): number {
  process.stdout.write(`${name} ${version}\n`);
  return 0;
}

/** The command that a line begins with, and the number of its words. */
function commandOf(
  words: readonly string[],
  { commands }: Config,
): { count: number; command: Config['commands'][number] } | undefined {
  for (const count of [3, 2, 1]) {
    const command = commands.find(({ id }) => id === words.slice(0, count).join(':'));
    if (command !== undefined) return { count, command };
  }
  return undefined;
}

/** The line with what the project file of the working folder adds to it. @throws McpcError usage */
async function withProject(words: string[], config: Config): Promise<string[]> {
  const file = findProjectFile(process.cwd());
  if (file === undefined) return words;
  const found = commandOf(words, config);
  if (found === undefined) return words;
  const { projectLine } = await import('./check/project-file/line.ts');
  const { id, flags, args } = found.command;
  return projectLine(words, { id, flags, args: Object.keys(args) }, found.count, file);
}

/** A command with `mainFlags` shows no others in its help: of sixty flags a reader finds none. */
function hideSeldomFlags({ commands }: Config): void {
  for (const { mainFlags, flags } of commands as {
    mainFlags?: string[];
    flags: Record<string, { hidden?: boolean }>;
  }[])
    if (mainFlags !== undefined)
      for (const [name, flag] of Object.entries(flags)) if (!mainFlags.includes(name)) flag.hidden = true;
}
