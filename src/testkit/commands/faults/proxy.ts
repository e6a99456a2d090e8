/** `mcpc faults proxy`: a fault between a client and a server of the user's own. */
import { Args, Flags } from '@oclif/core';
import { describeFault } from '../../../core/faults/describe.ts';
import { exitCodes, usageError } from '../../../core/model/errors.ts';
import { BaseCommand } from '../../../check/commands/support/base.ts';
import { splitLine } from '../../../check/commands/support/flags/target-flags.ts';

export default class FaultsProxy extends BaseCommand {
  static override summary = 'Give a server of your own one fault, as a proxy before it.';

  static override description =
    'Forwards everything between a client or checker and a real server, and injects the fault into matching messages. It shows how a client copes, or whether a checker notices. On stdio the command itself is the server; over HTTP it prints its address on stderr and serves until it is interrupted. Faults of messages that the server never sends have no effect.';

  static override usage = [
    '<%= command.id %> ID -- COMMAND [ARGS...]',
    '<%= command.id %> ID --upstream URL [--port N]',
  ];

  static override examples = [
    {
      description: 'A server on stdio whose tools have no inputSchema any more',
      command: '<%= config.bin %> faults proxy tools/list.result.tools[].inputSchema:absent -- node server.js',
    },
    {
      description: 'What mcpc makes of it',
      command: '<%= config.bin %> check -- <%= config.bin %> faults proxy ping.result.id:as-string -- node server.js',
    },
    {
      description: 'Over HTTP',
      command: '<%= config.bin %> faults proxy ping.result.id:as-string --upstream http://127.0.0.1:3000/mcp --port 0',
    },
  ];

  static override args = {
    id: Args.string({ description: 'Id of a fault; "mcpc faults list" has them.', required: true }),
  };

  static override flags = {
    upstream: Flags.string({ summary: 'Address of the HTTP server.', helpValue: 'URL' }),
    port: Flags.integer({
      summary: 'Port on the loopback interface; 0 takes a free one.',
      helpValue: 'N',
      min: 0,
      max: 65_535,
      dependsOn: ['upstream'],
    }),
  };

  protected async work(): Promise<number> {
    const { own, command } = splitLine(this.argv);
    const { args, flags } = await this.parse(FaultsProxy, own);
    if ((flags.upstream === undefined) === (command.length === 0)) {
      throw usageError(
        flags.upstream === undefined ? 'No server is named.' : 'There is both a command and an --upstream.',
        'Name a command after "--", as in: mcpc faults proxy ID -- node server.js; or give --upstream URL.',
      );
    }
    const { generatedFault } = await import('../../generated-faults/list.ts');
    const found = await generatedFault(args.id);
    const fits = found.transports.some((transport) => (transport === 'stdio') === (flags.upstream === undefined));
    if (!fits)
      throw usageError(
        `The fault ${found.id} is one of ${found.transports.join(' and ')}.`,
        flags.upstream === undefined
          ? 'Give it to a server over HTTP, with --upstream.'
          : 'Give it to a server on stdio, after "--".',
      );
    this.talk(describeFault(found.fault));
    if (flags.upstream !== undefined) return this.overHttp(found.fault, flags.upstream, flags.port ?? 0);

    const { startStdioFaultProxy } = await import('../../fault-proxy/stdio-fault-proxy.ts');
    const [program = '', ...words] = command;
    const proxy = await startStdioFaultProxy({
      fault: found.fault,
      command: program,
      args: words,
      input: process.stdin,
      output: process.stdout,
      errors: process.stderr,
    });
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => proxy.signal(signal));
    const { code } = await proxy.exited;
    return code ?? exitCodes.notCompliant;
  }

  private async overHttp(fault: Parameters<typeof describeFault>[0], upstream: string, port: number): Promise<number> {
    const { startHttpFaultProxy } = await import('../../fault-proxy/http-fault-proxy.ts');
    if (!URL.canParse(upstream) || !['http:', 'https:'].includes(new URL(upstream).protocol))
      throw usageError(`"${upstream}" is no address.`, 'As in: --upstream http://127.0.0.1:3000/mcp.');
    const proxy = await startHttpFaultProxy({ fault, upstream: new URL(upstream), port });
    this.talk(`listening on ${proxy.url}`);
    const { signal } = this.interrupts();
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    await proxy.close();
    return exitCodes.compliant;
  }
}
