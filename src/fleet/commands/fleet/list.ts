/** `mcpc fleet list`: what a fleet file comes to. */
import { Args, Flags } from '@oclif/core';
import Table from 'cli-table3';
import pc from 'picocolors';
import type { ListedEntry } from '../../file/list.ts';
import { oneLine, shorten, visible } from '../../../report/text.ts';
import { BaseCommand } from '../../../check/commands/support/base.ts';
import { splitList } from '../../../check/commands/support/flags/flag-values.ts';
import { giveInputs } from '../../../check/commands/support/flags/input-flag.ts';
import { fleetSelectionFlags } from '../support/selection-flags.ts';
import { noBorders } from '../../../check/commands/support/plain-table.ts';

/** Longest text in a column of a terminal. */
const widest = { name: 40, reach: 60, from: 40 };

export default class FleetList extends BaseCommand {
  static override aliases = ['factory:list'];

  static override summary = 'Show which servers and clients a fleet file names.';

  static override description =
    'Reads the file and what it includes, and shows the servers in the order in which they would be checked. Nothing is started, reached or installed. A server of an included file that cannot be read is a row that says why. Variables that are not set are warnings. Of a client the most starts that its check takes are shown.';

  static override examples = [
    { description: 'Every server of a file', command: '<%= config.bin %> fleet list fleet.yaml' },
    {
      description: 'What the second of four shares would check',
      command: '<%= config.bin %> fleet list fleet.yaml --only tag:prod --shard 2/4',
    },
    { description: 'For scripts', command: '<%= config.bin %> fleet list fleet.yaml --json' },
  ];

  static override args = { file: Args.string({ description: 'The fleet file, YAML or JSON.', required: true }) };

  static override flags = {
    ...fleetSelectionFlags,
    json: Flags.boolean({ summary: 'Print JSON.' }),
  };

  protected async work(): Promise<void> {
    const { flags, args } = await this.parse(FleetList);
    giveInputs(flags.input);
    const [{ chooseEntries }, { listEntries, reachText, below }] = await Promise.all([
      import('../../file/choice.ts'),
      import('../../file/list.ts'),
    ]);
    const { fleet, entries } = chooseEntries(
      args.file,
      {
        only: splitList(flags.only),
        skip: splitList(flags.skip),
        shard: flags.shard,
      },
      process.env,
    );
    const hasClients = entries.some(({ client }) => client !== undefined);
    const startsOf = hasClients ? (await import('../../clients/client-starts.ts')).countStarts : undefined;
    const servers = listEntries(entries, process.env, await startsOf?.());
    if (flags.json) {
      const { policies, gate, notices } = fleet;
      this.printJson({
        format: 'mcpc-fleet-list',
        version: 1,
        file: args.file,
        total: fleet.entries.length,
        servers,
        unread: fleet.unread,
        policies,
        gate,
        notices,
      });
      return;
    }
    if (servers.length > 0) this.print(`${tableOf(servers, reachText)}\n`);
    for (const { name, from, why } of fleet.unread)
      this.print(`${oneLine(name)}  not read: ${oneLine(why)}  ${below(from)}\n`);
    for (const notice of fleet.notices) this.talk(`note: ${visible(notice)}`);
    for (const line of servers.flatMap(({ missing }) => missing))
      this.talk(`${pc.yellow('warning')}: ${visible(line)}`);
    const unread = fleet.unread.length === 0 ? '' : `, ${fleet.unread.length} not read`;
    this.talk(`${servers.length} of ${fleet.entries.length} servers${unread}`);
  }
}

function tableOf(servers: readonly ListedEntry[], reachText: (reach: ListedEntry['reach']) => string): string {
  const cut = (text: string, most: number): string =>
    shorten(oneLine(text), process.stdout.isTTY ? most : Number.MAX_SAFE_INTEGER);
  const hasClients = servers.some(({ kind }) => kind === 'client');
  const heads = ['NAME', 'REACHED', 'TRANSPORT', 'SPEC', ...(hasClients ? ['STARTS'] : []), 'TAGS', 'OWNER', 'FROM'];
  const table = new Table({
    head: heads.map((head) => pc.bold(head)),
    chars: noBorders,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
  });
  for (const { name, kind, starts, reach, transport, spec, tags, owner, from } of servers) {
    table.push([
      cut(kind === 'client' ? `${name} (client)` : name, widest.name),
      cut(reachText(reach), widest.reach),
      transport,
      spec,
      ...(hasClients ? [starts === undefined ? '' : `at most ${starts}`] : []),
      oneLine(tags.join(', ')),
      oneLine(owner ?? ''),
      cut(from, widest.from),
    ]);
  }
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
