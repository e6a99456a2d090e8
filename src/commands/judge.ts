/** `mcpc judge`: verdicts from a saved trace. */
import { Args } from '@oclif/core';
import { BaseCommand } from './base.ts';
import { gateFlags, outputFlags, selectionFlags, selectionOf } from './support/run-flags.ts';

export default class Judge extends BaseCommand {
  static override summary = 'Judge a saved trace, without the server.';

  static override description = `The same rules over the same trace give the same verdicts as the check that wrote it. A trace without its last line was cut off and is reported as incomplete.

Exit codes as for check.`;

  static override examples = [
    { description: 'Keep a trace, then judge it again', command: '<%= config.bin %> check --trace session.jsonl -- node server.js\n<%= config.bin %> judge session.jsonl' },
    { description: 'Judge one area and write a page', command: '<%= config.bin %> judge session.jsonl --only lifecycle -f html -o report.html' },
  ];

  static override args = { trace: Args.string({ description: 'Trace file (JSON Lines) written by check --trace.', required: true }) };

  static override flags = { ...selectionFlags, ...gateFlags, ...outputFlags };

  protected async work(): Promise<number> {
    const { args, flags, raw } = await this.parse(Judge);
    const [{ judgeTraceFile }, { planSinks }, { conclude, openGate }] = await Promise.all([
      import('../app/judge.ts'),
      import('./support/report-sinks.ts'),
      import('./support/conclude.ts'),
    ]);
    const sinks = planSinks(raw, { json: flags.json, alone: 'terminal', besideFiles: 'terminal', templatesDir: flags.templates });
    const gate = openGate(flags);
    const report = await judgeTraceFile(args.trace, { selection: selectionOf(flags), toolVersion: this.toolVersion });
    const choice = { templatesDir: flags.templates, quiet: flags.quiet, verbose: flags.verbose, ...(flags['no-color'] ? { color: false } : {}) };
    return conclude(report, gate, sinks, choice, { print: (text) => this.print(text), talk: (line) => this.talk(line) });
  }
}
