/** Flags of the commands that run suites. */
import { Flags } from '@oclif/core';
import { durationFlag, numberFlag, repeatedFlag } from '../../../check/commands/support/flags/flag-values.ts';
import { targetFlags } from '../../../check/commands/support/flags/target-flags.ts';

const suite = 'SUITE';
const run = 'RUNNING';
const select = 'SELECTION';
const output = 'OUTPUT';

const {
  timeout: _timeout,
  'start-timeout': _start,
  serve: _serve,
  name: _name,
  server: _server,
  ...reached
} = targetFlags;

/** Which suites, which cases, how they are carried out. */
export const caseFlags = {
  suite: repeatedFlag({
    summary: 'File or folder of suites; the same as the argument SUITE. Repeats.',
    helpGroup: suite,
    helpValue: 'PATH',
  }),
  fixture: Flags.string({
    summary:
      'Directory with files for the cases. Each case gets a copy; {{fixture}} in a suite is the path of the copy.',
    helpGroup: suite,
    helpValue: 'DIR',
  }),
  recursive: Flags.boolean({ summary: 'Also read nested folders.', helpGroup: suite }),
  strict: Flags.boolean({
    summary: 'Unknown properties in a file are errors, not warnings; a case that asserts nothing fails.',
    helpGroup: suite,
  }),
  'no-commands': Flags.boolean({
    summary: 'Reject suites that run programs (the step "run") or have steps around all cases ("before", "after").',
    helpGroup: suite,
  }),

  timeout: durationFlag('timeout', {
    summary: 'Time limit of a case, including the start of its server and its setup. [default: 30s]',
    helpGroup: run,
  }),
  jobs: numberFlag('jobs', {
    summary: 'Cases to run in parallel, where each has a server process of its own. [default: one per core]',
    helpGroup: run,
    helpValue: 'N',
    min: 1,
    max: 256,
    whole: true,
    char: 'j',
  }),
  session: Flags.option({
    summary:
      'Which cases share a server process: fresh (none), auto (cases that only read), file (cases of one file), or suite (all cases with the same server entry).',
    helpGroup: run,
    options: ['fresh', 'auto', 'file', 'suite'] as const,
    default: 'fresh',
  })(),
  'reuse-server': Flags.boolean({ summary: 'The same as --session suite.', helpGroup: run }),
  filter: repeatedFlag({
    summary: 'Only cases whose name matches: a glob, or /regex/; or the case FILE#NUMBER. Repeats.',
    helpGroup: select,
    helpValue: 'NAME',
  }),
  tag: repeatedFlag({ summary: 'Only cases with this tag. Repeats.', helpGroup: select, helpValue: 'TAG' }),
  'skip-tag': repeatedFlag({ summary: 'Skip cases with this tag. Repeats.', helpGroup: select, helpValue: 'TAG' }),
  quiet: Flags.boolean({ char: 'q', summary: 'Print only what did not pass, and the totals.', helpGroup: output }),
  'no-color': Flags.boolean({
    summary: 'Disable colours; NO_COLOR in the environment does the same.',
    helpGroup: output,
  }),
  'assert-compat': Flags.boolean({
    summary:
      'Exit codes, errors and spelling of flags as in mcp-assert (docs/assert-parity.md). Every command takes it; MCPC_ASSERT_COMPAT=1 in the environment does the same.',
    helpGroup: output,
  }),
};

/** The same with the server that replaces those of the suites. */
export const reachSuiteFlags = {
  ...caseFlags,
  ...reached,
  server: Flags.string({
    summary:
      'Command line that replaces the stdio servers of the suite, split as a shell does; with --config, a name in that file.',
    helpGroup: 'TARGET',
    helpValue: '"COMMAND"',
  }),
  docker: Flags.string({
    summary: 'Docker image to run stdio servers in, unless the suite names one.',
    helpGroup: 'TARGET',
    helpValue: 'IMAGE',
  }),
  container: Flags.option({
    summary: 'Program that runs containers, for --docker and suites that name an image. [default: docker]',
    helpGroup: 'TARGET',
    options: ['docker', 'podman'] as const,
  })(),
};

