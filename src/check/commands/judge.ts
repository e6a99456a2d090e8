/** `mcpc judge`: verdicts from saved traces and from captures of other tools. */
import { Args, Flags } from '@oclif/core';
import type { WireChoice } from '../capture/open-capture.ts';
import { usageError } from '../../core/model/errors.ts';
import type { RunReport } from '../../core/model/reports/run-report.ts';
import { BaseCommand } from './support/base.ts';
import { captureFlags, formatFlag, formatList, wireChoice } from './support/flags/capture-flags.ts';
import { evaluatorFlag, gateFlags, outputFlags, selectionFlags, selectionOf } from './support/flags/run-flags.ts';
import type { ReportSinks } from './support/report-sinks.ts';
import { stemOf } from './support/run-import.ts';

/** Replaced in --output by the name of each file without its extension. */
const placeholder = '{{file}}';

export default class Judge extends BaseCommand {
  static override summary = 'Judge saved traces and captures, without the server.';

  static override description =
    `Takes traces of mcpc (check --trace), and captures of other tools: ${formatList}. The same rules over the same trace give the same verdicts as the check that wrote it. A truncated trace is reported as incomplete.

Rules that need information missing from a capture (times, encodings, headers, the handshake) are "not exercised", never failed or passed. If the capture begins after the handshake, name the revision with --spec.

With --golden, the protocol behaviour must also equal that of a reference conversation; see "mcpc trace diff".

With several files, the exit code is that of the worst one. The traces of one check of several revisions, named one after another, make one report, as the check did. Exit codes: as for "mcpc check".`;

  static override examples = [
    'Keep a trace, then judge it again\n<%= config.bin %> check --trace session.jsonl -- node server.js\n<%= config.bin %> judge session.jsonl',
    {
      description: 'Judge one area and write a page',
      command: '<%= config.bin %> judge session.jsonl --only lifecycle -f html -o report.html',
    },
    { description: 'Judge what a browser or a proxy recorded', command: '<%= config.bin %> judge session.har' },
    {
      description: 'Judge the client of a recorded conversation',
      command: '<%= config.bin %> judge session.jsonl --role client',
    },
    {
      description: 'Several captures, a report for each',
      command: `<%= config.bin %> judge captures/*.jsonl --from jsonrpc --transport stdio -o 'reports/${placeholder}.html'`,
    },
    {
      description: 'Fail when the protocol behaviour differs from a good run',
      command: '<%= config.bin %> judge --golden good.trace.jsonl new.trace.jsonl',
    },
  ];

  static override strict = false;

  static override args = {
    file: Args.string({ description: 'Trace or capture; several may be named.', required: true }),
  };

  static override flags = {
    from: formatFlag('Format of the files, if they are captures of other tools; detected when absent.'),
    ...captureFlags,
    role: Flags.option({
      summary: 'Which party is judged: the server, unless the trace is one of "mcpc client".',
      options: ['server', 'client', 'both'] as const,
    })(),
    golden: Flags.string({
      summary: 'Reference trace or capture; fail if the protocol behaviour differs from it.',
      helpValue: 'FILE',
    }),
    ...selectionFlags,
    ...evaluatorFlag,
    ...gateFlags,
    ...outputFlags,
  };

  protected async work(): Promise<number> {
    const { argv, flags, raw } = await this.parse(Judge);
    const files = argv as string[];
    const [{ judgeFile }, { joinRuns }, { planSinks }, { conclude, openGate }] = await Promise.all([
      import('../judge.ts'),
      import('../../core/model/reports/run-parts.ts'),
      import('./support/report-sinks.ts'),
      import('./support/conclude.ts'),
    ]);
    const sinks = planSinks(raw, {
      json: flags.json,
      alone: 'terminal',
      besideFiles: 'terminal',
      templatesDir: flags.templates,
      overwrite: flags.overwrite,
    });
    checkSeveral(files, sinks, flags['update-baseline']);
    const gate = openGate(flags);
    const capture = wireChoice(flags);
    if (flags['keep-secrets']) this.talk('Secrets of captures are shown as they are (--keep-secrets).');
    const choice = {
      templatesDir: flags.templates,
      quiet: flags.quiet,
      verbose: flags.verbose,
      junitSkipped: flags['junit-skipped'],
      ...(flags['no-color'] ? { color: false } : {}),
    };
    await this.warnOfHouseFiles(flags);
    const options = {
      selection: selectionOf(flags),
      ...(flags.role === undefined ? {} : { role: flags.role }),
      evaluator: flags.evaluator,
      toolVersion: this.toolVersion,
      capture,
      note: (text: string) => this.talk(text),
    };
    const printer = { print: (text: string) => this.printData(text), talk: (line: string) => this.talk(line) };
    let worst = 0;
    /** Traces of one check of several revisions that follow one another make one report. */
    let together: { file: string; reports: RunReport[] } | undefined;
    const finish = (): void => {
      if (together === undefined) return;
      const { file, reports } = together;
      if (files.length > reports.length && sinks.stdout === 'terminal') this.print(`${file}\n`);
      worst = Math.max(worst, conclude(joinRuns(reports), gate, sinksFor(sinks, file), choice, printer));
    };
    for (const file of files) {
      const report = await judgeFile(file, options);
      if (
        together !== undefined &&
        report.run !== undefined &&
        together.reports.every(
          ({ run, parts }) => run === report.run && parts[0]!.revision !== report.parts[0]!.revision,
        )
      )
        together.reports.push(report);
      else {
        finish();
        together = { file, reports: [report] };
      }
      if (flags.golden !== undefined) worst = Math.max(worst, await this.compare(flags.golden, file, capture));
    }
    finish();
    return worst;
  }

  /** @returns 1 when the behaviour differs, else 0 */
  private async compare(golden: string, file: string, capture: WireChoice): Promise<number> {
    const [{ compareFiles }, { differenceLines }] = await Promise.all([
      import('../capture/compare.ts'),
      import('./support/difference-text.ts'),
    ]);
    const differences = await compareFiles(golden, file, {
      left: { keepSecrets: capture.keepSecrets },
      right: capture,
    });
    for (const line of differenceLines(differences, golden, file)) this.talk(line);
    return differences.length === 0 ? 0 : 1;
  }
}

/**
 * Options that apply to a single file.
 * @throws McpcError usage
 */
function checkSeveral(files: readonly string[], sinks: ReportSinks, update: boolean): void {
  if (files.length < 2) return;
  if (sinks.files.some(({ path }) => !path.includes(placeholder))) {
    throw usageError(
      'Several files cannot write one report.',
      `Put ${placeholder} into the name after --output; it stands for the name of each file.`,
    );
  }
  const names = files.map((file) => stemOf(file));
  if (sinks.files.length > 0 && new Set(names).size < names.length)
    throw usageError(
      'Two of the files have the same name, so that their reports would have it, too.',
      'Judge them one by one.',
    );
  if (sinks.stdout !== undefined && sinks.stdout !== 'terminal')
    throw usageError(
      `The reports of several files cannot go to stdout as ${sinks.stdout}.`,
      `Write them to files: --format ${sinks.stdout} --output '${placeholder}.${sinks.stdout}'.`,
    );
  if (update) throw usageError('A baseline is of one file.', 'Judge the files one by one with --update-baseline.');
}

function sinksFor(sinks: ReportSinks, file: string): ReportSinks {
  return {
    ...sinks,
    files: sinks.files.map(({ format, path }) => ({ format, path: path.replaceAll(placeholder, stemOf(file)) })),
  };
}
