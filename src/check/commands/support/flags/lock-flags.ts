/** Flags of the commands that also compare a server with its lock. */
import { Flags } from '@oclif/core';

const group = 'GATE';

export const lockFlags = {
  lock: Flags.string({
    summary: 'Lock file (docs/drift.md): fail when the server offers something else.',
    helpGroup: group,
    helpValue: 'FILE',
  }),
  'drift-fail-on': Flags.string({
    summary: 'Classes of changes since the lock that fail, separated by commas; "any" for all, "none" for none.',
    default: 'security,breaking',
    helpGroup: group,
    helpValue: 'CLASS,…',
  }),
};

export interface LockFlagValues {
  lock?: string | undefined;
  'drift-fail-on': string;
}
