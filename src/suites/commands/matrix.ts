/** `mcpc matrix`: the same suites on several servers, versions, transports, revisions or versions of node. */
import { reportForLog } from '../../core/model/ci-logs.ts';
import { Args, Flags } from '@oclif/core';
import { parseArgsStringToArgv } from 'string-argv';
import { exitCodes, usageError } from '../../core/model/errors.ts';
import { BaseCommand } from '../../check/commands/support/base.ts';
import { repeatedFlag, splitList } from '../../check/commands/support/flags/flag-values.ts';
import { caseFlags, plainRun } from './support/flags.ts';

const axes = 'COLUMNS';
const output = 'OUTPUT';

export default class Matrix extends BaseCommand {
  static override summary = 'Run suites on several servers or versions, and compare.';

  static override description =
    `Runs all cases once for each combination of --with, --transports, --spec and --node, and prints a grid: a row for each case, a column for each combination, the rows whose cells differ first. A suite file can list the same in its property matrix. npm packages and versions of Node.js are installed once, in the user cache directory.

Exit codes: 0 nothing failed, 1 a case failed (with --allow-different: failed in all columns) or no case was chosen, 2 wrong usage or suite file, or a package that cannot be installed, 4 internal error in mcpc, 130 interrupted.`;

  static override usage = ['<%= command.id %> SUITE [FLAGS]'];

  static override examples = [
    {
      description: 'A release of the server and the build of today',
      command: '<%= config.bin %> matrix evals --with old=npm:my-server@1.4.0 --with new="node server.js"',
    },
    {
      description: 'Two revisions of the specification on two versions of node',
      command: '<%= config.bin %> matrix evals --spec 2025-06-18,2025-11-25 --node 20,24',
    },
    {
      description: 'One server on stdio and over HTTP',
      command:
        '<%= config.bin %> matrix evals --transports stdio,http --with new="node server.js" --serve new="node server.js --port {{port}}"',
    },
    {
      description: 'A page of the grid',
      command:
        '<%= config.bin %> matrix --suite evals --with a="node a.js" --with b=http://127.0.0.1:3000/mcp --output matrix.html',
    },
  ];

  static override args = {
    suite: Args.string({ description: 'File or folder of suites.', ignoreStdin: true, required: false }),
  };

  static override flags = {
    ...caseFlags,
    with: repeatedFlag({
      summary:
        'A server: its name, "=", and a command (split as a shell does), an address, or npm:PACKAGE@VERSION with arguments. Repeats.',
      helpGroup: axes,
      helpValue: 'NAME=SERVER',
    }),
    serve: repeatedFlag({
      summary:
        'A server started over HTTP for its columns: its name, "=", and a command; {{port}} in it is a free port. The address is http://127.0.0.1:{{port}}/mcp unless the command ends with another one. Repeats.',
      helpGroup: axes,
      helpValue: 'NAME=COMMAND',
    }),
    transports: repeatedFlag({
      summary: 'Transports of the servers: stdio, http, sse. Repeats, or takes commas.',
      helpGroup: axes,
      helpValue: 'stdio,http',
    }),
    spec: repeatedFlag({
      summary: 'Revisions of the specification. Repeats, or takes commas.',
      helpGroup: axes,
      helpValue: 'A,B',
    }),
    node: repeatedFlag({
      summary:
        'Versions of Node.js to run the servers on: as installed by nvm, fnm, n, mise or asdf, else from npm. Repeats, or takes commas.',
      helpGroup: axes,
      helpValue: '20,24',
    }),
    languages: repeatedFlag({
      summary:
        'Only for the MCP server agent-lsp, as in mcp-assert: a column for each language and its language server. Repeats, or takes commas.',
      helpGroup: axes,
      helpValue: 'go:gopls',
    }),
    'allow-different': Flags.boolean({ summary: 'Fail only for cases that fail in all columns.', helpGroup: axes }),
    'cache-dir': Flags.string({
      summary: 'Directory for npm packages. [default: the user cache directory]',
      helpGroup: axes,
      helpValue: 'DIR',
    }),
    'allow-scripts': Flags.boolean({ summary: 'Allow npm packages to run their install scripts.', helpGroup: axes }),
    json: Flags.boolean({
      summary: 'Print the report as JSON on stdout (short for --format json).',
      helpGroup: output,
    }),
    format: Flags.string({
      summary:
        'Report format: terminal, json, html or markdown. Repeats, each with an --output; one without goes to stdout.',
      helpGroup: output,
      helpValue: 'FORMAT',
      multiple: true,
      multipleNonGreedy: true,
      char: 'f',
    }),
    output: Flags.string({
      summary: 'File for the --format before it; without one, the extension gives the format. Repeats.',
      helpGroup: output,
      helpValue: 'FILE',
      multiple: true,
      multipleNonGreedy: true,
      char: 'o',
    }),
    templates: Flags.string({
      summary: 'Directory with templates (Handlebars) that replace those of mcpc with the same file name.',
      helpGroup: output,
      helpValue: 'DIR',
    }),
    overwrite: Flags.boolean({ summary: 'Overwrite files that mcpc did not write.', helpGroup: output }),
  };

