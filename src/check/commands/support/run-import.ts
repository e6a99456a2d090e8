/** Common part of `import` and `trace import-mcp`: import, report, and start an evaluation file. */
import { basename, dirname, join } from 'node:path';
import type { CaptureFormat } from '../../capture/capture-formats.ts';
import type { Printer } from './conclude.ts';

export interface ImportFlags {
  file: string;
  from?: CaptureFormat | undefined;
  outTrace?: string | undefined;
  outWire?: string | undefined;
  init?: boolean | undefined;
  transport?: 'stdio' | 'http' | 'sse' | undefined;
  spec?: string | undefined;
  'strict-ids': boolean;
  'keep-secrets': boolean;
  overwrite: boolean;
  'episode-id'?: string | undefined;
  'test-id'?: string | undefined;
  prompt?: string | undefined;
}

/** The name of a file without its ending; with `path` in its folder. */
export function stemOf(file: string, path = false): string {
  const name = basename(file).replace(/\.gz$/i, '');
  const stem = name.replace(/(?<=.)\.[^.]*$/, '');
  return path ? join(dirname(file), stem) : stem;
}

export async function runImport(flags: ImportFlags, { print, talk }: Printer): Promise<void> {
  const { importCapture } = await import('../../capture/import-capture.ts');
  if (flags['keep-secrets']) talk('Secrets of the capture are written as they are (--keep-secrets).');
  const result = await importCapture({
    file: flags.file,
    format: flags.from,
    outTrace: flags.outTrace,
    outWire: flags.outWire,
    episodeId: flags['episode-id'] ?? stemOf(flags.file),
    testId: flags['test-id'],
    prompt: flags.prompt,
    transport: flags.transport,
    revision: flags.spec,
    strictIds: flags['strict-ids'],
    keepSecrets: flags['keep-secrets'],
    overwrite: flags.overwrite,
    now: Date.now(),
  });
  if (flags.from === undefined) talk(`Format: ${result.format}`);
  for (const warning of result.warnings) talk(`Note: ${warning}`);
  print(`Read ${result.messages} MCP messages from ${flags.file}.\n`);
  if (flags.outTrace !== undefined) print(`Wrote ${result.lines} trace events to ${flags.outTrace}.\n`);
  if (flags.outWire !== undefined) print(`Wrote ${result.events ?? 0} wire events to ${flags.outWire}.\n`);
  if (flags.init === true) await startEvaluation(result.tools, { print, talk });
}

async function startEvaluation(tools: readonly string[], { print, talk }: Printer): Promise<void> {
  const { scaffoldName, writeScaffold } = await import('../../capture/eval-scaffold.ts');
  if (writeScaffold(tools)) print(`Wrote ${scaffoldName}.\n`);
  else talk(`${scaffoldName} is there already and stays as it is.`);
}
