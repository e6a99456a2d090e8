/** `mcpc report`: a saved report in another format. */
import { readFileSync } from 'node:fs';
import { text as readAll } from 'node:stream/consumers';
import { Args } from '@oclif/core';
import { usageError } from '../../core/model/errors.ts';
import { BaseCommand } from '../../check/commands/support/base.ts';
import type { FlagToken } from '../../check/commands/support/flags/pair-outputs.ts';
import type { writeSuite } from './support/output.ts';
import { outputFlags } from '../../check/commands/support/flags/run-flags.ts';

export default class Report extends BaseCommand {
  static override summary = 'Render a saved report in any format.';

  static override description =
    'Takes the JSON of "mcpc check --json", "mcpc run --format json", "mcpc audit --json" or "mcpc fuzz --json", from a file or stdin. The exit code says only whether rendering worked.';

  static override examples = [
    {
      description: 'A page from a saved report',
      command: '<%= config.bin %> report run.json --format html --output report.html',
    },
    {
      description: 'Several formats at once',
      command: '<%= config.bin %> report run.json -f junit -o junit.xml -f sarif -o mcp.sarif',
    },
    {
      description: 'From a pipe, for the summary of a GitHub job',
      command:
        '<%= config.bin %> check --json -- node server.js | <%= config.bin %> report - -f markdown >> "$GITHUB_STEP_SUMMARY"',
    },
    {
      description: 'With templates of your own',
      command: '<%= config.bin %> report run.json -f html --templates ./templates -o report.html',
    },
  ];

  static override args = {
    report: Args.string({ description: 'File with the JSON of a report; - reads stdin.', required: true }),
  };

  static override flags = outputFlags;

  protected async work(): Promise<void> {
    const { args, flags, raw } = await this.parse(Report);
    const text = await this.read(args.report);
    const { isSuiteReport } = await import('../../report/suite/validate-suite.ts');
    if (isSuiteReport(text)) return this.ofSuites(text, args.report, flags, raw);
    const { isToolsReport, parseToolsReport } = await import('../../report/tools/validate-tools.ts');
    if (isToolsReport(text)) {
      const { writeSavedTools } = await import('./support/exercise/saved.ts');
      const files = writeSavedTools(
        parseToolsReport(text, args.report === '-' ? 'stdin' : args.report),
        raw,
        flags,
        (one) => this.printData(one),
      );
      if (!flags.quiet) for (const { format, path } of files) this.talk(`Wrote ${format} to ${path}`);
      return;
    }
    const [{ parseReport }, { planSinks, writeReport }] = await Promise.all([
      import('../../report/validate-report.ts'),
      import('../../check/commands/support/report-sinks.ts'),
    ]);
    const sinks = planSinks(raw, {
      json: flags.json,
      alone: 'terminal',
      besideFiles: undefined,
      templatesDir: flags.templates,
      overwrite: flags.overwrite,
    });
    const name = args.report === '-' ? 'stdin' : args.report;
    const report = parseReport(text, name);
    const choice = {
      templatesDir: flags.templates,
      quiet: flags.quiet,
      verbose: flags.verbose,
      junitSkipped: flags['junit-skipped'],
      ...(flags['no-color'] ? { color: false } : {}),
    };
    writeReport(report, sinks, choice, (text) => this.printData(text));
    if (!flags.quiet) for (const { format, path } of sinks.files) this.talk(`Wrote ${format} to ${path}`);
  }

  /** A report of `mcpc run`. */
  private async ofSuites(
    text: string,
    file: string,
    flags: Parameters<typeof writeSuite>[2] & { json: boolean; quiet: boolean; verbose: boolean; 'no-color': boolean },
    raw: readonly FlagToken[],
  ): Promise<void> {
    const [{ parseSuiteReport }, { planSuiteSinks }, output] = await Promise.all([
      import('../../report/suite/validate-suite.ts'),
      import('./support/run.ts'),
      import('./support/output.ts'),
    ]);
    const sinks = await planSuiteSinks(raw, flags);
    const report = parseSuiteReport(text, file);
    // Terminal output contains no commands any more; annotations of GitHub are meant as such.
    const voice = { print: (one: string) => this.printData(one), talk: (line: string) => this.talk(line) };
    const shown = output.showCases(sinks, flags, report.cases.length, voice);
    for (const one of report.cases) shown.ended(one);
    await shown.done(report);
    await output.writeSuite(report, sinks, flags, voice.talk);
  }

  private async read(file: string): Promise<string> {
    if (file === '-') return readAll(process.stdin);
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      throw usageError(
        `Cannot read the report ${file}: ${(error as Error).message}`,
        'Give a report written by "mcpc check --json", "mcpc run --format json", "mcpc audit --json" or "mcpc fuzz --json".',
        error,
      );
    }
  }
}