  protected async work(): Promise<number> {
    const { args, flags, raw } = await this.parse(Matrix);
    const [
      { prepareRun },
      { runMatrix },
      { columnsOf },
      { matrixFormat, renderMatrix },
      { pairOutputs },
      { checkOutput, writeOutput },
      { defaultNpmCache },
      { showProgress },
    ] = await Promise.all([
      import('./support/run.ts'),
      import('../run/matrix/run-matrix.ts'),
      import('../run/matrix/columns.ts'),
      import('../../report/suite/matrix.ts'),
      import('../../check/commands/support/flags/pair-outputs.ts'),
      import('../../files/output/output.ts'),
      import('../../check/packages/cache.ts'),
      import('./support/output.ts'),
    ]);
    const { stdout, files } = pairOutputs(raw, flags.json ? 'json' : undefined, {
      byName: matrixFormat,
      byPath: (path) =>
        (({ '.json': 'json', '.html': 'html', '.htm': 'html', '.md': 'markdown', '.txt': 'terminal' }) as const)[
          /\.[^.]*$/.exec(path)?.[0]?.toLowerCase() ?? ''
        ],
    });
    const place = (path: string) => ({
      path,
      what: 'the report',
      replaces: 'report' as const,
      overwrite: flags.overwrite,
    });
    for (const { path } of files) checkOutput(place(path));
    const { spec: specs, ...given } = flags;
    const prepared = await prepareRun(
      args.suite,
      { ...plainRun, ...given, spec: 'auto', insecure: false, 'no-proxy': false },
      [],
      { toolVersion: this.toolVersion, command: 'matrix' },
    );
    const columns = columnsOf(
      {
        servers: (flags.with ?? []).map((text) => namedServer('--with', text)),
        serves: (flags.serve ?? []).map((text) => namedServer('--serve', text)),
        languages: splitList(flags.languages),
        transports: splitList(flags.transports),
        specs: splitList(specs),
        nodes: splitList(flags.node),
      },
      prepared.matrix,
    );
    for (const warning of prepared.warnings) this.talk(warning);
    const { signal } = this.interrupts();
    let progress = showProgress(0, flags);
    const onNotice = (line: string): void => {
      if (!flags.quiet) this.talk(line);
    };
    const report = await runMatrix({
      run: { ...prepared.options, signal, onBegin: ({ name }) => progress.begins(name) },
      columns,
      packages: {
        cacheDir: flags['cache-dir'] ?? defaultNpmCache(),
        allowScripts: flags['allow-scripts'],
        env: process.env,
        signal,
        onNotice,
      },
      onColumn: ({ name }, index) => {
        onNotice(`Column ${index + 1} of ${columns.length}: ${name}`);
        progress = showProgress(prepared.options.cases.length, flags);
      },
      onReport: ({ counts, notices }) => {
        progress.wipe();
        for (const notice of notices) this.talk(notice);
        onNotice(
          `  ${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`,
        );
      },
    });
    const own = flags.templates === undefined ? {} : { templatesDir: flags.templates };
    for (const { format, path } of files)
      writeOutput(place(path), renderMatrix(report, format, { color: false, ...own }));
    const text = renderMatrix(report, stdout ?? 'terminal', {
      quiet: flags.quiet,
      ...(flags['no-color'] ? { color: false } : {}),
      ...own,
    });
    this.printData(reportForLog(text, stdout ?? 'terminal'));
    if (signal.aborted) return exitCodes.interrupted;
    if (report.rows.length === 0) this.talk('No case was chosen.');
    const { failed, failedEverywhere } = report.counts;
    return (flags['allow-different'] ? failedEverywhere : failed) > 0 ||
      report.rows.length === 0 ||
      report.incomplete !== null
      ? exitCodes.notCompliant
      : exitCodes.compliant;
  }
}

/** @throws McpcError usage for what has no name */
function namedServer(flag: string, text: string): { name: string; words: string[] } {
  const [, name, line] = /^([^=\s]+)=(.+)$/s.exec(text) ?? [];
  const words = parseArgsStringToArgv(line ?? '');
  if (name === undefined || words.length === 0)
    throw usageError(
      `${flag} takes a name and a ${flag === '--with' ? 'server' : 'command'}, not "${text}".`,
      flag === '--with'
        ? 'For example --with old=npm:my-server@1.4.0 or --with new="node server.js".'
        : 'For example --serve new="node server.js --port {{port}}".',
    );
  return { name, words };
}
