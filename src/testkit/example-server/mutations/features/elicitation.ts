/** Mutations of what the server asks of the user, in forms and by pages. */
import type { JsonObject } from '../../../../server/protocol/json-rpc.ts';
import { isObject } from '../../../../server/protocol/json-rpc.ts';
import type { Session } from '../../../../server/session/session.ts';
import { editing, errorFor, resultOf, withError, withParams, without } from '../edits.ts';
import type { Mutation } from '../mutation.ts';
import { from, mutation } from '../mutation.ts';

type About = Parameters<Parameters<typeof editing>[0]>[0];

const sinceForms = from('2025-06-18');
const sinceUrls = ['2025-11-25'] as const;

const asks = (about: About, message: JsonObject, url: boolean): boolean =>
  about.kind === 'request' &&
  about.method === 'elicitation/create' &&
  isObject(message.params) &&
  (message.params.mode === 'url') === url;
const forms = (about: About, message: JsonObject): boolean => asks(about, message, false);
const pages = (about: About, message: JsonObject): boolean => asks(about, message, true);
const notices = (about: About): boolean => about.method === 'notifications/elicitation/complete';
const dueError = errorFor('url-elicitation');

/** Adds fields to every form. */
const withFields = (fields: JsonObject) =>
  editing(
    forms,
    withParams(({ requestedSchema }) => {
      const schema = requestedSchema as JsonObject;
      return { requestedSchema: { ...schema, properties: { ...(schema.properties as JsonObject), ...fields } } };
    }),
  );

/** Changes every page, in requests and in the list of the error. */
const withPages = (change: (params: JsonObject) => JsonObject) =>
  editing(
    (about, message) => pages(about, message) || dueError(about, message),
    (message, about) => {
      if (pages(about, message)) return withParams(change)(message);
      const error = message.error as JsonObject;
      const { elicitations } = error.data as { elicitations: JsonObject[] };
      return withError({ data: { elicitations: elicitations.map((one) => ({ ...one, ...change(one) })) } })(message);
    },
  );

/** One id for all elicitations, also in the notices. */
function oneId(message: JsonObject, about: About): JsonObject[] {
  const elicitationId = 'the-elicitation';
  if (notices(about)) return [withParams(() => ({ elicitationId }))(message)];
  return withPages(() => ({ elicitationId }))(message, about);
}

function sessionsOf(session: Session): Set<Session> {
  const { scratch } = session.host;
  if (!scratch.has('sessions')) scratch.set('sessions', new Set<Session>());
  return scratch.get('sessions') as Set<Session>;
}

