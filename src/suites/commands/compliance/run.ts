/** `mcpc compliance run`: checks each server that a suite names against the specification. */
import { Flags } from '@oclif/core';
import { exitCodes } from '../../../core/model/errors.ts';
import { BaseCommand } from '../../../check/commands/support/base.ts';
import { splitLine } from '../../../check/commands/support/flags/target-flags.ts';
import { complianceCases } from '../../language/lanes/compliance-cases.ts';
import { suiteFlags } from '../support/flags.ts';

const {
  format,
  output,
  templates,
  overwrite,
  json,
  junit,
  markdown,
  quiet,
  verbose,
  timeout,
  jobs,
  fixture,
  spec,
  hints,
} = suiteFlags;
const check = 'CHECK';

export default class ComplianceRun extends BaseCommand {
  static override summary = 'Check each server of a suite against the specification.';

  static override description =
    `Reads the suite, takes the servers that it names, and checks each as "mcpc check" does. Each server is one case of the report: it fails when the server is not compliant, or has a lower grade than --min-grade. "mcpc check" on one server shows details.

Exit codes: 0 all servers are compliant, 1 one is not, or the suite names no server, 2 wrong usage or suite file, 4 internal error in mcpc, 130 interrupted.`;

  static override usage = ['<%= command.id %> --from-suite SUITE [FLAGS]'];

  static override examples = [
    { description: 'The servers of a suite', command: '<%= config.bin %> compliance run --from-suite suite.yaml' },
    {
      description: 'At least a B, with results for CI',
      command: '<%= config.bin %> compliance run --from-suite suite.yaml --min-grade B --output compliance.xml',
    },
  ];

  static override flags = {
    'from-suite': Flags.string({
      summary: 'File or folder of suites, in any form that "mcpc run" reads.',
      helpGroup: check,
      helpValue: 'SUITE',
      required: true,
    }),
    level: Flags.option({
      summary: 'Lowest level of the requirements that are judged. [default: may]',
      helpGroup: check,
      options: ['must', 'should', 'may'] as const,
    })(),
    'min-grade': Flags.option({
      summary: 'Fail a server with a lower grade.',
      helpGroup: check,
      options: ['A', 'B', 'C', 'D', 'F'] as const,
    })(),
    spec,
    hints,
    fixture,
    timeout,
    jobs,
    format,
    output,
    templates,
    overwrite,
    json,
    junit,
    markdown,
    quiet,
    verbose,
  };

  protected async work(): Promise<number> {
    const { own } = splitLine(this.argv);
    const { flags, raw } = await this.parse(ComplianceRun, own);
    const { exitOf, planSuiteSinks, prepareRun, runPrepared } = await import('../support/run.ts');
    const sinks = await planSuiteSinks(raw, { ...flags, trace: undefined });
    const plain = { ...(await import('../support/flags.ts')).plainRun, ...flags };
    const all = {
      ...plain,
      recursive: false,
      strict: false,
      'no-commands': false,
      'reuse-server': false,
      session: 'fresh' as const,
      'no-color': false,
      insecure: false,
      'no-proxy': false,
      // A whole check takes longer than a case.
      timeout: flags.timeout ?? 600_000,
    };
    const prepared = await prepareRun(flags['from-suite'], all, [], {
      toolVersion: this.toolVersion,
      command: 'compliance run',
    });
    for (const warning of prepared.warnings) this.talk(warning);
    const cases = complianceCases(prepared.servers, flags['from-suite'], {
      level: flags.level,
      minGrade: flags['min-grade'],
    });
    const voice = { print: (text: string) => this.printData(text), talk: (line: string) => this.talk(line) };
    const { signal } = this.interrupts();
    const rerun = (): string => this.argv.reduce((line, word) => `${line} ${word}`, 'mcpc compliance run');
    const options = { ...prepared.options, cases, snapshots: undefined, rerun };
    const report = await runPrepared({ ...prepared, options, all: cases }, all, sinks, { signal, voice });
    const { writeSuite } = await import('../support/output.ts');
    await writeSuite(report, sinks, flags, voice.talk);
    return signal.aborted ? exitCodes.interrupted : exitOf(report);
  }
}
