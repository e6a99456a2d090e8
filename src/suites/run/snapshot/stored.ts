/** Snapshots as cases are judged by them: what is stored, and which parts of answers are left out. */
import { realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { usageError } from '../../../core/model/errors.ts';
import type { JsonObject } from '../../../core/model/json.ts';
import type { SuiteCase } from '../../language/model.ts';
import type { SnapshotsOfCase } from '../../language/judge/judge-case.ts';
import { snapshotSteps } from '../../language/snapshot/entries.ts';
import type { MaskedPlace } from '../../language/snapshot/masks.ts';
import { pathProblem } from '../../language/snapshot/volatile.ts';
import { keptNames, readSnapshots, snapshotFileOf } from './files.ts';
import type { StoredCases } from './files.ts';

/** Takes secrets out of a message. */
export type CleanMessage = (message: JsonObject) => JsonObject;

/** The snapshots of a case. */
export type SuiteSnapshots = (one: SuiteCase, clean: CleanMessage) => SnapshotsOfCase;

/**
 * Content of the files next to the suites.
 * @param all the cases of the files, selected or not
 * @param fixture the folder to copy for cases
 * @throws McpcError usage for an unreadable file, or an invalid path of `volatile`
 */
export function storedSnapshots(all: readonly SuiteCase[], fixture: string | undefined): SuiteSnapshots {
  checkVolatile(all);
  const names = keptNames(all);
  const files = new Map<string, StoredCases>();
  for (const { file } of all) if (!files.has(file)) files.set(file, readSnapshots(snapshotFileOf(file)));
  return snapshotsWith(fixture, (one, key) => ({
    stored: files
      .get(one.file)
      ?.get(names.get(one.id) ?? one.name)
      ?.get(key),
  }));
}

/** @param view what is stored of a step, or who takes what it gives */
export function snapshotsWith(
  fixture: string | undefined,
  view: (one: SuiteCase, key: string) => { stored: string | undefined; note?(now: string): undefined },
): SuiteSnapshots {
  return (one, clean) => {
    const steps = snapshotSteps(one);
    return (step, copy) => {
      const found = steps.get(step.id);
      if (found === undefined) return undefined;
      return {
        ...view(one, found.key),
        target: found.step.snapshotTarget,
        places: placesOf(copy, fixture),
        volatile: one.volatile ?? [],
        clean,
      };
    };
  };
}

let machine: MaskedPlace[] | undefined;

/** Paths that snapshots leave out: of the fixture and its copy, and of this machine. */
export function placesOf(...fixtures: (string | undefined)[]): MaskedPlace[] {
  machine ??= machinePlaces();
  return [...fixtures.flatMap((path) => (path === undefined ? [] : [{ path, word: '<fixture>' }])), ...machine];
}

function machinePlaces(): MaskedPlace[] {
  const real = (path: string): string[] => {
    try {
      return [...new Set([path, realpathSync(path)])];
    } catch {
      return [path];
    }
  };
  return [
    [process.cwd(), '<cwd>'],
    [tmpdir(), '<tmp>'],
    [homedir(), '<home>'],
  ].flatMap(([path, word]) => real(path!).map((one) => ({ path: one, word: word! })));
}

/** @throws McpcError usage naming all paths that cannot be read */
export function checkVolatile(cases: readonly SuiteCase[]): void {
  const wrong = cases.flatMap(({ file, place, volatile = [] }) =>
    volatile.flatMap((path) => {
      const why = pathProblem(path);
      return why === undefined
        ? []
        : [`${file}:${place.line}: volatile: ${JSON.stringify(path)} is no JSON path: ${why}`];
    }),
  );
  if (wrong.length > 0)
    throw usageError([...new Set(wrong)].slice(0, 20).join('\n'), 'Write paths such as $.items[*].id.');
}
