/** `mcpc lint`: advice about the definitions of tools; calls nothing. */
import { Flags } from '@oclif/core';
import { BaseCommand } from '../../check/commands/support/base.ts';
import { numberFlag, repeatedFlag, splitList } from '../../check/commands/support/flags/flag-values.ts';
import { splitLine } from '../../check/commands/support/flags/target-flags.ts';
import { exitCodes, usageError } from '../../core/model/errors.ts';
import type { LintFixes, LintReport } from '../../core/drift/lint-report.ts';
import { suggestion } from '../../core/model/suggestion.ts';
import { visible } from '../../report/text.ts';
import { driftArgs, driftFlags, offerOf } from './support/drift-flags.ts';

const { lock: _lock, as: _as, ...targetFlags } = driftFlags;
const gate = 'GATE';
const bytesOfKb = 1024;

export default class Lint extends BaseCommand {
  static override summary = 'Give advice about the definitions of tools. Calls no tool.';

  static override description =
    `Reads the lists of the server and reports definitions that a model may misunderstand: no description, parameters without a type, tools that are too much alike, hidden characters, and others. docs/lint.md lists the codes. A finding is no violation of the specification; "mcpc check" finds those. E301 and W107 are about results and need --recording.

Exit codes: 0 no error, 1 an error, with --strict also a warning, or more findings than --threshold, 2 wrong usage, 3 server not reachable, 4 internal error in mcpc, 130 interrupted. With --fix 0 instead of 1.`;

  static override usage = [
    '<%= command.id %> [FLAGS] -- COMMAND [ARGS...]',
    '<%= command.id %> [FLAGS] --url URL',
    '<%= command.id %> [FLAGS] --config FILE [--server NAME]',
  ];

  static override examples = [
    { description: 'A server on stdio', command: '<%= config.bin %> lint -- node server.js' },
    { description: 'A server that is running', command: '<%= config.bin %> lint --url http://127.0.0.1:3000/mcp' },
    {
      description: 'A gate for CI: warnings fail, except for two codes',
      command: '<%= config.bin %> lint --strict --skip-rules W103,W109 -- node server.js',
    },
    { description: 'Suggestions as JSON', command: '<%= config.bin %> lint --fix --json -- node server.js' },
    {
      description: 'From a recording, with the rules about results',
      command: '<%= config.bin %> lint --recording session.trace.jsonl',
    },
  ];

  static override args = driftArgs;

  static override flags = {
    ...targetFlags,
    strict: Flags.boolean({ summary: 'Warnings fail as well.', helpGroup: gate }),
    threshold: numberFlag('threshold', {
      summary: 'Fail if there are more findings than this; 0 for no limit. [default: 0]',
      helpGroup: gate,
      helpValue: 'N',
      min: 0,
      max: 1_000_000,
      whole: true,
    }),
    'skip-rules': repeatedFlag({
      summary: 'Codes or rules to leave out. Repeats, or takes commas.',
      helpGroup: gate,
      helpValue: 'CODE,CODE',
    }),
    'max-response-kb': numberFlag('max-response-kb', {
      summary: 'Largest result in a recording that is not reported (E301). [default: 100]',
      helpGroup: gate,
      helpValue: 'N',
      min: 1,
      max: 1_000_000,
    }),
    fix: Flags.boolean({
      summary: 'Print a suggestion for each finding that has one. Changes nothing, and findings do not fail.',
      helpGroup: 'OUTPUT',
    }),
    json: Flags.boolean({ summary: 'Print JSON.', helpGroup: 'OUTPUT' }),
  };

  protected async work(): Promise<number> {
    const { own, command } = splitLine(this.argv);
    const { flags, args } = await this.parse(Lint, own);
    const [{ lintOffer, lintRules }, { readGeneratedPlan }, { ownName }] = await Promise.all([
      import('../lint/lint.ts'),
      import('../../check/plan.ts'),
      import('../../check/drift/gate.ts'),
    ]);
    const surfaceRules = readGeneratedPlan().rules.filter(({ area }) => area === 'tool-surface');
    const skip = knownCodes(flags['skip-rules'], [
      ...lintRules.map(({ code }) => code),
      ...surfaceRules.map(({ id }) => id),
    ]);
    const { signal, within } = this.interrupts();
    const voice = {
      toolVersion: this.toolVersion,
      signal,
      talk: (line: string) => this.talk(line),
      rememberStderr: (line: string) => this.rememberStderr(line),
    };
    const read = await within(offerOf(flags, args.address, command, voice));
    if (read === undefined) throw this.interrupted('Interrupted; nothing was reported.');
    const { offer, unsteady } = read;
    for (const one of unsteady) this.talk(`Warning: ${visible(one)}; the findings are those of the first answer.`);
    const calls =
      flags.recording === undefined
        ? []
        : await (await import('../lint/recorded-calls.ts')).recordedCalls(flags.recording, { format: flags.from });
    const { report, fixes } = lintOffer({
      server: flags.name ?? flags.server ?? ownName(offer.serverInfo),
      offer,
      calls,
      maxBytes: (flags['max-response-kb'] ?? 100) * bytesOfKb,
      skip,
      surfaceRules,
    });
    if (!flags.json) {
      const { lintText } = await import('../../report/drift/lint-text.ts');
      this.print(lintText(report, flags.fix ? fixes : undefined));
    } else if (flags.fix) {
      const { server, tools, findings } = report;
      this.printJson({ server, tools, findings: findings.length, fixable: fixes.length, fixes } satisfies LintFixes);
    } else this.printJson(report);
    return flags.fix || !fails(report, flags) ? exitCodes.compliant : exitCodes.notCompliant;
  }
}

function fails(
  { findings, errors }: LintReport,
  { strict, threshold = 0 }: { strict: boolean; threshold?: number | undefined },
): boolean {
  return errors > 0 || (strict && findings.length > 0) || (threshold > 0 && findings.length > threshold);
}

/** @throws McpcError usage for a code that does not exist */
function knownCodes(given: readonly string[] | undefined, known: readonly string[]): Set<string> {
  const codes = splitList(given);
  const found = codes.map((code) => known.find((one) => one.toLowerCase() === code.toLowerCase()));
  const unknown = codes[found.indexOf(undefined)];
  if (unknown !== undefined)
    throw usageError(
      `There is no lint rule "${visible(unknown)}".${suggestion(unknown, known)}`,
      `Rules: ${known.join(', ')}.`,
    );
  return new Set(found.filter((one) => one !== undefined));
}
