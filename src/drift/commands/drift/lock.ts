/** `mcpc drift lock`: writes down what a server offers. */
import { existsSync } from 'node:fs';
import { splitLine } from '../../../check/commands/support/flags/target-flags.ts';
import { BaseCommand } from '../../../check/commands/support/base.ts';
import { usageError } from '../../../core/model/errors.ts';
import { plural, visible } from '../../../report/text.ts';
import { driftArgs, driftFlags, lockedNow } from '../support/drift-flags.ts';

export default class DriftLock extends BaseCommand {
  static override summary = 'Write down what a server offers, for "drift check" to compare with.';

  static override description =
    'Reads the lists of the server to the last page and writes each tool, prompt, resource and template with a hash to mcpc.lock.json, in a stable order, for review and version control. Calls nothing. A server that is in the lock already is not replaced: "drift approve" takes in changes. docs/drift.md describes the file.';

  static override usage = [
    '<%= command.id %> [FLAGS] -- COMMAND [ARGS...]',
    '<%= command.id %> [FLAGS] --url URL',
    '<%= command.id %> [FLAGS] --config FILE [--server NAME]',
  ];

  static override examples = [
    { description: 'A server on stdio', command: '<%= config.bin %> drift lock -- node server.js' },
    { description: 'From a recording', command: '<%= config.bin %> drift lock --recording session.trace.jsonl' },
    {
      description: 'Into another file, under a name',
      command: '<%= config.bin %> drift lock --lock locks/notes.json --name notes --url http://127.0.0.1:3000/mcp',
    },
  ];

  static override args = driftArgs;

  static override flags = driftFlags;

  protected async work(): Promise<void> {
    const { own, command } = splitLine(this.argv);
    const { flags, args } = await this.parse(DriftLock, own);
    const { signal, within } = this.interrupts();
    const voice = {
      toolVersion: this.toolVersion,
      signal,
      talk: (line: string) => this.talk(line),
      rememberStderr: (line: string) => this.rememberStderr(line),
    };
    const found = await within(lockedNow(flags, args.address, command, voice));
    if (found === undefined) throw this.interrupted('Interrupted; nothing was written.');
    const { path, name, now, unsteady } = found;
    for (const one of unsteady) this.talk(`Warning: ${visible(one)}; the lock holds the first answer.`);
    const { readLock, writeLock } = await import('../../../files/locks/lock-file.ts');
    const before = existsSync(path) ? readLock(path).servers : {};
    if (Object.hasOwn(before, name) && before[name]!.hash !== now.hash)
      throw usageError(
        `${path} holds the server ${JSON.stringify(name)} already, and it offers something else now.`,
        'Look at the changes with "mcpc drift check", and take them in with "mcpc drift approve".',
      );
    writeLock(path, name, now);
    const tools = Object.keys(now.tools).length;
    this.talk(
      `${visible(path)}: ${visible(name)} with ${plural(tools, 'tool')}. Commit it; "mcpc drift check" compares.`,
    );
  }
}
