/** Connection to a target, and what was detected about it. Shapes only. */
import type { Era, Revision } from '../../core/model/rules/requirement.ts';
import type { Peer } from '../peer/peer.ts';
import type { Target } from '../target/target.ts';

type Json = Record<string, unknown>;

export interface Detected {
  target: Target;
  era: Era;
  revision: Revision;
  /** An open session after its handshake, to go on with. */
  peer: Peer;
  serverInfo?: Json;
  /** The server's instructions for models. */
  instructions?: string;
  /** Set when the target wants credentials, or others: nothing but its authorization can be checked. */
  locked?: string;
  /** The server's revision, if it differs from the required one: only that answer can be checked. */
  otherRevision?: Revision;
  /** The revision is the requested one, since the server names an invalid one: a text about it. */
  assumed?: string;
  capabilities: string[];
}

export interface DetectOptions {
  target: Target;
  /** A revision to hold the target to, or auto. */
  spec: Revision | 'auto';
  /** Only Streamable HTTP, only HTTP+SSE, or whichever the address speaks. */
  fallback: boolean;
  /** True to test a server that accepts the handshake for the stateless era, too; only with `auto`, and by default. */
  askForStateless?: boolean;
  /** Ends with NotSpoken where the target does not speak the revision, in place of holding it to that; how long it may take to answer, if less than usual. */
  onlyIfSpoken?: { deadlineMs?: number };
  /** Called with what the target speaks while mcpc still asks whether it speaks the stateless era as well: time to prepare. */
  onLikely?: ((likely: Pick<Detected, 'target' | 'era' | 'revision'>) => void) | undefined;
  /** @param how `trial`: opened only to ask for something else, what comes of it is no fault; `startMs`: less time than usual for a first answer */
  open(target: Target, era: Era, revision: Revision, how?: { trial?: true; startMs?: number }): Promise<Peer>;
}
