/** `mcpc check`: the flags of a check, and its end. */
import { availableParallelism } from 'node:os';
import { Args, Flags } from '@oclif/core';
import type { CheckOptions } from '../app/check-options.ts';
import { exitCodes, usageError } from '../model/errors.ts';
import type { RunReport } from '../model/run-report.ts';
import { visible } from '../report/text.ts';
import { isKnownRevision, revisions } from '../spec/revisions.ts';
import { BaseCommand } from './base.ts';
import { durationFlag, numberFlag, repeatedFlag } from './support/flag-values.ts';
import { gateFlags, outputFlags, selectionFlags, selectionOf } from './support/run-flags.ts';
import type { Gate } from './support/conclude.ts';
import type { ReportSinks } from './support/report-sinks.ts';
import { openProgress } from './support/progress.ts';

type CheckFlags = Awaited<ReturnType<Check['readLine']>>['flags'];

const target = 'TARGET';
const start = 'STARTING';
const probe = 'PROBING';

export default class Check extends BaseCommand {
  static override summary = 'Check a live server against the specification.';

  static override description = `Starts or reaches an MCP server, sends what the rules ask for, and judges what comes back. Each verdict cites the messages that prove it.

Exit codes: 0 compliant (or within the baseline), 1 not, 2 wrong usage or rule file, 3 target not reachable or not speaking MCP, 4 fault of mcpc, 130 interrupted.`;

  static override usage = [
    'check [FLAGS] -- COMMAND [ARGS...]',
    'check [FLAGS] --url URL [--transport http|sse] [--serve COMMAND]',
    'check [FLAGS] --config FILE [--server NAME]',
  ];

  static override examples = [
    { description: 'A server on stdio', command: '<%= config.bin %> check -- node server.js' },
    { description: 'A server that runs already', command: '<%= config.bin %> check --url http://127.0.0.1:3000/mcp --token "$TOKEN"' },
    { description: 'A server that mcpc starts and stops', command: '<%= config.bin %> check --serve "node server.js --port {{port}}" --url "http://127.0.0.1:{{port}}/mcp"' },
    { description: 'A server of a client configuration', command: '<%= config.bin %> check --config .mcp.json --server everything' },
    { description: 'Scorecard on the terminal, reports for people and for CI', command: '<%= config.bin %> check -f html -o report.html -f junit -o junit.xml -- node server.js' },
    { description: 'Fail only on what is new', command: '<%= config.bin %> check --baseline mcpc-baseline.json -- node server.js' },
  ];

  static override args = { address: Args.string({ description: 'Address of the endpoint, the same as --url. A command stands behind "--".', required: false }) };

