/** Options of an audit and a fuzz run. Shapes only. */
import type { CheckOptions } from '../../check/check-options.ts';
import { filledIn } from '../run/connect/fixture.ts';
import type { Target } from '../../client/target/target.ts';
import { canary } from './leaks.ts';

export interface ExerciseOptions
  extends Pick<
    CheckOptions,
    | 'target'
    | 'name'
    | 'secrets'
    | 'spec'
    | 'timing'
    | 'toolVersion'
    | 'signal'
    | 'allowDestructive'
    | 'allowTools'
    | 'denyTools'
    | 'hints'
  > {
  signal: AbortSignal;
  /** Called for each process that the server left running, after its end. */
  onLeftBehind?: ((command: string) => void) | undefined;
  /** Folder of files for the server; it gets a copy, whose path is put in for `{{fixture}}` in its arguments. */
  fixture?: string;
}

/** The started target: with its copy of the files, and a variable that detects a leaked environment. */
export function startedTarget(target: Target, fixture: string | undefined): Target {
  if (target.kind !== 'stdio') return target;
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return {
    ...target,
    args: fixture === undefined ? target.args : filledIn(target.args, fixture),
    env: { ...(target.env ?? inherited), [canary.name]: canary.value },
  };
}

/** The command line or the address, for reports; secrets are still in it. */
export function wordsOf(target: Target): string {
  return target.kind === 'stdio' ? [target.command, ...target.args].join(' ') : target.url;
}
