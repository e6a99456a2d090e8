/** Faults of multi round trips, and of what is asked in them: elicitation, sampling. */
import { isObject, type JsonObject } from '../../../src/server/protocol/json-rpc.ts';
import { sealState } from '../../../src/server/dispatch/sealed-state.ts';
import { without } from '../../../src/testkit/example-server/mutations/edits.ts';
import {
  both,
  hearing,
  noting,
  ofQuestion,
  ofQuestions,
  ofResults,
  refuseWith,
  type CatalogueFault,
  type Heard,
} from './fault.ts';

const asking = ['tools/call', 'prompts/get', 'resources/read'];

function responsesIn({ params }: Heard): JsonObject | undefined {
  return isObject(params.inputResponses) ? params.inputResponses : undefined;
}

/** Keys that were asked for under a state. */
const keys = new Map<string, string[]>();

/** An edit of the messages of sampling requests. */
function ofMessages(edit: (message: JsonObject) => JsonObject): CatalogueFault['change'] {
  return ofQuestions(({ inputRequests, ...rest }) => {
    const edited = Object.entries(isObject(inputRequests) ? inputRequests : {}).map(([key, question]) => {
      const params = isObject(question) && isObject(question.params) ? question.params : {};
      return [
        key,
        Array.isArray(params.messages)
          ? { ...(question as JsonObject), params: { ...params, messages: params.messages.map(edit) } }
          : question,
      ];
    });
    return { ...rest, inputRequests: Object.fromEntries(edited) as JsonObject };
  });
}

const holdsResults = ({ content }: JsonObject): boolean =>
  Array.isArray(content) && content.some((block: JsonObject) => block.type === 'tool_result');

