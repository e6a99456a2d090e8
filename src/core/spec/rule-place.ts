/** Which requirement a rule decides in a revision, and on a transport. */
import type { Revision } from '../model/rules/requirement.ts';
import type { CompiledRule, RulePlace } from '../model/rules/rule.ts';
import type { TransportKind } from '../model/trace.ts';
import { eraOf, isKnownRevision } from './revisions.ts';

/** HTTP+SSE is described in one revision alone, and bound by it whatever version is negotiated over it. */
const revisionOfLegacyTransport: Revision = '2024-11-05';

/** The place of the rule's requirement; undefined where the rule does not hold. */
export function placeIn(
  { at, transports }: Pick<CompiledRule, 'at' | 'transports'>,
  revision: string,
  transport: TransportKind,
): RulePlace | undefined {
  const own = at[revision];
  if (own !== undefined || transport !== 'sse' || transports.some((one) => one !== 'sse')) return own;
  return isKnownRevision(revision) && eraOf(revision) === 'stateful' ? at[revisionOfLegacyTransport] : undefined;
}
