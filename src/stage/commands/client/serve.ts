/** `mcpc client serve`: checks an application that a person uses, to which mcpc is several servers. */
import path from 'node:path';
import { Flags } from '@oclif/core';
import { BaseCommand } from '../../../check/commands/support/base.ts';
import { listenAddress } from '../../../check/commands/support/flags/listen-address.ts';
import { selectionOf } from '../../../check/commands/support/flags/run-flags.ts';
import { isLoopback } from '../../../client/intercept/own-host.ts';
import { exitCodes, usageError } from '../../../core/model/errors.ts';
import { plural, visible } from '../../../report/text.ts';
import { clientFlags, clientGroup, oneRevision, openEnd } from '../support/client-run.ts';

export default class Serve extends BaseCommand {
  static override summary = 'Check an application: give it an address, and follow the checklist.';

  static override description =
    `Serves all situations of "mcpc client" at once, each at an address of its own, for an application that a person uses (a chat, an editor). A page on this machine has the addresses, what to write into the configuration of common applications, and the steps to do. It follows what happens live: what was seen, what is broken and by which messages, what is still to do, and what this application cannot show. The same is printed here, line by line. What only a person sees (was consent asked?) can be answered on the page; the answers stand in the report, apart, and never count.

Ctrl-C, or the button on the page, ends the run and makes the report. "mcpc client --serve" is the same.

Exit codes: 0 compliant (or within the baseline), 1 not compliant or incomplete, 2 wrong usage or rule file, 3 nothing connected, 4 internal error in mcpc.`;

  static override examples = [
    { description: 'An application that connects over HTTP', command: '<%= config.bin %> client serve' },
    {
      description: 'One that starts its servers',
      command: '<%= config.bin %> client serve --transport stdio',
    },
    {
      description: 'To be continued tomorrow, at the same addresses',
      command: '<%= config.bin %> client serve --state app.json --name "Our editor"',
    },
    {
      description: 'With a report to keep',
      command: '<%= config.bin %> client serve -f html -o app.html --trace app.jsonl',
    },
  ];

  static override flags = {
    ...clientFlags('application'),
    listen: Flags.string({
      summary:
        'Address of the page; the servers take the ports behind it. Loopback only, without --allow-remote. [default: free ports of 127.0.0.1]',
      helpGroup: clientGroup,
      helpValue: 'HOST:PORT',
    }),
    'allow-remote': Flags.boolean({
      summary: 'Allow --listen on an address that other machines reach.',
      helpGroup: clientGroup,
    }),
    state: Flags.string({
      summary: 'File that keeps addresses, answers and, next to it, the trace: the run goes on from there another day.',
      helpGroup: clientGroup,
      helpValue: 'FILE',
      exclusive: ['trace'],
    }),
    name: Flags.string({
      summary: 'Name of the application in reports.',
      helpGroup: clientGroup,
      helpValue: 'NAME',
      default: 'application',
    }),
  };

  protected async work(): Promise<number> {
    const { flags, raw } = await this.parse(Serve);
    const spec = oneRevision(flags.spec);
    const { host, port } = listenAddress(flags.listen ?? '127.0.0.1:0');
    if (!isLoopback(host) && !flags['allow-remote'])
      throw usageError(
        `--listen ${flags.listen} can be reached from other machines.`,
        'Listen on 127.0.0.1, or allow it with --allow-remote.',
      );
    await this.warnOfHouseFiles(flags);
    const [{ checkOutput }, { serveClient }] = await Promise.all([
      import('../../../files/output/output.ts'),
      import('../../serve/serve-client.ts'),
    ]);
    const end = await openEnd(flags, raw);
    if (flags.state !== undefined) checkOutput({ path: flags.state, what: 'the state', replaces: 'anything' });
    const { signal } = this.interrupts();
    const report = await this.interrupts().within(
      serveClient({
        name: flags.name,
        transport: flags.transport,
        spec,
        selection: selectionOf(flags),
        host,
        port,
        stateFile: flags.state === undefined ? undefined : path.resolve(flags.state),
        traceFile: flags.trace,
        keepSecrets: flags['keep-secrets'],
        toolVersion: this.toolVersion,
        templatesDir: flags.templates,
        signal,
        onReady: ({ page, starts, continues }) => {
          this.talk(
            `${continues ? 'The run goes on. ' : ''}Page with the steps: ${page}\nCtrl-C ends the run and makes the report.`,
          );
          for (const { start, at } of starts) {
            const steps = plural(start.situation.drive?.length ?? 0, 'step');
            this.talk(
              `  ${start.name}  ${'url' in at ? at.url : at.command.join(' ')}\n      ${start.title} (${steps})`,
            );
          }
        },
        onNews: (line) => {
          if (flags.quiet !== true) this.talk(visible(line));
        },
      }),
    );
    if (report === undefined) {
      this.talk('The run did not end in time.');
      return exitCodes.interrupted;
    }
    return end.conclude(report, {
      print: (text) => this.printData(text),
      talk: (line) => this.talk(line),
    });
  }
}
