/** `mcpc fleet check`: the flags of a run over a fleet, and its end. */
import { availableParallelism } from 'node:os';
import { Args, Flags } from '@oclif/core';
import type { FleetCheckOptions } from '../../check-fleet.ts';
import type { CheckExecutor } from '../../run/pool.ts';
import { exitCodes, usageError } from '../../../core/model/errors.ts';
import type { FleetReport, FleetRunHeader } from '../../../core/model/reports/fleet.ts';
import { oneLine } from '../../../report/text.ts';
import { BaseCommand } from '../../../check/commands/support/base.ts';
import { splitList } from '../../../check/commands/support/flags/flag-values.ts';
import { lockFlags } from '../../../check/commands/support/flags/lock-flags.ts';
import { giveInputs } from '../../../check/commands/support/flags/input-flag.ts';
import { openFleetDrift } from '../support/drift.ts';
import { openFleetProgress } from '../support/progress.ts';
import {
  fleetGateFlags,
  fleetOutputFlags,
  fleetProbeFlags,
  fleetRuleFlags,
  fleetRunFlags,
  ruleSelectionOf,
  withProbeFlags,
} from '../support/run-flags.ts';
import { withProjectRules } from '../support/project-rules.ts';
import { fleetSelectionFlags } from '../support/selection-flags.ts';

type Parsed = Awaited<ReturnType<FleetCheck['readLine']>>;

export default class FleetCheck extends BaseCommand {
  static override aliases = ['factory:check'];

  static override summary = 'Check every server of a fleet.';

  static override description =
    `A fleet file (YAML or JSON, docs/fleet.md) lists servers. Checks them in parallel and writes a directory for the run: a report and a trace of each server, a journal, fleet.json and an HTML dashboard. A run that was interrupted or killed, or ran out of disk space, continues with --resume and checks nothing twice.

Exit codes: 0 all servers compliant and all policies met, 1 not, 2 wrong usage or fleet file, 3 no server could be reached at all, 4 internal error in mcpc, 130 interrupted.`;

  static override examples = [
    { description: 'Every server of a file', command: '<%= config.bin %> fleet check fleet.yaml' },
    {
      description: 'Go on after Ctrl-C, a crash or a full disk',
      command: '<%= config.bin %> fleet check fleet.yaml --resume',
    },
    {
      description: 'Only what runs in production, four at a time',
      command: '<%= config.bin %> fleet check fleet.yaml --only tag:prod --jobs 4',
    },
    {
      description: 'Every revision that each server speaks, a line for each',
      command: '<%= config.bin %> fleet check fleet.yaml --spec each',
    },
    {
      description: 'The second of four shares, to be joined by fleet merge',
      command: '<%= config.bin %> fleet check fleet.yaml --shard 2/4 --out shard-2',
    },
    {
      description: 'Only what changed since a run',
      command: '<%= config.bin %> fleet check fleet.yaml --changed-since mcpc-fleet/20261122T051500Z',
    },
    {
      description: 'A dashboard soon, then everything',
      command: '<%= config.bin %> fleet check fleet.yaml --profile quick,full',
    },
    {
      description: 'Fail where a server offers something else than the lock says; take in servers that are new',
      command: '<%= config.bin %> fleet check fleet.yaml --lock mcpc.lock.json --add-to-lock',
    },
    {
      description: 'By workers on other machines',
      command: '<%= config.bin %> fleet check fleet.yaml --queue redis://queue.example:6379',
    },
  ];

  static override args = { file: Args.string({ description: 'The fleet file, YAML or JSON.', required: true }) };

  static override flags = {
    ...fleetSelectionFlags,
    ...fleetRunFlags,
    queue: Flags.string({
      summary:
        'Put the checks into a queue in this Redis, for "mcpc fleet worker" to run. Needs the packages bullmq and ioredis.',
      helpGroup: 'RUN',
      helpValue: 'redis://HOST',
    }),
    ...fleetProbeFlags,
    ...fleetRuleFlags,
    ...fleetGateFlags,
    ...lockFlags,
    'add-to-lock': Flags.boolean({
      summary: 'Add servers to the lock that have no entry there; existing entries stay.',
      helpGroup: 'GATE',
      dependsOn: ['lock'],
    }),
    ...fleetOutputFlags,
  };

