/** Flags of the commands that compare a server with a lock. */
import { Args, Flags } from '@oclif/core';
import { formatFlag } from '../../../check/commands/support/flags/capture-flags.ts';
import { repeatedFlag, splitList } from '../../../check/commands/support/flags/flag-values.ts';
import {
  targetFlags,
  targetOptions,
  withAddress,
  type TargetFlagValues,
} from '../../../check/commands/support/flags/target-flags.ts';
import type { ChangeClass } from '../../../core/drift/compare-locks.ts';
import { lock as lockOf, type ServerLock } from '../../../core/drift/lock.ts';
import { usageError } from '../../../core/model/errors.ts';
import type { CaptureFormat } from '../../../core/trace/importers/captured.ts';
import type { Permission } from '../../../core/permission/decide.ts';
import { visible } from '../../../report/text.ts';
import { leftBehindText } from '../../../check/reporting/left-behind.ts';
import type { Compared } from '../../../check/drift/gate.ts';
import { usualLock } from '../../../files/locks/lock-file.ts';
import type { ReadOffer } from '../../../check/drift/read-offer.ts';

export const driftArgs = {
  address: Args.string({
    description: 'Address of the endpoint, the same as --url. A command goes after "--".',
    ignoreStdin: true,
    required: false,
  }),
};

export const driftFlags = {
  ...targetFlags,
  lock: Flags.string({ summary: `Lock file. [default: ${usualLock}]`, helpGroup: 'LOCK', helpValue: 'FILE' }),
  recording: Flags.string({
    summary: 'Take what the server offers from a recording: a trace, or a capture of another tool. Starts nothing.',
    helpGroup: 'TARGET',
    helpValue: 'FILE',
  }),
  from: formatFlag('Format of the recording, if it is a capture of another tool; detected when absent.'),
  as: repeatedFlag({
    summary:
      'Ask for the lists under this client name as well; one that is shown something else fails. Repeats, or takes commas.',
    helpGroup: 'LOCK',
    helpValue: 'NAME,NAME',
  }),
  verbose: Flags.boolean({ summary: 'Show the stderr of the target.' }),
};

export const failOnFlag = Flags.string({
  summary: 'Classes of changes that fail, separated by commas; "any" for all, "none" for none.',
  default: 'security,breaking',
  helpGroup: 'GATE',
  helpValue: 'CLASS,…',
});

type Given = TargetFlagValues & {
  lock?: string | undefined;
  recording?: string | undefined;
  from?: CaptureFormat | undefined;
  as?: string[] | undefined;
  verbose: boolean;
};

interface Voice {
  toolVersion: string;
  signal: AbortSignal;
  talk(line: string): void;
  rememberStderr(line: string): void;
}

/** What the named server offers, or the recording holds. @param call tools of which one is called in between @throws McpcError usage, target */
export async function offerOf(
  given: Given,
  address: string | undefined,
  command: string[],
  voice: Voice,
  call?: Permission,
): Promise<ReadOffer> {
  if (given.recording !== undefined) {
    if (address !== undefined || given.url !== undefined || given.config !== undefined || command.length > 0)
      throw usageError('A recording and a server are named.', 'Leave out --recording, or the server.');
    const { readRecordedOffer } = await import('../../../check/drift/read-recording.ts');
    const { lacks, ...read } = await readRecordedOffer(given.recording, { format: given.from });
    for (const one of lacks) voice.talk(`Warning: ${visible(one)}.`);
    return read;
  }
  const flags = withAddress(given, address);
  const { hintsFile: _hints, notices = [], ...target } = await targetOptions(flags, command);
  for (const line of notices) voice.talk(visible(line));
  const { readOffer } = await import('../../../check/drift/read-offer.ts');
  return readOffer({
    ...target,
    as: splitList(given.as),
    call,
    toolVersion: voice.toolVersion,
    signal: voice.signal,
    onLeftBehind: (line) => voice.talk(visible(leftBehindText(line))),
    onStderr: (line) => {
      voice.rememberStderr(line);
      if (given.verbose) voice.talk(visible(line));
    },
  });
}

/** The server of a command line as it is now. @throws McpcError usage, target */
export async function lockedNow(
  given: Given,
  address: string | undefined,
  command: string[],
  voice: Voice,
): Promise<{ path: string; name: string; now: ServerLock; unsteady: string[] }> {
  const { offer, unsteady } = await offerOf(given, address, command, voice);
  const { ownName } = await import('../../../check/drift/gate.ts');
  const name = given.name ?? given.server ?? ownName(offer.serverInfo);
  return { path: given.lock ?? usualLock, name, now: lockOf(offer), unsteady };
}

/** Compares with the lock. @throws McpcError usage for a lock that is not valid, before anything is started; target */
export async function driftOf(
  given: Given,
  address: string | undefined,
  command: string[],
  failsOn: readonly ChangeClass[],
  voice: Voice,
  call?: Permission,
): Promise<Compared & { path: string }> {
  const path = given.lock ?? usualLock;
  const { readLock } = await import('../../../files/locks/lock-file.ts');
  const file = readLock(path);
  const read = await offerOf(given, address, command, voice, call);
  const { compareOffer } = await import('../../../check/drift/gate.ts');
  return { ...compareOffer(file, { path, lockName: given.name ?? given.server, failsOn }, read), path };
}
