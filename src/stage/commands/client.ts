/** `mcpc client`: checks a client, to which mcpc is the server. */
import { basename, dirname } from 'node:path';
import { Flags } from '@oclif/core';
import { usageError } from '../../core/model/errors.ts';
import type { RunReport } from '../../core/model/reports/run-report.ts';
import { plural, visible } from '../../report/text.ts';
import { BaseCommand } from '../../check/commands/support/base.ts';
import { durationFlag, numberFlag, repeatedFlag } from '../../check/commands/support/flags/flag-values.ts';
import { evaluatorFlag, selectionOf } from '../../check/commands/support/flags/run-flags.ts';
import { splitLine } from '../../check/commands/support/flags/target-flags.ts';
import { exitCodes } from '../../core/model/errors.ts';
import type { ClientDriver } from '../drive/driver.ts';
import type { ClientOptions, StartNews } from '../run/client-options.ts';
import { clientFlags, clientGroup, openEnd, startedRevision, startedSpec, type RunEnd } from './support/client-run.ts';

const usualStartMs = 30_000;

type ClientFlags = Awaited<ReturnType<Client['readLine']>>['flags'];

/** Runs the client once. */
type Once = (look: {
  signal: AbortSignal;
  profile: 'quick' | 'full';
  only?: string[];
  keepsTrace?: boolean;
}) => Promise<RunReport>;

function withoutFlag(words: readonly string[], flag: string): string[] {
  return words.filter((word) => word !== flag);
}

/** @throws McpcError usage for a driver file that is wrong */
async function driverOf(file: string | undefined, command: string[], cwd: string | undefined): Promise<ClientDriver> {
  if (file === undefined) return (await import('../drive/command-driver.ts')).commandDriver(command, cwd);
  const [{ fileDriver }, { readDriver }] = await Promise.all([
    import('../drive/file/driver-file.ts'),
    import('../drive/file/read-driver.ts'),
  ]);
  const driver = readDriver(file);
  return fileDriver(cwd === undefined ? driver : { ...driver, cwd });
}

export default class Client extends BaseCommand {
  static override summary = 'Check a client against the specification.';

  static override description =
    `Starts your client several times, each time with the address of a server that mcpc plays: first one without a fault, then one that loses the session, drops a connection, names an unknown version, and so on. What the client does is judged by the same rules, and reported in the same form, as a server is by "mcpc check".

The address takes the place of {{url}} in the command, or comes last; over stdio {{command}} is the command of the server, and {{config}} the path of a file of mcpServers that has it. The client connects, does what it does, and ends; one that stays is ended once nothing comes of it any more. MCPC_TASK in its environment says as JSON what it may do to have more decided; see docs/clients.md.

Exit codes: 0 compliant (or within the baseline), 1 not compliant or incomplete, 2 wrong usage or rule file, 3 the client could not be started or never connected, 4 internal error in mcpc, 130 interrupted.`;

  static override usage = [
    'client [FLAGS] -- COMMAND [ARGS...]',
    'client [FLAGS] --driver FILE',
    'client --serve [FLAGS]',
  ];

  static override examples = [
    {
      description: 'A client that takes the address as its last argument',
      command: '<%= config.bin %> client -- node my-client.js',
    },
    {
      description: 'A client that takes it elsewhere',
      command: '<%= config.bin %> client -- my-client --server {{url}} --once',
    },
    {
      description: 'A client that starts its server',
      command: '<%= config.bin %> client --transport stdio -- my-client --config {{config}}',
    },
    {
      description: 'A client with a command for each thing that it does',
      command: '<%= config.bin %> client --driver driver.yaml',
    },
    {
      description: 'An application that a person uses',
      command: '<%= config.bin %> client --serve',
    },
    {
      description: 'Reports for people and for CI',
      command: '<%= config.bin %> client -f html -o client.html -f junit -o junit.xml -- node my-client.js',
    },
    {
      description: 'Again and again while you change it',
      command: '<%= config.bin %> client --watch -- node my-client.js',
    },
    {
      description: 'By one revision, with the messages kept',
      command: '<%= config.bin %> client --spec 2025-06-18 --trace client.jsonl -- node my-client.js',
    },
  ];

