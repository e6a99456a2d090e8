/** `mcpc mcp`: an MCP server for coding agents. */
import { resolve } from 'node:path';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { Flags } from '@oclif/core';
import { BaseCommand } from '../../check/commands/support/base.ts';
import { numberFlag, repeatedFlag } from '../../check/commands/support/flags/flag-values.ts';
import { exitCodes, usageError } from '../../core/model/errors.ts';

const access = 'ACCESS';
const defaultBytes = 8192;

export default class Mcp extends BaseCommand {
  static override summary = 'Serve coding agents: an MCP server that checks MCP servers.';

  static override description =
    `Offers the tools of mcpc to a coding agent: check a server, explain a verdict, show the messages behind it, write and run suites, audit and fuzz tools, judge captures. Results begin with the verdict and stay within --max-bytes.

It starts and reaches only servers of the configurations that --config names, reads only files below the project, and writes none. --allow-commands and --allow-writes allow more. Texts of a tested server are marked as data.

Speaks over stdin and stdout, or over Streamable HTTP with --listen.

Exit codes: 0 the client closed the connection, 2 wrong usage, 4 internal error in mcpc, 130 interrupted.`;

  static override examples = [
    {
      description: 'Let an agent check the servers of this project',
      command: '<%= config.bin %> mcp --config .mcp.json',
    },
    {
      description: 'Also any other server, and write suites',
      command: '<%= config.bin %> mcp --allow-commands --allow-writes',
    },
    { description: 'Over HTTP', command: '<%= config.bin %> mcp --config .mcp.json --listen 127.0.0.1:7300' },
  ];

  static override flags = {
    config: repeatedFlag({
      summary: 'Client configuration whose servers may be started or reached. Repeats.',
      helpGroup: access,
      helpValue: '.mcp.json',
    }),
    project: Flags.string({
      summary: 'Folder whose files may be read. [default: the working directory]',
      helpGroup: access,
      helpValue: 'DIR',
    }),
    'allow-commands': Flags.boolean({
      summary: 'Let the agent name any command and any address, and run suites that start programs.',
      helpGroup: access,
    }),
    'allow-writes': Flags.boolean({ summary: 'Let the agent write suites below the project.', helpGroup: access }),
    listen: Flags.string({
      summary: 'Serve Streamable HTTP at this loopback address in place of stdin and stdout; port 0 takes a free one.',
      helpValue: '127.0.0.1:PORT',
    }),
    'max-bytes': numberFlag('max-bytes', {
      summary: `Most bytes of a result. [default: ${defaultBytes}]`,
      helpValue: 'N',
      min: 1024,
      max: 1_000_000,
      whole: true,
    }),
  };

  protected async work(): Promise<number> {
    const { flags } = await this.parse(Mcp);
    const [{ Access }, { KeptRuns }, { connectAgentsServer }] = await Promise.all([
      import('../access.ts'),
      import('../kept-runs.ts'),
      import('../create-server.ts'),
    ]);
    const place = flags.listen === undefined ? undefined : placeOf(flags.listen);
    const allowed = {
      project: resolve(flags.project ?? '.'),
      configs: (flags.config ?? []).map((file) => resolve(file)),
      commands: flags['allow-commands'] === true,
      writes: flags['allow-writes'] === true,
    };
    const context = {
      access: new Access(allowed),
      runs: new KeptRuns(),
      maxBytes: flags['max-bytes'] ?? defaultBytes,
      generated: new Map(),
    };
    const connect = (transport: Transport) => connectAgentsServer(context, this.toolVersion, transport);
    const { signal } = this.interrupts();
    try {
      if (place === undefined) await this.serveStdio(connect, signal);
      else {
        const { serveHttp } = await import('../wire/serve-http.ts');
        const listening = await serveHttp(connect, place.host, place.port);
        this.talk(`Serving agents at ${listening.url}; Ctrl-C ends it.`);
        await new Promise<void>((ended) => signal.addEventListener('abort', () => ended(), { once: true }));
        await listening.close();
      }
    } finally {
      context.runs.dispose();
    }
    return signal.aborted ? exitCodes.interrupted : exitCodes.compliant;
  }

  private async serveStdio(connect: (transport: Transport) => Promise<McpServer>, signal: AbortSignal): Promise<void> {
    const { StdioLines } = await import('../wire/stdio-lines.ts');
    const server = await connect(new StdioLines(process.stdin, process.stdout));
    await new Promise<void>((done) => {
      server.server.onclose = done;
      signal.addEventListener('abort', () => done(), { once: true });
    });
    await server.close();
  }
}

/** @throws McpcError usage for what is no loopback address with a port */
function placeOf(text: string): { host: string; port: number } {
  const [, host = '', port = ''] = /^(127\.0\.0\.1|localhost|\[::1\]):(\d{1,5})$/.exec(text) ?? [];
  if (host === '' || Number(port) > 65_535)
    throw usageError(
      `--listen takes a loopback address with a port, not "${text}".`,
      'For example --listen 127.0.0.1:7300.',
    );
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}
