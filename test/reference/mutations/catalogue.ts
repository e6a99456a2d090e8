/** All mutations by area, and in which revision each can be tried on which transport. */
import type { TransportKind } from '../core/host.ts';
import type { Revision } from '../core/revisions.ts';
import { isStateful } from '../core/revisions.ts';
import { authorizationMutations } from './authorization.ts';
import { cachingMutations } from './caching.ts';
import { cancellationMutations } from './cancellation.ts';
import { ruleMutations } from './from-rules.ts';
import { elicitationMutations } from './elicitation.ts';
import { extensionTaskMutations } from './extension-tasks.ts';
import { handshakeMutations } from './handshake.ts';
import { httpMutations } from './http.ts';
import { jsonrpcMutations } from './jsonrpc.ts';
import { affinityMutations } from './affinity.ts';
import { listContextMutations } from './list-contexts.ts';
import { metaMutations } from './meta.ts';
import type { Mutation } from './mutation.ts';
import { paramHeaderMutations } from './param-headers.ts';
import { promptMutations } from './prompts.ts';
import { refusalMutations } from './refusals.ts';
import { offeringMutations } from './resources.ts';
import { roundMutations } from './rounds.ts';
import { rootsAndLoggingMutations } from './roots-and-logging.ts';
import { samplingMutations } from './sampling.ts';
import { statelessMutations } from './stateless.ts';
import { stdioMutations } from './stdio.ts';
import { streamMutations } from './streams.ts';
import { subscriptionMutations } from './subscriptions.ts';
import { taskMutations } from './tasks.ts';
import { taskLifetimeMutations } from './task-lifetime.ts';
import { taskListingMutations } from './task-listing.ts';
import { taskMessageMutations } from './task-messages.ts';
import { toolMutations } from './tools.ts';
import { utilityMutations } from './utilities.ts';

export const mutations: readonly Mutation[] = [
  ...jsonrpcMutations,
  ...stdioMutations,
  ...handshakeMutations,
  ...utilityMutations,
  ...cancellationMutations,
  ...httpMutations,
  ...streamMutations,
  ...metaMutations,
  ...toolMutations,
  ...taskMutations,
  ...extensionTaskMutations,
  ...promptMutations,
  ...refusalMutations,
  ...offeringMutations,
  ...rootsAndLoggingMutations,
  ...taskLifetimeMutations,
  ...taskListingMutations,
  ...taskMessageMutations,
  ...samplingMutations,
  ...elicitationMutations,
  ...cachingMutations,
  ...authorizationMutations,
  ...statelessMutations,
  ...roundMutations,
  ...paramHeaderMutations,
  ...subscriptionMutations,
  ...affinityMutations,
  ...listContextMutations,
  ...ruleMutations,
];

/** True if a transport is defined under a revision. */
function fits(transport: TransportKind, revision: Revision): boolean {
  if (transport === 'sse') return isStateful(revision);
  return transport === 'stdio' || revision !== '2024-11-05';
}

/** The combinations in which a mutation is to be failed by its rule. */
export function casesOf(mutation: Mutation): { transport: TransportKind; revision: Revision }[] {
  return mutation.transports.flatMap((transport) =>
    mutation.revisions.filter((revision) => fits(transport, revision)).map((revision) => ({ transport, revision })),
  );
}
