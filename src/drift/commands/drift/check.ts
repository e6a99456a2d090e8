/** `mcpc drift check`: fails where a server offers something else than its lock says. */
import { Flags } from '@oclif/core';
import { BaseCommand } from '../../../check/commands/support/base.ts';
import { splitLine } from '../../../check/commands/support/flags/target-flags.ts';
import { toolConsent, toolFlags } from '../../../check/commands/support/flags/tool-flags.ts';
import { exitCodes } from '../../../core/model/errors.ts';
import { driftFormats, renderDrift } from '../../../report/drift/drift-formats.ts';
import { failingClasses } from '../../../core/drift/failing-classes.ts';
import { driftArgs, driftFlags, driftOf, failOnFlag } from '../support/drift-flags.ts';

const { plan: _plan, ...callFlags } = toolFlags;

export default class DriftCheck extends BaseCommand {
  static override aliases = ['drift:diff'];

  static override summary = 'Fail where a server offers something else than its lock says.';

  static override description =
    `Compares what the server offers with mcpc.lock.json and calls nothing unless --after-call is given. Each change has a class: security (texts that a model reads, annotations that promise less, a new tool, hidden characters), breaking (something is gone, an input accepts less, an output changed, or it cannot be decided), additive, cosmetic. The lists are asked for twice, after the server says that they changed, and on a second connection; a server that answers differently fails.

Exit codes: 0 nothing fails, 1 a change of a class that fails, or lists that differ, 2 wrong usage or a lock that is not valid, 3 server not reachable, 4 internal error in mcpc, 130 interrupted.`;

  static override usage = [
    '<%= command.id %> [FLAGS] -- COMMAND [ARGS...]',
    '<%= command.id %> [FLAGS] --url URL',
    '<%= command.id %> [FLAGS] --config FILE [--server NAME]',
  ];

  static override examples = [
    { description: 'A gate for CI', command: '<%= config.bin %> drift check -- node server.js' },
    {
      description: 'What a recording shows, without the server',
      command: '<%= config.bin %> drift check --recording session.trace.jsonl',
    },
    {
      description: 'Whether the server shows other clients something else, or changes after a call',
      command: '<%= config.bin %> drift check --as claude-ai,cursor-vscode --after-call -- node server.js',
    },
    {
      description: 'Any change fails, even of a title',
      command: '<%= config.bin %> drift check --fail-on any -- node server.js',
    },
    {
      description: 'Annotations in a GitHub workflow',
      command: '<%= config.bin %> drift check --format github -- node server.js',
    },
  ];

  static override args = driftArgs;

  static override flags = {
    ...driftFlags,
    'fail-on': failOnFlag,
    'after-call': Flags.boolean({
      summary: 'Call one tool as "mcpc check" would, and ask for the lists again.',
      helpGroup: 'TOOLS',
    }),
    ...callFlags,
    format: Flags.option({
      summary: 'Form of the report on stdout.',
      options: driftFormats,
      default: 'terminal' as const,
      helpGroup: 'OUTPUT',
    })(),
  };

  protected async work(): Promise<number> {
    const { own, command } = splitLine(this.argv);
    const { flags, args } = await this.parse(DriftCheck, own);
    const failsOn = failingClasses(flags['fail-on']);
    const call = flags['after-call'] ? toolConsent(flags) : undefined;
    const { signal, within } = this.interrupts();
    const found = await within(
      driftOf(
        flags,
        args.address,
        command,
        failsOn,
        {
          toolVersion: this.toolVersion,
          signal,
          talk: (line) => this.talk(line),
          rememberStderr: (line) => this.rememberStderr(line),
        },
        call,
      ),
    );
    if (found === undefined) throw this.interrupted('Interrupted; nothing was compared.');
    const { report } = found;
    const { isClean } = await import('../../../report/drift/drift-text.ts');
    const text = renderDrift(report, flags.format, this.toolVersion);
    if (flags.format === 'terminal' || flags.format === 'markdown') this.print(text);
    else this.printData(text);
    return isClean(report) ? exitCodes.compliant : exitCodes.notCompliant;
  }
}
