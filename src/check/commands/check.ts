/** `mcpc check`: the flags of a check, and its end. */
import { availableParallelism } from 'node:os';
import { Args, Flags } from '@oclif/core';
import { runInThread, type OutsideOptions } from '../check-thread/outside.ts';
import { exitCodes, usageError } from '../../core/model/errors.ts';
import { append } from '../../core/model/lists.ts';
import type { RunReport } from '../../core/model/reports/run-report.ts';
import { visible } from '../../report/text.ts';
import { optionsIn } from '../settings/of-entry.ts';
import { BaseCommand } from './support/base.ts';
import { numberFlag } from './support/flags/flag-values.ts';
import { lockFlags } from './support/flags/lock-flags.ts';
import { authorizationServerRun } from './support/authorization-server/run.ts';
import { guarded, loginFlags, testAuthorizationOf, withFilled } from './support/flags/login-flags.ts';
import { loginOf, withLoginOptions } from './support/flags/oauth-options.ts';
import { evaluatorFlag, gateFlags, outputFlags, selectionFlags, selectionOf } from './support/flags/run-flags.ts';
import { settingFlags, settingsOf } from './support/flags/setting-flags.ts';
import { specsOf } from './support/flags/spec-flag.ts';
import type { TestAuthorization } from '../login/test-authorization.ts';
import { splitLine, targetFlags, targetOptions, withAddress } from './support/flags/target-flags.ts';
import { toolConsent, toolFlags } from './support/flags/tool-flags.ts';
import type { Gate } from './support/conclude.ts';
import { openProgress } from './support/progress.ts';
import type { ReportSinks } from './support/report-sinks.ts';

type CheckFlags = Awaited<ReturnType<Check['readLine']>>['flags'];

const probe = 'PROBING';
/** Many times what a check takes, also of a server that is slow. */
const usualCheckMs = 600_000;

export default class Check extends BaseCommand {
  static override summary = 'Check a live server against the specification.';

  static override description =
    `Starts or connects to an MCP server, sends the requests that the rules need, and judges the responses. Each rule checks one requirement of the specification, and each verdict cites the messages that prove it. Only tools that certainly do not change anything are called, unless you allow others (--allow-tool).

--help shows the flags that most checks need, --help-all every flag.

Exit codes: 0 compliant (or within the baseline), 1 not compliant or incomplete, 2 wrong usage or rule file, 3 server not reachable or silent, 4 internal error in mcpc, 130 interrupted.`;

  /** Text of --help. */
  static readonly mainFlags = [
    'url',
    'config',
    'token',
    'spec',
    'profile',
    'allow-tool',
    'only',
    'format',
    'output',
    'baseline',
  ];

  static override usage = [
    'check [FLAGS] -- COMMAND [ARGS...]',
    'check [FLAGS] --url URL [--transport http|sse] [--serve COMMAND]',
    'check [FLAGS] --config FILE [--server NAME]',
  ];

  static override examples = [
    { description: 'A server on stdio', command: '<%= config.bin %> check -- node server.js' },
    {
      description: 'A server that is already running',
      command: '<%= config.bin %> check --url http://127.0.0.1:3000/mcp --token "$TOKEN"',
    },
    {
      description: 'A server that mcpc starts and stops',
      command: '<%= config.bin %> check --serve "node server.js --port {{port}}" --url "http://127.0.0.1:{{port}}/mcp"',
    },
    {
      description: 'A server from the configuration of an MCP client',
      command: '<%= config.bin %> check --config .mcp.json --server everything',
    },
    {
      description: 'Summary on the terminal, reports for people and for CI',
      command: '<%= config.bin %> check -f html -o report.html -f junit -o junit.xml -- node server.js',
    },
    {
      description: 'A first look, from one connection and without waits',
      command: '<%= config.bin %> check --profile quick -- node server.js',
    },
    {
      description: 'Every revision that the server speaks, in one report',
      command: '<%= config.bin %> check --spec each -- node server.js',
    },
    { description: 'Why a check takes its time', command: '<%= config.bin %> check --timings -- node server.js' },
    {
      description: 'Fail also where the server offers something else than its lock says',
      command: '<%= config.bin %> check --lock mcpc.lock.json -- node server.js',
    },
    {
      description: 'Fail only on new failures',
      command: '<%= config.bin %> check --baseline mcpc-baseline.json -- node server.js',
    },
  ];

