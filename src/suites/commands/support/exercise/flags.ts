/** Flags of the commands that call the tools of a live server (audit, fuzz), and what they come to. */
import { Args, Flags } from '@oclif/core';
import type { ExerciseOptions } from '../../../exercise/options.ts';
import { usageError } from '../../../../core/model/errors.ts';
import { visible } from '../../../../report/text.ts';
import { durationFlag } from '../../../../check/commands/support/flags/flag-values.ts';
import { overwriteFlag } from '../../../../check/commands/support/flags/run-flags.ts';
import { serverLineFlags, withHeaders, withServerLine } from '../../../../check/commands/support/flags/server-line.ts';
import {
  targetFlags,
  targetOptions,
  withAddress,
  type TargetFlagValues,
} from '../../../../check/commands/support/flags/target-flags.ts';
import { toolConsent, toolFlags, type ToolFlagValues } from '../../../../check/commands/support/flags/tool-flags.ts';

const { serve: _serve, server: _server, timeout: _timeout, ...reachedFlags } = targetFlags;
const { plan: _plan, ...consentFlags } = toolFlags;

const output = 'OUTPUT';

/** Of a call, when --timeout says nothing: what mcp-assert waits. */
const callMs = 15_000;

export const exerciseFlags = {
  ...reachedFlags,
  ...serverLineFlags,
  docker: Flags.string({
    summary: 'Docker image to run the server in. Which tools are called stays the same.',
    helpGroup: 'SERVER PROCESS',
    helpValue: 'IMAGE',
  }),
  container: Flags.option({
    summary: 'Program that runs the container of --docker. [default: docker]',
    helpGroup: 'SERVER PROCESS',
    options: ['docker', 'podman'] as const,
  })(),
  fixture: Flags.string({
    summary:
      'Directory with files for the server. The server gets a copy; {{fixture}} in its command line is the path of the copy.',
    helpGroup: 'SERVER PROCESS',
    helpValue: 'DIR',
  }),
  timeout: durationFlag('timeout', { summary: 'Time limit of a call. [default: 15s]', helpGroup: 'PROBING' }),
  ...consentFlags,
  'include-writes': Flags.boolean({ summary: 'The same as --allow-destructive.', helpGroup: 'TOOLS' }),
  hints: Flags.string({
    summary:
      'Hints file (YAML): arguments for tools, and which of them may be called. See docs/hints.md; "mcpc hints init" writes one to edit.',
    helpGroup: 'TOOLS',
    helpValue: 'hints.yaml',
  }),
};

/** Where the report goes, of both alike; what is quiet and what becomes of Markdown differs. */
export function reportFlags({ markdown, quiet }: { markdown: string; quiet: string }) {
  return {
    json: Flags.boolean({ summary: 'Print the report as JSON.', helpGroup: output }),
    junit: Flags.string({ summary: 'Write a JUnit file.', helpGroup: output, helpValue: 'FILE' }),
    markdown: Flags.string({ summary: markdown, helpGroup: output, helpValue: 'FILE' }),
    html: Flags.string({ summary: 'Write an HTML report.', helpGroup: output, helpValue: 'FILE' }),
    templates: Flags.string({
      summary: 'Directory with templates (Handlebars) that replace those of mcpc with the same file name.',
      helpGroup: output,
      helpValue: 'DIR',
    }),
    overwrite: overwriteFlag('Overwrite the suite, and files that mcpc did not write.', output),
    quiet: Flags.boolean({ char: 'q', summary: quiet, helpGroup: output }),
    'no-color': Flags.boolean({
      summary: 'Disable colours; NO_COLOR in the environment does the same.',
      helpGroup: output,
    }),
  };
}

/** Both take an address in place of --url. */
export const addressArgs = {
  address: Args.string({
    description: 'Address of the endpoint, the same as --url. A command goes after "--".',
    ignoreStdin: true,
    required: false,
  }),
};

export interface ExerciseFlagValues extends TargetFlagValues, ToolFlagValues {
  headers?: string | undefined;
  docker?: string | undefined;
  container?: 'docker' | 'podman' | undefined;
  fixture?: string | undefined;
  hints?: string | undefined;
  'include-writes': boolean;
}

/**
 * @param address what stood in place of --url; @param command what stood behind `--`
 * @throws McpcError usage
 */
export async function exerciseOptions(
  given: ExerciseFlagValues,
  {
    address,
    command,
    toolVersion,
    signal,
  }: { address: string | undefined; command: string[]; toolVersion: string; signal: AbortSignal },
): Promise<{ options: ExerciseOptions; notices: string[] }> {
  const line = withServerLine(withHeaders(withAddress(given, address)), command);
  const { flags } = line;
  const {
    hintsFile,
    notices = [],
    fallback: _fallback,
    serve: _started,
    ...found
  } = await targetOptions(flags, line.command);
  const [{ readHints }, { fixtureFolder }] = await Promise.all([
    import('../../../../check/target/hints-file.ts'),
    import('../../../run/connect/fixture.ts'),
  ]);
  const hints = flags.hints ?? hintsFile;
  const consent = toolConsent(flags);
  const target =
    flags.docker === undefined
      ? found.target
      : inContainer(found.target, flags.docker, flags.container ?? 'docker', flags.fixture);
  return {
    notices: notices.map(visible),
    options: {
      ...found,
      target,
      timing: { answerMs: callMs, ...found.timing },
      ...consent,
      allowDestructive: consent.allowDestructive || flags['include-writes'],
      ...(hints === undefined ? {} : { hints: readHints(hints) }),
      ...(flags.fixture === undefined ? {} : { fixture: fixtureFolder(flags.fixture) }),
      toolVersion,
      signal,
    },
  };
}

function inContainer(
  target: ExerciseOptions['target'],
  image: string,
  engine: string,
  fixture: string | undefined,
): ExerciseOptions['target'] {
  if (target.kind !== 'stdio')
    throw usageError('--docker has no meaning for a server that mcpc does not start.', 'Leave it out.');
  if (fixture !== undefined)
    throw usageError(
      '--docker and --fixture do not go together here.',
      'Build the files into the image, or run a suite: mcpc run --docker mounts the fixture.',
    );
  return {
    ...target,
    command: engine,
    container: true,
    args: ['run', '--rm', '-i', image, target.command, ...target.args],
  };
}
