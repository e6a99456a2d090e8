/** Flags that pick servers of a fleet. */
import { Flags } from '@oclif/core';
import { repeatedFlag } from '../../../check/commands/support/flags/flag-values.ts';
import { inputFlag } from '../../../check/commands/support/flags/input-flag.ts';

const servers = 'SERVERS';

export const fleetSelectionFlags = {
  only: repeatedFlag({
    summary:
      'Check only these servers: names, globs over names, tag:TAG, owner:NAME or spec:REVISION. Repeats, or takes commas.',
    helpGroup: servers,
    helpValue: 'tag:prod',
  }),
  skip: repeatedFlag({
    summary: 'Leave these servers out, named in the same way.',
    helpGroup: servers,
    helpValue: "'*-beta'",
  }),
  shard: Flags.string({
    summary: 'Check one share of the servers, for CI jobs in parallel: 2/4 is the second of four.',
    helpGroup: servers,
    helpValue: 'I/N',
  }),
  input: inputFlag(servers),
};
