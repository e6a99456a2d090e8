/** `mcpc drift approve`: takes the changes of one entry into the lock, after showing them. */
import { Flags } from '@oclif/core';
import { BaseCommand } from '../../../check/commands/support/base.ts';
import { splitLine } from '../../../check/commands/support/flags/target-flags.ts';
import { approved } from '../../../core/drift/approve.ts';
import { changeClasses } from '../../../core/drift/compare-locks.ts';
import { usageError } from '../../../core/model/errors.ts';
import { visible } from '../../../report/text.ts';
import { driftArgs, driftFlags, driftOf } from '../support/drift-flags.ts';

export default class DriftApprove extends BaseCommand {
  static override summary = 'Take changes of a server into its lock.';

  static override description =
    'Shows the changes of one entry and writes them to the lock; the rest of the lock stays as it is. --entry names the entry: a tool, prompt, resource or template, or "instructions", "revision", "capabilities", "serverInfo". --all takes in everything.';

  static override usage = ['<%= command.id %> --entry NAME [FLAGS] -- COMMAND [ARGS...]'];

  static override examples = [
    {
      description: 'The new definition of one tool',
      command: '<%= config.bin %> drift approve --entry add_note -- node server.js',
    },
    { description: 'Everything', command: '<%= config.bin %> drift approve --all -- node server.js' },
  ];

  static override args = driftArgs;

  static override flags = {
    ...driftFlags,
    entry: Flags.string({ summary: 'Entry whose changes are taken in.', helpGroup: 'LOCK', helpValue: 'NAME' }),
    all: Flags.boolean({ summary: 'Take in every change.', helpGroup: 'LOCK', exclusive: ['entry'] }),
  };

  protected async work(): Promise<void> {
    const { own, command } = splitLine(this.argv);
    const { flags, args } = await this.parse(DriftApprove, own);
    if (flags.entry === undefined && !flags.all)
      throw usageError('Nothing to approve is named.', 'Name an entry with --entry, or use --all.');
    const { signal, within } = this.interrupts();
    const found = await within(
      driftOf(flags, args.address, command, changeClasses, {
        toolVersion: this.toolVersion,
        signal,
        talk: (line) => this.talk(line),
        rememberStderr: (line) => this.rememberStderr(line),
      }),
    );
    if (found === undefined) throw this.interrupted('Interrupted; nothing was written.');
    const { report, path, name, now, before } = found;
    const entry = flags.all ? undefined : flags.entry;
    const taken = entry === undefined ? report.changes : report.changes.filter((change) => change.name === entry);
    if (taken.length === 0)
      throw usageError(
        entry === undefined ? 'Nothing changed.' : `Nothing of ${JSON.stringify(entry)} changed.`,
        report.changes.length === 0
          ? 'The lock is as the server is.'
          : `Changed: ${[...new Set(report.changes.map((change) => change.name))].join(', ')}.`,
      );
    const [{ terminalText }, { writeLock }] = await Promise.all([
      import('../../../report/drift/drift-text.ts'),
      import('../../../files/locks/lock-file.ts'),
    ]);
    this.print(terminalText({ ...report, changes: taken }));
    writeLock(path, name, approved(before, now, entry));
    this.talk(`${visible(path)}: taken in.`);
  }
}
