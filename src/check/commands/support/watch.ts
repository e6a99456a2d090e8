/** Repeats a run whenever files change, until interrupted. A run that is under way when one changes is given up. */
import { relative, resolve } from 'node:path';
import { exitCodes } from '../../../core/model/errors.ts';
import { formatError } from './error-text.ts';
import { watchFiles } from './watch-files.ts';

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

/** @returns the exit code of an interrupted command, which is how watching ends */
export async function watchAndRepeat({ folder, ignore, signal, once, talk }: WatchOptions): Promise<number> {
  const root = resolve(folder);
  const own = new Set(ignore.map((file) => resolve(file)));
  let run: AbortController | undefined;
  const since: { changed?: string } = {};
  let wake: () => void = () => {};
  const watcher = await watchFiles({
    paths: [root],
    ignored: (path) => own.has(path),
    talk,
    onChange([path]) {
      since.changed = relative(root, path!) || path!;
      run?.abort();
      wake();
    },
  });
  signal.addEventListener('abort', () => {
    run?.abort();
    wake();
  });
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
    await watcher.close();
  }
  return exitCodes.interrupted;
}