  static override flags = {
    ...clientFlags('client'),
    spec: startedSpec,
    profile: Flags.option({
      summary:
        'How much to do: full, or quick: only the first start, by the newest revision, for a first look. Scores of the two do not compare.',
      helpGroup: clientGroup,
      options: ['full', 'quick'] as const,
      default: 'full' as const,
    })(),
    jobs: numberFlag('jobs', {
      summary:
        'Starts of the client at the same time; those with a login always run one after another. Verdicts do not depend on it. [default: the CPU cores, at most 4]',
      helpGroup: clientGroup,
      helpValue: 'N',
      min: 1,
      max: 64,
      whole: true,
      char: 'j',
    }),
    'check-timeout': durationFlag('check-timeout', {
      summary:
        'Time limit of the whole run; after it the report is incomplete. [default: none, each start has its own]',
      helpGroup: clientGroup,
    }),
    watch: Flags.boolean({
      summary:
        "Check again whenever a file in the client's folder changes: first what failed last time, then what --profile quick decides, then everything.",
      helpGroup: clientGroup,
    }),
    ...evaluatorFlag,
    env: repeatedFlag({
      summary: 'Environment variable for the client. Repeats.',
      helpGroup: clientGroup,
      helpValue: 'NAME=VALUE',
      char: 'e',
    }),
    'env-file': repeatedFlag({
      summary: 'File of NAME=VALUE lines for the client. Repeats.',
      helpGroup: clientGroup,
      helpValue: 'FILE',
    }),
    cwd: Flags.string({ summary: 'Working directory of the client.', helpGroup: clientGroup, helpValue: 'DIR' }),
    name: Flags.string({ summary: 'Name of the client in reports.', helpGroup: clientGroup, helpValue: 'NAME' }),
    'start-timeout': durationFlag('start-timeout', {
      summary: 'Time limit of each start of the client; after it the client is ended. [default: 30s]',
      helpGroup: clientGroup,
    }),
    driver: Flags.string({
      summary: 'File with one command for each act of the client, in place of a command ("mcpc client driver init").',
      helpGroup: clientGroup,
      helpValue: 'FILE',
    }),
    conformance: Flags.boolean({
      summary: 'Play scenarios of the official conformance suite: see "mcpc client conformance --help".',
      helpGroup: clientGroup,
    }),
    serve: Flags.boolean({
      summary: 'Serve an application that a person uses: see "mcpc client serve --help".',
      helpGroup: clientGroup,
    }),
  };

  protected async work(): Promise<number> {
    const { own, command } = splitLine(this.argv);
    if (own.includes('--conformance'))
      return this.config.runCommand<number>('client:conformance', withoutFlag(own, '--conformance'));
    if (own.includes('--serve')) return this.config.runCommand<number>('client:serve', withoutFlag(own, '--serve'));
    const { flags, raw } = await this.readLine(own);
    if (command.length === 0 && flags.driver === undefined)
      throw usageError(
        'There is no client to check.',
        'Write its command after "--": mcpc client -- node my-client.js',
      );
    if (command.length > 0 && flags.driver !== undefined)
      throw usageError('There are two clients: a command, and that of --driver.', 'Leave one of them out.');
    const spec = startedRevision(flags.spec);
    await this.warnOfHouseFiles(flags);
    const end = await openEnd(flags, raw, spec === 'auto');
    const once = await this.runOf(flags, command, spec);
    if (flags.watch) return this.watch(flags, end, once);
    const { signal } = this.interrupts();
    const report = await this.interrupts().within(once({ signal, profile: flags.profile }));
    return this.end(report, signal, end);
  }

  private async readLine(own: string[]) {
    return this.parse(Client, own);
  }

