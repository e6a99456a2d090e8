/** `mcpc client driver init`: a driver file to start from. */
import { Flags } from '@oclif/core';
import { BaseCommand } from '../../../../check/commands/support/base.ts';
import { overwriteFlag } from '../../../../check/commands/support/flags/run-flags.ts';

const starter = `# How "mcpc client --driver" has your client do things: one command for each act. Delete what it cannot do.
# No shell is started; quotes hold words together, and a command may be a list of words as well.
# {{url}} is the address of the server; over stdio {{command}} its command, or {{config}} a file of mcpServers.
acts:
  connect: my-client --server {{url}} info
  # A list with {{cursor}} is asked for page by page; the first time the option is left out.
  list-tools: my-client --server {{url}} tools --cursor {{cursor}}
  list-prompts: my-client --server {{url}} prompts
  list-resources: my-client --server {{url}} resources
  list-templates: my-client --server {{url}} templates
  # {{arguments}} is JSON.
  call: my-client --server {{url}} call {{tool}} {{arguments}}
  cancel: my-client --server {{url}} call {{tool}} {{arguments}} --cancel-after 100ms
  read: my-client --server {{url}} read {{uri}}
  subscribe: my-client --server {{url}} watch {{uri}}
  get: my-client --server {{url}} prompt {{name}} {{arguments}}
  complete: my-client --server {{url}} complete {{arguments}}
  set-level: my-client --server {{url}} log-level {{level}}
# cwd: ..
# env:
#   MY_CLIENT_CACHE: "off"
`;

export default class DriverInit extends BaseCommand {
  static override summary = 'Write a driver file to start from: one command for each act of a client.';

  static override examples = [
    { description: 'To the terminal', command: '<%= config.bin %> client driver init' },
    { description: 'Into a file', command: '<%= config.bin %> client driver init --output driver.yaml' },
  ];

  static override flags = {
    output: Flags.string({
      summary: 'File to write; an existing file is kept unless --overwrite is given.',
      helpValue: 'driver.yaml',
      char: 'o',
    }),
    overwrite: overwriteFlag('Replace the file.'),
  };

  protected async work(): Promise<void> {
    const { flags } = await this.parse(DriverInit);
    if (flags.output === undefined) return this.print(starter);
    const { checkOutput, writeOutput } = await import('../../../../files/output/output.ts');
    const place = { path: flags.output, what: 'the driver', replaces: 'nothing' as const, overwrite: flags.overwrite };
    checkOutput(place);
    writeOutput(place, starter);
    this.talk(`Wrote ${flags.output}. Put in your commands, then: mcpc client --driver ${flags.output}`);
  }
}
