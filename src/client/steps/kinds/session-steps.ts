/** Steps about the connection as a whole: opening it, how the client behaves on it, what is learnt of it, ending it. */
import type { ClientBehavior } from '../../peer/answers/client-behavior.ts';
import type { HandshakeOptions } from '../../peer/peer.ts';
import { within } from '../../transport/within.ts';
import { fetchAuthorizationMetadata } from '../support/authorization-metadata.ts';
import { isStateless } from '../support/send-request.ts';
import { partOf, type ObjectStep, type StepWork, type WordStep } from '../support/step-kind.ts';
import { askSentinel } from '../support/step-scope.ts';

/** Steps that are one word. */
export const sessionWords: readonly WordStep[] = [
  {
    name: 'handshake',
    says: 'Open the session as a correct client does.',
    run: async ({ scope }) => void (await scope.peer.handshake()),
  },
  {
    name: 'linger',
    traits: { waits: true },
    says: 'Wait for a message that the server sends unasked, at most the time for late answers. Over HTTP a server can say nothing before it is asked.',
    async run({ scope: { peer }, context }) {
      if (peer.transport !== 'http')
        await peer.waiter.wait((event) => event.from === 'server' && event.kind === 'message', context.timing.lateMs);
    },
  },
  {
    name: 'survey',
    says: 'Fetch all lists that the capabilities of the server promise.',
    run: async ({ scope, context }) => void (await context.listing(scope.peer)),
  },
  {
    name: 'sentinel',
    says: 'Send a request that any server answers at once: what was to come before has come.',
    run: async ({ scope }) => void (await askSentinel(scope.peer)),
  },
  {
    name: 'deleteSession',
    says: 'End the session over HTTP (DELETE), if it has an id.',
    traits: { spendsConnection: true },
    run: deleteSession,
  },
  {
    name: 'deleteWithoutSession',
    says: 'Send a DELETE over Streamable HTTP where the server gave no session id: there is nothing to end, and a server that lets no client end a session says so. Comes when all else is done.',
    traits: { spendsConnection: true, comesLast: true },
    run: deleteWithoutSession,
  },
  {
    name: 'closeStdin',
    says: 'Close the stdin of the server.',
    traits: { spendsConnection: true },
    runsWithoutConnection: () => true,
    run: ({ scope }) => scope.peer.channel.closeStdin(),
  },
  {
    name: 'listening',
    says: 'Record on which addresses a server listens that the checker started.',
    run: ({ scope, context }) => context.recordListening(scope.peer.session),
  },
  {
    name: 'shutDown',
    says: 'Ask a server that the checker started (--serve) to end (SIGTERM); what is open on the connection stays open until the server ends it. Comes when all else is done, and is left out for other servers.',
    traits: { spendsConnection: true, waits: true, endsServer: true },
    run: shutDown,
  },
  {
    name: 'authorizationMetadata',
    says: 'Fetch the metadata of the protected resource and of its authorization servers, where the server asked for credentials.',
    run: ({ scope, context }) => fetchAuthorizationMetadata(scope.peer, context),
  },
];

export const sessionSteps: readonly ObjectStep[] = [
  {
    name: 'handshake',
    says: 'Open the session. Without it the connection is opened, and nothing is sent on it.',
    schema: {
      handshake: {
        type: 'object',
        properties: {
          version: { description: 'Version to ask for, when not the one under test.', type: 'string' },
          clientCapabilities: { type: 'object' },
          initialized: { description: 'false: notifications/initialized is held back.', type: 'boolean' },
          headers: partOf('headers'),
          deviation: partOf('deviation'),
        },
        additionalProperties: false,
      },
    },
    traits: ({ handshake }) =>
      typeof (handshake as HandshakeOptions).deviation === 'string' ? { deviates: true } : {},
    run: async (step, { scope }) => void (await scope.peer.handshake(step.handshake as HandshakeOptions)),
  },
  {
    name: 'answers',
    says: 'Client answers to elicitation and sampling from now on. usual: forms filled in, addresses declined, a tool used once in each conversation. accept: addresses accepted as well. decline, cancel: so are elicitations. unfit: forms filled in with values of wrong types. loop: the model never stops using tools. no-roots: roots/list gives an error, since the roots are unavailable.',
    schema: {
      answers: { enum: ['usual', 'accept', 'decline', 'cancel', 'unfit', 'loop', 'no-roots'] },
      deviation: partOf('deviation'),
    },
    run: (step, { scope }) => scope.peer.answerIn(step.answers as ClientBehavior),
  },
  {
    name: 'awaitExit',
    says: 'stdio: wait for the process to end.',
    schema: { awaitExit: { const: true } },
    traits: { waits: true },
    run: (_step, work) => awaitExit(work),
  },
];

async function deleteSession({ scope: { peer, exchanges } }: StepWork): Promise<void> {
  if (peer.sessionId === undefined) return;
  const exchange = peer.channel.exchange({
    method: 'DELETE',
    headers: peer.headersFor(undefined, { 'content-type': null }),
  });
  if (exchange) exchanges.set('deleteSession', exchange);
  await exchange?.response;
}

async function deleteWithoutSession({ scope: { peer } }: StepWork): Promise<void> {
  if (peer.transport !== 'http' || peer.sessionId !== undefined || isStateless(peer)) return;
  await peer.channel.exchange({ method: 'DELETE', headers: peer.headersFor(undefined, { 'content-type': null }) })
    ?.response;
}

/** The client leaves by ending the server: what it loses from here on is no loss. */
async function shutDown({ scope: { peer, pending }, context }: StepWork): Promise<void> {
  if (!context.shutDown || !peer.alive) return;
  context.sink({
    session: peer.session,
    from: 'client',
    kind: 'closed',
    what: 'server',
    reason: 'SIGTERM was sent to the server',
  });
  const exit = await context.shutDown(context.timing.exitMs);
  // Its last output is in the pipe.
  const streams = [...pending.values()].flatMap(({ exchange }) => (exchange === undefined ? [] : [exchange.done]));
  await within(Promise.all(streams), context.timing.lateMs);
  context.sink({ session: peer.session, from: 'harness', kind: 'exit', exit });
}

async function awaitExit({ scope, context }: StepWork): Promise<void> {
  if (!scope.peer.alive) return;
  const ms = context.timing.exitMs;
  const exit = await scope.peer.waiter.wait((event) => event.kind === 'exit', ms);
  if (exit) return;
  context.sink({
    session: scope.peer.session,
    from: 'harness',
    kind: 'timeout',
    what: 'stdin',
    waitedMs: ms,
    reason: 'the process did not end',
  });
}
