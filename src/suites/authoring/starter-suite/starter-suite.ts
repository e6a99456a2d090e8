/**
 * Writes a starter suite from a live server: walks its lists, makes each request three times, twice in one session and
 * once in a fresh one, and expects the stable values. It calls the tools that `mcpc check` would call.
 */
import { homedir, hostname, tmpdir } from 'node:os';
import { usageError } from '../../../core/model/errors.ts';
import type { CheckOptions } from '../../../check/check-options.ts';
import { redactorOf } from '../../../check/run-redactor.ts';
import {
  copyFixture,
  filledIn,
  placesIn,
  removeLeftovers,
  withCopy,
  withPlaceholder,
} from '../../run/connect/fixture.ts';
import { createLiveServer } from '../../run/connect/live-server.ts';
import { usualPlaces } from '../../../core/json-schema/places.ts';
import { permissionOf } from '../../../client/offers/choose-tools.ts';
import type { Peer } from '../../../client/peer/peer.ts';
import { needLists, surveyTarget, type Listing } from '../../../client/offers/survey.ts';
import { attemptsOf, type Attempt, type StarterFile } from './attempts.ts';
import { expectedOf, type Expected } from './expected.ts';
import { listCases } from './lists.ts';
import { observe, type Seen } from './observe.ts';
import { serverBlock } from './server-block.ts';
import { assertFiles } from './assert-files.ts';
import { suiteText, type StarterCase } from './write.ts';
import { asText, withTexts } from '../../../core/model/json.ts';

export { starterFiles } from './attempts.ts';

export type StarterSuiteOptions = Pick<
  CheckOptions,
  | 'target'
  | 'name'
  | 'serve'
  | 'secrets'
  | 'spec'
  | 'timing'
  | 'toolVersion'
  | 'signal'
  | 'allowDestructive'
  | 'allowTools'
  | 'denyTools'
  | 'hints'
> & {
  /** `assert`: a file for each tool, in the form of mcp-assert. */
  form?: 'native' | 'assert';
  /** Folder of files for the server; it gets a copy, whose path is put in for `{{fixture}}` in its arguments. */
  fixture?: string;
  /** Only these files; all when absent. */
  only?: readonly StarterFile[];
  /** Only these attempts; all when absent. */
  select?(attempt: Attempt): boolean;
  /** Called for each process that the server left running, after its end. */
  onLeftBehind?: ((command: string) => void) | undefined;
  /** Called at the beginning of each of the two sessions. */
  onSession?(session: 1 | 2, requests: number): void;
};

export interface StarterSuite {
  /** Names without folder, with their texts. */
  files: { name: string; text: string; cases: number }[];
  /** Tools that were not called, with the reason. */
  skipped: { name: string; why: string }[];
  /** Places that say TODO. */
  open: number;
}

/**
 * Nothing is kept of what is recorded; only a server that floods comes to these. Events beyond them are not received.
 */
const limits = { maxEvents: 1_000_000, maxBytes: 4 * 1024 ** 3 };

/**
 * @throws McpcError usage for a server that mcpc would have to start over HTTP, target when it cannot be reached or
 *   does not speak MCP
 */
export async function writeStarterSuite(options: StarterSuiteOptions): Promise<StarterSuite> {
  if (options.serve !== undefined)
    throw usageError(
      'A suite cannot start a server over HTTP.',
      'Start it yourself and give its address, or generate from the server on stdio.',
    );
  const redactor = redactorOf(options);
  if (options.fixture !== undefined) removeLeftovers();
  const copy = options.fixture === undefined ? undefined : await copyFixture(options.fixture);
  const { target } = options;
  const server = createLiveServer({
    ...options,
    target:
      copy !== undefined && target.kind === 'stdio' ? { ...target, args: filledIn(target.args, copy.path) } : target,
    redactor,
    limits,
  });
  const open = async (): Promise<Peer> => (await server.open()).opened!.peer;
  try {
    const first = await open();
    const listing: Listing = {
      ...(await surveyTarget(first)),
      ...(options.hints === undefined ? {} : { hints: withCopy(options.hints, copy?.path) }),
    };
    needLists(listing, options.signal);
    const { only, select = () => true } = options;
    const attempts = attemptsOf(listing, first.serverCapabilities ?? {}, {
      permission: permissionOf(options),
      places: copy === undefined ? { folder: usualPlaces.folder } : placesIn(copy.path),
    })
      .filter(({ file }) => only === undefined || only.includes(file))
      .filter(select)
      .filter(options.form === 'assert' ? isFirstOfTool() : () => true);
    const requests = attempts.filter(({ skip }) => skip === undefined).length;
    const seen: Seen = new Map();
    options.onSession?.(1, requests);
    await observe(attempts, seen, 2, first, open);
    options.signal?.throwIfAborted();
    const second = await open();
    const again = await surveyTarget(second);
    needLists(again, options.signal);
    options.onSession?.(2, requests);
    await observe(attempts, seen, 1, second, open);
    options.signal?.throwIfAborted();
    return suiteOf(
      options,
      placed({ attempts, seen, listings: [listing, again], copy: copy?.path }, options.form),
      (text) => redactor.text(text),
    );
  } finally {
    await server.closeAll();
    await copy?.remove();
  }
}

