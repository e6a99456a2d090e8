/** Flags of the commands that run suites. */
import { Flags } from '@oclif/core';
import { durationFlag, numberFlag, repeatedFlag } from '../flags/flag-values.ts';
import { targetFlags } from '../flags/target-flags.ts';

const suite = 'SUITE';
const run = 'RUNNING';
const select = 'SELECTION';
const output = 'OUTPUT';

const { timeout: _timeout, 'start-timeout': _start, serve: _serve, name: _name, server: _server, ...reached } = targetFlags;

/** Which suites, which cases, how they are carried out. */
export const caseFlags = {
  suite: repeatedFlag({ summary: 'File or folder of suites; the same as the argument SUITE. Repeats.', helpGroup: suite, helpValue: 'PATH' }),
  fixture: Flags.string({ summary: 'Directory with files for the cases; each case gets its own copy, as {{fixture}}.', helpGroup: suite, helpValue: 'DIR' }),
  recursive: Flags.boolean({ summary: 'Also read nested folders.', helpGroup: suite }),
  strict: Flags.boolean({ summary: 'Treat unknown properties in a file as errors, not warnings.', helpGroup: suite }),
  'no-commands': Flags.boolean({ summary: 'Reject suites that run programs (the step "run").', helpGroup: suite }),

  timeout: durationFlag('timeout', { summary: 'Time limit of a case, including the start of its server and its setup. [default: 30s]', helpGroup: run }),
  jobs: numberFlag('jobs', { summary: 'Parallel cases, if each has its own server. [default: one per core]', helpGroup: run, helpValue: 'N', min: 1, max: 256, whole: true, char: 'j' }),
  session: Flags.option({ summary: 'Which cases share a server process: fresh (none), auto (those that only read), file (those of a file), or suite (all whose server entry is equal).', helpGroup: run, options: ['fresh', 'auto', 'file', 'suite'] as const, default: 'fresh' })(),
  'reuse-server': Flags.boolean({ summary: 'The same as --session suite.', helpGroup: run }),
  filter: repeatedFlag({ summary: 'Only cases whose name matches: a glob, or /regex/. Repeats.', helpGroup: select, helpValue: 'NAME' }),
  tag: repeatedFlag({ summary: 'Only cases with this tag. Repeats.', helpGroup: select, helpValue: 'TAG' }),
  'skip-tag': repeatedFlag({ summary: 'Skip cases with this tag. Repeats.', helpGroup: select, helpValue: 'TAG' }),
  quiet: Flags.boolean({ char: 'q', summary: 'Print only what did not pass, and the totals.', helpGroup: output }),
  'no-color': Flags.boolean({ summary: 'Disable colours; NO_COLOR in the environment does the same.', helpGroup: output }),
};

/** The same with the server that replaces those of the suites. */
export const reachSuiteFlags = {
  ...caseFlags,
  ...reached,
  server: Flags.string({ summary: 'Command line that replaces the stdio servers of the suite, split like a shell does; with --config, a name in that file.', helpGroup: 'TARGET', helpValue: '"COMMAND"' }),
  docker: Flags.string({ summary: 'Docker image to run stdio servers in, unless the suite names one.', helpGroup: 'TARGET', helpValue: 'IMAGE' }),
  container: Flags.option({ summary: 'Program that runs containers, for --docker and suites that name an image. [default: docker]', helpGroup: 'TARGET', options: ['docker', 'podman'] as const })(),
};

