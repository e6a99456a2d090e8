/** `mcpc client conformance`: the client side of the official conformance suite, by its own contract. */
import { join } from 'node:path';
import { Flags } from '@oclif/core';
import pLimit from 'p-limit';
import { BaseCommand } from '../../../../check/commands/support/base.ts';
import { exitCodes, usageError } from '../../../../core/model/errors.ts';
import { revisions } from '../../../../core/spec/revisions.ts';
import { visible } from '../../../../report/text.ts';
import type { ScenarioResult } from '../../../conformance/run-scenario.ts';
import type { Summary } from '../../../conformance/results.ts';

/** Scenarios of a suite that are played at a time. */
const atATime = 2;

export default class Conformance extends BaseCommand {
  static override summary = 'Play the client scenarios of the official conformance suite.';

  static override description =
    `Takes a client that was written for the official suite as it is: the address is its last argument, and MCP_CONFORMANCE_SCENARIO, MCP_CONFORMANCE_PROTOCOL_VERSION and MCP_CONFORMANCE_CONTEXT are in its environment. Checks have the ids and statuses of the official suite (SUCCESS, FAILURE, WARNING, SKIPPED, INFO). They are decided by the rules of mcpc, whose own verdicts are printed next to them. "mcpc client --conformance" is the same.

A scenario that the client does not know is skipped, and never counts as passed.

Exit codes: 0 nothing failed, 1 a check failed or warned, the client ended with an error, or a single scenario decided nothing, 2 wrong usage, 3 the client could not be started, 4 internal error in mcpc, 130 interrupted.`;

  static override examples = [
    {
      description: 'One scenario',
      command: '<%= config.bin %> client conformance --command "tsx everything-client.ts" --scenario tools_call',
    },
    {
      description: 'All of them, with results to keep',
      command: '<%= config.bin %> client conformance --command "tsx everything-client.ts" --suite all -o results',
    },
  ];

  static override flags = {
    command: Flags.string({ summary: 'Command line of the client.', helpValue: 'COMMAND', required: true }),
    scenario: Flags.string({ summary: 'The scenario to play.', helpValue: 'SCENARIO', exclusive: ['suite'] }),
    suite: Flags.string({
      summary: 'The scenarios of a suite: all, core, draft, auth, metadata, backcompat, extensions, sep-835.',
      helpValue: 'SUITE',
    }),
    'spec-version': Flags.option({
      summary: 'The revision to play, and the scenarios for it.',
      options: [...revisions, 'draft'],
    })(),
    force: Flags.boolean({
      summary: 'Play a scenario in the revision of --spec-version even if it is not for it.',
      dependsOn: ['scenario', 'spec-version'],
    }),
    timeout: Flags.integer({ summary: 'Longest time of the client, milliseconds.', default: 30_000, min: 1 }),
    'output-dir': Flags.string({
      summary:
        'Folder for the results: <scenario>-<timestamp> with checks.json, stdout.txt, stderr.txt and trace.jsonl.',
      helpValue: 'DIR',
      char: 'o',
    }),
    'expected-failures': Flags.string({
      summary: 'YAML file with scenarios that may fail (list client); an entry that does not fail is an error.',
      helpValue: 'FILE',
    }),
    cwd: Flags.string({ summary: 'Working directory of the client.', helpValue: 'DIR' }),
    verbose: Flags.boolean({ summary: 'Print the checks as JSON, and what the client prints.' }),
  };

  protected async work(): Promise<number> {
    const { flags } = await this.parse(Conformance);
    const { scenario, suite } = flags;
    if (scenario === undefined && suite === undefined)
      throw usageError(
        'Neither --scenario nor --suite is given.',
        '"mcpc client conformance list" shows the scenarios.',
      );
    const [{ findScenario, scenariosOf }, { readExpectedFailures }] = await Promise.all([
      import('../../../conformance/scenarios.ts'),
      import('../../../conformance/expected-failures.ts'),
    ]);
    const revision = flags['spec-version'] === 'draft' ? revisions.at(-1) : flags['spec-version'];
    const chosen = scenario === undefined ? scenariosOf(suite!, revision) : [findScenario(scenario)];
    const expected =
      flags['expected-failures'] === undefined ? undefined : readExpectedFailures(flags['expected-failures']);
    const played = await this.play(chosen, revision, flags);
    if (this.interrupts().signal.aborted) return exitCodes.interrupted;
    return this.conclude(played, expected, suite !== undefined, flags.verbose);
  }

