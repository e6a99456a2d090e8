/** Asks a live server what it offers, to the last page of each list, and calls nothing. */
import type { CheckOptions } from '../check/check-options.ts';
import { withTarget } from '../check/with-target.ts';
import { needLists, surveyTarget, type Listing } from '../client/offers/survey.ts';
import type { Detected } from '../client/reach/detected.ts';
import { targetError } from '../core/model/errors.ts';
import { canonical, withTexts } from '../core/model/json.ts';
import type { Offer } from '../core/drift/lock.ts';

export type ReadOptions = Pick<
  CheckOptions,
  'target' | 'name' | 'serve' | 'fallback' | 'secrets' | 'spec' | 'timing' | 'toolVersion' | 'signal' | 'onStderr'
>;

export interface ReadOffer {
  offer: Offer;
  /** Lists that were not the same when they were asked for again, as sentences: no lock can hold those. */
  unsteady: string[];
}

/**
 * @throws McpcError target where the server cannot be reached or gives no lists
 */
export async function readOffer(options: ReadOptions): Promise<ReadOffer> {
  const first = await withTarget(options, async (detected, redactor) => {
    if (detected.locked !== undefined)
      throw targetError(`What the server offers is not known: ${detected.locked}.`, 'Give credentials with --token.');
    const [listing, again] = [await surveyTarget(detected.peer), await surveyTarget(detected.peer)];
    needLists(listing, options.signal);
    const clean = <T>(value: T): T => withTexts(value, (text) => redactor.text(text)) as T;
    return { offer: clean(offerOf(detected, listing)), again: clean(offerOf(detected, again)) };
  });
  const other = await withTarget(options, async (detected, redactor) => {
    const listing = await surveyTarget(detected.peer);
    return withTexts(offerOf(detected, listing), (text) => redactor.text(text)) as Offer;
  });
  return {
    offer: first.offer,
    unsteady: [
      ...differing(first.offer, first.again).map((list) => `${list} differ when they are asked for twice`),
      ...differing(first.offer, other).map((list) => `${list} differ on a second connection`),
    ],
  };
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

function differing(one: Offer, other: Offer): string[] {
  const sorted = (all: readonly unknown[]): string => all.map(canonical).toSorted().join('\n');
  const lists = (['tools', 'prompts', 'resources', 'templates'] as const).filter(
    (list) => sorted(one[list]) !== sorted(other[list]),
  );
  return [...lists, ...(one.instructions === other.instructions ? [] : ['instructions'])];
}
