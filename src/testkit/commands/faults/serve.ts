/** `mcpc faults serve`: the example server with one fault. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Args, Flags } from '@oclif/core';
import { McpcError, usageError } from '../../../core/model/errors.ts';
import { describeFault } from '../../../core/faults/describe.ts';
import { packageRoot } from '../../../files/package/package-root.ts';
import { isKnownRevision, revisions } from '../../../core/spec/revisions.ts';
import { BaseCommand } from '../../../check/commands/support/base.ts';

export default class FaultsServe extends BaseCommand {
  static override summary = 'Start the example server with one fault.';

  static override description =
    'To try a client, an SDK or another checker against a server that is wrong in one known way. On stdio the command itself is the server; over HTTP it prints the address on stderr and serves until it is interrupted.';

  static override examples = [
    {
      description: 'A server on stdio whose last tool has no inputSchema',
      command: '<%= config.bin %> faults serve tools/list.result.tools[].inputSchema:absent',
    },
    {
      description: 'The same over Streamable HTTP on a free port',
      command: '<%= config.bin %> faults serve tools/list.result.tools[].inputSchema:absent --transport http --port 0',
    },
    {
      description: 'What mcpc makes of it',
      command: '<%= config.bin %> check -- <%= config.bin %> faults serve ping.result.id:as-string',
    },
  ];

  static override args = {
    id: Args.string({ description: 'Id of a fault; "mcpc faults list" has them.', required: true }),
  };

  static override flags = {
    transport: Flags.option({
      summary: 'Transport to serve on.',
      options: ['stdio', 'http', 'sse'] as const,
      default: 'stdio',
    })(),
    port: Flags.integer({
      summary: 'Port on the loopback interface; 0 takes a free one. Over HTTP only.',
      min: 0,
      max: 65_535,
    }),
    spec: Flags.string({
      summary: 'Revision of the specification that the server speaks; without it all of them.',
      helpValue: 'REVISION',
    }),
  };

  protected async work(): Promise<number> {
    const { args, flags } = await this.parse(FaultsServe);
    const { transport, port, spec } = flags;
    if (spec !== undefined && !isKnownRevision(spec))
      throw usageError(`There is no revision "${spec}".`, `Use one of ${revisions.join(', ')}.`);
    if (transport === 'stdio' && port !== undefined)
      throw usageError('--port belongs to --transport http or sse.', 'Leave it out on stdio.');
    const { generatedFault } = await import('../../generated-faults/list.ts');
    const found = await generatedFault(args.id);
    if (!found.transports.includes(transport))
      throw usageError(
        `The fault ${found.id} is one of ${found.transports.join(' and ')}.`,
        `Use --transport ${found.transports[0]}.`,
      );
    const server = join(packageRoot(), 'dist', 'example-server.js');
    if (!existsSync(server))
      throw new McpcError('internal', 'dist/example-server.js of mcpc is missing', {
        remedy: 'Install mcpc again; in a checkout, run npm run build.',
      });
    this.talk(describeFault(found.fault));
    return run(server, [
      transport,
      ...(port === undefined ? [] : ['--port', String(port)]),
      ...(spec === undefined ? [] : ['--revisions', spec]),
      '--fault',
      JSON.stringify(found.fault),
    ]);
  }
}

/** The server has the streams of this process, and what ends this process ends it. */
function run(server: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [server, ...args], { stdio: 'inherit' });
    const pass = (signal: NodeJS.Signals): boolean => child.kill(signal);
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, pass);
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 0));
  });
}