export const elicitationMutations: readonly Mutation[] = [
  mutation({
    rule: 'elicitation/capability-server-use',
    revisions: sinceForms,
    description: 'The user is asked whether the client offers that or not.',
    alsoBreaks: [
      'capabilities/negotiation-negotiated-use',
      'sampling/capability-server-use',
      'sampling/capability-tools-server-use',
      'roots/capability-server-check',
    ],
    change: { neglects: ['ask-only-declared-capabilities'] },
  }),
  mutation({
    rule: 'elicitation/capability-server-mode-use',
    revisions: sinceUrls,
    description: 'Pages and forms are used whichever of them the client offers.',
    alsoBreaks: ['sampling/capability-tools-server-use'],
    change: { neglects: ['ask-only-declared-modes'] },
  }),
  mutation({
    rule: 'elicitation/request-message',
    revisions: sinceForms,
    description: 'Forms come without a message.',
    change: {
      outgoing: editing(forms, (message) => ({ ...message, params: without(message.params as JsonObject, 'message') })),
    },
  }),
  mutation({
    rule: 'elicitation/form-secrets',
    revisions: sinceForms,
    description: 'Forms ask for a password.',
    change: { outgoing: withFields({ password: { type: 'string', title: 'Password' } }) },
  }),
  mutation({
    rule: 'elicitation/form-params',
    revisions: sinceForms,
    description: 'The schema of a form lacks its type.',
    change: {
      outgoing: editing(
        forms,
        withParams(({ requestedSchema }) => ({ requestedSchema: without(requestedSchema as JsonObject, 'type') })),
      ),
    },
  }),
  mutation({
    rule: 'elicitation/form-flat-schema',
    revisions: sinceForms,
    description: 'Forms have an address as an object of its own.',
    change: { outgoing: withFields({ address: { type: 'object', properties: { street: { type: 'string' } } } }) },
  }),
  mutation({
    rule: 'elicitation/form-flat-schema',
    id: 'elicitation/form-flat-schema@list',
    revisions: ['2025-06-18'],
    description: 'Forms have a list of choices, before there were any.',
    change: { outgoing: withFields({ days: { type: 'array', items: { type: 'string', enum: ['mon', 'tue'] } } }) },
  }),
  mutation({
    rule: 'elicitation/form-string-formats',
    revisions: sinceForms,
    description: 'Forms ask for a phone number by format.',
    alsoBreaks: ['elicitation/form-flat-schema'],
    change: { outgoing: withFields({ phone: { type: 'string', format: 'phone' } }) },
  }),
  mutation({
    rule: 'elicitation/form-clickable-urls',
    revisions: sinceUrls,
    description: 'The message of a form holds a link.',
    change: {
      outgoing: editing(
        forms,
        withParams(({ message }) => ({ message: `${String(message)} See https://accounts.mcpc.dev/login for more.` })),
      ),
    },
  }),
  mutation({
    rule: 'elicitation/url-params',
    revisions: sinceUrls,
    description: 'Requests for a page have no id.',
    alsoBreaks: ['elicitation/complete-identifier'],
    change: {
      outgoing: editing(pages, (message) => ({
        ...message,
        params: without(message.params as JsonObject, 'elicitationId'),
      })),
    },
  }),
  mutation({
    rule: 'elicitation/url-validity',
    revisions: sinceUrls,
    description: 'The address of a page lacks scheme and host.',
    change: { outgoing: withPages(({ elicitationId }) => ({ url: `/connect/${String(elicitationId)}` })) },
  }),
  mutation({
    rule: 'elicitation/url-id-uniqueness',
    revisions: sinceUrls,
    description: 'All elicitations have the same id.',
    change: { outgoing: (message, about) => oneId(message, about) },
  }),
  mutation({
    rule: 'elicitation/url-preauthentication',
    revisions: sinceUrls,
    description: 'The address of a page carries an access token.',
    alsoBreaks: ['elicitation/url-user-data'],
    change: { outgoing: withPages(({ url }) => ({ url: `${String(url)}?access_token=f00dfeedf00dfeed` })) },
  }),
  mutation({
    rule: 'elicitation/url-https',
    revisions: sinceUrls,
    description: 'The page is reached over plain HTTP.',
    change: { outgoing: withPages(({ url }) => ({ url: String(url).replace('https:', 'http:') })) },
  }),
  mutation({
    rule: 'elicitation/complete-initiator',
    transports: ['http', 'sse'],
    revisions: sinceUrls,
    description: 'All sessions are notified that an elicitation is complete.',
    change: {
      onInitialized: (session) => void sessionsOf(session).add(session),
      outgoing: (message, about) => {
        if (notices(about))
          for (const other of sessionsOf(about.session)) if (other !== about.session) other.deliver(message);
        return [message];
      },
    },
  }),
  mutation({
    rule: 'elicitation/complete-identifier',
    revisions: sinceUrls,
    description: 'The notice of completion has an id of its own.',
    change: {
      outgoing: editing(
        notices,
        withParams(({ elicitationId }) => ({ elicitationId: `done-${String(elicitationId)}` })),
      ),
    },
  }),
  mutation({
    rule: 'elicitation/error-32042-exclusivity',
    revisions: sinceUrls,
    description: 'Error -32042 only says that something is required.',
    alsoBreaks: ['elicitation/error-32042-elicitation-list'],
    change: {
      outgoing: editing(dueError, (message) => ({ ...message, error: without(message.error as JsonObject, 'data') })),
    },
  }),
  mutation({
    rule: 'elicitation/error-32042-elicitation-list',
    revisions: sinceUrls,
    description: 'Error -32042 has its elicitations in an object.',
    change: {
      outgoing: editing(dueError, (message) => {
        const { elicitations } = (message.error as JsonObject).data as { elicitations: JsonObject[] };
        return withError({ data: { elicitations: { first: elicitations[0] } } })(message);
      }),
    },
  }),
  mutation({
    rule: 'elicitation/error-32042-url-mode',
    revisions: sinceUrls,
    description: 'The elicitations of error -32042 do not say their mode.',
    change: {
      outgoing: editing(dueError, (message) => {
        const { elicitations } = (message.error as JsonObject).data as { elicitations: JsonObject[] };
        return withError({ data: { elicitations: elicitations.map((one) => without(one, 'mode')) } })(message);
      }),
    },
  }),
  mutation({
    rule: 'elicitation/error-32042-obligation',
    revisions: sinceUrls,
    description: 'The required elicitations are listed under another code.',
    change: { outgoing: editing(dueError, withError({ code: -32000 })) },
  }),
  mutation({
    rule: 'elicitation/server-response-validation',
    revisions: sinceForms,
    description: 'Whatever the user is said to have entered is believed.',
    change: { neglects: ['validate-elicited-content'] },
  }),
  mutation({
    rule: 'elicitation/server-action-reaction',
    revisions: sinceForms,
    description: 'A tool waits on when the user declines.',
    change: { incoming: (message) => isObject(message.result) && message.result.action === 'decline' },
  }),
  mutation({
    rule: 'elicitation/oauth-credential-transmission',
    revisions: sinceUrls,
    description: 'The token of the connected account is handed to the client.',
    change: {
      outgoing: editing(resultOf('tools/call'), (message) => {
        const reported = JSON.stringify(message.result).includes('The account is connected.');
        const token = JSON.stringify({ access_token: 'f00dfeedf00dfeed', token_type: 'bearer' });
        return reported ? { ...message, result: { content: [{ type: 'text', text: token }] } } : message;
      }),
    },
  }),
];
