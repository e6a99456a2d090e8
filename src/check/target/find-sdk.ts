/**
 * Finds out which SDK a target is made with: from the package or script that is started, else from how it words its
 * errors. Only reads; unreadable and unknown data is ignored.
 */
import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { TraceEvent } from '../../core/model/trace.ts';
import { sdkOfErrorMessage, sdkOfPackages, sdkOfScript, type NamedSdk } from './sdk-fixes.ts';

/** Length of the beginning of a script that is read: it contains the imports. */
const mostCharacters = 100_000;

/**
 * The SDK of a command that starts a server.
 * @param words command and arguments
 * @param cwd folder in which it is started
 */
export function sdkOfCommand(words: readonly string[], cwd = process.cwd()): NamedSdk | undefined {
  for (const [index, word] of words.entries()) {
    if (word.startsWith('-')) continue;
    const onPath = index === 0 && !word.includes('/') ? (process.env.PATH ?? '').split(path.delimiter) : [];
    const file = [cwd, ...onPath]
      .map((folder) => scriptAt(path.resolve(folder, word)))
      .find((one) => one !== undefined);
    if (file === undefined) continue;
    const found = file.endsWith('.py') ? sdkOfScript(read(file) ?? '') : sdkOfPackage(path.dirname(file));
    if (found) return found;
  }
  return undefined;
}

function scriptAt(file: string): string | undefined {
  try {
    // Programs of packages are links into them.
    const real = realpathSync(file);
    return /\.(?:[cm]?[jt]s|py)$/.test(real) ? real : undefined;
  } catch {
    return undefined;
  }
}

/** From the nearest package.json that names dependencies, going up from the folder. */
function sdkOfPackage(folder: string): NamedSdk | undefined {
  const text = read(path.join(folder, 'package.json'));
  const found =
    text === undefined ? undefined : sdkOfPackages(dependenciesIn(text), (name) => installedVersion(name, folder));
  const parent = path.dirname(folder);
  // A package without the SDK may be part of a workspace, but an installed one is independent.
  if (found || parent === folder || path.basename(parent) === 'node_modules') return found;
  return sdkOfPackage(parent);
}

/** Of a package as a module in the folder would find it; a version that was not written in the form of one is none. */
function installedVersion(name: string, folder: string): string | undefined {
  const text = read(path.join(folder, 'node_modules', name, 'package.json'));
  const parent = path.dirname(folder);
  if (text === undefined) return parent === folder ? undefined : installedVersion(name, parent);
  try {
    const { version } = JSON.parse(text) as { version?: unknown };
    return typeof version === 'string' && /^[\w.+-]{1,64}$/.test(version) ? version : undefined;
  } catch {
    return undefined;
  }
}

function dependenciesIn(text: string): Set<string> {
  try {
    const { dependencies, peerDependencies } = JSON.parse(text) as Record<string, object | undefined>;
    return new Set([dependencies, peerDependencies].flatMap((one) => Object.keys(one ?? {})));
  } catch {
    return new Set();
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').slice(0, mostCharacters);
  } catch {
    return undefined;
  }
}

/** Listens for errors whose wording identifies an SDK. */
export function watchForSdk(): { see(event: TraceEvent): void; readonly found: NamedSdk | undefined } {
  let found: NamedSdk | undefined;
  return {
    see({ kind, from, message }) {
      if (
        found ||
        kind !== 'message' ||
        from !== 'server' ||
        typeof message !== 'object' ||
        message === null ||
        !('error' in message)
      )
        return;
      const text = (message.error as { message?: unknown } | null)?.message;
      if (typeof text === 'string') found = sdkOfErrorMessage(text);
    },
    get found() {
      return found;
    },
  };
}
