/** `mcpc eval`: the command that suites name for their lane `evals`; it says that mcpc calls no model. */
import { Args } from '@oclif/core';
import { usageError } from '../../core/model/errors.ts';
import { BaseCommand } from '../../check/commands/support/base.ts';

export default class Eval extends BaseCommand {
  static override summary = 'Not supported: mcpc calls no model.';

  static override description =
    `The lane "evals" of a suite has answers graded by a language model. mcpc calls no model, so it cannot run that lane, and says so wherever a suite has one. The lanes tools, resources, prompts, compliance and security run with "mcpc run".

Exit code: 2.`;

  static override examples = [
    {
      description: 'What can be run of a suite with this lane',
      command: '<%= config.bin %> run suite.yaml',
    },
  ];

  static override args = { suite: Args.string({ description: 'The suite.', required: false }) };

  protected async work(): Promise<never> {
    const { args } = await this.parse(Eval);
    throw usageError(
      'mcpc calls no model, so it cannot run the lane "evals" of a suite.',
      `The lanes that need none run with: mcpc run ${args.suite ?? 'SUITE'}`,
    );
  }
}