  static override args = {
    address: Args.string({
      description: 'Address of the endpoint, the same as --url. A command goes after "--".',
      ignoreStdin: true,
      required: false,
    }),
  };

  static override flags = {
    ...targetFlags,
    ...settingFlags('check'),
    profile: Flags.option({
      summary:
        'How much to ask: full, or quick: only what one connection decides without waiting, for editors, hooks and a first look. Scores of the two do not compare.',
      helpGroup: probe,
      options: ['full', 'quick'] as const,
      default: 'full' as const,
    })(),
    jobs: numberFlag('jobs', {
      summary:
        'Parallel connections, for tests that need a connection of their own. [default: two more than the CPU cores, at most 8; up to 12 where they mostly wait]',
      helpGroup: probe,
      helpValue: 'N',
      min: 1,
      max: 64,
      whole: true,
      char: 'j',
    }),
    trace: Flags.string({
      summary:
        'Write a trace to this file: every message and byte exchanged, for "mcpc judge" and "mcpc trace". With several revisions, each further one gets its own file in the same folder, with the revision in its name.',
      helpGroup: probe,
      helpValue: 'FILE',
    }),
    'keep-secrets': Flags.boolean({ summary: 'Do not redact secrets in the trace and reports.', helpGroup: probe }),
    timings: Flags.boolean({
      summary:
        'Print where the time went on stderr: stages, connections, the longest steps and silences. Reports in JSON have it as "timings".',
      helpGroup: probe,
    }),
    watch: Flags.boolean({
      summary:
        "Check again whenever a file in the server's folder changes: first what failed last time, then what --profile quick asks, then everything.",
      helpGroup: probe,
    }),

    ...loginFlags,
    ...toolFlags,
    ...selectionFlags,
    ...evaluatorFlag,
    ...gateFlags,
    ...lockFlags,
    ...outputFlags,
  };

  private login: TestAuthorization | undefined;
  /** What the project file disables. */
  private disabled: Gate['disabled'];

  protected async work(): Promise<number> {
    try {
      return await this.workToEnd();
    } finally {
      await this.login?.close();
    }
  }

  private async workToEnd(): Promise<number> {
    const { flags, command, raw } = await this.readLine();
    const { planSinks } = await import('./support/report-sinks.ts');
    const sinks = planSinks(raw, {
      json: flags.json,
      alone: 'terminal',
      besideFiles: 'terminal',
      templatesDir: flags.templates,
      overwrite: flags.overwrite,
    });
    await this.warnOfHouseFiles(flags);
    if (flags.plan) return this.tellPlan(await this.checkOptions(flags, command), flags);
    const [{ openGate }, { tracesOf }, { checkOutput, traceOutput }] = await Promise.all([
      import('./support/conclude.ts'),
      import('../trace-files.ts'),
      import('../../files/output/output.ts'),
    ]);
    const gate = openGate(flags);
    if (flags.trace !== undefined)
      for (const file of tracesOf(flags.trace, specsOf(flags.spec).specs))
        checkOutput(traceOutput(file, flags.overwrite));
    const options = await this.checkOptions(flags, command);
    if (this.disabled !== undefined) {
      const { refuseUnknownRules } = await import('../project-file/known-rules.ts');
      await refuseUnknownRules(this.disabled.rules, options.selection);
      gate.disabled = this.disabled;
    }
    if (flags.timings && options.specs !== undefined)
      throw usageError('--timings measures one revision.', 'Name one with --spec, or leave --spec out.');
    if (flags.watch && flags.lock !== undefined)
      throw usageError('--watch compares with no lock.', 'Run "mcpc drift check" as well.');
    if (flags.watch) {
      const { watchAndRepeat } = await import('./support/watch.ts');
      const written = [flags.trace, flags.baseline, ...sinks.files.map((one) => one.path)].filter(
        (one) => one !== undefined,
      );
      return watchAndRepeat({
        folder: flags.cwd ?? '.',
        ignore: written,
        signal: this.interrupts().signal,
        talk: (line) => this.talk(line),
        once: await this.rounds(options, flags, gate, sinks),
      });
    }
    const { signal, within } = this.interrupts();
    const once = (): Promise<number> => this.checkOnce({ ...options, signal }, flags, gate, sinks);
    const { lock } = flags;
    if (lock === undefined) return once();
    const { checkWithLock } = await import('../drift/beside.ts');
    const named = { ...flags, lock, lockName: flags.name ?? flags.server };
    return checkWithLock(named, { ...options, signal }, { once, within, talk: (line) => this.talk(line) });
  }

