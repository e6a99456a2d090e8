/** `mcpc intercept`: records and judges between a client and a server. */
import { withoutCommands } from '../../core/model/ci-logs.ts';
import { basename } from 'node:path';
import { Flags } from '@oclif/core';
import type { RelayedAuthorization } from '../../client/intercept/http-proxy.ts';
import type { LiveDrift } from '../drift/live.ts';
import { endingOf, type Ending } from '../intercept-thread/ending.ts';
import type { Intercepted } from '../intercept-thread/intercept.ts';
import type { LiveFinding, Recorded } from '../intercept-thread/messages.ts';
import { exitCodes, usageError } from '../../core/model/errors.ts';
import { append } from '../../core/model/lists.ts';
import { revisions } from '../../core/spec/revisions.ts';
import { visible } from '../../report/text.ts';
import { listenAddress } from './support/flags/listen-address.ts';
import { BaseCommand } from './support/base.ts';
import { repeatedFlag } from './support/flags/flag-values.ts';
import { settingFlags, settingsOf } from './support/flags/setting-flags.ts';
import { gateFlags, outputFlags, selectionFlags, selectionOf } from './support/flags/run-flags.ts';

type InterceptFlags = Awaited<ReturnType<Intercept['readLine']>>['flags'];

const target = 'TARGET';
const recording = 'RECORDING';
const output = 'OUTPUT';
/** Time for a server to end after a forwarded signal. */
const stubbornMs = 1_000;

export default class Intercept extends BaseCommand {
  static override summary = 'Record and judge the traffic between a real client and a real server.';

  static override description =
    `A transparent proxy. On stdio, put it in front of the command of the server in the configuration of the client: stdout carries the protocol only, findings go to stderr and to --output. Over HTTP it listens on its own address and forwards everything to the upstream server, event streams included.

On stdio the exit code is that of the server, or 1 when a --suite assertion does not hold and the server ended with 0. Over HTTP, Ctrl-C ends it: 0 when no MUST was violated, 1 otherwise.`;

  static override usage = [
    '<%= command.id %> [FLAGS] -- COMMAND [ARGS...]',
    '<%= command.id %> --listen HOST:PORT --upstream URL [FLAGS]',
  ];

  static override examples = [
    {
      description: 'In place of the server, in the configuration of a client',
      command: '<%= config.bin %> intercept --trace session.jsonl --output report.html -- node server.js',
    },
    {
      description: 'Between clients and a server over HTTP, printing violations as they happen',
      command: '<%= config.bin %> intercept --listen 127.0.0.1:9000 --upstream http://127.0.0.1:3000/mcp --live',
    },
    {
      description:
        'Record a login as well: the client finds the proxy in place of the server and its authorization server',
      command:
        '<%= config.bin %> intercept --upstream https://example.com/mcp --rewrite-authorization --trace session.jsonl',
    },
    {
      description: 'Refuse calls of tools that changed since the lock',
      command: '<%= config.bin %> intercept --lock mcpc.lock.json --block -- node server.js',
    },
    {
      description: 'Check which tools an agent called',
      command: '<%= config.bin %> intercept --suite trajectory.yaml -- node server.js',
    },
  ];

