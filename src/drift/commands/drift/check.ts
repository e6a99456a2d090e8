/** `mcpc drift check`: fails where a server offers something else than its lock says. */
import { Flags } from '@oclif/core';
import { BaseCommand } from '../../../check/commands/support/base.ts';
import { splitLine } from '../../../check/commands/support/flags/target-flags.ts';
import { exitCodes } from '../../../core/model/errors.ts';
import { failingClasses } from '../../failing-classes.ts';
import { driftArgs, driftFlags, driftOf, failOnFlag } from '../support/drift-flags.ts';

export default class DriftCheck extends BaseCommand {
  static override aliases = ['drift:diff'];

  static override summary = 'Fail where a server offers something else than its lock says.';

  static override description =
    `Compares what the server offers with mcpc.lock.json and calls nothing. Each change has a class: security (texts that a model reads, annotations that promise less, a new tool, hidden characters), breaking (something is gone, an input takes less, an output changed, or it cannot be decided), additive, cosmetic. The lists are asked for twice and on a second connection; a server that answers differently fails.

Exit codes: 0 nothing fails, 1 a change of a class that fails, or lists that differ, 2 wrong usage or a lock that is not valid, 3 server not reachable, 4 internal error in mcpc, 130 interrupted.`;

  static override usage = [
    '<%= command.id %> [FLAGS] -- COMMAND [ARGS...]',
    '<%= command.id %> [FLAGS] --url URL',
    '<%= command.id %> [FLAGS] --config FILE [--server NAME]',
  ];

  static override examples = [
    { description: 'A gate for CI', command: '<%= config.bin %> drift check -- node server.js' },
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
    format: Flags.option({
      summary: 'Form of the report on stdout.',
      options: ['terminal', 'json', 'markdown', 'github'] as const,
      default: 'terminal' as const,
      helpGroup: 'OUTPUT',
    })(),
  };

  protected async work(): Promise<number> {
    const { own, command } = splitLine(this.argv);
    const { flags, args } = await this.parse(DriftCheck, own);
    const failsOn = failingClasses(flags['fail-on']);
    const { signal, within } = this.interrupts();
    const found = await within(
      driftOf(flags, args.address, command, failsOn, {
        toolVersion: this.toolVersion,
        signal,
        talk: (line) => this.talk(line),
        rememberStderr: (line) => this.rememberStderr(line),
      }),
    );
    if (found === undefined) throw this.interrupted('Interrupted; nothing was compared.');
    const { report } = found;
    const { githubText, isClean, markdownText, terminalText } = await import('../../drift-text.ts');
    if (flags.format === 'json') this.printJson(report);
    else if (flags.format === 'github') this.printData(githubText(report));
    else this.print(flags.format === 'markdown' ? markdownText(report) : terminalText(report));
    return isClean(report) ? exitCodes.compliant : exitCodes.notCompliant;
  }
}
