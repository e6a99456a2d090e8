/** `mcpc trace redact`: a trace without secrets. */
import { Args, Flags } from '@oclif/core';
import { usageError } from '../../../core/model/errors.ts';
import { BaseCommand } from '../support/base.ts';
import { watchDrafts } from '../support/watch-drafts.ts';
import { repeatedFlag } from '../support/flags/flag-values.ts';
import { overwriteFlag } from '../support/flags/run-flags.ts';

export default class TraceRedact extends BaseCommand {
  static override summary = 'Redact secrets in a trace.';

  static override description =
    `For traces that were written with --keep-secrets, or that hold values which nothing marks as secret. Authorization headers, cookies, tokens in addresses and bodies and session ids are redacted as "mcpc check" does; so are the values of the environment variables named by --secret-env, wherever they occur.`;

  static override examples = [
    {
      description: 'Before you share a trace',
      command: '<%= config.bin %> trace redact session.jsonl --output clean.jsonl',
    },
    {
      description: 'A value that does not look like a secret',
      command: '<%= config.bin %> trace redact session.jsonl --output clean.jsonl --secret-env CUSTOMER_NAME',
    },
  ];

  static override args = {
    file: Args.string({
      description: 'Trace of mcpc; "mcpc import --out-mcpc-trace" makes one from a capture.',
      required: true,
    }),
  };

  static override flags = {
    output: Flags.string({ summary: 'File for the redacted trace.', helpValue: 'FILE', char: 'o', required: true }),
    overwrite: overwriteFlag('Overwrite a file that mcpc did not write.'),
    'secret-env': repeatedFlag({
      summary: 'Environment variable whose value is redacted, too. Repeats.',
      helpGroup: 'SECRETS',
      helpValue: 'NAME',
    }),
  };

  protected async work(): Promise<void> {
    watchDrafts();
    const { args, flags } = await this.parse(TraceRedact);
    const secrets = (flags['secret-env'] ?? []).map((name) => {
      const value = process.env[name];
      if (value === undefined || value === '')
        throw usageError(
          `The environment variable ${name} is not set.`,
          'Set it to the value that is to be taken out.',
        );
      if (value.length < 4)
        throw usageError(
          `The value of ${name} is too short to be looked for everywhere.`,
          'Values of four characters or more can be taken out.',
        );
      return value;
    });
    const { redactTrace } = await import('../../capture/convert-trace.ts');
    const count = await redactTrace(args.file, flags.output, { secrets, overwrite: flags.overwrite });
    this.print(`Wrote ${count} events to ${flags.output}.\n`);
  }
}