  static override flags = {
    url: Flags.string({ summary: 'Address of the endpoint.', helpGroup: target, helpValue: 'URL' }),
    transport: Flags.option({ summary: 'How the target is reached. An address is tried as Streamable HTTP, then as HTTP+SSE, unless this says which.', helpGroup: target, options: ['stdio', 'http', 'sse'] as const })(),
    header: repeatedFlag({ summary: 'Header for every request. Repeats.', helpGroup: target, helpValue: '"Name: value"', char: 'H' }),
    token: Flags.string({ summary: 'Access token, sent with every request as "Authorization: Bearer TOKEN". MCPC_TOKEN in the environment does the same.', helpGroup: target, helpValue: 'TOKEN' }),
    'auth-server': repeatedFlag({ summary: 'Origin of an authorization server whose metadata may be fetched although it is neither on the internet nor where the target is. Repeats.', helpGroup: target, helpValue: 'ORIGIN' }),
    config: Flags.string({ summary: 'Configuration of an MCP client that names the server: .mcp.json, or the file of Claude Desktop, VS Code or Cursor.', helpGroup: target, helpValue: '.mcp.json' }),
    server: Flags.string({ summary: 'Name of the server in the configuration.', helpGroup: target, helpValue: 'NAME' }),
    ca: Flags.string({ summary: 'Certificates (PEM) to trust besides those of the system.', helpGroup: target, helpValue: 'FILE' }),
    insecure: Flags.boolean({ summary: 'Accept any certificate.', helpGroup: target }),
    name: Flags.string({ summary: 'What to call the target in reports.', helpGroup: target, helpValue: 'NAME' }),

    serve: Flags.string({ summary: 'Command of an HTTP server to start and stop; {{port}} in it, in --env and in the address becomes a free port.', helpGroup: start, helpValue: '"COMMAND"' }),
    env: repeatedFlag({ summary: 'Environment of the server that is started. Repeats.', helpGroup: start, helpValue: 'NAME=VALUE', char: 'e' }),
    'env-file': repeatedFlag({ summary: 'File of NAME=VALUE lines. Repeats.', helpGroup: start, helpValue: 'FILE' }),
    cwd: Flags.string({ summary: 'Folder in which the server is started.', helpGroup: start, helpValue: 'DIR' }),
    'start-timeout': durationFlag('start-timeout', { summary: 'How long the first answer may take. [default: 30s]', helpGroup: start }),

    spec: Flags.string({ summary: `Revision to hold the target to: auto, or one of ${revisions.join(', ')}.`, helpGroup: probe, helpValue: 'REVISION', default: 'auto' }),
    timeout: durationFlag('timeout', { summary: 'How long any later answer may take. [default: 10s]', helpGroup: probe }),
    jobs: numberFlag('jobs', { summary: 'Connections at a time for probes that need one of their own.', helpGroup: probe, helpValue: 'N', min: 1, max: 64, whole: true, char: 'j' }),
    'allow-destructive': Flags.boolean({ summary: 'Also call tools that say they are destructive.', helpGroup: probe }),
    trace: Flags.string({ summary: 'Keep the trace, for "mcpc judge".', helpGroup: probe, helpValue: 'FILE' }),
    'keep-secrets': Flags.boolean({ summary: 'Do not take secrets out of trace and reports.', helpGroup: probe }),
    watch: Flags.boolean({ summary: 'Check again whenever a file below the folder of the server changes.', helpGroup: probe }),

    ...selectionFlags,
    ...gateFlags,
    ...outputFlags,
  };

  protected async work(): Promise<number> {
    const { flags, command, sinks } = await this.readLine();
    const { openGate } = await import('./support/conclude.ts');
    const gate = openGate(flags);
    const options = await this.checkOptions(flags, command);
    if (flags.watch) {
      const { watchAndRepeat } = await import('./support/watch.ts');
      const written = [flags.trace, flags.baseline, ...sinks.files.map((one) => one.path)].filter((one) => one !== undefined);
      return watchAndRepeat({
        folder: flags.cwd ?? '.',
        ignore: written,
        signal: this.interrupts().signal,
        talk: (line) => this.talk(line),
        once: (signal) => this.checkOnce({ ...options, signal }, flags, gate, sinks),
      });
    }
    return this.checkOnce({ ...options, signal: this.interrupts().signal }, flags, gate, sinks);
  }

  private async checkOnce(options: CheckOptions, flags: CheckFlags, gate: Gate, sinks: ReportSinks): Promise<number> {
    const [{ runCheck }, { conclude }] = await Promise.all([import('../app/check.ts'), import('./support/conclude.ts')]);
    const progress = await openProgress({ quiet: flags.quiet, verbose: flags.verbose, name: visible(options.name) });
    let report: RunReport | undefined;
    try {
      report = await this.interrupts().within(
        runCheck({
          ...options,
          onProgress: (at) => progress.show(at),
          onStderr: (line) => {
            this.rememberStderr(line);
            progress.line(visible(line));
          },
        }),
      );
    } catch (error) {
      // What goes wrong while everything is being torn down is no finding.
      if (options.signal?.aborted !== true) throw error;
    } finally {
      progress.end();
    }
    const choice = {
      templatesDir: flags.templates,
      quiet: flags.quiet,
      verbose: flags.verbose,
      ...(flags['no-color'] ? { color: false } : {}),
    };
    if (options.signal?.aborted === true) return this.endInterrupted(report, flags, sinks, choice);
    return conclude(report!, gate, sinks, choice, { print: (text) => this.print(text), talk: (line) => this.talk(line) });
  }

