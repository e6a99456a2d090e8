/** `mcpc client`: checks a client, to which mcpc is the server. */
import { basename } from 'node:path';
import { Flags } from '@oclif/core';
import { usageError } from '../../core/model/errors.ts';
import { visible } from '../../report/text.ts';
import { BaseCommand } from '../../check/commands/support/base.ts';
import { durationFlag, repeatedFlag } from '../../check/commands/support/flags/flag-values.ts';
import { selectionOf } from '../../check/commands/support/flags/run-flags.ts';
import { splitLine } from '../../check/commands/support/flags/target-flags.ts';
import { exitCodes } from '../../core/model/errors.ts';
import type { ClientDriver } from '../drive/driver.ts';
import { clientFlags, clientGroup, oneRevision, openEnd } from './support/client-run.ts';

const usualStartMs = 30_000;

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
      description: 'By one revision, with the messages kept',
      command: '<%= config.bin %> client --spec 2025-06-18 --trace client.jsonl -- node my-client.js',
    },
  ];

  static override flags = {
    ...clientFlags('client'),
    env: repeatedFlag({
      summary: 'Environment variable for the client. Repeats.',
      helpGroup: clientGroup,
      helpValue: 'NAME=VALUE',
      char: 'e',
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
    const { flags, raw } = await this.parse(Client, own);
    if (command.length === 0 && flags.driver === undefined)
      throw usageError(
        'There is no client to check.',
        'Write its command after "--": mcpc client -- node my-client.js',
      );
    if (command.length > 0 && flags.driver !== undefined)
      throw usageError('There are two clients: a command, and that of --driver.', 'Leave one of them out.');
    const spec = oneRevision(flags.spec);
    await this.warnOfOldNames(flags);
    const [{ runClient }, { parseEnvPair }] = await Promise.all([
      import('../run-client.ts'),
      import('../../check/target/env-file.ts'),
    ]);
    const driver = await driverOf(flags.driver, command, flags.cwd);
    const end = await openEnd(flags, raw);
    const given = Object.fromEntries((flags.env ?? []).map(parseEnvPair));
    const { signal } = this.interrupts();
    const report = await this.interrupts().within(
      runClient({
        name:
          flags.name ?? (flags.driver === undefined ? command : [flags.driver]).map((word) => basename(word)).join(' '),
        ...(flags.driver === undefined ? { words: command } : {}),
        driver,
        env: { ...process.env, ...given },
        secrets: Object.values(given),
        transport: flags.transport,
        spec,
        selection: selectionOf(flags),
        traceFile: flags.trace,
        keepSecrets: flags['keep-secrets'],
        toolVersion: this.toolVersion,
        startMs: flags['start-timeout'] ?? usualStartMs,
        signal,
        onStart: ({ number, of, title }) => {
          if (flags.quiet !== true) this.talk(`Start ${number} of ${of}: ${title}`);
        },
        onPrint: (line) => {
          this.rememberStderr(line);
          if (flags.verbose) this.talk(`  | ${visible(line)}`);
        },
      }),
    );
    if (signal.aborted || report === undefined) {
      this.talk(`Interrupted${flags.trace === undefined ? '' : `; the trace so far is in ${flags.trace}`}.`);
      return exitCodes.interrupted;
    }
    return end(report, {
      print: (text) => this.printData(text),
      talk: (line) => this.talk(line),
    });
  }
}
