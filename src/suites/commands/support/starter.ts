/** Writes a starter suite for several commands: queries the server, writes the files, reports omissions. */
import { join } from 'node:path';
import { Flags } from '@oclif/core';
import type { StarterSuite } from '../../authoring/starter-suite/starter-suite.ts';
import { leftBehindText } from '../../../check/reporting/left-behind.ts';
import { McpcError, usageError } from '../../../core/model/errors.ts';
import { visible } from '../../../report/text.ts';
import type { WireChoice } from '../../../check/capture/open-capture.ts';
import type { Interruption } from '../../../check/commands/support/interrupt.ts';
import { serverLineFlags, withHeaders, withServerLine } from '../../../check/commands/support/flags/server-line.ts';
import {
  targetFlags,
  targetOptions,
  type TargetFlagValues,
} from '../../../check/commands/support/flags/target-flags.ts';
import { toolConsent, toolFlags } from '../../../check/commands/support/flags/tool-flags.ts';

import { checkSuiteLock, lockRecordedServer, lockSuiteServer } from './suite-lock.ts';
import { usualLock } from '../../../files/locks/lock-file.ts';

const { serve: _serve, ...reachedFlags } = targetFlags;
const { plan: _plan, ...consentFlags } = toolFlags;

/** Options for the server and its callable tools. */
export const starterFlags = {
  ...reachedFlags,
  ...serverLineFlags,
  fixture: Flags.string({
    summary:
      'Directory with files for the server. The server gets a copy; {{fixture}} in its command line is the path of the copy.',
    helpGroup: 'SERVER PROCESS',
    helpValue: 'DIR',
  }),
  ...consentFlags,
  'include-writes': Flags.boolean({ summary: 'The same as --allow-destructive.', helpGroup: 'TOOLS' }),
  hints: Flags.string({
    summary:
      'Hints file (YAML): arguments for tools, and which of them may be called. See docs/hints.md; "mcpc hints init" writes one to edit.',
    helpGroup: 'TOOLS',
    helpValue: 'hints.yaml',
  }),
  lock: Flags.boolean({
    summary: `Write ${usualLock} into the folder, for "mcpc ci" to compare with (docs/drift.md); not with --form assert. [default: true]`,
    allowNo: true,
    default: true,
  }),
  quiet: Flags.boolean({ summary: 'Print only the names of the files written.', char: 'q' }),
};

type StarterFlagValues = Parameters<typeof targetOptions>[0] &
  Parameters<typeof toolConsent>[0] & {
    'include-writes': boolean;
    hints?: string | undefined;
    headers?: string | undefined;
    fixture?: string | undefined;
    lock: boolean;
    quiet: boolean;
  };

export interface StarterAbout {
  /** Folder of the suite. */
  folder: string;
  overwrite: boolean;
  form?: 'native' | 'assert';
  toolVersion: string;
  interrupts: Interruption;
  talk(line: string): void;
}

export interface WrittenStarter extends StarterSuite {
  /** Connection settings of the server. */
  target: Awaited<ReturnType<typeof targetOptions>>['target'];
  secrets: readonly string[];
}

