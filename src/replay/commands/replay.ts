/** `mcpc replay`: a recording is the server. */
import { resolve } from 'node:path';
import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../../check/commands/support/base.ts';
import { formatFlag } from '../../check/commands/support/flags/capture-flags.ts';
import { numberFlag, repeatedFlag, splitList } from '../../check/commands/support/flags/flag-values.ts';
import { splitLine } from '../../check/commands/support/flags/target-flags.ts';
import { exitCodes, usageError } from '../../core/model/errors.ts';
import type { OpenedReplay } from '../replay.ts';
import type { Upstream } from '../upstream.ts';

const serving = 'SERVING';
const matching = 'MATCHING';
const live = 'LIVE SERVER';

export default class Replay extends BaseCommand {
  static override summary = 'Serve a recording: requests get the responses that were recorded.';

  static override description =
    `Takes traces of mcpc and captures of other tools, as "mcpc judge" does, and serves them over stdio, Streamable HTTP (--listen) or HTTP+SSE (--transport sse). A request matches by method and params; ids, progress tokens and _meta do not count. Equal requests get the recorded responses in turn, then the last one again. What was not recorded gets a JSON-RPC error that names the nearest recorded request.

stdout carries the protocol; what the recording lacks and the report at the end go to stderr.

Exit codes: 0 the client closed the connection or Ctrl-C ended it, 1 with --strict if a request was not recorded, 2 wrong usage or an unreadable recording, 4 internal error in mcpc.`;

  static override usage = [
    '<%= command.id %> RECORDING [FLAGS]',
    '<%= command.id %> RECORDING --on-miss forward -- COMMAND',
  ];

  static override examples = [
    {
      description: 'As the server in the configuration of a client',
      command: '<%= config.bin %> replay session.trace.jsonl',
    },
    {
      description: 'Over Streamable HTTP; a report of what was asked',
      command: '<%= config.bin %> replay session.har --listen 127.0.0.1:7000 --report replay.json',
    },
    {
      description: 'A slow and unreliable server, the same one each time',
      command: '<%= config.bin %> replay session.jsonl --fault latency=300ms,rate=0.5 --fault error,rate=0.1 --seed 7',
    },
    {
      description: 'Arguments that differ each time do not count',
      command: `<%= config.bin %> replay session.jsonl --ignore '$.arguments.requestTime'`,
    },
    {
      description: 'Ask the real server for what is missing, and add it to the recording',
      command: '<%= config.bin %> replay session.trace.jsonl --on-miss record -- node server.js',
    },
  ];

  static override args = {
    recording: Args.string({ description: 'Trace or capture.', required: true }),
  };

  static override flags = {
    from: formatFlag('Format of the recording, if it is a capture of another tool; detected when absent.'),
    listen: Flags.string({
      summary: 'Serve over HTTP at this address in place of stdin and stdout; port 0 takes a free one.',
      helpGroup: serving,
      helpValue: '127.0.0.1:7000',
    }),
    transport: Flags.option({
      summary: 'With --listen: Streamable HTTP or HTTP+SSE. [default: http]',
      helpGroup: serving,
      options: ['http', 'sse'] as const,
      dependsOn: ['listen'],
    })(),
    speed: numberFlag('speed', {
      summary: 'Pace: 0 without waiting, 1 as recorded, 2 twice as fast. [default: 0]',
      helpGroup: serving,
      helpValue: 'X',
      min: 0,
      max: 1_000_000,
    }),
    fault: repeatedFlag({
      summary:
        'Make a fault: latency=300ms, error, empty, cut, invalid, disconnect, status=503 or tools=5 (they change after 5 requests); with rate=0.1, tool=NAME or method=NAME behind a comma. Repeats.',
      helpGroup: serving,
      helpValue: 'latency=300ms,rate=0.1,tool=search',
    }),
    seed: numberFlag('seed', {
      summary: 'Seed of the faults: the same one gives the same faults. [default: 1]',
      helpGroup: serving,
      helpValue: 'N',
      min: 0,
      max: 4_294_967_295,
      whole: true,
    }),
    match: Flags.option({
      summary: 'What has to be equal: method and params, the method alone, or the order of the recording.',
      helpGroup: matching,
      options: ['params', 'method', 'order'] as const,
      default: 'params',
    })(),
    ignore: repeatedFlag({
      summary: 'JSONPath within params whose value does not count. Repeats.',
      helpGroup: matching,
      helpValue: "'$.arguments.time'",
    }),
    strict: Flags.boolean({
      summary:
        'Serve equal requests no more often than recorded; exit with 1 if a request or an answer was another one.',
      helpGroup: matching,
    }),
    'on-miss': Flags.option({
      summary:
        'What was not recorded gets an error, the answer of a server with nothing to offer, that of the live server behind "--" or --url, or that one added to the recording.',
      helpGroup: matching,
      options: ['error', 'plain', 'forward', 'record'] as const,
      default: 'error',
    })(),
    url: Flags.string({ summary: 'Address of the live server.', helpGroup: live, helpValue: 'URL' }),
    header: repeatedFlag({
      summary: 'HTTP header for the live server. Repeats.',
      helpGroup: live,
      helpValue: '"Name: value"',
      char: 'H',
    }),
    env: repeatedFlag({
      summary: 'Environment variable for the live server. Repeats.',
      helpGroup: live,
      helpValue: 'NAME=VALUE',
      char: 'e',
    }),
    report: Flags.string({ summary: 'Write the report as JSON at the end.', helpGroup: 'OUTPUT', helpValue: 'FILE' }),
    overwrite: Flags.boolean({ summary: 'Replace a file that mcpc did not write.', helpGroup: 'OUTPUT' }),
    quiet: Flags.boolean({ summary: 'Say nothing on stderr but errors.', helpGroup: 'OUTPUT', char: 'q' }),
  };

