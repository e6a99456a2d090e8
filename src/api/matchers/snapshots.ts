/** The matcher that compares a reply with a snapshot file next to the test, with the masks of suites. */
import { answerText } from '../../suites/language/snapshot/answer-text.ts';
import { snapshotDiff } from '../../suites/language/snapshot/difference.ts';
import { readSnapshots, writeSnapshots } from '../../suites/run/snapshot/files.ts';
import { placesOf } from '../../suites/run/snapshot/stored.ts';
import { usageError } from '../../core/model/errors.ts';
import { knownOf } from '../session/known.ts';
import type { Reply } from '../session/session.ts';
import { cleanText, outcome, replyIn, titleOf, type MatcherResult } from './outcome.ts';

export interface SnapshotOptions {
  /** Distinguishes the snapshots of one test; the request when absent. */
  name?: string;
  /** JSON paths of what may differ at any time, as `$.items[*].id`. */
  volatile?: readonly string[];
  /** The file of snapshots, and the test, where no runner says so. */
  file?: string;
  test?: string;
}

/** Data about the test that vitest and Jest pass to a matcher. */
export interface TestState {
  testPath?: string;
  currentTestName?: string;
  snapshotState?: { _updateSnapshot?: unknown };
}

/** `all` replaces what differs, `new` adds what is missing, `none` changes nothing. */
type Update = 'all' | 'new' | 'none';

/**
 * The reply is what is stored of it, without times, ids, ports, paths and the like. What is not stored yet is stored,
 * except in CI; `vitest -u`, `jest -u`, or MCPC_UPDATE_SNAPSHOTS=1 replaces what differs.
 */
export function toMatchMcpSnapshot(
  this: TestState | void,
  received: unknown,
  given: SnapshotOptions | string = {},
): MatcherResult {
  const reply = replyIn(received, 'toMatchMcpSnapshot');
  const options = typeof given === 'string' ? { name: given } : given;
  const state: TestState = this ?? {};
  const file = options.file ?? (state.testPath === undefined ? undefined : `${state.testPath}.mcp.snap`);
  const test = options.test ?? state.currentTestName;
  if (file === undefined || test === undefined)
    throw usageError(
      'toMatchMcpSnapshot does not know the test.',
      'Name them: toMatchMcpSnapshot(reply, { file: "notes.snap", test: "greets" }).',
    );
  const key = options.name ?? `${titleOf(reply)}${argumentsOf(reply)}`;
  const now = textOfReply(reply, options.volatile ?? []);
  const cases = readSnapshots(file);
  const stored = cases.get(test)?.get(key);
  const update = updateOf(state);
  if (stored === now) return outcome(true, { wanted: 'to match the snapshot', got: 'it does', about: reply });
  if (update === 'all' || (update === 'new' && stored === undefined)) {
    const own = cases.get(test) ?? new Map<string, string>();
    writeSnapshots(file, cases.set(test, own.set(key, now)), true);
    return outcome(true, { wanted: 'to match the snapshot', got: 'it was stored', about: reply });
  }
  return outcome(false, {
    wanted: `to match the snapshot ${JSON.stringify(key)} in ${file}`,
    got: stored === undefined ? 'nothing is stored' : `it differs:\n${snapshotDiff(stored, now)}`,
    about: reply,
    ...(stored === undefined ? {} : { expected: stored, actual: now }),
  });
}

function textOfReply(reply: Reply, volatile: readonly string[]): string {
  const { result, error } = reply;
  return answerText(
    {
      text: '',
      isError: false,
      result,
      ...(error === undefined ? {} : { error }),
      notices: [],
      progress: [],
      file: () => undefined,
    },
    'answer',
    { places: placesOf(), volatile, clean: (message) => knownOf(reply)?.clean(message) ?? message },
  );
}

function argumentsOf(reply: Reply): string {
  const args = reply.params?.['arguments'];
  return typeof args !== 'object' || args === null || Object.keys(args).length === 0
    ? ''
    : ` ${cleanText(reply, args as Record<string, unknown>)}`;
}

function updateOf({ snapshotState }: TestState): Update {
  if (process.env['MCPC_UPDATE_SNAPSHOTS'] === '1') return 'all';
  const known = snapshotState?._updateSnapshot;
  if (known === 'all' || known === 'new' || known === 'none') return known;
  return (process.env['CI'] ?? '') === '' ? 'new' : 'none';
}