/**
 * The observations, with `{{fixture}}` in place of the path of the copy. Expected texts of mcp-assert know no such
 * word.
 */
function placed(observed: Observed, form: StarterSuiteOptions['form']): Observed {
  const { copy } = observed;
  const seen: Seen = new Map();
  const attempts = observed.attempts.map((attempt) => {
    const outcomes = observed.seen.get(attempt);
    const literal = JSON.stringify(outcomes ?? '').includes('{{fixture}}');
    const written: Attempt = { ...withPlaceholder(attempt, copy), ...(literal ? { literal } : {}) };
    if (outcomes !== undefined)
      seen.set(written, form === 'assert' || literal ? outcomes : withPlaceholder(outcomes, copy));
    return written;
  });
  return { ...observed, attempts, seen };
}

/** The form of mcp-assert has a file for each tool, with its valid call. */
function isFirstOfTool(): (attempt: Attempt) => boolean {
  const seen = new Set<unknown>();
  return ({ file, params }) => file === 'tools' && !seen.has(params['name']) && seen.add(params['name']).size > 0;
}

/** A server may put secrets into its names and schemas, and so into what it is asked and expected to answer. */
function withoutSecrets(one: StarterCase, clean: (text: string) => string): StarterCase {
  const cleaned = withTexts(one, clean) as StarterCase;
  const same = (member: 'step' | 'members'): boolean => JSON.stringify(cleaned[member]) === JSON.stringify(one[member]);
  if (!same('step')) return { ...cleaned, members: {}, skip: cleaned.skip ?? 'it holds a secret, which was taken out' };
  if (same('members')) return cleaned;
  return {
    ...cleaned,
    members: { expect: { result_schema: { type: 'object' } } },
    comments: [...cleaned.comments, 'What was answered holds secrets, and is not expected.'],
  };
}

interface Observed {
  attempts: readonly Attempt[];
  seen: Seen;
  listings: readonly [Listing, Listing];
  /** Path of the copy of the files. */
  copy: string | undefined;
}

function suiteOf(
  options: StarterSuiteOptions,
  { attempts, seen, listings, copy }: Observed,
  clean: (text: string) => string,
): StarterSuite {
  const { server, notes } = serverBlock(options.target, clean);
  const places = [homedir(), tmpdir(), hostname(), process.cwd(), process.execPath, copy ?? ''].filter(
    (place) => place.length > 3,
  );
  const cases = new Map<StarterFile, StarterCase[]>(
    options.only === undefined || options.only.includes('lists')
      ? [['lists', listCases(listings, clean).map((one) => withoutSecrets(one, clean))]]
      : [],
  );
  for (const attempt of attempts) {
    const { members, comments, volatile, skip }: Expected =
      attempt.skip === undefined
        ? expectedOf(attempt, seen.get(attempt) ?? [], {
            clean,
            places: attempt.literal === true ? [...places, '{{fixture}}'] : places,
          })
        : { members: {}, comments: [], skip: attempt.skip };
    const list = cases.get(attempt.file) ?? [];
    list.push(
      withoutSecrets(
        {
          name: attempt.name,
          step: attempt.step,
          members,
          comments: withPlaceholder(comments, copy),
          ...(volatile === undefined ? {} : { volatile: volatile.filter((path) => clean(path) === path) }),
          skip,
        },
        clean,
      ),
    );
    cases.set(attempt.file, list);
  }
  const head = `Starter cases for ${clean(options.name)}: what it answered when this file was written.`;
  const files =
    options.form === 'assert'
      ? assertFiles(
          server,
          [head, 'Change what is wrong, fill in what says TODO, delete the rest.', ...notes],
          cases.get('tools') ?? [],
        ).map((file) => ({ ...file, cases: 1 }))
      : [...cases]
          .filter(([, list]) => list.length > 0)
          .map(([name, list]) => ({
            name: `${name}.yaml`,
            cases: list.length,
            text: suiteText(
              {
                comments: [
                  head,
                  'Change what is wrong, fill in what says TODO, delete the rest. docs/suites.md describes every member.',
                  ...notes,
                ],
                server,
              },
              list,
            ),
          }));
  const open = [...cases.values()]
    .flat()
    .flatMap(({ comments }) => comments)
    .filter((line) => line.startsWith('TODO')).length;
  const skipped = attempts
    .filter(({ file, skip }) => file === 'tools' && skip !== undefined)
    .map(({ params, skip }) => ({ name: clean(asText(params['name'])), why: skip! }));
  return { files, skipped, open };
}
