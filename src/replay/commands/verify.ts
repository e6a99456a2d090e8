/** `mcpc verify`: the requests of a recording, sent to a live server. */
import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../../check/commands/support/base.ts';
import { formatFlag } from '../../check/commands/support/flags/capture-flags.ts';
import { repeatedFlag, splitList } from '../../check/commands/support/flags/flag-values.ts';
import { splitLine, targetFlags } from '../../check/commands/support/flags/target-flags.ts';
import { toolConsent, toolFlags } from '../../check/commands/support/flags/tool-flags.ts';
import { exitCodes } from '../../core/model/errors.ts';
import { suiteFlags } from '../../suites/commands/support/flags.ts';

const { format, output, templates, overwrite, verbose, quiet, 'no-color': noColor, json } = suiteFlags;
const { plan: _plan, ...callFlags } = toolFlags;

export default class Verify extends BaseCommand {
  static override summary = 'Send the requests of a recording to a live server, and compare the responses.';

  static override description =
    `Takes what "mcpc judge" takes. Each recorded request is sent again, in order, with ids and sessions of its own; a value that a request took from an earlier response is replaced by the current one. Times, UUIDs, hashes and ports do not count, nor do ids, cursors and progress. Tools are called as "mcpc check" would call them; others are skipped.

Exit codes: 0 no difference, 1 some, 2 wrong usage or an unreadable recording, 3 the server cannot be reached.`;

  static override usage = [
    '<%= command.id %> RECORDING [FLAGS] -- COMMAND [ARGS...]',
    '<%= command.id %> RECORDING --url URL [FLAGS]',
  ];

  static override examples = [
    {
      description: 'The new version of a server against a recording',
      command: '<%= config.bin %> verify session.trace.jsonl -- node server.js',
    },
    {
      description: 'Texts of one tool may differ; a JUnit file',
      command: `<%= config.bin %> verify session.har --url http://127.0.0.1:3000/mcp --ignore 'tools/call/result/content/**' -o verify.xml`,
    },
  ];

  static override args = { recording: Args.string({ description: 'Trace or capture.', required: true }) };

  static override flags = {
    from: formatFlag('Format of the recording, if it is a capture of another tool; detected when absent.'),
    ignore: repeatedFlag({
      summary:
        'Ignore differences at paths that match this glob; paths read method/part/property. Repeats, or takes commas.',
      helpGroup: 'SELECTION',
      helpValue: "'*/result/_meta/**'",
    }),
    exact: Flags.boolean({ summary: 'Also compare times, UUIDs, hashes and ports.', helpGroup: 'SELECTION' }),
    ...targetFlags,
    ...callFlags,
    format,
    output,
    json,
    templates,
    overwrite,
    verbose,
    quiet,
    'no-color': noColor,
  };

  protected async work(): Promise<number> {
    const { own, command } = splitLine(this.argv);
    const { args, flags, raw } = await this.parse(Verify, own);
    const [{ verify }, { targetOptions }, { planSuiteSinks }, { showCases, writeSuite }] = await Promise.all([
      import('../verify.ts'),
      import('../../check/commands/support/flags/target-flags.ts'),
      import('../../suites/commands/support/run.ts'),
      import('../../suites/commands/support/output.ts'),
    ]);
    const sinks = await planSuiteSinks(raw, { ...flags, trace: undefined });
    const consent = toolConsent(flags);
    const report = await verify(args.recording, {
      wire: { format: flags.from },
      target: await targetOptions(flags, command),
      permission: consent,
      ignore: splitList(flags.ignore),
      exact: flags.exact,
      toolVersion: this.toolVersion,
      signal: this.interrupts().signal,
      onStderr: (line) => this.rememberStderr(line),
    });
    const talk = (line: string): void => this.talk(line);
    const display = showCases(sinks, flags, report.cases.length, { print: (text) => this.printData(text), talk });
    for (const one of report.cases) display.ended(one);
    await display.done(report);
    await writeSuite(report, sinks, flags, talk);
    return report.counts.failed > 0 ? exitCodes.notCompliant : exitCodes.compliant;
  }
}
