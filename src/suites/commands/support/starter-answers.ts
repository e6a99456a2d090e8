/** Stores what the server of a new suite answers to each case, next to its files. */
import type { SnapshotReport } from '../../../core/model/reports/snapshot-report.ts';
import { takeSnapshots } from '../../run/take-snapshots.ts';
import { plainRun } from './flags.ts';
import { prepareRun } from './run.ts';
import type { WrittenStarter } from './starter.ts';

/** @param suite paths of its files @throws McpcError usage for files of snapshots that cannot be read or written */
export async function storeAnswers(
  suite: string[],
  { target, secrets }: Pick<WrittenStarter, 'target' | 'secrets'>,
  about: {
    fixture?: string | undefined;
    quiet: boolean;
    overwrite: boolean;
    toolVersion: string;
    signal: AbortSignal;
  },
): Promise<SnapshotReport> {
  const prepared = await prepareRun(
    undefined,
    {
      ...plainRun,
      suite,
      fixture: about.fixture,
      session: 'suite',
      'reuse-server': false,
      spec: 'auto',
      recursive: false,
      strict: false,
      'no-commands': false,
      quiet: about.quiet,
      'no-color': false,
      insecure: false,
      'no-proxy': false,
    },
    [],
    { toolVersion: about.toolVersion, command: 'init' },
  );
  return takeSnapshots({
    // Variables in the files are known here.
    run: { ...prepared.options, override: { target }, secrets, signal: about.signal },
    all: prepared.all,
    update: true,
    prune: false,
    overwrite: about.overwrite,
  });
}
