/** `mcpc suite convert`: files of other tools as suites in the form of mcpc. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Args, Flags } from '@oclif/core';
import { exitCodes, usageError } from '../../../core/model/errors.ts';
import { visible } from '../../../report/text.ts';
import { BaseCommand } from '../../../check/commands/support/base.ts';
import { overwriteFlag } from '../../../check/commands/support/flags/run-flags.ts';

export default class Convert extends BaseCommand {
  static override summary = 'Convert files of mcp-assert and mcp-jest to suites of mcpc.';

  static override description =
    `Files of mcp-assert also run unchanged; a suite of mcpc holds several cases in a file, and can express more. A JSON file is read as a configuration of mcp-jest. A comment above a case explains what changes its meaning, and TODO marks what you have to fill in. Comments of the original are lost.

Exit codes: 0 everything was converted, 1 something was left out, as the output says, 2 wrong usage, or a file that cannot be read.`;

  static override usage = ['<%= command.id %> FILE|FOLDER... [FLAGS]'];

  static override examples = [
    { description: 'Print the converted suite', command: '<%= config.bin %> suite convert evals/read_file.yaml' },
    {
      description: 'Each file of a folder and those within it as one of the same name, in folders alike',
      command: '<%= config.bin %> suite convert evals --output suites',
    },
    { description: 'All cases in one file', command: '<%= config.bin %> suite convert evals --output all.yaml' },
    {
      description: 'Several files of mcp-jest as one',
      command: '<%= config.bin %> suite convert one.json two.json --output suite.yaml',
    },
    { description: 'From mcp-jest', command: '<%= config.bin %> suite convert mcp-jest.json --output suite.yaml' },
  ];

  static override strict = false;

  static override args = {
    file: Args.string({
      description: 'File or folder of mcp-assert, or JSON file of mcp-jest. Several may be named.',
      required: true,
    }),
  };

  static override flags = {
    recursive: Flags.boolean({ summary: 'Nested folders are read in any case.', hidden: true }),
    output: Flags.string({
      char: 'o',
      summary: 'File (.yaml) for all cases, or folder for one file for each source file. [default: stdout]',
      helpValue: 'PATH',
    }),
    overwrite: overwriteFlag('Replace files that are there already.'),
  };

  protected async work(): Promise<number> {
    const { argv, flags } = await this.parse(Convert);
    const [{ convertSuites }, { outputNames }, { checkOutput, writeOutput }] = await Promise.all([
      import('../../authoring/convert-suite/convert.ts'),
      import('../../authoring/convert-suite/output-names.ts'),
      import('../../../files/output/output.ts'),
    ]);
    const isFile = flags.output !== undefined && /\.ya?ml$/.test(flags.output);
    const { files, left } = await convertSuites(argv as string[], {
      together: flags.output === undefined || isFile,
      readConfig,
    });
    if (files.length === 0 && left.length === 0)
      throw usageError(
        'There is no case to convert.',
        'Name files of mcp-assert or mcp-jest; those of mcpc need no conversion.',
      );
    const names = outputNames(
      files.map(({ source }) => source),
      argv as string[],
    );
    const place = (index: number) => ({
      path: isFile ? flags.output! : join(flags.output!, names[index]!),
      what: 'the suite',
      replaces: 'nothing' as const,
      overwrite: flags.overwrite,
    });
    if (flags.output === undefined) for (const { text } of files) this.print(text);
    else {
      const places = files.map(({ text, cases }, index) => ({ place: place(index), text, cases }));
      const twice = places.find(
        ({ place: { path } }, index) => places.findIndex((other) => other.place.path === path) !== index,
      );
      if (twice !== undefined)
        throw usageError(
          `Two files would become ${twice.place.path}.`,
          'Convert them apart, or all into one file: --output all.yaml.',
        );
      for (const one of places) checkOutput(one.place);
      for (const one of places) {
        writeOutput(one.place, one.text);
        this.talk(`${one.place.path}: ${one.cases} ${one.cases === 1 ? 'case' : 'cases'}`);
      }
    }
    for (const line of left) this.talk(`Left out: ${visible(line)}`);
    return left.length > 0 ? exitCodes.notCompliant : exitCodes.compliant;
  }
}

/** @throws McpcError usage */
function readConfig(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    throw usageError(`Cannot read ${file}: ${(error as Error).message}`, 'Name a JSON file of mcp-jest.', error);
  }
}
