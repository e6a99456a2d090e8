/** Asks a live server what it offers, to the last page of each list, and calls nothing unless that is wanted. */
import type { CheckOptions } from '../check-options.ts';
import { endedCommands } from '../reporting/left-behind.ts';
import { redactorOf } from '../run-redactor.ts';
import { withTarget } from '../with-target.ts';
import { chooseTools } from '../../client/offers/choose-tools.ts';
import { needLists, surveyTarget, type Listing } from '../../client/offers/survey.ts';
import type { Peer } from '../../client/peer/peer.ts';
import { marked, partMark } from '../../client/transport/process/run-mark.ts';
import type { Detected } from '../../client/reach/detected.ts';
import type { Offer } from '../../core/drift/lock.ts';
import { differing } from '../../core/drift/unsteady.ts';
import { usualPlaces } from '../../core/json-schema/places.ts';
import { targetError } from '../../core/model/errors.ts';
import { asObject, withTexts } from '../../core/model/json.ts';
import type { TraceEvent } from '../../core/model/trace.ts';
import type { Permission } from '../../core/permission/decide.ts';
import type { Redactor } from '../../core/trace/redaction/redact.ts';

export type ReadOptions = Pick<
  CheckOptions,
  'target' | 'name' | 'serve' | 'fallback' | 'secrets' | 'spec' | 'timing' | 'toolVersion' | 'signal' | 'onStderr'
> & {
  /** Names of other clients under which the lists are asked for as well. */
  as?: readonly string[] | undefined;
  /** Call one tool that may be called, and ask for the lists again. */
  call?: Permission | undefined;
  /** Called with each process that the server left running; it has been ended. */
  onLeftBehind?: ((command: string) => void) | undefined;
};

export interface ReadOffer {
  offer: Offer;
  /** Lists that were not the same when they were asked for again, as sentences: no lock can hold those. */
  unsteady: string[];
}

/** Longer than a server is read; the wait ends before with the reading. */
const listeningMs = 3_600_000;

/**
 * @throws McpcError target where the server cannot be reached or gives no lists
 */
export async function readOffer(given: ReadOptions): Promise<ReadOffer> {
  const mark = partMark();
  const { target, serve } = given;
  try {
    return await readMarked({
      ...given,
      ...(target.kind === 'stdio' ? { target: marked(target, mark) } : {}),
      ...(serve === undefined ? {} : { serve: marked(serve, mark) }),
    });
  } finally {
    for (const command of await endedCommands(mark, redactorOf(given))) given.onLeftBehind?.(command);
  }
}

async function readMarked(options: ReadOptions): Promise<ReadOffer> {
  const { offer, unsteady } = await withTarget(options, (detected, redactor) => readTwice(detected, redactor, options));
  const other = async (how: string, clientName?: string): Promise<void> => {
    const seen = await withTarget(
      { ...options, ...(clientName === undefined ? {} : { clientName }) },
      async (detected, redactor) => cleanOffer(detected, await surveyTarget(detected.peer), redactor),
    );
    for (const list of differing(offer, seen)) unsteady.push(`${list} differ ${how}`);
  };
  await other('on a second connection');
  for (const name of options.as ?? []) await other(`for a client that is called ${JSON.stringify(name)}`, name);
  return { offer, unsteady };
}

/** The first connection: asks twice, after a call where one is wanted, and after the server says that a list changed. */
async function readTwice(detected: Detected, redactor: Redactor, options: ReadOptions): Promise<ReadOffer> {
  if (detected.locked !== undefined)
    throw targetError(`What the server offers is not known: ${detected.locked}.`, 'Give credentials with --token.');
  const { peer } = detected;
  const listening = listenForChanges(peer);
  try {
    const listing = await surveyTarget(peer);
    needLists(listing, options.signal);
    const offer = cleanOffer(detected, listing, redactor);
    const unsteady: string[] = [];
    const again = async (how: string): Promise<void> => {
      const seen = cleanOffer(detected, await surveyTarget(peer), redactor);
      for (const list of differing(offer, seen)) unsteady.push(`${list} differ ${how}`);
    };
    await again('when they are asked for twice');
    const called = options.call === undefined ? undefined : await callOne(peer, listing, options.call);
    if (called !== undefined) await again(`after a call of the tool ${JSON.stringify(called)}`);
    if (listening.changed()) await again('after the server said that a list changed');
    return { offer, unsteady };
  } finally {
    listening.end();
  }
}

/** @returns the name of the tool that was called; undefined where none may be */
async function callOne(peer: Peer, listing: Listing, permission: Permission): Promise<string | undefined> {
  const [tool] = chooseTools(listing, { choice: 'any', most: 1 }, { permission, places: usualPlaces });
  if (tool === undefined) return undefined;
  await peer.request('tools/call', tool).answer;
  return tool.name;
}

/** Notes whether the server says that a list changed. */
function listenForChanges(peer: Peer): { changed(): boolean; end(): void } {
  let isChanged = false;
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const note = ({ kind, from, message }: TraceEvent): boolean => {
    if (kind === 'message' && from === 'server')
      for (const one of Array.isArray(message) ? (message as unknown[]) : [message]) {
        const method = asObject(one)?.['method'];
        isChanged ||= typeof method === 'string' && method.endsWith('/list_changed');
      }
    return false;
  };
  void peer.waiter.wait(note, listeningMs, ended);
  return { changed: () => isChanged, end };
}

function cleanOffer(detected: Detected, listing: Listing, redactor: Redactor): Offer {
  return withTexts(offerOf(detected, listing), (text) => redactor.text(text)) as Offer;
}

function offerOf({ revision, serverInfo, instructions, peer }: Detected, listing: Listing): Offer {
  const { tools, prompts, resources, templates } = listing;
  return {
    revision,
    serverInfo,
    capabilities: peer.serverCapabilities ?? {},
    instructions,
    tools,
    prompts,
    resources,
    templates,
  };
}
