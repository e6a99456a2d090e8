/** Reports changed files a moment after the change: saving one touches it several times. */
import { relative, sep } from 'node:path';
import { watch } from 'chokidar';
import { asText } from '../../../core/model/json.ts';

export interface FileWatch {
  /** Additional files and folders to watch. */
  add(paths: readonly string[]): void;
  close(): Promise<void>;
}

export interface FileWatchOptions {
  /** Absolute paths of files and folders. */
  paths: readonly string[];
  /**
   * True if changes of a path do not count, in addition to dependencies and hidden files.
   * @param isFile if known
   */
  ignored(path: string, isFile: boolean): boolean;
  /** Poll at this interval in milliseconds, instead of notifications by the system. */
  pollMs?: number;
  /** Absolute paths, each once. */
  onChange(paths: readonly string[]): void;
  talk(line: string): void;
}

const quietMs = 150;

/** Resolves when changes from now on are seen. */
export async function watchFiles({ paths, ignored, pollMs, onChange, talk }: FileWatchOptions): Promise<FileWatch> {
  const roots = new Set(paths);
  const watcher = watch([...paths], {
    ignoreInitial: true,
    ignored: (path, stats) =>
      ignored(path, stats?.isFile() === true) || !rootsOf(path, roots).some((root) => !isHidden(path, root)),
    ...(pollMs === undefined ? {} : { usePolling: true, interval: pollMs, binaryInterval: pollMs }),
  });
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  watcher.on('all', (_event, path) => {
    changed.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const reported = [...changed];
      changed.clear();
      onChange(reported);
    }, quietMs);
  });
  watcher.on('error', (error) => talk(`Cannot watch: ${error instanceof Error ? error.message : asText(error)}`));
  await new Promise<void>((ready) => watcher.once('ready', () => ready()));
  return {
    add(more) {
      const fresh = more.filter((path) => !roots.has(path));
      for (const path of fresh) roots.add(path);
      if (fresh.length > 0) watcher.add(fresh);
    },
    async close() {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}

/** The watched paths that hold a path. */
function rootsOf(path: string, roots: ReadonlySet<string>): string[] {
  return [...roots].filter((root) => path === root || path.startsWith(root.endsWith(sep) ? root : root + sep));
}

/** Dependencies, and hidden files and folders, below what is watched. */
function isHidden(path: string, root: string): boolean {
  return relative(root, path)
    .split(sep)
    .some((part) => part === 'node_modules' || (part.startsWith('.') && part.length > 1));
}
