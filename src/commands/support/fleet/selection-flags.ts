/** Flags that pick servers of a fleet. */
import { Flags } from '@oclif/core';
import { repeatedFlag } from '../flags/flag-values.ts';

const servers = 'SERVERS';

export const fleetSelectionFlags = {
  only: repeatedFlag({ summary: 'Take only these: names, globs over names, tag:TAG or owner:NAME. Repeats, or takes commas.', helpGroup: servers, helpValue: 'tag:prod' }),
  skip: repeatedFlag({ summary: 'Leave these out, named in the same way.', helpGroup: servers, helpValue: "'*-beta'" }),
  shard: Flags.string({ summary: 'Take one of several shares: the second of four is 2/4.', helpGroup: servers, helpValue: 'I/N' }),
};
