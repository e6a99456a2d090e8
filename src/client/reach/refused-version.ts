/**
 * Continues with a server that answers `initialize` with an error instead of a version that it supports: with those of
 * the error (`data.supported`; 2025-11-25: basic/lifecycle, error handling), then with older ones.
 */
import { asObject } from '../../core/model/json.ts';
import type { Era, Revision } from '../../core/model/rules/requirement.ts';
import { isKnownRevision, revisionsOf } from '../../core/spec/revisions.ts';
import type { Answer, Peer } from '../peer/peer.ts';
import { describe, resultOf } from './server-description.ts';
import type { Target } from '../target/target.ts';

export interface OlderOptions {
  target: Target;
  open(target: Target, era: Era, revision: Revision): Promise<Peer>;
}

/** A server without the method has it in no revision. */
const methodNotFound = -32601;

/** The revisions that a refusal names as supported, as far as they are known here, in its order. */
export function namedVersions(answer: Answer): Revision[] {
  const supported = asObject(errorOf(answer)?.data)?.supported;
  return Array.isArray(supported) ? supported.filter(isKnownRevision) : [];
}

/**
 * Requests one revision after another, each on a new connection, until one is accepted.
 * @param asked the refused revision
 * @returns undefined where all are refused, or the refusal is about something else
 */
export async function withOlderRevision(
  { target, open }: OlderOptions,
  asked: Revision,
  answer: Answer,
): Promise<({ revision: Revision; peer: Peer } & ReturnType<typeof describe>) | undefined> {
  const error = errorOf(answer);
  if (error === undefined || error.code === methodNotFound) return undefined;
  for (const revision of inTurn(asked, namedVersions(answer))) {
    const peer = await open(target, 'stateful', revision);
    const result = resultOf(await peer.handshake());
    if (result && isKnownRevision(result.protocolVersion))
      return { revision: result.protocolVersion, peer, ...describe(result) };
    await peer.close();
  }
  return undefined;
}

/** The named revisions, then the others, each from the newest to the oldest. */
function inTurn(asked: Revision, named: readonly Revision[]): Revision[] {
  const others = revisionsOf('stateful')
    .toReversed()
    .filter((revision) => revision !== asked);
  return [...others.filter((one) => named.includes(one)), ...others.filter((one) => !named.includes(one))];
}

function errorOf(answer: Answer): Record<string, unknown> | undefined {
  if (answer.kind === 'refused') return answer.error;
  return answer.kind === 'response' ? asObject(answer.message.error) : undefined;
}