  /** The calls of a check; calls nothing. */
  private async tellPlan(options: OutsideOptions, flags: CheckFlags): Promise<number> {
    const [{ planCalls }, { renderCallPlan }] = await Promise.all([
      import('../call-plan.ts'),
      import('../../report/check/call-plan.ts'),
    ]);
    if (options.specs !== undefined)
      throw usageError('--plan looks at one revision.', 'Name one with --spec, or leave --spec out.');
    const plan = await this.interrupts().within(
      planCalls({ ...options, signal: this.interrupts().signal, onStderr: (line) => this.rememberStderr(line) }),
    );
    if (plan === undefined) return exitCodes.interrupted;
    if (flags.json) this.printJson(plan);
    else this.print(renderCallPlan(plan, flags['no-color'] ? { color: false } : {}));
    return exitCodes.compliant;
  }

  private async checkOnce(options: OutsideOptions, flags: CheckFlags, gate: Gate, sinks: ReportSinks): Promise<number> {
    return this.end(await this.ask(options, flags), options, flags, gate, sinks);
  }

  /** Action after each change: a check for several revisions, and some increasingly deep passes for one. */
  private async rounds(
    options: OutsideOptions,
    flags: CheckFlags,
    gate: Gate,
    sinks: ReportSinks,
  ): Promise<(signal: AbortSignal) => Promise<number>> {
    if (options.specs !== undefined) return (signal) => this.checkOnce({ ...options, signal }, flags, gate, sinks);
    const { createRounds } = await import('./support/watch-rounds.ts');
    const deepest = options.profile ?? 'full';
    const rounds = createRounds(deepest, (line) => this.talk(line));
    return async (signal) => {
      const report = await rounds.round(signal, ({ only, profile }) => {
        const { traceFile, ...rest } = options;
        const isLast = only === undefined && profile === deepest;
        const selection = only === undefined ? options.selection : { ...options.selection, only };
        return this.ask(
          { ...rest, selection, profile, signal, ...(isLast && traceFile !== undefined ? { traceFile } : {}) },
          flags,
        );
      });
      return this.end(report, { ...options, signal }, flags, gate, sinks);
    };
  }

  /** Runs a check. @returns what is known; undefined where it was ended before anything was */
  private async ask(options: OutsideOptions, flags: CheckFlags): Promise<RunReport | undefined> {
    const progress = await openProgress({ quiet: flags.quiet, verbose: flags.verbose, name: visible(options.name) });
    let report: RunReport | undefined;
    const run = flags.role === 'server' ? runInThread : authorizationServerRun(flags);
    const notices: string[] = [];
    try {
      report = await this.interrupts().within(
        run({
          ...options,
          onProgress: (at) => progress.show(at),
          onStderr: (line) => {
            this.rememberStderr(line);
            progress.line(visible(line));
          },
          onNotice: (line) => notices.push(line),
          onWait: (line) => progress.notice(line),
        }),
      );
    } catch (error) {
      // Errors during shutdown are not findings.
      if (options.signal?.aborted !== true) throw error;
    } finally {
      progress.end();
    }
    for (const line of notices) this.talk(visible(line));
    return report;
  }