  static override flags = {
    listen: Flags.string({
      summary: 'Address to listen on; port 0 takes a free one.',
      helpGroup: target,
      helpValue: '127.0.0.1:9000',
      dependsOn: ['upstream'],
    }),
    upstream: Flags.string({ summary: 'Address of the HTTP server.', helpGroup: target, helpValue: 'URL' }),
    transport: Flags.option({
      summary: 'Transport over HTTP; by default it is detected from the first request.',
      helpGroup: target,
      options: ['http', 'sse'] as const,
    })(),
    'rewrite-authorization': Flags.boolean({
      summary:
        'Let clients log in through the proxy: challenges and metadata name the proxy, and authorization servers are relayed.',
      helpGroup: target,
      dependsOn: ['upstream'],
    }),
    'auth-server': repeatedFlag({
      summary: 'Also relay an authorization server at this origin, although its address is private. Repeats.',
      helpGroup: target,
      helpValue: 'ORIGIN',
    }),
    ...settingFlags('network', target),
    env: repeatedFlag({
      summary: 'Environment variable for the server process. Repeats.',
      helpGroup: target,
      helpValue: 'NAME=VALUE',
      char: 'e',
    }),
    cwd: Flags.string({ summary: 'Working directory of the server process.', helpGroup: target, helpValue: 'DIR' }),
    name: Flags.string({ summary: 'Name of the server in reports.', helpGroup: target, helpValue: 'NAME' }),

    trace: Flags.string({
      summary: 'Keep the trace, for "mcpc judge" and "mcpc trace".',
      helpGroup: recording,
      helpValue: 'FILE',
    }),
    live: Flags.boolean({ summary: 'Print each violation to stderr when it happens.', helpGroup: recording }),
    role: Flags.option({
      summary: 'Which party is judged.',
      helpGroup: recording,
      options: ['server', 'client', 'both'] as const,
      default: 'both',
    })(),
    spec: Flags.option({
      summary: 'Revision to judge by if none is negotiated.',
      helpGroup: recording,
      options: revisions,
    })(),
    suite: Flags.string({
      summary:
        'YAML file with assertions about which tools were called, and in which order; checked at the end. See docs/intercept.md.',
      helpGroup: recording,
      helpValue: 'FILE',
    }),
    lock: Flags.string({
      summary: 'Lock file (docs/drift.md): print to stderr what the server lists and the lock does not hold.',
      helpGroup: recording,
      helpValue: 'FILE',
    }),
    'drift-fail-on': Flags.string({
      summary: 'Classes of changes since the lock for which the exit code is 1 and --block refuses calls.',
      default: 'security,breaking',
      helpGroup: recording,
      helpValue: 'CLASS,…',
    }),
    block: Flags.boolean({
      summary: 'Answer calls of tools that changed since the lock, or are not in it, with an error.',
      helpGroup: recording,
      dependsOn: ['lock'],
    }),
    'keep-secrets': Flags.boolean({ summary: 'Do not redact secrets in the trace and reports.', helpGroup: recording }),

    ...selectionFlags,
    ...gateFlags,
    format: repeatedFlag({
      summary:
        'Report format: terminal, json, html, markdown, junit, sarif, github, badge-json or badge-svg. Repeats, each with an --output.',
      helpGroup: output,
      helpValue: 'html',
      char: 'f',
    }),
    output: repeatedFlag({
      summary:
        'File for a report at the end; its extension gives the format unless a --format precedes it. Repeats. The old name --report does the same.',
      helpGroup: output,
      helpValue: 'report.html',
      char: 'o',
      aliases: ['report'],
    }),
    overwrite: outputFlags.overwrite,
    templates: outputFlags.templates,
    'no-color': outputFlags['no-color'],
    quiet: outputFlags.quiet,
  };

