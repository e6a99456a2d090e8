/** Repeats a run whenever files change, until interrupted. A run that is under way when one changes is given up. */
import { relative, resolve, sep } from 'node:path';
import { watch } from 'chokidar';
import { exitCodes } from '../../model/errors.ts';
import { formatError } from './error-text.ts';

export interface WatchOptions {
  folder: string;
  /** Files that the runs write themselves. */
  ignore: readonly string[];
  /** Ends the watching. */
  signal: AbortSignal;
  /** One run; its signal is aborted when it is to be given up. */
  once(signal: AbortSignal): Promise<number>;
  talk(line: string): void;
}

/** Saving a file touches it several times. */
const quietMs = 150;

/** @returns the exit code of an interrupted command, which is how watching ends */
export async function watchAndRepeat({ folder, ignore, signal, once, talk }: WatchOptions): Promise<number> {
  const root = resolve(folder);
  const own = new Set(ignore.map((file) => resolve(file)));
  const watcher = watch(root, { ignoreInitial: true, ignored: (path) => isIgnored(path, root, own) });
  let run: AbortController | undefined;
  const since: { changed?: string } = {};
  let wake: () => void = () => {};
  let timer: NodeJS.Timeout | undefined;
  watcher.on('all', (_event, path) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      since.changed = relative(root, path) || path;
      run?.abort();
      wake();
    }, quietMs);
  });
  watcher.on('error', (error) => talk(`Cannot watch: ${error instanceof Error ? error.message : String(error)}`));
  signal.addEventListener('abort', () => {
    run?.abort();
    wake();
  });
  await new Promise<void>((ready) => watcher.once('ready', () => ready()));
  try {
    while (!signal.aborted) {
      delete since.changed;
      run = new AbortController();
      try {
        await once(run.signal);
      } catch (error) {
        talk(formatError(error).text.trimEnd());
      }
      run = undefined;
      if (signal.aborted) break;
      if (since.changed === undefined) {
        talk(`Watching ${folder}; Ctrl-C ends it.`);
        await new Promise<void>((resolved) => {
          wake = resolved;
          if (since.changed !== undefined || signal.aborted) resolved();
        });
      }
      if (since.changed !== undefined && !signal.aborted) talk(`\n${String(since.changed)} changed, checking again.`);
    }
  } finally {
    clearTimeout(timer);
    await watcher.close();
  }
  return exitCodes.interrupted;
}

/** Dependencies, hidden files and folders, and what the runs write. */
function isIgnored(path: string, root: string, own: ReadonlySet<string>): boolean {
  if (own.has(path)) return true;
  return relative(root, path).split(sep).some((part) => part === 'node_modules' || (part.startsWith('.') && part !== '..' && part.length > 1));
}