  protected async work(): Promise<number> {
    const parsed = await this.readLine();
    const { flags, sinks } = parsed;
    await this.warnOfHouseFiles(flags);
    giveInputs(flags.input);
    const [{ chooseEntries }, { runFleet }, { readOutcomeWish }, { quickLookBefore, startOfRun }] = await Promise.all([
      import('../../file/choice.ts'),
      import('../../check-fleet.ts'),
      import('../../compare/outcome.ts'),
      import('../../start.ts'),
    ]);
    const chosen = chooseEntries(
      parsed.file,
      {
        only: splitList(flags.only),
        skip: splitList(flags.skip),
        shard: flags.shard,
      },
      process.env,
    );
    const { check, disable } = chosen.fleet.project;
    const selection = ruleSelectionOf(withProjectRules(flags, check));
    await (await import('../../../check/project-file/known-rules.ts')).refuseUnknownRules(disable, selection);
    const wish = {
      profile: flags.profile === 'quick' ? ('quick' as const) : undefined,
      since: flags.since,
      minGrade: flags['min-grade']?.toUpperCase() ?? check.minGrade,
      minScore: flags['min-score'] ?? check.minScore,
      maxRegressions: flags['max-regressions'],
    };
    const { older } = readOutcomeWish(wish);
    const drift = flags.lock === undefined ? undefined : await openFleetDrift({ ...flags, lock: flags.lock });
    const start = startOfRun({ out: flags.out, resume: flags.resume }, new Date());
    const { signal } = this.interrupts();
    /** Goes over all servers; undefined when it was interrupted. */
    const goOver = async (run: Omit<FleetCheckOptions, 'watch'>): Promise<FleetReport | undefined> => {
      const progress = await openFleetProgress(flags);
      for (const notice of chosen.fleet.notices) progress.note(oneLine(notice));
      for (const { name, from, why } of chosen.fleet.unread)
        progress.note(oneLine(`${from}: server "${name}" is not read: ${why}.`));
      let report;
      try {
        report = await runFleet({ ...run, watch: progress }, (header, done) => this.openExecutor(parsed, header, done));
      } finally {
        progress.end();
      }
      if (!signal.aborted) return report;
      this.talk(
        `Interrupted; what was settled is in ${start.directory}. Go on with --resume${flags.out === undefined ? '' : ` --out ${flags.out}`}.`,
      );
      return undefined;
    };
    const run: Omit<FleetCheckOptions, 'watch'> = {
      fleet: chosen.fleet,
      entries: withProbeFlags(chosen.entries, flags),
      shard: flags.shard,
      ...start,
      recheckChanged: flags['recheck-changed'],
      selection,
      ...(wish.profile === undefined ? {} : { profile: wish.profile }),
      toolVersion: this.toolVersion,
      // Workers of a queue say themselves how much they take on.
      jobs: flags.queue === undefined || flags.jobs !== 'auto' ? flags.jobs : 10_000,
      maxPerHost: flags['max-per-host'] ?? chosen.fleet.maxPerHost ?? 4,
      hostErrors: flags['max-host-errors'] ?? 5,
      failFast: flags['fail-fast'],
      ...(flags['changed-since'] === undefined ? {} : { changedSince: flags['changed-since'] }),
      open: {
        cacheDir: flags['cache-dir'],
        ...(flags['allow-scripts'] ? { allowScripts: true } : {}),
      },
      env: process.env,
      signal,
    };
    if (flags.profile === 'quick,full') {
      const quick = await quickLookBefore(run);
      if (quick !== undefined) {
        const report = await goOver(quick);
        if (report === undefined) return exitCodes.interrupted;
        await this.showQuickLook(quick.directory, report, parsed);
      }
      run.resume = true;
    }
    const report = await goOver(run);
    if (report === undefined) return exitCodes.interrupted;
    const { concludeFleet } = await import('../support/conclude.ts');
    const voice = { print: (text: string) => this.printData(text), talk: (line: string) => this.talk(line) };
    const code = await concludeFleet({ directory: start.directory, report, wish, older, sinks, flags }, voice);
    const drifted = (await drift?.compare(start.directory, report, voice.talk)) === true;
    return code === exitCodes.compliant && drifted ? exitCodes.notCompliant : code;
  }

  /** Prints the result of the quick run, with its dashboard, which stays after the full run. */
  private async showQuickLook(directory: string, report: FleetReport, { flags, sinks }: Parsed): Promise<void> {
    const { writeFleetReports } = await import('../support/sinks.ts');
    const options = { dashboard: flags.dashboard, ...(flags['no-color'] ? { color: false } : {}) };
    const written = await writeFleetReports(
      { dir: directory, report, diff: null, policies: null },
      { ...sinks, files: [], stdout: undefined },
      options,
      () => {},
    );
    if (flags.quiet) return;
    const checked = report.servers.filter(({ status }) => status === 'checked');
    this.talk(
      `Quick look: ${checked.length} of ${report.servers.length} servers checked, ${checked.filter(({ compliant }) => compliant === false).length} with violations${written.length === 0 ? '' : `; ${written.join(', ')}`}`,
    );
  }

  private async openExecutor(
    { flags }: Parsed,
    header: FleetRunHeader,
    done: ReadonlySet<string>,
  ): Promise<CheckExecutor> {
    if (flags.queue !== undefined) {
      const { openQueueExecutor } = await import('../../queue/queue.ts');
      return openQueueExecutor({ url: flags.queue, header, done });
    }
    const [{ openPool }, { mostJobs }] = await Promise.all([
      import('../../run/pool.ts'),
      import('../../jobs/job-controller.ts'),
    ]);
    const cores = availableParallelism();
    return openPool({ jobs: flags.jobs === 'auto' ? mostJobs(cores) : flags.jobs, workers: cores });
  }

  private async readLine() {
    const { flags, args, raw } = await this.parse(FleetCheck);
    if (flags.resume && flags['changed-since'] !== undefined)
      throw usageError(
        '--resume and --changed-since do not go together.',
        'A run that is resumed keeps what it took over when it was begun.',
      );
    const { planFleetSinks } = await import('../support/sinks.ts');
    return { flags, file: args.file, sinks: planFleetSinks(raw, flags.json, { overwrite: flags.overwrite }) };
  }
}