  private async play(
    chosen: readonly ScenarioResult['scenario'][],
    revision: string | undefined,
    flags: {
      command: string;
      cwd?: string | undefined;
      timeout: number;
      force: boolean;
      verbose: boolean;
      'output-dir'?: string | undefined;
    },
  ): Promise<{ result: ScenarioResult; summary: Summary }[]> {
    const [
      { runScenario, skipReason },
      { openResults, summaryOf, writeResults },
      { commandDriver },
      { parseArgsStringToArgv },
    ] = await Promise.all([
      import('../../../conformance/run-scenario.ts'),
      import('../../../conformance/results.ts'),
      import('../../../drive/command-driver.ts'),
      import('string-argv'),
    ]);
    const { signal } = this.interrupts();
    const limit = pLimit(atATime);
    return Promise.all(
      chosen.map((scenario) =>
        limit(async () => {
          const isPlayed = skipReason(scenario, { revision, force: flags.force }) === undefined;
          if (isPlayed) this.talk(`Starting scenario: ${scenario.scenario}`);
          const place =
            isPlayed && flags['output-dir'] !== undefined
              ? openResults(flags['output-dir'], scenario.scenario)
              : undefined;
          const result = await runScenario(scenario, {
            command: flags.command,
            driver: commandDriver(parseArgsStringToArgv(flags.command), flags.cwd),
            env: process.env,
            revision,
            force: flags.force,
            timeoutMs: flags.timeout,
            toolVersion: this.toolVersion,
            traceFile: place === undefined ? undefined : join(place, 'trace.jsonl'),
            signal,
            print: (line) => {
              if (flags.verbose) this.talk(`  | ${visible(line)}`);
            },
          });
          if (place !== undefined) {
            writeResults(place, result);
            this.talk(`Results saved to ${place}`);
          }
          return { result, summary: summaryOf(result) };
        }),
      ),
    );
  }

  private async conclude(
    played: readonly { result: ScenarioResult; summary: Summary }[],
    expected: Parameters<typeof import('../../../conformance/expected-failures.ts').compareFailures>[1] | undefined,
    isSuite: boolean,
    verbose: boolean,
  ): Promise<number> {
    const [{ scenarioLines, suiteLine }, { compareFailures }] = await Promise.all([
      import('../../../conformance/results.ts'),
      import('../../../conformance/expected-failures.ts'),
    ]);
    for (const { result, summary } of played) {
      if (verbose) this.print(`${JSON.stringify(result.checks, null, 2)}\n`);
      this.print(`${visible(suiteLine(result, summary))}\n`);
      if (!verbose && (!isSuite || summary.outcome === 'failed'))
        for (const line of scenarioLines(result)) this.print(`  ${visible(line)}\n`);
    }
    const count = (outcome: Summary['outcome']): number =>
      played.filter(({ summary }) => summary.outcome === outcome).length;
    if (isSuite)
      this.print(`\n${count('passed')} scenarios passed, ${count('failed')} failed, ${count('skipped')} skipped\n`);
    if (expected !== undefined) {
      const { unexpected, stale, expected: known } = compareFailures(played, expected);
      for (const entry of known) this.print(`expected  ${visible(entry)}\n`);
      for (const entry of stale) this.print(`stale     ${visible(entry)}: it did not fail\n`);
      for (const entry of unexpected) this.print(`new       ${visible(entry)}\n`);
      return unexpected.length + stale.length > 0 ? exitCodes.notCompliant : exitCodes.compliant;
    }
    const bad = isSuite ? count('failed') > 0 : count('passed') === 0;
    return bad ? exitCodes.notCompliant : exitCodes.compliant;
  }
}
