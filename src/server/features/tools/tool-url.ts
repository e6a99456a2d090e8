/**
 * Tools that send the user to a page (URL mode of elicitation). There is no page: consent counts as a visit,
 * which is over a moment later.
 */
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../protocol/json-rpc.ts';
import { errorCode, RpcError } from '../../protocol/json-rpc.ts';
import type { RequestContext } from '../../session/request-context.ts';
import { canAsk, pause } from '../../session/request-context.ts';
import { atLeast, statelessRevision } from '../../protocol/revisions.ts';
import { failure, whileAsking } from '../kinds/ask-client.ts';
import type { Tool } from '../kinds/tool.ts';
import { text } from '../kinds/tool.ts';

/** Time that a visit of the page takes, in milliseconds. */
const visit = 20;

const connected = 'account-connected';
const pending = 'elicitation-pending';

function elicitation(message: string, page: string, elicitationId: string): JsonObject {
  return { mode: 'url', message, url: `https://accounts.mcpc.example/${page}/${elicitationId}`, elicitationId };
}

export const urlTools: readonly Tool[] = [
  {
    name: 'connect-account',
    title: 'Connect an account',
    description: 'Sends the user to a page where an account is connected (elicitation in URL mode).',
    readOnly: false,
    since: '2025-11-25',
    run: (_given, context) => whileAsking(() => connect(context)),
  },
  {
    name: 'ask-to-visit',
    title: 'Ask the user to visit a page',
    description: 'Sends the user to a page that only tells something (elicitation in URL mode).',
    readOnly: true,
    since: statelessRevision,
    run: (_given, context) =>
      whileAsking(async () => {
        const { action } = await context.ask('page', 'elicitation/create', {
          mode: 'url',
          message: 'Please read the news.',
          url: 'https://accounts.mcpc.example/news',
        });
        return text(action === 'accept' ? 'The user reads it.' : `The user chose: ${String(action)}`);
      }),
  },
  {
    name: 'export-report',
    title: 'Export a report',
    description: 'Needs a connected account, and asks for one by an error (elicitation in URL mode).',
    readOnly: true,
    since: '2025-11-25',
    until: '2025-11-25',
    run(_given, context) {
      const { session } = context;
      if (session.memo.get(connected) === true) return text('The report is in your account.');
      if (!canAsk(session.clientCapabilities, 'elicitation/create', { mode: 'url' }))
        return failure('This needs a client that can send its user to a page.');
      // The same elicitation is required until it is complete.
      const id = String(session.memo.get(pending) ?? randomUUID());
      session.memo.set(pending, id);
      const due = elicitation('Please connect the account that reports go to.', 'reports', id);
      throw new RpcError(errorCode.urlElicitationRequired, 'An account has to be connected first', {
        data: { elicitations: [due] },
        reason: 'url-elicitation',
      });
    },
  },
];

async function connect(context: RequestContext): Promise<JsonObject> {
  const id = randomUUID();
  const { elicitationId, ...params } = elicitation('Please connect your account.', 'connect', id);
  const answer = await context.ask('answer', 'elicitation/create', {
    ...params,
    ...(atLeast(context.revision, statelessRevision) ? {} : { elicitationId }),
  });
  if (answer.action !== 'accept') return text(`The user chose: ${String(answer.action)}`);
  await pause(visit, context.signal);
  if (context.era === 'stateful') {
    context.session.memo.set(connected, true);
    context.tell('notifications/elicitation/complete', { elicitationId });
  }
  return text('The account is connected.');
}