/** @throws McpcError usage, also for existing files; target; interrupted, before anything is written */
export async function writeStarter(
  given: StarterFlagValues,
  words: string[],
  { folder, overwrite, form = 'native', toolVersion, interrupts, talk }: StarterAbout,
): Promise<WrittenStarter> {
  const { flags, command } = withServerLine(withHeaders(given), words);
  const { hintsFile, notices = [], ...target } = await targetOptions(flags, command);
  for (const line of notices) talk(visible(line));
  const [{ starterFiles, writeStarterSuite }, { checkOutput, writeOutput }, { readHints }] = await Promise.all([
    import('../../authoring/starter-suite/starter-suite.ts'),
    import('../../../files/output/output.ts'),
    import('../../../check/target/hints-file.ts'),
  ]);
  const place = (name: string) => ({
    path: join(folder, name),
    what: 'the suite',
    replaces: 'nothing' as const,
    overwrite,
  });
  const locks = flags.lock && form === 'native';
  if (locks) checkSuiteLock(folder);
  if (form === 'native') for (const name of starterFiles) checkOutput(place(`${name}.yaml`));
  const hints = flags.hints ?? hintsFile;
  const fixture =
    flags.fixture === undefined
      ? undefined
      : (await import('../../run/connect/fixture.ts')).fixtureFolder(flags.fixture);
  const consent = toolConsent(flags);
  const written = await interrupts.within(
    writeStarterSuite({
      ...target,
      ...consent,
      allowDestructive: consent.allowDestructive || flags['include-writes'],
      ...(hints === undefined ? {} : { hints: readHints(hints) }),
      ...(fixture === undefined ? {} : { fixture }),
      form,
      toolVersion,
      signal: interrupts.signal,
      onLeftBehind: (command) => talk(visible(leftBehindText(command))),
      onSession: (session, requests) => {
        if (!flags.quiet) talk(`Session ${session} of 2: ${session === 1 ? requests * 2 : requests} requests …`);
      },
    }),
  );
  if (written === undefined) throw new McpcError('interrupted', 'Interrupted; nothing was written.');
  if (written.files.length === 0)
    throw usageError(
      'The server lists no tools, prompts or resources: there is nothing to write a case for.',
      'Write one by hand; docs/suites.md describes suites.',
    );
  for (const { name } of written.files) checkOutput(place(name));
  for (const { name, text, cases } of written.files) {
    writeOutput(place(name), text);
    talk(`${join(folder, name)}: ${cases} ${cases === 1 ? 'case' : 'cases'}`);
  }
  if (written.skipped.length > 0 && !flags.quiet)
    talk(
      `Not called, and written with skip: ${written.skipped.map(({ name }) => visible(name)).join(', ')}. --allow-tool NAME, --allow-destructive or a file of hints has them called.`,
    );
  if (locks) {
    const { target: reached } = target;
    const { filledIn } = await import('../../run/connect/fixture.ts');
    await interrupts.within(
      lockSuiteServer(
        { folder, overwrite, talk },
        {
          ...target,
          ...(fixture !== undefined && reached.kind === 'stdio'
            ? { target: { ...reached, args: filledIn(reached.args, fixture) } }
            : {}),
          toolVersion,
          signal: interrupts.signal,
          onLeftBehind: (left) => talk(visible(leftBehindText(left))),
        },
      ),
    );
  }
  return { ...written, target: target.target, secrets: target.secrets };
}

/**
 * The same from a recording: `recorded.yaml` in the folder.
 * @throws McpcError usage for an unreadable recording or one without requests, and for an existing file
 */
export async function writeRecordedStarter(
  file: string,
  choice: WireChoice,
  given: TargetFlagValues & { headers?: string | undefined; lock: boolean },
  words: string[],
  { folder, overwrite, quiet, talk }: Pick<StarterAbout, 'folder' | 'overwrite' | 'talk'> & { quiet: boolean },
): Promise<void> {
  const { flags, command } = withServerLine(withHeaders(given), words);
  const named = command.length > 0 || flags.url !== undefined || flags.config !== undefined;
  const { target, notices = [] } = named ? await targetOptions(flags, command) : {};
  for (const line of notices) talk(visible(line));
  const [{ writeRecordedSuite }, { checkOutput, writeOutput }] = await Promise.all([
    import('../../authoring/recorded-suite/recorded-suite.ts'),
    import('../../../files/output/output.ts'),
  ]);
  const place = { path: join(folder, 'recorded.yaml'), what: 'the suite', replaces: 'nothing' as const, overwrite };
  checkOutput(place);
  if (flags.lock) checkSuiteLock(folder);
  const { text, cases, steps, left, open, notes } = await writeRecordedSuite({
    file,
    choice,
    target,
  });
  for (const note of notes) talk(visible(`${file}: ${note}`));
  writeOutput(place, text);
  talk(`${place.path}: ${cases} ${cases === 1 ? 'case' : 'cases'}`);
  if (flags.lock) await lockRecordedServer({ folder, overwrite, talk }, file, choice);
  if (quiet) return;
  if (left > 0)
    talk(
      `${left} ${left === 1 ? 'request was' : 'requests were'} left out: without an answer, wrong on purpose, or of a kind that no step has.`,
    );
  talk(`${leftOpen({ open })}. Run it: mcpc run ${folder}`);
  if (steps > 0) talk('It makes all requests of the recording again, those that change something as well.');
}

/** Amount of remaining manual work. */
export function leftOpen({ open }: Pick<StarterSuite, 'open'>): string {
  return open === 0 ? 'Nothing is left to fill in' : `${open} ${open === 1 ? 'place says' : 'places say'} TODO`;
}
