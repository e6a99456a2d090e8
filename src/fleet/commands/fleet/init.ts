/** `mcpc fleet init`: a fleet file to start from. */
import { Flags } from '@oclif/core';
import { clientTools } from '../../../check/target/clients/tools.ts';
import { oneLine, visible } from '../../../report/text.ts';
import { BaseCommand } from '../../../check/commands/support/base.ts';
import { overwriteFlag } from '../../../check/commands/support/flags/run-flags.ts';

export default class FleetInit extends BaseCommand {
  static override aliases = ['factory:init'];

  static override summary = 'Write a fleet file with the MCP servers found on this machine.';

  static override description =
    `Looks where MCP clients and other tools keep their servers, on this machine and in this repository (${clientTools.map(({ tool }) => tool).join(', ')}, server.json of the MCP registry), and writes a commented fleet file that includes what it found. Nothing is started or reached, and no secret is copied.`;

  static override examples = [
    { description: 'Into fleet.yaml', command: '<%= config.bin %> fleet init' },
    {
      description: 'Into another file, in place of what is there',
      command: '<%= config.bin %> fleet init --output audits/fleet.yaml --overwrite',
    },
  ];

  static override flags = {
    output: Flags.string({
      summary: 'File to write; an existing file is kept unless --overwrite is given.',
      helpValue: 'fleet.yaml',
      char: 'o',
      default: 'fleet.yaml',
    }),
    overwrite: overwriteFlag('Overwrite the file.'),
    force: Flags.boolean({ summary: 'The same as --overwrite.', hidden: true }),
    json: Flags.boolean({ summary: 'Print what was found as JSON.' }),
  };

  protected async work(): Promise<void> {
    const { flags } = await this.parse(FleetInit);
    const [{ starterFleet }, { checkOutput, writeOutput }] = await Promise.all([
      import('../../file/init.ts'),
      import('../../../files/output/output.ts'),
    ]);
    const place = {
      path: flags.output,
      what: 'the fleet file',
      replaces: 'nothing' as const,
      overwrite: flags.overwrite || flags.force,
      remedy: 'Name another file with --output, or replace it with --overwrite.',
    };
    checkOutput(place);
    const { yaml, found, unreadable, missing } = starterFleet(flags.output, {
      env: process.env,
      platform: process.platform,
      cwd: process.cwd(),
    });
    writeOutput(place, yaml);
    if (flags.json)
      this.printJson({ file: flags.output, found: found.map(({ short: _short, ...one }) => one), unreadable, missing });
    for (const { client, path, servers, skip } of found)
      this.talk(
        `${client} (${visible(path)}): ${oneLine(servers.join(', ')) || 'nothing new'}${skip.length > 0 ? `; already there: ${oneLine(skip.join(', '))}` : ''}`,
      );
    for (const { why } of unreadable) this.talk(`left out: ${oneLine(why)}`);
    if (found.length === 0) this.talk('No MCP configuration was found; the file holds examples to fill in.');
    for (const line of missing) this.talk(`warning: ${oneLine(line)}`);
    this.talk(`Wrote ${flags.output}. See what it comes to: mcpc fleet list ${flags.output}`);
  }
}
