/** The command line: finds the command, runs it, ends the process. All work is done by commands. */
import { Config, run, settings } from '@oclif/core';
import { endWith } from './check/commands/support/base.ts';
import { findProjectFile } from './check/project-file/find.ts';
import { packageRoot } from './files/package/package-root.ts';

// Run the built code: with a NODE_ENV other than production oclif looks for TypeScript to load sources with.
settings.enableAutoTranspile = false;

/** Runs a command line, without the two leading words of `process.argv`, and leaves the process. */
export async function main(argv: readonly string[]): Promise<never> {
  let commands: string[] = [];
  return endWith(
    async () => {
      const config = await Config.load({ root: packageRoot() });
      commands = config.commands.filter((one) => !one.hidden).map((one) => one.id.replaceAll(':', ' '));
      // "mcpc help check" is what many try first.
      const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv];
      if (words[0] === 'version') words[0] = '--version';
      const end = words.indexOf('--');
      const own = end === -1 ? words : words.slice(0, end);
      const all = own.indexOf('--help-all');
      if (all !== -1) words[all] = '--help';
      else if (own.includes('--help') || own.includes('-h')) hideSeldomFlags(config);
      return run(await withProject(words, config), config);
    },
    () => commands,
  );
}

/** The line with what the project file of the working folder adds to it. @throws McpcError usage */
async function withProject(words: string[], { commands }: Config): Promise<string[]> {
  const file = findProjectFile(process.cwd());
  if (file === undefined) return words;
  const found = [3, 2, 1]
    .map((count) => ({ count, command: commands.find(({ id }) => id === words.slice(0, count).join(':')) }))
    .find(({ command }) => command !== undefined);
  if (found?.command === undefined) return words;
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
