/**
 * The target's lists, walked once for all probes; a list may depend on the client's declarations, and the usual client
 * declares most.
 */
import type { Peer } from '../peer/peer.ts';
import { surveyTarget, type Listing } from './survey.ts';

export interface SharedListing {
  /** The lists; walked on the usual connection while that works, else on this one, if not yet done. */
  of(peer: Peer): Promise<Listing>;
  /** The usual connection is about to be used for something else, or closed: resolves when no list is being walked there. */
  leaveUsual(): Promise<void>;
  /** The result; undefined before the walk. */
  known(): Promise<Listing | undefined>;
}

/**
 * @param usual the connection of the usual client; absent where it is not used for anything else
 * @param complete adds further knowledge to the result
 */
export function createSharedListing(usual: Peer | undefined, complete: (found: Listing) => Listing): SharedListing {
  let serving = usual;
  let listing: Promise<Listing> | undefined;
  const known = async (): Promise<Listing | undefined> => listing?.catch(() => undefined);
  return {
    of: (peer) => (listing ??= surveyTarget(serving?.alive === true ? serving : peer).then(complete)),
    async leaveUsual() {
      serving = undefined;
      await known();
    },
    known,
  };
}
