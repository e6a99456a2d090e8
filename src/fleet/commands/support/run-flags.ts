/** Flags of commands that run a fleet, and which servers and rules they mean. */
import { Flags } from '@oclif/core';
import type { RuleSelection } from '../../../check/check-options.ts';
import type { FleetEntry } from '../../../check/settings/fleet-entry.ts';
import { respecified } from '../../../check/fleet-file/entry-revisions.ts';
import { withSettings } from '../../../check/settings/of-entry.ts';
import {
  settingFlags,
  settingsOf,
  type SettingFlagValues,
} from '../../../check/commands/support/flags/setting-flags.ts';
import { specsOf } from '../../../check/commands/support/flags/spec-flag.ts';
import { jobsFlag, numberFlag, repeatedFlag } from '../../../check/commands/support/flags/flag-values.ts';
import { outputFlags, selectionFlags, selectionOf } from '../../../check/commands/support/flags/run-flags.ts';
import type { RuleFlags } from './project-rules.ts';

const rules = 'RULES';
const run = 'RUN';
const probe = 'PROBING';
const output = 'OUTPUT';
const gate = 'GATE';

const { level, set, rules: houseRules, requirements, facts } = selectionFlags;

/** As for one check; but --only and --skip are about servers here. */
export const fleetRuleFlags = {
  'only-rules': repeatedFlag({
    summary:
      'Judge only these rules: an area, a rule id, a requirement id or a glob over rule ids. Repeats, or takes commas.',
    helpGroup: rules,
    helpValue: 'ping,tools/*',
  }),
  'skip-rules': repeatedFlag({
    summary: 'Leave these rules out, named in the same way.',
    helpGroup: rules,
    helpValue: 'logging',
  }),
  level,
  set,
  rules: houseRules,
  requirements,
  facts,
};

export const fleetRunFlags = {
  out: Flags.string({
    summary: 'Directory for the results of this run. [default: mcpc-fleet/<time>]',
    helpGroup: run,
    helpValue: 'DIR',
  }),
  resume: Flags.boolean({
    summary: 'Continue the run in --out, or the newest unfinished one in mcpc-fleet.',
    helpGroup: run,
  }),
  'recheck-changed': Flags.boolean({
    summary: 'With --resume: check again the servers whose entries in the file have changed since.',
    helpGroup: run,
    dependsOn: ['resume'],
  }),
  'changed-since': Flags.string({
    summary: 'Reuse results from this run for unchanged servers.',
    helpGroup: run,
    helpValue: 'DIR',
  }),
  jobs: jobsFlag({
    summary: 'Parallel checks; auto adapts to CPU load, free memory and timer delay.',
    helpGroup: run,
    max: 256,
    char: 'j',
  }),
  'max-per-host': numberFlag('max-per-host', {
    summary: 'Parallel checks of servers at one host and port. [default: 4]',
    helpGroup: run,
    helpValue: 'N',
    min: 1,
    max: 256,
    whole: true,
  }),
  'max-host-errors': numberFlag('max-host-errors', {
    summary: 'Skip the rest of a host after this many unreachable servers in a row; 0 tries all. [default: 5]',
    helpGroup: run,
    helpValue: 'N',
    min: 0,
    max: 1_000_000,
    whole: true,
  }),
  'fail-fast': Flags.boolean({ summary: 'Start no further check after the first failure.', helpGroup: run }),
};

export const fleetProbeFlags = {
  profile: Flags.option({
    summary:
      'How much to ask of each server: full, or quick: only what one connection decides without waiting. quick,full goes over all servers quickly first, with a dashboard of its own in the folder quick of the run, then deeper. Runs of the two do not compare.',
    helpGroup: probe,
    options: ['full', 'quick', 'quick,full'] as const,
    default: 'full' as const,
  })(),
  ...settingFlags('fleet'),
  'cache-dir': Flags.string({
    summary: 'Directory in which npm packages are installed. [default: the user cache directory]',
    helpGroup: probe,
    helpValue: 'DIR',
  }),
};

export const fleetOutputFlags = {
  format: Flags.string({
    summary:
      'Report format: terminal, json, html, markdown, issue, chat, csv, junit, sarif, badge-json or badge-svg. Repeats, each with an --output; one without goes to stdout.',
    helpGroup: output,
    helpValue: 'csv',
    multiple: true,
    multipleNonGreedy: true,
    char: 'f',
  }),
  output: Flags.string({
    summary: 'File for the --format before it; without one, the extension gives the format. Repeats.',
    helpGroup: output,
    helpValue: 'fleet.csv',
    multiple: true,
    multipleNonGreedy: true,
    char: 'o',
  }),
  json: Flags.boolean({ summary: 'Print the report as JSON on stdout (short for --format json).', helpGroup: output }),
  overwrite: outputFlags.overwrite,
  dashboard: Flags.boolean({
    summary: 'Write the HTML dashboard to the directory of the run.',
    helpGroup: output,
    allowNo: true,
    default: true,
  }),
  'no-color': Flags.boolean({
    summary: 'Disable colours; NO_COLOR in the environment does the same.',
    helpGroup: output,
  }),
  quiet: Flags.boolean({ summary: 'Print no progress.', helpGroup: output, char: 'q', exclusive: ['verbose'] }),
  verbose: Flags.boolean({
    summary: 'Print a line for each server that is done, also on a terminal.',
    helpGroup: output,
  }),
};

export const fleetGateFlags = {
  'min-grade': Flags.string({
    summary: 'Exit with 1 when a server has a worse grade than this one.',
    helpGroup: gate,
    helpValue: 'GRADE',
  }),
  'min-score': numberFlag('min-score', {
    summary: 'Exit with 1 when a server has a lower score than N, from 0 to 100.',
    helpGroup: gate,
    helpValue: 'N',
    min: 0,
    max: 100,
  }),
  'max-regressions': numberFlag('max-regressions', {
    summary: 'Exit with 1 when more than N rules fail that did not fail in the run before.',
    helpGroup: gate,
    helpValue: 'N',
    min: 0,
    max: 1_000_000,
    whole: true,
  }),
  since: Flags.string({
    summary: 'Run to compare with. [default: the previous run of the same fleet file in the same directory]',
    helpGroup: gate,
    helpValue: 'DIR',
  }),
};

export function ruleSelectionOf(flags: RuleFlags): RuleSelection {
  const {
    'only-rules': only,
    'skip-rules': skip,
    level: weakest,
    set: frozen,
    rules: own,
    requirements: stated,
    facts: derived,
    'rules-code': runsCode,
  } = flags;
  // By name: the flags hold an --only and a --skip that mean servers.
  return selectionOf({
    only,
    skip,
    level: weakest,
    set: frozen,
    rules: own,
    facts: derived,
    requirements: stated,
    'rules-code': runsCode,
  });
}

/** The entries with what flags say of all of them. @throws McpcError usage for an unknown revision */
export function withProbeFlags(entries: readonly FleetEntry[], flags: SettingFlagValues<'fleet'>): FleetEntry[] {
  const asked = flags.spec === undefined ? undefined : specsOf(flags.spec);
  const chosen = asked === undefined ? entries : respecified(entries, asked.specs ?? asked.spec);
  const settings = settingsOf('fleet', flags);
  return chosen.map((entry) => withSettings(entry, settings));
}
