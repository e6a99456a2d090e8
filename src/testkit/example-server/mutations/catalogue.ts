/** All mutations by area, and in which revision each can be tried on which transport. */
import type { TransportKind } from '../../../server/session/host.ts';
import type { Revision } from '../../../server/protocol/revisions.ts';
import { isStateful } from '../../../server/protocol/revisions.ts';
import { authorizationMutations } from './wire/authorization.ts';
import { cachingMutations } from './stateless/caching.ts';
import { cancellationMutations } from './features/cancellation.ts';
import { ruleMutations } from './from-rules.ts';
import { elicitationMutations } from './features/elicitation.ts';
import { extensionTaskMutations } from './tasks/extension-tasks.ts';
import { handshakeMutations } from './wire/handshake.ts';
import { httpMutations } from './wire/http.ts';
import { jsonrpcMutations } from './wire/jsonrpc.ts';
import { affinityMutations } from './stateless/affinity.ts';
import { listContextMutations } from './stateless/list-contexts.ts';
import { metaMutations } from './stateless/meta.ts';
import type { Mutation } from './mutation.ts';
import { paramHeaderMutations } from './stateless/param-headers.ts';
import { promptMutations } from './features/prompts.ts';
import { refusalMutations } from './wire/refusals.ts';
import { offeringMutations } from './features/resources.ts';
import { roundMutations } from './stateless/rounds.ts';
import { rootsAndLoggingMutations } from './features/roots-and-logging.ts';
import { samplingMutations } from './features/sampling.ts';
import { statelessMutations } from './stateless/stateless.ts';
import { stdioMutations } from './wire/stdio.ts';
import { streamMutations } from './wire/streams.ts';
import { subscriptionMutations } from './stateless/subscriptions.ts';
import { taskMutations } from './tasks/tasks.ts';
import { taskLifetimeMutations } from './tasks/task-lifetime.ts';
import { taskListingMutations } from './tasks/task-listing.ts';
import { taskMessageMutations } from './tasks/task-messages.ts';
import { toolMutations } from './features/tools.ts';
import { utilityMutations } from './features/utilities.ts';

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
