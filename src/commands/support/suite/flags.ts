/** Flags of the commands that run suites. */
import { Flags } from '@oclif/core';
import { durationFlag, numberFlag, repeatedFlag } from '../flags/flag-values.ts';
import { targetFlags } from '../flags/target-flags.ts';

const suite = 'SUITE';
const run = 'RUNNING';
const select = 'SELECTION';
const output = 'OUTPUT';

const { timeout: _timeout, 'start-timeout': _start, serve: _serve, name: _name, server: _server, ...reached } = targetFlags;

export const suiteFlags = {
  suite: repeatedFlag({ summary: 'File or folder of suites; the same as the word without a flag. Repeats.', helpGroup: suite, helpValue: 'PATH' }),
  fixture: Flags.string({ summary: 'Folder of files for the cases; each gets a copy of its own as {{fixture}}.', helpGroup: suite, helpValue: 'DIR' }),
  recursive: Flags.boolean({ summary: 'Also read folders within folders of the suite.', helpGroup: suite }),
  strict: Flags.boolean({ summary: 'Unknown members of a file are errors.', helpGroup: suite }),
  'no-commands': Flags.boolean({ summary: 'Refuse suites that run programs of their own (the step run).', helpGroup: suite }),

  ...reached,
  server: Flags.string({ summary: 'Command line in place of those of servers on stdio, split as a shell would; with --config, a name in that file.', helpGroup: 'TARGET', helpValue: '"COMMAND"' }),
  docker: Flags.string({ summary: 'Image in which servers on stdio are run, unless their file names one.', helpGroup: 'TARGET', helpValue: 'IMAGE' }),

  timeout: durationFlag('timeout', { summary: 'Time for a case, the start of its server and its setup included. [default: 30s]', helpGroup: run }),
  trials: numberFlag('trials', { summary: 'Run each case so many times.', helpGroup: run, helpValue: 'N', min: 1, max: 10_000, whole: true }),
  jobs: numberFlag('jobs', { summary: 'Cases at a time, where each has a server of its own. [default: one per core]', helpGroup: run, helpValue: 'N', min: 1, max: 256, whole: true, char: 'j' }),
  bail: numberFlag('bail', { summary: 'End after so many failed cases.', helpGroup: run, helpValue: 'N', min: 1, max: 1_000_000, whole: true }),
  session: Flags.option({ summary: 'Which cases share a server: none, those of a file, or all of the run that describe it alike.', helpGroup: run, options: ['fresh', 'file', 'suite'] as const, default: 'fresh' })(),
  'reuse-server': Flags.boolean({ summary: 'The same as --session suite.', helpGroup: run }),
  conformance: Flags.option({ summary: 'Judge the traffic of each case by the rules of the specification, too: show what breaks one, or fail the case. [default: off; warn for ci]', helpGroup: run, options: ['off', 'warn', 'fail'] as const })(),
  'all-expectations': Flags.boolean({ summary: 'Tell every expectation that does not hold, not only the first.', helpGroup: run }),

  filter: repeatedFlag({ summary: 'Only cases whose name fits: a glob, or a pattern as /regex/. Repeats.', helpGroup: select, helpValue: 'NAME' }),
  tag: repeatedFlag({ summary: 'Only cases with this tag. Repeats.', helpGroup: select, helpValue: 'TAG' }),
  'skip-tag': repeatedFlag({ summary: 'Not cases with this tag. Repeats.', helpGroup: select, helpValue: 'TAG' }),
  shard: Flags.string({ summary: 'Only one of several equal parts.', helpGroup: select, helpValue: 'I/N' }),

  trace: Flags.string({ summary: 'Keep the trace of the run, for --recording.', helpGroup: output, helpValue: 'FILE' }),
  'trace-dir': Flags.string({ summary: 'Folder for a trace of each connection.', helpGroup: output, helpValue: 'DIR' }),
  junit: Flags.string({ summary: 'Write a JUnit file.', helpGroup: output, helpValue: 'FILE' }),
  markdown: Flags.string({ summary: 'Append a summary in Markdown.', helpGroup: output, helpValue: 'FILE' }),
  badge: Flags.string({ summary: 'Write a badge as an endpoint for shields.', helpGroup: output, helpValue: 'FILE' }),
  baseline: Flags.string({ summary: 'Compare with the results that --save-baseline has kept.', helpGroup: output, helpValue: 'FILE' }),
  'save-baseline': Flags.string({ summary: 'Keep the results for --baseline.', helpGroup: output, helpValue: 'FILE' }),
  json: Flags.boolean({ summary: 'Print the results as a JSON array of name, status, detail, duration_ms and trial.', helpGroup: output }),
  format: Flags.string({ summary: 'Report format: terminal, json, html, markdown, junit, github, sarif, ctrf, tap, badge-json or badge-svg. Repeats, each with an --output; one without goes to stdout.', helpGroup: output, helpValue: 'FORMAT', multiple: true, multipleNonGreedy: true, char: 'f' }),
  output: Flags.string({ summary: 'File for the --format before it; alone, the ending of the name tells the format. Repeats.', helpGroup: output, helpValue: 'FILE', multiple: true, multipleNonGreedy: true, char: 'o' }),
  templates: Flags.string({ summary: 'Folder of templates that replace those of mcpc.', helpGroup: output, helpValue: 'DIR' }),
  overwrite: Flags.boolean({ summary: 'Replace files that mcpc did not write.', helpGroup: output }),
  quiet: Flags.boolean({ char: 'q', summary: 'Only what did not pass, and the sum.', helpGroup: output }),
  verbose: Flags.boolean({ char: 'v', summary: 'The exchange behind each failure in full.', helpGroup: output }),
  'no-color': Flags.boolean({ summary: 'No colours; NO_COLOR in the environment does the same.', helpGroup: output }),
};