/** Flags of the commands that run suites. */
export const suiteFlags = {
  ...reachSuiteFlags,

  hints: Flags.string({
    summary:
      'Hints file (YAML) about the tools of the server, for the step "check" and for --session auto. See docs/hints.md.',
    helpGroup: run,
    helpValue: 'hints.yaml',
  }),

  trials: numberFlag('trials', {
    summary: 'Number of times to run each case. [default: 1]',
    helpGroup: run,
    helpValue: 'N',
    min: 1,
    max: 10_000,
    whole: true,
  }),
  'until-fail': Flags.boolean({
    summary: 'Run each case until it fails, at most --trials times [default: 100], and end with the first that does.',
    helpGroup: run,
    exclusive: ['retries'],
  }),
  retries: numberFlag('retries', {
    summary: 'Run a failed case again, up to N times; one that then passes is reported as flaky.',
    helpGroup: run,
    helpValue: 'N',
    min: 1,
    max: 100,
    whole: true,
  }),
  shuffle: Flags.boolean({ summary: 'Run the cases in random order; the seed is printed.', helpGroup: run }),
  seed: numberFlag('seed', {
    summary: 'Seed for --shuffle, to repeat an order.',
    helpGroup: run,
    helpValue: 'N',
    min: 0,
    max: 4_294_967_295,
    whole: true,
  }),
  bail: numberFlag('bail', {
    summary: 'Stop after this many failed cases.',
    helpGroup: run,
    helpValue: 'N',
    min: 1,
    max: 1_000_000,
    whole: true,
  }),
  conformance: Flags.option({
    summary:
      'Also judge the traffic of each case against the MCP specification: warn shows violations, fail fails the case. [default: off; warn for ci]',
    helpGroup: run,
    options: ['off', 'warn', 'fail'] as const,
  })(),
  'all-expectations': Flags.boolean({
    summary: 'Report every failed expectation, not only the first.',
    helpGroup: run,
  }),

  fix: Flags.boolean({
    summary:
      'For tools that take a position in a file: when a case fails because there is nothing at its line and column, try positions nearby and print the first that passes. Changes no file.',
    helpGroup: run,
  }),

  failed: Flags.boolean({
    summary: 'Only cases that failed in the last run of these suites from this folder.',
    helpGroup: select,
  }),
  shard: Flags.string({
    summary: 'Run one share of the cases, for CI jobs in parallel: 2/4 is the second of four.',
    helpGroup: select,
    helpValue: 'I/N',
  }),

  trace: Flags.string({
    summary: 'Write a trace of the run to this file, for --recording.',
    helpGroup: output,
    helpValue: 'FILE',
  }),
  'trace-dir': Flags.string({
    summary: 'Write one trace for each connection to this directory.',
    helpGroup: output,
    helpValue: 'DIR',
  }),
  junit: Flags.string({ summary: 'Write a JUnit file.', helpGroup: output, helpValue: 'FILE' }),
  markdown: Flags.string({ summary: 'Append a Markdown summary to this file.', helpGroup: output, helpValue: 'FILE' }),
  badge: Flags.string({ summary: 'Write a badge as JSON for shields.io.', helpGroup: output, helpValue: 'FILE' }),
  baseline: Flags.string({
    summary: 'Compare with results that --save-baseline wrote: print which cases now pass or fail.',
    helpGroup: output,
    helpValue: 'FILE',
  }),
  'save-baseline': Flags.string({
    summary: 'Write the results to this file, for --baseline.',
    helpGroup: output,
    helpValue: 'FILE',
  }),
  coverage: Flags.boolean({
    summary:
      'Print what the run covers of the server: which tools, prompts and resources, and which arguments and errors of each.',
    helpGroup: output,
  }),
  'coverage-json': Flags.string({
    summary: 'Write what the run covers as JSON.',
    helpGroup: output,
    helpValue: 'FILE',
  }),
  json: Flags.boolean({
    summary: 'Print the results as a JSON array of name, status, detail, duration_ms and trial.',
    helpGroup: output,
  }),
  format: Flags.string({
    summary:
      'Report format: terminal, json, html, markdown, junit, github, sarif, ctrf, tap, badge-json or badge-svg. Repeats, each with an --output; one without goes to stdout.',
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
  verbose: Flags.boolean({ char: 'v', summary: 'Print the messages behind each failure in full.', helpGroup: output }),
};

/** Flags of a command that runs cases once, without judging them. */
export const plainRun = {
  fix: false,
  'until-fail': false,
  shuffle: false,
  failed: false,
  'all-expectations': false,
  verbose: false,
  json: false,
  overwrite: false,
} as const;