  /** Keeps what there is, where it was asked for. */
  private async endInterrupted(report: RunReport | undefined, flags: CheckFlags, sinks: ReportSinks, choice: { templatesDir?: string | undefined }): Promise<number> {
    const kept = flags.trace === undefined ? [] : [`the trace so far is in ${flags.trace}`];
    if (report !== undefined && sinks.files.length > 0) {
      const { writeReport } = await import('./support/report-sinks.ts');
      writeReport(report, { stdout: undefined, files: sinks.files }, choice, () => {});
      kept.push(...sinks.files.map(({ format, path }) => `${format} of what was decided is in ${path}`));
    }
    this.talk(`Interrupted${kept.length > 0 ? `; ${kept.join(', ')}` : ''}.`);
    return exitCodes.interrupted;
  }

  /** Flags, and the words that name the target. What stands behind `--` is never parsed. */
  private async readLine() {
    const end = this.argv.indexOf('--');
    const own = end === -1 ? this.argv : this.argv.slice(0, end);
    const command = end === -1 ? [] : this.argv.slice(end + 1);
    const { flags, args, raw } = await this.parse(Check, own);
    if (end !== -1 && command.length === 0) throw usageError('Nothing stands behind "--".', 'Put the command of the server there, as in: mcpc check -- node server.js.');
    const { address } = args;
    if (address !== undefined && !/^https?:\/\//i.test(address)) {
      throw usageError(`"${address}" is neither a flag nor an address.`, `A command stands behind "--", as in: mcpc check -- ${visible(address)} …`);
    }
    if (address !== undefined && flags.url !== undefined) throw usageError(`The address is given twice: ${address} and --url ${flags.url}.`, 'Give it once.');
    const { planSinks } = await import('./support/report-sinks.ts');
    const sinks = planSinks(raw, { json: flags.json, alone: 'terminal', besideFiles: 'terminal', templatesDir: flags.templates });
    return { flags: address === undefined ? flags : { ...flags, url: address }, sinks, command };
  }

  private async checkOptions(flags: CheckFlags, command: string[]): Promise<CheckOptions> {
    const { spec } = flags;
    if (spec !== 'auto' && !isKnownRevision(spec)) throw usageError(`There is no revision "${spec}".`, `Use auto, or one of ${revisions.join(', ')}.`);
    const { chooseTarget } = await import('../app/choose-target.ts');
    const chosen = await chooseTarget(
      {
        command,
        url: flags.url,
        transport: flags.transport,
        headers: flags.header ?? [],
        ...(flags.token === undefined ? {} : { token: flags.token }),
        authServers: flags['auth-server'] ?? [],
        serve: flags.serve,
        config: flags.config,
        server: flags.server,
        cwd: flags.cwd,
        env: flags.env ?? [],
        envFiles: flags['env-file'] ?? [],
        ca: flags.ca,
        insecure: flags.insecure,
        name: flags.name,
      },
      process.env,
    );
    return {
      ...chosen,
      spec,
      selection: selectionOf(flags),
      timing: {
        ...(flags['start-timeout'] === undefined ? {} : { startMs: flags['start-timeout'] }),
        ...(flags.timeout === undefined ? {} : { answerMs: flags.timeout }),
      },
      // Much of a probe is waiting, so that a few more connections than cores keep the cores busy.
      jobs: flags.jobs ?? Math.min(8, availableParallelism() + 2),
      allowDestructive: flags['allow-destructive'],
      ...(flags.trace === undefined ? {} : { traceFile: flags.trace }),
      keepSecrets: flags['keep-secrets'],
      toolVersion: this.toolVersion,
    };
  }
}