  /** Makes the function for a single run of the client, with the flags applied. */
  private async runOf(flags: ClientFlags, command: string[], spec: ClientOptions['spec']): Promise<Once> {
    const [{ runClient, usualJobs }, { parseEnvPair, readEnvFile }] = await Promise.all([
      import('../run-client.ts'),
      import('../../check/target/env-file.ts'),
    ]);
    const given: Record<string, string> = Object.fromEntries(
      (flags['env-file'] ?? []).flatMap((file) => Object.entries(readEnvFile(file))),
    );
    for (const [name, value] of (flags.env ?? []).map(parseEnvPair)) given[name] = value;
    const words = flags.driver === undefined ? command : [flags.driver];
    const selection = selectionOf(flags);
    // A file that is wrong is reported before the first run.
    await driverOf(flags.driver, command, flags.cwd);
    return async ({ signal, profile, only, keepsTrace = true }) =>
      runClient({
        name: flags.name ?? words.map((word) => basename(word)).join(' '),
        ...(flags.driver === undefined ? { words: command } : {}),
        driver: await driverOf(flags.driver, command, flags.cwd),
        env: { ...process.env, ...given },
        secrets: Object.values(given),
        transport: flags.transport,
        spec,
        selection: only === undefined ? selection : { ...selection, only },
        traceFile: keepsTrace ? flags.trace : undefined,
        keepSecrets: flags['keep-secrets'],
        toolVersion: this.toolVersion,
        startMs: flags['start-timeout'] ?? usualStartMs,
        checkMs: flags['check-timeout'],
        jobs: flags.jobs ?? usualJobs(),
        quick: profile === 'quick',
        evaluator: flags.evaluator,
        signal,
        onStart: (start) => {
          if (flags.quiet !== true) this.talk(startLine(start));
        },
        onStarts: (starts) => {
          if (flags.quiet !== true) this.talk(startsLine(starts));
        },
        onPrint: (line) => {
          this.rememberStderr(line);
          if (flags.verbose) this.talk(`  | ${visible(line)}`);
        },
      });
  }

  private async watch(flags: ClientFlags, end: RunEnd, once: Once): Promise<number> {
    const [{ watchAndRepeat }, { createRounds }] = await Promise.all([
      import('../../check/commands/support/watch.ts'),
      import('../../check/commands/support/watch-rounds.ts'),
    ]);
    const { profile: deepest } = flags;
    const rounds = createRounds(deepest, (line) => this.talk(line));
    return watchAndRepeat({
      folder: flags.cwd ?? (flags.driver === undefined ? '.' : dirname(flags.driver)),
      ignore: end.written,
      signal: this.interrupts().signal,
      talk: (line) => this.talk(line),
      once: async (signal) => {
        const report = await rounds.round(signal, ({ only, profile }) =>
          this.unlessGivenUp(
            signal,
            once({ signal, profile, ...(only ? { only } : {}), keepsTrace: only === undefined && profile === deepest }),
          ),
        );
        return this.end(report, signal, end);
      },
    });
  }

  /** Errors of a run that was given up are no findings. */
  private async unlessGivenUp(signal: AbortSignal, run: Promise<RunReport>): Promise<RunReport | undefined> {
    return run.catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
  }

  private async end(report: RunReport | undefined, signal: AbortSignal, end: RunEnd): Promise<number> {
    if (signal.aborted || report === undefined) {
      const kept = end.keep(report);
      this.talk(`Interrupted${kept.length > 0 ? `; ${kept.join(', ')}` : ''}.`);
      return exitCodes.interrupted;
    }
    return end.conclude(report, {
      print: (text) => this.printData(text),
      talk: (line) => this.talk(line),
    });
  }
}

function startLine({ number, of, title, revision }: StartNews): string {
  const tried = revision === undefined ? '' : `MCP ${revision}, `;
  const count = `start ${number}${of === undefined ? '' : ` of ${of}`}`;
  const line = `${tried}${count}: ${title}`;
  return `${line[0]!.toUpperCase()}${line.slice(1)}`;
}

function startsLine(starts: readonly { revision: string; starts: number }[]): string {
  const sum = starts.reduce((all, one) => all + one.starts, 0);
  const each = starts.map(({ revision, starts: count }) => `${count} for MCP ${revision}`).join(', ');
  return `${plural(sum, 'start')} of the client${starts.length > 1 ? `: ${each}` : ''}.`;
}