  protected async work(): Promise<number> {
    const { flags, command, raw } = await this.readLine();
    await this.warnOfHouseFiles(flags);
    const [{ planSinks }, { decide, openGate }, { checkOutput, traceOutput }] = await Promise.all([
      import('./support/report-sinks.ts'),
      import('./support/conclude.ts'),
      import('../../files/output/output.ts'),
    ]);
    const sinks = planSinks(raw, {
      json: false,
      alone: 'terminal',
      besideFiles: 'terminal',
      templatesDir: flags.templates,
      overwrite: flags.overwrite,
    });
    // stdout belongs to the protocol.
    if (sinks.stdout !== 'terminal')
      throw usageError(
        `--format ${sinks.stdout} has no --output.`,
        `Give it a file: --format ${sinks.stdout} --output FILE.`,
      );
    if (flags.trace !== undefined) checkOutput(traceOutput(flags.trace, flags.overwrite));
    const gate = openGate(flags);
    const drift = await this.driftOf(flags);
    const done = command.length > 0 ? await this.overStdio(flags, command, drift) : await this.overHttp(flags, drift);

    const ends: Ending[] = done.exit === undefined ? [] : endingOf(done.exit);
    let fine = done.exit === undefined ? undefined : 'Exit 0: The server ended with exit code 0, which is passed on.';
    if ('why' in done) {
      this.talk(
        `INCOMPLETE: nothing was judged: ${done.why}.${flags.trace === undefined ? '' : ' The trace so far can be judged with: mcpc judge'}`,
      );
      ends.push({ code: exitCodes.notCompliant, why: 'Nothing was judged.' });
    } else if (done.report === undefined)
      this.talk(
        `Nothing was judged: ${done.events === 0 ? 'no message was seen' : 'no client asked for a known revision; name one with --spec'}.`,
      );
    else {
      // stdout belongs to the protocol, so that the scorecard goes where everything else does.
      const choice = {
        templatesDir: flags.templates,
        quiet: flags.quiet,
        ...(flags['no-color'] ? { color: false } : {}),
      };
      const verdict = decide(done.report, gate, { ...sinks, stdout: 'terminal' }, choice, {
        print: (text) => void process.stderr.write(withoutCommands(text)),
        talk: (line) => this.talk(line),
      });
      if (done.exit === undefined)
        append(
          ends,
          verdict.causes.map((why) => ({ code: verdict.code, why })),
        );
      else if (flags.quiet !== true)
        for (const why of verdict.code === 0 ? [verdict.why] : verdict.causes) this.talk(why);
      fine ??= verdict.why;
    }
    if ('trajectory' in done && done.trajectory && !this.trajectoryHolds(done.trajectory))
      ends.push({ code: exitCodes.notCompliant, why: 'An assertion about the tool calls does not hold.' });
    if (drift?.failed() === true)
      ends.push({ code: exitCodes.notCompliant, why: `The server differs from ${visible(flags.lock!)}.` });
    if (flags.trace !== undefined && flags.quiet !== true) this.talk(`Trace: ${flags.trace}`);
    // The first one decides: a client is to see the exit code of its server.
    const code = ends[0]?.code ?? exitCodes.compliant;
    for (const end of ends) if (end.code === code) this.talk(`Exit ${code}: ${end.why}`);
    if (ends.length === 0 && fine !== undefined && flags.quiet !== true) this.talk(fine);
    return code;
  }

  private trajectoryHolds({ calls, results }: NonNullable<Recorded['trajectory']>): boolean {
    this.talk(
      `${calls.length} tool call${calls.length === 1 ? '' : 's'}${calls.length === 0 ? '' : `: ${calls.map(({ tool }) => visible(tool)).join(', ')}`}`,
    );
    for (const { assertion, holds, detail } of results)
      this.talk(`${holds ? 'holds ' : 'BROKEN'} ${assertion.type}${holds ? '' : `: ${visible(detail)}`}`);
    return results.every(({ holds }) => holds);
  }

  /** @throws McpcError usage for a lock that is not valid, or holds several servers and not that of --name */
  private async driftOf(flags: InterceptFlags): Promise<LiveDrift | undefined> {
    if (flags.lock === undefined) return undefined;
    const { openLiveDrift } = await import('../drift/live.ts');
    return openLiveDrift({
      path: flags.lock,
      lockName: flags.name,
      failOn: flags['drift-fail-on'],
      block: flags.block,
      talk: (line) => this.talk(line),
    });
  }

