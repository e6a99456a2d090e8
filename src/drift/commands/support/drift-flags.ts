/** Flags of the commands that compare a server with a lock. */
import { Args, Flags } from '@oclif/core';
import {
  targetFlags,
  targetOptions,
  withAddress,
  type TargetFlagValues,
} from '../../../check/commands/support/flags/target-flags.ts';
import type { ChangeClass } from '../../../core/drift/compare-locks.ts';
import { lock as lockOf, type ServerLock } from '../../../core/drift/lock.ts';
import { visible } from '../../../report/text.ts';
import type { Compared } from '../../gate.ts';
import { usualLock } from '../../lock-file.ts';
import type { ReadOptions } from '../../read-offer.ts';

export const driftArgs = {
  address: Args.string({
    description: 'Address of the endpoint, the same as --url. A command goes after "--".',
    required: false,
  }),
};

export const driftFlags = {
  ...targetFlags,
  lock: Flags.string({ summary: `Lock file. [default: ${usualLock}]`, helpGroup: 'LOCK', helpValue: 'FILE' }),
  verbose: Flags.boolean({ summary: 'Show the stderr of the target.' }),
};

export const failOnFlag = Flags.string({
  summary: 'Classes of changes that fail, separated by commas; "any" for all, "none" for none.',
  default: 'security,breaking',
  helpGroup: 'GATE',
  helpValue: 'CLASS,…',
});

type Given = TargetFlagValues & { lock?: string | undefined; verbose: boolean };

interface Voice {
  toolVersion: string;
  signal: AbortSignal;
  talk(line: string): void;
  rememberStderr(line: string): void;
}

/** What a command line says of the server, to be read. @throws McpcError usage */
async function reachOf(
  given: Given,
  address: string | undefined,
  command: string[],
  voice: Voice,
): Promise<{ reach: ReadOptions; path: string; lockName: string | undefined }> {
  const flags = withAddress(given, address);
  const { hintsFile: _hints, notices = [], ...target } = await targetOptions(flags, command);
  for (const line of notices) voice.talk(visible(line));
  const reach: ReadOptions = {
    ...target,
    toolVersion: voice.toolVersion,
    signal: voice.signal,
    onStderr: (line) => {
      voice.rememberStderr(line);
      if (given.verbose) voice.talk(visible(line));
    },
  };
  return { reach, path: given.lock ?? usualLock, lockName: flags.name ?? flags.server };
}

/** The server of a command line as it is now. @throws McpcError usage, target */
export async function lockedNow(
  given: Given,
  address: string | undefined,
  command: string[],
  voice: Voice,
): Promise<{ path: string; name: string; now: ServerLock; unsteady: string[] }> {
  const { reach, path, lockName } = await reachOf(given, address, command, voice);
  const [{ readOffer }, { ownName }] = await Promise.all([import('../../read-offer.ts'), import('../../gate.ts')]);
  const { offer, unsteady } = await readOffer(reach);
  return { path, name: lockName ?? ownName(offer.serverInfo), now: lockOf(offer), unsteady };
}

/** Compares with the lock. @throws McpcError usage for a lock that is not valid, target */
export async function driftOf(
  given: Given,
  address: string | undefined,
  command: string[],
  failsOn: readonly ChangeClass[],
  voice: Voice,
): Promise<Compared & { path: string }> {
  const { reach, path, lockName } = await reachOf(given, address, command, voice);
  const { compareWithLock } = await import('../../gate.ts');
  return { ...(await compareWithLock({ ...reach, path, lockName, failsOn })), path };
}