  private async end(
    report: RunReport | undefined,
    options: OutsideOptions,
    flags: CheckFlags,
    gate: Gate,
    sinks: ReportSinks,
  ): Promise<number> {
    const { conclude } = await import('./support/conclude.ts');
    const choice = {
      templatesDir: flags.templates,
      quiet: flags.quiet,
      verbose: flags.verbose,
      junitSkipped: flags['junit-skipped'],
      ...(flags['no-color'] ? { color: false } : {}),
    };
    if (options.signal?.aborted === true) return this.endInterrupted(report, flags, sinks, choice);
    const { set } = flags;
    const newer = report?.parts.find(({ revision }) => set !== undefined && revision > set);
    if (newer !== undefined)
      this.talk(
        `Warning: --set ${set} has no rule of a later year, so that MCP ${newer.revision} is judged in part; --set ${newer.revision} is the set for it.`,
      );
    if (report?.timings) this.talk((await import('../../report/check/timings.ts')).renderTimings(report.timings));
    return conclude(report!, gate, sinks, choice, {
      print: (text) => this.printData(text),
      talk: (line) => this.talk(line),
    });
  }

  /** Keeps what there is, where it was asked for. */
  private async endInterrupted(
    report: RunReport | undefined,
    flags: CheckFlags,
    sinks: ReportSinks,
    choice: { templatesDir?: string | undefined },
  ): Promise<number> {
    const kept = flags.trace === undefined ? [] : [`the trace so far is in ${flags.trace}`];
    if (report !== undefined && sinks.files.length > 0) {
      const { writeReport } = await import('./support/report-sinks.ts');
      writeReport(report, { ...sinks, stdout: undefined }, choice, () => {});
      append(
        kept,
        sinks.files.map(({ format, path }) => `${format} of what was decided is in ${path}`),
      );
    }
    this.talk(`Interrupted${kept.length > 0 ? `; ${kept.join(', ')}` : ''}.`);
    return exitCodes.interrupted;
  }

  /** Flags, and the words that name the target. */
  private async readLine() {
    const { own, command } = splitLine(this.argv);
    const { flags, args, raw } = await this.parse(Check, own);
    return { flags: withAddress(flags, args.address), raw, command };
  }

  private async checkOptions(flags: CheckFlags, command: string[]): Promise<OutsideOptions> {
    const { spec, specs } = specsOf(flags.spec);
    const login = (this.login = await testAuthorizationOf(flags));
    const oauth = await loginOf(flags);
    const filled = login === undefined ? flags : withFilled(flags, login);
    const { hintsFile, notices = [], disabled, ...given } = await targetOptions({ ...filled, spec }, command);
    this.disabled = disabled;
    const chosen = login === undefined ? given : await guarded(given, login);
    if (login) notices.push(login.says(chosen.target));
    for (const line of notices) this.talk(visible(line));
    const named = flags.hints ?? hintsFile;
    return {
      ...withLoginOptions(chosen, oauth, flags['foreign-token-env']),
      ...(flags.profile === 'quick' ? { profile: 'quick' as const } : {}),
      ...(specs === undefined ? {} : { specs }),
      selection: selectionOf(flags),
      evaluator: flags.evaluator,
      ...(named === undefined ? {} : { hints: (await import('../target/hints-file.ts')).readHints(named) }),
      // Much of a probe is waiting, so that a few more connections than cores keep the cores busy.
      jobs: flags.jobs ?? Math.min(8, availableParallelism() + 2),
      ...(flags.jobs === undefined ? {} : { mostJobs: flags.jobs }),
      ...optionsIn(settingsOf('check', flags)),
      ...toolConsent(flags),
      namedTools: true,
      ...(flags.trace === undefined ? {} : { traceFile: flags.trace }),
      keepSecrets: flags['keep-secrets'],
      ...(flags.timings ? { timings: true } : {}),
      toolVersion: this.toolVersion,
      checkMs: flags['check-timeout'] ?? usualCheckMs,
    };
  }
}