  private async overStdio(
    flags: InterceptFlags,
    [command = '', ...args]: string[],
    drift: LiveDrift | undefined,
  ): Promise<Intercepted> {
    const [{ interceptStdio }, { parseEnvPair }] = await Promise.all([
      import('../intercept-thread/intercept.ts'),
      import('../target/env-file.ts'),
    ]);
    const given = Object.fromEntries((flags.env ?? []).map(parseEnvPair));
    return interceptStdio({
      drift,
      ...this.common(flags, [command, ...args].map((word) => basename(word)).join(' ')),
      secrets: Object.values(given),
      command,
      args,
      ...(flags.cwd === undefined ? {} : { cwd: flags.cwd }),
      env: { ...process.env, ...given },
      input: process.stdin,
      output: process.stdout,
      errors: process.stderr,
      // A signal to mcpc is meant for the server: it gets the signal, and mcpc ends with it.
      onStarted: (server) => {
        let reported = 0;
        for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
          process.on(name, () => {
            reported += 1;
            if (reported > 1) return server.end();
            server.signal(name);
            setTimeout(() => server.signal('SIGKILL'), stubbornMs).unref();
          });
        }
      },
    });
  }

  private async overHttp(flags: InterceptFlags, drift: LiveDrift | undefined): Promise<Intercepted> {
    const [{ interceptHttp }, { resolveNetwork }, { textWithoutSecrets }, { withoutCredentials }] = await Promise.all([
      import('../intercept-thread/intercept.ts'),
      import('../target/network.ts'),
      import('../run-redactor.ts'),
      import('../../client/transport/network/address.ts'),
    ]);
    const upstream = addressOf(flags.upstream!);
    const network = resolveNetwork(settingsOf('network', flags), upstream.href, process.env);
    for (const line of network.notices) this.talk(visible(line));
    const { host, port } = listenAddress(flags.listen ?? '127.0.0.1:0');
    return interceptHttp({
      drift,
      ...this.common(flags, withoutCredentials(upstream.href)),
      secrets: network.secrets,
      upstream,
      host,
      port,
      ...(flags.transport === undefined ? {} : { transport: flags.transport }),
      ...network.options,
      signal: this.interrupts().signal,
      onListening: (url) =>
        this.talk(
          textWithoutSecrets(`Listening on ${url}, handing on to ${upstream.href}. Ctrl-C ends it.`, [upstream.href]),
        ),
      ...(flags['rewrite-authorization']
        ? { logins: this.logins(flags) }
        : { onProtected: () => this.warnOf(upstream) }),
    });
  }

  private warnOf({ origin }: URL): void {
    this.talk(
      `The server requires authorization (401). Its metadata names ${origin}, not this proxy: clients compare the two and refuse to log in here, or go past the proxy. Start with --rewrite-authorization to log in through the proxy, or give the client a token of its own.`,
    );
  }

  private logins(flags: InterceptFlags): RelayedAuthorization {
    const allowed = (flags['auth-server'] ?? []).map((text) => addressOf(text, '--auth-server').origin);
    return {
      allowed,
      onRelay: (origin, local) => this.talk(visible(`Relaying the authorization server ${origin} at ${local}.`)),
      onRefused: (origin, why) =>
        this.talk(
          visible(
            `The authorization server ${origin} is not relayed, since ${why}; clients reach it past the proxy. If it is yours, allow it with --auth-server ${origin}.`,
          ),
        ),
    };
  }

  private common(flags: InterceptFlags, name: string) {
    return {
      name: flags.name ?? name,
      traceFile: flags.trace,
      selection: selectionOf(flags),
      role: flags.role,
      revision: flags.spec,
      keepSecrets: flags['keep-secrets'],
      toolVersion: this.toolVersion,
      suite: flags.suite,
      ...(flags.live ? { onFinding: (finding: LiveFinding) => this.tellFinding(finding) } : {}),
    };
  }

  private tellFinding({ rule, role, level, message, events, last }: LiveFinding): void {
    this.talk(
      `[mcpc] ${role} violates ${level}: ${rule}: ${visible(message)} (event ${events.at(-1)})${last ? ' Further violations of this rule are only counted.' : ''}`,
    );
  }

  /** Flags, and the words after `--`, which are never parsed. */
  private async readLine() {
    const end = this.argv.indexOf('--');
    const own = end === -1 ? this.argv : this.argv.slice(0, end);
    const command = end === -1 ? [] : this.argv.slice(end + 1);
    const { flags, raw } = await this.parse(Intercept, own);
    if (flags.upstream === undefined && command.length === 0) {
      throw usageError(
        'No server is named.',
        'Name a command after "--", as in: mcpc intercept -- node server.js; or give --listen and --upstream.',
      );
    }
    if (flags.upstream !== undefined && command.length > 0)
      throw usageError('There is both a command and an --upstream.', 'Give one of them.');
    if (flags['auth-server'] !== undefined && !flags['rewrite-authorization'])
      throw usageError('--auth-server relays nothing by itself.', 'Give --rewrite-authorization as well.');
    if (flags['keep-secrets']) this.talk('Secrets are kept in what is written: --keep-secrets.');
    return { flags, command, raw };
  }
}

function addressOf(text: string, flag = '--upstream'): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw usageError(`"${text}" is no address.`, `As in: ${flag} http://127.0.0.1:3000/mcp.`);
  return url;
}
