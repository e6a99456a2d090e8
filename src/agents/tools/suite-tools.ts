/** Tools about suites: run one, write one, check the text of one. */
import { readdirSync, readFileSync, rmSync, writeFileSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { SuiteReport } from '../../core/model/reports/suite-report.ts';
import { Refused } from '../access.ts';
import { answer, cut, cutOrNull, quoted } from '../answer.ts';
import { command, jsonOf, refusalOf, tool, type Context, type Extra } from '../context.ts';
import { spec, targetShape } from '../schemas.ts';

/** @returns their names */
export function registerSuiteTools(server: McpServer, context: Context): string[] {
  const { access } = context;
  const anyServer = access.allowed.commands;

  server.registerTool(
    'run_suite',
    {
      title: 'Run a suite',
      description: anyServer
        ? 'Runs the YAML cases of a suite, against a server or against those that the suite names.'
        : 'Runs the YAML cases of a suite against a configured server. Suites that run programs of their own are refused.',
      inputSchema: {
        suite: z.string().describe('File or folder below the project.'),
        ...targetShape(anyServer),
        filter: z.string().optional().describe('Glob over the names of cases.'),
      },
      outputSchema: {
        passed: z.number(),
        failed: z.number(),
        skipped: z.number(),
        undecided: z.number(),
        failures: z.array(
          z.object({
            case: z.string(),
            file: z.string(),
            line: z.number(),
            detail: z.string(),
            expected: z.string().nullable(),
            actual: z.string().nullable(),
          }),
        ),
        omitted: z.number(),
      },
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    },
    tool(async ({ suite, filter, ...named }, extra) => {
      const hasTarget = Object.values(named).some((one) => one !== undefined);
      const { flags, after } = hasTarget || !anyServer ? access.target(named) : { flags: [], after: [] };
      const words = [
        'run',
        access.readable(suite),
        '--format',
        'json',
        ...(anyServer ? [] : ['--no-commands']),
        ...flags,
      ];
      if (filter !== undefined) words.push('--filter', filter);
      const report = jsonOf<SuiteReport>(await command(context, [...words, ...after], extra));
      return suiteAnswer(report, context.maxBytes);
    }),
  );

  server.registerTool(
    'validate_suite',
    {
      title: 'Validate a suite',
      description:
        'Reads a suite, from a file or as YAML text, and says which cases it has, or what is wrong with line and column. Starts nothing.',
      inputSchema: {
        suite: z.string().optional().describe('File or folder below the project.'),
        yaml: z.string().optional().describe('The text of one file in place of a path.'),
      },
      outputSchema: { valid: z.boolean(), lines: z.array(z.string()), omitted: z.number() },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    tool(async ({ suite, yaml }, extra) => {
      if ((suite === undefined) === (yaml === undefined)) throw new Refused('Name a suite, or give its text as yaml.');
      const folder = mkdtempSync(join(context.runs.folder, 'suite-'));
      try {
        const file = yaml === undefined ? access.readable(suite!) : join(folder, 'suite.yaml');
        if (yaml !== undefined) writeFileSync(file, yaml);
        const { code, stdout, stderr } = await command(context, ['run', file, '--list', '--strict'], extra);
        const lines = (code === 0 ? stdout.split('\n') : stderr)
          .map((line) => line.replaceAll(`${folder}/`, ''))
          .filter(Boolean);
        return answer(
          {
            head: [code === 0 ? 'The suite is valid. Its cases:' : 'The suite is not valid:'],
            items: lines,
            textOf: (line) => [line],
            next: [],
            structured: (shown, omitted) => ({ valid: code === 0, lines: shown, omitted }),
          },
          context.maxBytes,
        );
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }),
  );

  server.registerTool(
    'generate_cases',
    {
      title: 'Write cases from a live server',
      description:
        'Asks a server and writes a suite from its answers: a valid call of each tool that only reads, and calls with invalid arguments. Returns the lines of one file, or writes all files where the user allowed that.',
      inputSchema: {
        ...targetShape(anyServer),
        spec,
        file: z.string().optional().describe('Which file to return, tools.yaml by default.'),
        from: z.number().int().min(1).optional().describe('First line to return, to read on.'),
        output: z
          .string()
          .optional()
          .describe(
            'Folder below the project to write all files to, if writing is allowed; it must not hold them yet.',
          ),
      },
      outputSchema: {
        files: z.array(z.object({ name: z.string(), lines: z.number() })),
        written: z.boolean(),
        file: z.string().nullable(),
        from: z.number(),
        lines: z.array(z.string()),
        omitted: z.number().describe('Lines of the file that did not fit.'),
      },
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    },
    tool(async ({ output, file = 'tools.yaml', from = 1, spec: revision, ...named }, extra) => {
      const { flags, after } = access.target(named);
      const words = [...flags, ...(revision === undefined ? [] : ['--spec', revision]), ...after];
      const folder = output === undefined ? undefined : access.writable(output);
      const files = await generated(context, words, folder, extra);
      const chosen = files.find(({ name }) => name === file);
      if (folder === undefined && chosen === undefined)
        throw new Refused(`There is no ${file}; there are ${files.map(({ name }) => name).join(', ')}.`);
      const lines =
        folder === undefined
          ? chosen!.text
              .trimEnd()
              .split('\n')
              .slice(from - 1)
          : [];
      return answer(
        {
          head: files.map(({ name, text }) => `${name}: ${text.trimEnd().split('\n').length} lines`),
          items: lines,
          textOf: (line) => [`> ${line}`],
          next:
            folder === undefined
              ? ['from reads on, file names another file; output writes all of them, where the user allowed it.']
              : [`They are in ${output}; run_suite runs them.`],
          structured: (shown, omitted) => ({
            files: files.map(({ name, text }) => ({ name, lines: text.trimEnd().split('\n').length })),
            written: folder !== undefined,
            file: folder === undefined ? file : null,
            from,
            lines: shown,
            omitted,
          }),
        },
        context.maxBytes,
      );
    }),
  );
  return ['run_suite', 'validate_suite', 'generate_cases'];
}

interface GeneratedFile {
  name: string;
  text: string;
}

/** The files that `mcpc generate` writes; asked for again without `output`, those of before, so that they can be read in parts. */
async function generated(
  context: Context,
  words: readonly string[],
  output: string | undefined,
  extra: Extra,
): Promise<GeneratedFile[]> {
  const key = JSON.stringify(words);
  const before = output === undefined ? context.generated.get(key) : undefined;
  if (before !== undefined) return before;
  const folder = output ?? mkdtempSync(join(context.runs.folder, 'generated-'));
  try {
    const finished = await command(context, ['generate', '--output', folder, ...words], extra);
    if (finished.code !== 0) throw refusalOf(finished);
    const files = readdirSync(folder)
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
    context.generated.clear();
    context.generated.set(key, files);
    return files;
  } finally {
    if (output === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function suiteAnswer({ counts, cases }: SuiteReport, maxBytes: number): ReturnType<typeof answer> {
  const failures = cases
    .filter(({ status }) => status === 'fail')
    .map(({ name, file, line, detail, trials }) => {
      const shown = trials.flatMap((trial) => trial.failures)[0];
      return {
        case: cut(name),
        file,
        line,
        detail: cut(detail),
        expected: cutOrNull(shown?.expected),
        actual: cutOrNull(shown?.actual),
      };
    });
  return answer(
    {
      head: [
        counts.failed === 0 ? 'PASSED' : 'FAILED',
        `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped, ${counts.undecided} undecided`,
      ],
      items: failures,
      textOf: ({ case: name, file, line, detail, expected, actual }) => [
        '',
        `${name} (${file}:${line})`,
        quoted(detail),
        ...(expected === null ? [] : [`Expected: ${expected}`]),
        ...(actual === null ? [] : [quoted(`Actual: ${actual}`)]),
      ],
      next: [],
      structured: (shown, omitted) => ({
        passed: counts.passed,
        failed: counts.failed,
        skipped: counts.skipped,
        undecided: counts.undecided,
        failures: shown,
        omitted,
      }),
    },
    maxBytes,
  );
}
