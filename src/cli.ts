/** The command line: finds the command, runs it, ends the process. All work is done by commands. */
import { Config, run, settings } from '@oclif/core';
import { endWith } from './check/commands/support/base.ts';
import { packageRoot } from './files/package/package-root.ts';

// What runs is what was built: with a NODE_ENV that is not production oclif looks for TypeScript to load sources with.
settings.enableAutoTranspile = false;

/** Runs a command line, without the two leading words of `process.argv`, and leaves the process. */
export async function main(argv: readonly string[]): Promise<never> {
  let commands: string[] = [];
  return endWith(
    async () => {
      const config = await Config.load({ root: packageRoot() });
      commands = config.commands.filter((one) => !one.hidden).map((one) => one.id.replaceAll(':', ' '));
      // "mcpc help check" is what many try first.
      return run(argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv], config);
    },
    () => commands,
  );
}