/** Flags of the commands that run suites. */
export const suiteFlags = {
  ...reachSuiteFlags,

  hints: Flags.string({ summary: 'What the tools of the server want and do, for the step "check" and for --session auto; docs/hints.md.', helpGroup: run, helpValue: 'hints.yaml' }),

  trials: numberFlag('trials', { summary: 'Number of times to run each case.', helpGroup: run, helpValue: 'N', min: 1, max: 10_000, whole: true }),
  'until-fail': Flags.boolean({ summary: 'Run each case until it fails, at most --trials times [default: 100], and end with the first that does.', helpGroup: run, exclusive: ['retries'] }),
  retries: numberFlag('retries', { summary: 'Run a case that failed again, at most so many times; one that passes then is flaky.', helpGroup: run, helpValue: 'N', min: 1, max: 100, whole: true }),
  shuffle: Flags.boolean({ summary: 'Run the cases in an order of chance; the seed is told.', helpGroup: run }),
  seed: numberFlag('seed', { summary: 'Seed of --shuffle: the same order again.', helpGroup: run, helpValue: 'N', min: 0, max: 4_294_967_295, whole: true }),
  bail: numberFlag('bail', { summary: 'Stop after this many failed cases.', helpGroup: run, helpValue: 'N', min: 1, max: 1_000_000, whole: true }),
  conformance: Flags.option({ summary: 'Also judge the traffic of each case against the MCP specification: warn shows violations, fail fails the case. [default: off; warn for ci]', helpGroup: run, options: ['off', 'warn', 'fail'] as const })(),
  'all-expectations': Flags.boolean({ summary: 'Report every failed expectation, not only the first.', helpGroup: run }),

  fix: Flags.boolean({ summary: 'Look for a line and column nearby where a case fails since its position holds nothing; prints it, and changes no file.', helpGroup: run }),

  failed: Flags.boolean({ summary: 'Only cases that failed in the last run of these suites from this folder.', helpGroup: select }),
  shard: Flags.string({ summary: 'Run one share of the cases, for CI jobs in parallel: 2/4 is the second of four.', helpGroup: select, helpValue: 'I/N' }),

  trace: Flags.string({ summary: 'Write a trace of the run, for --recording.', helpGroup: output, helpValue: 'FILE' }),
  'trace-dir': Flags.string({ summary: 'Directory for one trace per connection.', helpGroup: output, helpValue: 'DIR' }),
  junit: Flags.string({ summary: 'Write a JUnit file.', helpGroup: output, helpValue: 'FILE' }),
  markdown: Flags.string({ summary: 'Append a Markdown summary to this file.', helpGroup: output, helpValue: 'FILE' }),
  badge: Flags.string({ summary: 'Write a badge as JSON for shields.io.', helpGroup: output, helpValue: 'FILE' }),
  baseline: Flags.string({ summary: 'Compare with results written by --save-baseline.', helpGroup: output, helpValue: 'FILE' }),
  'save-baseline': Flags.string({ summary: 'Write the results, for --baseline.', helpGroup: output, helpValue: 'FILE' }),
  coverage: Flags.boolean({ summary: 'Tell what the run covers of the server: tools, prompts, resources, and what of each.', helpGroup: output }),
  'coverage-json': Flags.string({ summary: 'Write what the run covers as JSON.', helpGroup: output, helpValue: 'FILE' }),
  json: Flags.boolean({ summary: 'Print the results as a JSON array of name, status, detail, duration_ms and trial.', helpGroup: output }),
  format: Flags.string({ summary: 'Report format: terminal, json, html, markdown, junit, github, sarif, ctrf, tap, badge-json or badge-svg. Repeats, each with an --output; one without goes to stdout.', helpGroup: output, helpValue: 'FORMAT', multiple: true, multipleNonGreedy: true, char: 'f' }),
  output: Flags.string({ summary: 'File for the --format before it; without one, the extension gives the format. Repeats.', helpGroup: output, helpValue: 'FILE', multiple: true, multipleNonGreedy: true, char: 'o' }),
  templates: Flags.string({ summary: 'Directory with template overrides.', helpGroup: output, helpValue: 'DIR' }),
  overwrite: Flags.boolean({ summary: 'Overwrite files that mcpc did not write.', helpGroup: output }),
  verbose: Flags.boolean({ char: 'v', summary: 'Print the messages behind each failure in full.', helpGroup: output }),
};

/** What a command has that carries cases out once, without judging them. */
export const plainRun = { fix: false, 'until-fail': false, shuffle: false, failed: false, 'all-expectations': false, verbose: false, json: false, overwrite: false } as const;
