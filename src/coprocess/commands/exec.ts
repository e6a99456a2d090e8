/** `mcpc exec --connection-server`: the coprocess that SDKs talk to. */
import { Flags } from '@oclif/core';
import { exitCodes, usageError } from '../../core/model/errors.ts';
import { asText } from '../../core/model/json.ts';
import { BaseCommand } from '../../check/commands/support/base.ts';
import { durationFlag } from '../../check/commands/support/flags/flag-values.ts';
import { splitLine, targetFlags } from '../../check/commands/support/flags/target-flags.ts';
import { suiteFlags } from '../../suites/commands/support/flags.ts';

const coprocess = 'COPROCESS';
const { timeout: _timeout, ...reached } = targetFlags;
const { format, output, templates, overwrite } = suiteFlags;

export default class Exec extends BaseCommand {
  static override summary = 'Serve the SDKs: the coprocess protocol on stdin and stdout.';

  static override description =
    `Reads JSON-RPC requests on stdin, one on each line, and writes one response for each to stdout, in their order. The requests call tools, list what the server offers, read resources and get prompts; docs/coprocess.md describes them. The server starts with the first of them. Test frameworks use this command through "mcpc/sdk".

stdout carries responses only. What the server writes to stderr goes to stderr, without secrets. Ends after mcp.shutdown and at the end of the input, and the server with it.

Exit codes: 0 ended as asked, 2 wrong usage, 4 internal error in mcpc, 130 interrupted.`;

  static override usage = [
    '<%= command.id %> --connection-server --server-command "COMMAND" [FLAGS]',
    '<%= command.id %> --connection-server [FLAGS] -- COMMAND [ARGS...]',
    '<%= command.id %> --connection-server --url URL [FLAGS]',
  ];

  static override examples = [
    {
      description: 'As an SDK starts it',
      command: '<%= config.bin %> exec --connection-server --server-command "node server.js"',
    },
    `By hand: one call\necho '{"jsonrpc":"2.0","id":1,"method":"mcp.call","params":{"tool":"echo","arguments":{"message":"hi"}}}' | <%= config.bin %> exec --connection-server -- node server.js`,
    {
      description: 'Keep a trace, and write a JUnit file at mcp.reporter.flush',
      command: '<%= config.bin %> exec --connection-server --trace calls.jsonl --output calls.xml -- node server.js',
    },
  ];

  static override flags = {
    'connection-server': Flags.boolean({
      summary: 'Serve the coprocess protocol; exec does nothing else.',
      helpGroup: coprocess,
    }),
    'server-command': Flags.string({
      summary: 'Command line of the server, with the quoting of a POSIX shell; no shell is involved.',
      helpGroup: coprocess,
      helpValue: '"COMMAND"',
    }),
    'client-capabilities': Flags.string({
      summary:
        'File (YAML or JSON) with what the client declares and answers: roots, sampling and elicitation, as client_capabilities in a suite. Nothing is declared without it.',
      helpGroup: coprocess,
      helpValue: 'FILE',
    }),
    timeout: durationFlag('timeout', { summary: 'Time limit for each request. [default: 30s]', helpGroup: coprocess }),
    trace: Flags.string({ summary: 'Write a trace of the conversation.', helpGroup: 'OUTPUT', helpValue: 'FILE' }),
    ...reached,
    format,
    output,
    templates,
    overwrite,
  };

  protected async work(): Promise<number> {
    const { write, gone } = takeStdout();
    const { own, command } = splitLine(this.argv);
    const { flags, raw } = await this.parse(Exec, own);
    if (!flags['connection-server'])
      throw usageError(
        'exec needs --connection-server.',
        'As in: mcpc exec --connection-server --server-command "node server.js".',
      );
    const { coprocessPlan } = await import('./support/plan.ts');
    const plan = await coprocessPlan(flags, command, raw);
    const { signal } = this.interrupts();
    let failed = false;
    const { runCoprocess } = await import('../run.ts');
    await runCoprocess({
      ...plan.options,
      toolVersion: this.toolVersion,
      stdin: process.stdin,
      write,
      signal: AbortSignal.any([signal, gone]),
      talk: (line) => this.talk(line),
      onFault: (error) => {
        failed = true;
        this.talk(`internal error: ${error instanceof Error ? (error.stack ?? error.message) : asText(error)}`);
      },
      writeReports: (report) => plan.writeReports(report, (line) => this.talk(line)),
    });
    if (signal.aborted) return exitCodes.interrupted;
    return failed ? exitCodes.internal : exitCodes.compliant;
  }
}

/** From now on whatever is printed goes to stderr; only the function that is returned writes to stdout. */
function takeStdout(): { write(text: string): Promise<void>; gone: AbortSignal } {
  const { stdout, stderr } = process;
  const over = new AbortController();
  const own = stdout.write.bind(stdout);
  // A reader that is gone wants no more responses.
  stdout.on('error', () => over.abort());
  stdout.write = stderr.write.bind(stderr);
  return {
    gone: over.signal,
    write: (text) =>
      new Promise((resolve) => {
        if (own(text)) return resolve();
        stdout.once('drain', resolve);
        over.signal.addEventListener('abort', () => resolve(), { once: true });
      }),
  };
}
