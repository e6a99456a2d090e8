/** `mcpc trace redact`: a trace without secrets. */
import { Args, Flags } from '@oclif/core';
import { usageError } from '../../model/errors.ts';
import { BaseCommand } from '../base.ts';
import { repeatedFlag } from '../support/flags/flag-values.ts';
import { overwriteFlag } from '../support/flags/run-flags.ts';

export default class TraceRedact extends BaseCommand {
  static override summary = 'Take secrets out of a trace.';

  static override description = `For traces that were written with --keep-secrets, or that hold values which nothing marks as secret. Authorization headers, cookies, tokens in addresses and bodies and session ids are taken out as check does it; values of the environment variables that --secret-env names as well, wherever they stand.`;

  static override examples = [
    { description: 'Before a trace is handed on', command: '<%= config.bin %> trace redact session.jsonl --output clean.jsonl' },
    { description: 'With a value that looks like no secret', command: '<%= config.bin %> trace redact session.jsonl --output clean.jsonl --secret-env CUSTOMER_NAME' },
  ];

  static override args = { file: Args.string({ description: 'Trace of mcpc; import --out-wire makes one of a capture.', required: true }) };

  static override flags = {
    output: Flags.string({ summary: 'File for the clean trace.', helpValue: 'FILE', char: 'o', required: true }),
    overwrite: overwriteFlag('Write also over a file that mcpc did not write.'),
    'secret-env': repeatedFlag({ summary: 'Environment variable whose value is taken out. Repeats.', helpGroup: 'SECRETS', helpValue: 'NAME' }),
  };

  protected async work(): Promise<void> {
    const { args, flags } = await this.parse(TraceRedact);
    const secrets = (flags['secret-env'] ?? []).map((name) => {
      const value = process.env[name];
      if (value === undefined || value === '') throw usageError(`The environment variable ${name} is not set.`, 'Set it to the value that is to be taken out.');
      if (value.length < 4) throw usageError(`The value of ${name} is too short to be looked for everywhere.`, 'Values of four characters or more can be taken out.');
      return value;
    });
    const { redactTrace } = await import('../../app/capture/convert-trace.ts');
    const count = await redactTrace(args.file, flags.output, { secrets, overwrite: flags.overwrite });
    this.print(`Wrote ${count} events to ${flags.output}.\n`);
  }
}