export const roundFaults: readonly CatalogueFault[] = [
  {
    id: 'second-round-asks-nothing',
    violates: ['mrtr.result.member-minimum'],
    description: 'From the second round on, the result that asks for input has neither inputRequests nor requestState.',
    transports: both,
    change: ofQuestions(
      ({ inputRequests: _questions, requestState: _state, ...rest }, params) =>
        params.requestState === undefined ? undefined : rest,
      'ask-in-rounds',
    ),
  },
  {
    id: 'wrapped-question',
    violates: ['mrtr.result.request-kinds'],
    alsoBreaks: ['mrtr.result.schema'],
    description: 'Where several things are asked at once, one of them is wrapped in a member request.',
    transports: both,
    change: ofQuestions((result) => {
      const { colour, ...rest } = result.inputRequests as JsonObject;
      return { ...result, inputRequests: { ...rest, colour: { request: colour } } };
    }, 'ask-together'),
  },
  {
    id: 'state-as-object',
    violates: ['mrtr.result.schema'],
    description: 'One tool gives its requestState as an object in place of a string.',
    transports: both,
    change: {
      ...ofQuestions((result) => ({ ...result, requestState: { token: result.requestState } }), 'ask-together'),
      incoming(message, session, sink) {
        const params = isObject(message.params) ? message.params : {};
        if (isObject(params.requestState)) params.requestState = params.requestState.token;
        return noting(message, session, sink);
      },
    },
  },
  {
    id: 'partial-answers-refused',
    violates: ['mrtr.server.missing-responses'],
    description: 'A retry that leaves one of several answers out is refused in place of being asked again.',
    transports: both,
    change: {
      incoming: hearing('tools/call', (request) => {
        const given = responsesIn(request);
        if (request.params.name !== 'ask-together' || given === undefined) return false;
        return (
          ['team', 'colour', 'roots'].some((key) => given[key] === undefined) &&
          refuseWith(request, -32602, 'An answer is missing')
        );
      }),
    },
  },
  {
    id: 'unknown-answers-refused',
    violates: ['mrtr.server.unexpected-responses'],
    description: 'A retry with an entry that nobody asked for is refused.',
    transports: both,
    change: {
      outgoing(message) {
        const { result } = message;
        if (isObject(result) && typeof result.requestState === 'string' && isObject(result.inputRequests))
          keys.set(result.requestState, Object.keys(result.inputRequests));
        return [message];
      },
      incoming: hearing(asking, (request) => {
        const known = keys.get(String(request.params.requestState));
        const given = responsesIn(request);
        if (known === undefined || given === undefined) return false;
        return (
          Object.keys(given).some((key) => !known.includes(key)) &&
          refuseWith(request, -32602, 'An answer belongs to no question')
        );
      }),
    },
  },
  {
    id: 'state-without-its-code',
    violates: ['mrtr.state.tampering-rejection'],
    description:
      'The state of one tool is taken whatever code it is sealed with, so that whoever changes the answers in it is believed.',
    transports: both,
    change: {
      incoming: hearing('tools/call', ({ message, params }) => {
        if (params.name !== 'ask-in-rounds' || typeof params.requestState !== 'string') return;
        try {
          const { answers } = JSON.parse(
            Buffer.from(params.requestState.split('.')[0]!, 'base64url').toString('utf8'),
          ) as { answers?: unknown };
          if (isObject(answers)) params.requestState = sealState(message as Parameters<typeof sealState>[0], answers);
        } catch {
          // It is refused as it is.
        }
      }),
    },
  },
  {
    id: 'state-of-another-call',
    violates: ['mrtr.state.request-binding'],
    description: 'A state is taken by any call, not by the one alone that it was given out for.',
    transports: both,
    change: { neglects: ['bind-state'] },
  },
  {
    id: 'completion-asks-back',
    violates: ['mrtr.server.other-methods'],
    description: 'completion/complete asks the user where nothing was typed yet.',
    transports: both,
    change: ofResults('completion/complete', ({ _meta: meta }, { argument }) => {
      if (!isObject(argument) || argument.value !== '') return undefined;
      const question = {
        method: 'elicitation/create',
        params: {
          message: 'What are you looking for?',
          requestedSchema: { type: 'object', properties: { start: { type: 'string' } } },
        },
      };
      return { resultType: 'input_required', inputRequests: { start: question }, _meta: meta };
    }),
  },
  {
    id: 'answers-as-list-ignored',
    violates: ['mrtr.server.response-validation', 'mrtr.server.protocol-errors'],
    description: 'inputResponses that are a list count as no answers at all: the server asks again.',
    transports: both,
    change: {
      incoming: hearing(
        asking,
        ({ params }) => void (Array.isArray(params.inputResponses) && delete params.inputResponses),
      ),
    },
  },
  {
    id: 'questions-with-caching-hints',
    violates: ['caching.hints.interim-absence'],
    description: 'Results that ask for input carry ttlMs and cacheScope.',
    transports: both,
    change: ofQuestions((result) => ({ ...result, ttlMs: 0, cacheScope: 'private' })),
  },
  {
    id: 'cancel-breaks-the-call',
    violates: ['elicitation.server.decline-handling'],
    alsoBreaks: ['tools.errors.execution-failure'],
    description: 'A user who dismisses a form (cancel) makes the call end in an internal error; decline is handled.',
    transports: both,
    change: {
      incoming: hearing('tools/call', (request) => {
        const given = Object.values(responsesIn(request) ?? {});
        return (
          given.some((answer) => isObject(answer) && answer.action === 'cancel') &&
          refuseWith(request, -32603, 'Internal error')
        );
      }),
    },
  },
  {
    id: 'choices-unchecked',
    violates: ['elicitation.server.response-validation'],
    description: 'A form is checked for its types, and a choice that was not offered is taken.',
    transports: both,
    change: {
      incoming: hearing('tools/call', (request) => {
        const answer = responsesIn(request)?.answer;
        const content = isObject(answer) && isObject(answer.content) ? answer.content : undefined;
        if (request.params.name !== 'ask-profile' || content === undefined) return;
        if (typeof content.size === 'string') content.size = 's';
        if (typeof content.colour === 'string') content.colour = '#f00';
        if (Array.isArray(content.days)) content.days = [];
      }),
    },
  },
  {
    id: 'nested-form-in-third-round',
    violates: ['elicitation.form.flat-schema'],
    description: 'The form of the third round has a property that is an object.',
    transports: both,
    change: ofQuestion('ask-in-rounds', 'third', (params) => ({
      ...params,
      requestedSchema: {
        type: 'object',
        properties: { team: { type: 'object', properties: { name: { type: 'string' } } } },
      },
    })),
  },
  {
    id: 'free-list-in-form',
    violates: ['elicitation.form.enum-variants', 'elicitation.form.flat-schema'],
    description: 'One field of a form is a list of any strings, without choices.',
    transports: both,
    change: ofQuestion('ask-profile', 'answer', (params) => {
      const schema = params.requestedSchema as JsonObject;
      return {
        ...params,
        requestedSchema: {
          ...schema,
          properties: {
            ...(schema.properties as JsonObject),
            days: { type: 'array', title: 'Days', items: { type: 'string' } },
          },
        },
      };
    }),
  },
  {
    id: 'page-without-message',
    violates: ['elicitation.url.params', 'elicitation.request.message'],
    description: 'A request to visit a page comes without a message.',
    transports: both,
    change: ofQuestion('ask-to-visit', 'page', (params) => without(params, 'message')),
  },
  {
    id: 'secret-in-second-round',
    violates: ['elicitation.form.secrets', 'elicitation.url.secrets'],
    description: 'The form of the second round asks for an API key.',
    transports: both,
    change: ofQuestion('ask-in-rounds', 'second', (params) => ({
      ...params,
      message: 'Please enter your API key.',
      requestedSchema: {
        type: 'object',
        properties: { apiKey: { type: 'string', title: 'API key' } },
        required: ['apiKey'],
      },
    })),
  },
  {
    id: 'result-named-after-the-tool',
    violates: ['sampling.messages.tool-balance', 'sampling.security.tool-loop-reply'],
    description: 'In a tool loop the results carry another id than the uses that they belong to.',
    transports: both,
    change: ofMessages((message) =>
      holdsResults(message)
        ? {
            ...message,
            content: (message.content as JsonObject[]).map((block, index) => ({
              ...block,
              toolUseId: `tool-${index}`,
            })),
          }
        : message,
    ),
  },
  {
    id: 'text-beside-results',
    violates: ['sampling.messages.tool-result-purity', 'sampling.security.tool-loop-reply'],
    description: 'In a tool loop the message with the results ends with a text that tells the model to go on.',
    transports: both,
    change: ofMessages((message) =>
      holdsResults(message)
        ? { ...message, content: [...(message.content as JsonObject[]), { type: 'text', text: 'Please go on.' }] }
        : message,
    ),
  },
  {
    id: 'no-limit-of-tokens',
    violates: ['sampling.request.schema'],
    description: 'A sampling request among several questions has no maxTokens.',
    transports: both,
    change: ofQuestion('ask-together', 'colour', (params) => without(params, 'maxTokens')),
  },
  {
    id: 'priority-in-per-cent',
    violates: ['sampling.request.preference-range'],
    description: 'One of three priorities of a sampling request is a number of per cent.',
    transports: both,
    change: ofQuestion('ask-model', 'answer', (params) => ({
      ...params,
      modelPreferences: { ...(params.modelPreferences as JsonObject), intelligencePriority: 20 },
    })),
  },
];
