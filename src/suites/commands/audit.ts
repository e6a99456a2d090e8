/** `mcpc audit`: calls each tool that only reads, and reports what is wrong with it. */
import { join } from 'node:path';
import { Flags } from '@oclif/core';
import { exitCodes } from '../../core/model/errors.ts';
import { leftBehindText } from '../../check/reporting/left-behind.ts';
import { oneLine, visible } from '../../report/text.ts';
import { BaseCommand } from '../../check/commands/support/base.ts';
import { addressArgs, exerciseFlags, exerciseOptions, reportFlags } from './support/exercise/flags.ts';
import { numberFlag } from '../../check/commands/support/flags/flag-values.ts';
import { splitLine } from '../../check/commands/support/flags/target-flags.ts';

const output = 'OUTPUT';

export default class Audit extends BaseCommand {
  static override summary = 'Call each tool that only reads, and report what is wrong with it.';

  static override description =
    `Calls each tool once with arguments that fit its schema and once with arguments that violate it in one place. Reports tools that crash, hang, break the protocol, leak stack traces, paths or the environment, give output that does not fit their outputSchema, accept arguments that do not fit, or do what their annotations rule out; and the requirements of the specification that the calls violated. The score is the share of healthy tools among those tested.

Only tools that "mcpc check" would call are called: those that say that they only read. A tool that rejects arguments that fit its schema (-32602 or an error code of its own) is listed as refused and does not count.

Exit codes: 0 the tools were called, whatever the result; 1 the score is below --min-score, or the audit is incomplete; 2 wrong usage; 3 server not reachable or not speaking MCP; 4 internal error in mcpc; 130 interrupted, with the report of what was called.`;

  static override usage = [
    '<%= command.id %> [FLAGS] -- COMMAND [ARGS...]',
    '<%= command.id %> [FLAGS] --url URL',
    '<%= command.id %> [FLAGS] --config FILE [--server NAME]',
  ];

  static override examples = [
    { description: 'Each tool that only reads', command: '<%= config.bin %> audit -- node server.js' },
    {
      description: 'A gate for CI, with a JUnit file',
      command: '<%= config.bin %> audit --min-score 100 --junit audit.xml -- node server.js',
    },
    {
      description: 'Also tools that change something, and a suite of what was seen',
      command: '<%= config.bin %> audit --include-writes --output evals -- node server.js',
    },
    { description: 'Results for a script', command: '<%= config.bin %> audit --json --url http://127.0.0.1:3000/mcp' },
  ];

  static override args = addressArgs;

  static override flags = {
    ...exerciseFlags,
    'min-score': numberFlag('min-score', {
      summary: 'Fail when the score is lower, or nothing was tested.',
      helpGroup: 'GATE',
      helpValue: 'PERCENT',
      min: 0,
      max: 100,
    }),
    output: Flags.string({
      summary: 'Folder for a suite of the tools, as "mcpc generate" writes it (tools.yaml).',
      helpGroup: output,
      helpValue: 'DIR',
      char: 'o',
    }),
    ...reportFlags({
      markdown: 'Append a Markdown report to this file.',
      quiet: 'Print only tools that are not healthy, and the score.',
    }),
  };

  protected async work(): Promise<number> {
    const { own, command } = splitLine(this.argv);
    const { flags, args } = await this.parse(Audit, own);
    const { checkToolsReports, writeToolsReports } = await import('./support/exercise/output.ts');
    const { checkOutput, writeOutput } = await import('../../files/output/output.ts');
    const suite =
      flags.output === undefined
        ? undefined
        : {
            path: join(flags.output, 'tools.yaml'),
            what: 'the suite',
            replaces: 'nothing' as const,
            overwrite: flags.overwrite,
          };
    checkToolsReports(flags);
    if (suite !== undefined) checkOutput(suite);
    const { signal, within } = this.interrupts();
    const { options, notices } = await exerciseOptions(flags, {
      address: args.address,
      command,
      toolVersion: this.toolVersion,
      signal,
    });
    for (const line of notices) this.talk(line);
    const [{ audit }, { auditSummary, auditToolLines, auditView }, { openCounter }] = await Promise.all([
      import('../exercise/audit/audit.ts'),
      import('../../report/tools/audit.ts'),
      import('./support/exercise/counter.ts'),
    ]);
    const shown = { quiet: flags.quiet, ...(flags['no-color'] ? { color: false } : {}) };
    const counter = openCounter();
    const report = await within(
      audit({
        ...options,
        onLeftBehind: (command) => this.talk(visible(leftBehindText(command))),
        onBegin: (name, number, total) => counter.show(`[${number}/${total}] ${oneLine(name).slice(0, 60)}`),
        onResult: (result) => {
          counter.wipe();
          if (!flags.json) this.print(auditToolLines(result, shown));
        },
      }),
    );
    counter.wipe();
    if (report === undefined) throw this.interrupted('Interrupted; the server did not let go in time.');
    if (flags.json) this.printJson(report);
    else this.print(auditSummary(report, shown));
    writeToolsReports(auditView(report), flags);
    if (signal.aborted) return exitCodes.interrupted;
    if (suite !== undefined) {
      const { writeStarterSuite } = await import('../authoring/starter-suite/starter-suite.ts');
      const written = await within(writeStarterSuite({ ...options, only: ['tools'] }));
      const file = written?.files[0];
      if (written === undefined || signal.aborted) throw this.interrupted('Interrupted; the suite was not written.');
      if (file !== undefined) {
        writeOutput(suite, file.text);
        this.talk(
          `${visible(suite.path)}: ${file.cases} ${file.cases === 1 ? 'case' : 'cases'}. Run it: mcpc run ${visible(flags.output!)}${flags.fixture === undefined ? '' : ` --fixture ${visible(flags.fixture)}`}`,
        );
      }
    }
    const why = [
      ...(report.incomplete === null ? [] : [`the audit is incomplete: ${report.incomplete}`]),
      ...(flags['min-score'] !== undefined && report.tested === 0 ? ['no tool was tested'] : []),
      ...(flags['min-score'] !== undefined && report.tested > 0 && report.score < flags['min-score']
        ? [`score ${report.score} is below ${flags['min-score']}`]
        : []),
    ];
    for (const one of why) this.talk(visible(one));
    return why.length === 0 ? exitCodes.compliant : exitCodes.notCompliant;
  }
}