  protected async work(): Promise<number> {
    const { own, command } = splitLine(this.argv);
    const { args, flags } = await this.parse(Replay, own);
    const [{ openReplay }, { parseFault }, { reportLines }, { checkOutput, writeOutput }, { checkPaths }] =
      await Promise.all([
        import('../replay.ts'),
        import('../faults.ts'),
        import('../counts.ts'),
        import('../../files/output/output.ts'),
        import('../match.ts'),
      ]);
    const place = flags.listen === undefined ? undefined : placeOf(flags.listen);
    const output =
      flags.report === undefined
        ? undefined
        : ({ path: flags.report, what: 'the report', replaces: 'report', overwrite: flags.overwrite } as const);
    if (output !== undefined) checkOutput(output);
    const ignore = splitList(flags.ignore);
    checkPaths(ignore);
    const upstream = await this.upstreamOf(flags, command, args.recording);
    const replay = await openReplay(
      args.recording,
      { format: flags.from },
      {
        match: { by: flags.match, strict: flags.strict, ignore },
        speed: flags.speed ?? 0,
        onMiss: upstream === undefined ? (flags['on-miss'] as 'error' | 'plain') : 'ask',
        ...(upstream === undefined ? {} : { ask: upstream.ask }),
        faults: (flags.fault ?? []).map(parseFault),
        seed: flags.seed ?? 1,
      },
    );
    const talk = (line: string): void => {
      if (!flags.quiet) this.talk(line);
    };
    if (replay.lacks !== undefined) talk(replay.lacks);
    try {
      await this.serve(replay, { place, transport: flags.transport ?? 'http', file: args.recording, talk });
    } finally {
      await upstream?.close();
    }
    const report = replay.report();
    for (const line of reportLines(report)) talk(line);
    if (output !== undefined) writeOutput(output, `${JSON.stringify(report, null, 2)}\n`);
    const others = report.missed.length + report.otherAnswers.length;
    return flags.strict && others > 0 ? exitCodes.notCompliant : exitCodes.compliant;
  }

  private async serve(
    replay: OpenedReplay,
    how: {
      place: { host: string; port: number } | undefined;
      transport: 'http' | 'sse';
      file: string;
      talk: (line: string) => void;
    },
  ): Promise<void> {
    const { signal } = this.interrupts();
    if (how.place === undefined) {
      how.talk(`For a client: ${entryOf({ command: 'mcpc', args: ['replay', resolve(how.file)] })}`);
      await replay.overStdio({ input: process.stdin, output: process.stdout }, signal);
      return;
    }
    const listening = await replay.listen(how.transport, how.place);
    how.talk(`Serving ${how.file} at ${listening.url}; Ctrl-C ends it.`);
    how.talk(`For a client: ${entryOf({ type: how.transport, url: listening.url })}`);
    await new Promise<void>((ended) => {
      if (signal.aborted) ended();
      signal.addEventListener('abort', () => ended(), { once: true });
    });
    await listening.close();
  }

  /** The live server that is asked for what was not recorded. @throws McpcError usage */
  private async upstreamOf(
    flags: { 'on-miss': string; url?: string | undefined; header?: string[] | undefined; env?: string[] | undefined },
    command: string[],
    file: string,
  ): Promise<Upstream | undefined> {
    const miss = flags['on-miss'];
    const named = flags.url !== undefined || command.length > 0;
    if (miss !== 'forward' && miss !== 'record') {
      if (named)
        throw usageError(
          'A live server is named, and nothing would ask it.',
          'Add --on-miss forward or --on-miss record.',
        );
      return undefined;
    }
    if (!named)
      throw usageError(
        `--on-miss ${miss} needs a live server.`,
        'Put its command behind "--", or its address behind --url.',
      );
    const [{ targetOptions }, { openUpstream }] = await Promise.all([
      import('../../check/commands/support/flags/target-flags.ts'),
      import('../upstream.ts'),
    ]);
    const target = await targetOptions(
      { ...flags, transport: undefined, spec: 'auto', insecure: false, 'no-proxy': false },
      command,
    );
    return openUpstream({
      target,
      toolVersion: this.toolVersion,
      ...(miss === 'record' ? { recording: file } : {}),
      talk: (line) => this.talk(line),
    });
  }
}

function entryOf(server: object): string {
  return JSON.stringify({ mcpServers: { replay: server } });
}

/** @throws McpcError usage for what is no address with a port */
function placeOf(text: string): { host: string; port: number } {
  const end = text.lastIndexOf(':');
  const port = Number(text.slice(end + 1));
  const host = text.slice(0, end);
  if (end < 1 || text.endsWith(':') || !Number.isInteger(port) || port < 0 || port > 65_535)
    throw usageError(`--listen takes HOST:PORT, not "${text}".`, 'For example --listen 127.0.0.1:7000.');
  return { host: host.startsWith('[') ? host.slice(1, -1) : host, port };
}
