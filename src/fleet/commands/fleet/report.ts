/** `mcpc fleet report`: a run over a fleet in another format, finished or not. */
import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../../../check/commands/support/base.ts';
import { outputFlags } from '../../../check/commands/support/flags/run-flags.ts';
import { numberFlag } from '../../../check/commands/support/flags/flag-values.ts';

const output = 'OUTPUT';

export default class FleetReportCommand extends BaseCommand {
  static override aliases = ['factory:report'];

  static override summary = 'Render a run over a fleet in any format.';

  static override description =
    'Takes the folder of a run, also of one that has not ended, or a fleet.json. HTML goes to a folder, with a page for each server, or to a single file. The exit code depends only on rendering.';

  static override examples = [
    {
      description: 'The dashboard, with a page for each server',
      command: '<%= config.bin %> fleet report mcpc-fleet/20261122T051500Z -f html -o public',
    },
    {
      description: 'What changed since a certain run, for an issue',
      command:
        '<%= config.bin %> fleet report mcpc-fleet/20261122T051500Z --since mcpc-fleet/20261101T051500Z -f issue',
    },
    {
      description: 'Several formats at once',
      command: '<%= config.bin %> fleet report run -f junit -o junit.xml -f sarif -o mcp.sarif -f csv -o fleet.csv',
    },
    { description: 'One line for a chat', command: '<%= config.bin %> fleet report run -f chat' },
  ];

  static override args = { run: Args.string({ description: 'Folder of the run, or its fleet.json.', required: true }) };

  static override flags = {
    format: Flags.string({
      summary:
        'Report format: terminal, json, html, markdown, issue, chat, csv, junit, sarif, badge-json or badge-svg. Repeats, each with an --output; one without goes to stdout.',
      helpGroup: output,
      helpValue: 'html',
      multiple: true,
      multipleNonGreedy: true,
      char: 'f',
    }),
    output: Flags.string({
      summary:
        'File for the --format before it, or a folder for html; without one, the extension gives the format. Repeats.',
      helpGroup: output,
      helpValue: 'public',
      multiple: true,
      multipleNonGreedy: true,
      char: 'o',
    }),
    json: Flags.boolean({
      summary: 'Print the report as JSON on stdout (short for --format json).',
      helpGroup: output,
    }),
    overwrite: outputFlags.overwrite,
    since: Flags.string({
      summary: 'Run to compare with. [default: the last complete run in the same directory]',
      helpGroup: output,
      helpValue: 'DIR',
    }),
    runs: numberFlag('runs', {
      summary: 'Number of earlier runs in the trends. [default: 30]',
      helpGroup: output,
      helpValue: 'N',
      min: 0,
      max: 1000,
      whole: true,
    }),
    templates: Flags.string({
      summary: 'Directory with templates (Handlebars) that replace those of mcpc with the same file name.',
      helpGroup: output,
      helpValue: 'DIR',
    }),
    'no-color': Flags.boolean({
      summary: 'Disable colours; NO_COLOR in the environment does the same.',
      helpGroup: output,
    }),
    quiet: Flags.boolean({
      summary: 'Print one line on a terminal, and no messages.',
      helpGroup: output,
      char: 'q',
      exclusive: ['verbose'],
    }),
    verbose: Flags.boolean({
      summary: 'Print every server on a terminal, not only the worst ones.',
      helpGroup: output,
    }),
  };

  protected async work(): Promise<void> {
    const { args, flags, raw } = await this.parse(FleetReportCommand);
    const [{ openFleetRun, outcomeOf }, { planFleetSinks, writeFleetReports }, { validateFleetReport }] =
      await Promise.all([
        import('../../compare/open-run.ts'),
        import('../support/sinks.ts'),
        import('../../../report/fleet/validate-fleet.ts'),
      ]);
    const sinks = planFleetSinks(raw, flags.json, {
      templatesDir: flags.templates,
      silentBesideFiles: true,
      overwrite: flags.overwrite,
    });
    const run = await openFleetRun(args.run);
    const report = validateFleetReport(run.report, run.file);
    const older = flags.since === undefined ? undefined : await openFleetRun(flags.since);
    const { diff, policies } = outcomeOf(run, older && validateFleetReport(older.report, older.file));
    const written = await writeFleetReports(
      { dir: run.dir, report, diff, policies },
      sinks,
      {
        dashboard: false,
        quiet: flags.quiet,
        verbose: flags.verbose,
        historyRuns: flags.runs,
        templatesDir: flags.templates,
        ...(flags['no-color'] ? { color: false } : {}),
      },
      (text) => this.printData(text),
    );
    if (!flags.quiet) for (const path of written) this.talk(`Wrote ${path}`);
  }
}
