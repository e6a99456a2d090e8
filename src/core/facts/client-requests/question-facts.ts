/** The facts of `serverRequest` subjects: what each says, and what it rests on. Data only. */
import type { Definitions } from '../core/plugin.ts';
import { isDoubtfulOutcome } from '../jsonrpc/exchange-feature.ts';

export const questionFacts: Definitions = {
  via: { says: 'request, error (the list of -32042) or result (input_required).', rests: [] },
  method: { says: 'roots/list, sampling/createMessage or elicitation/create.', rests: [] },
  params: { says: 'Its params.', rests: [] },
  declared: { says: 'Client capabilities in force when it was asked.', rests: ['start'] },
  outcome: { says: 'Requests: how it was answered, as for exchanges.', rests: [], doubtful: isDoubtfulOutcome },
  answer: { says: "Requests: the client's result.", rests: [] },
  retryDeclares: {
    says: 'Via result: client capabilities in the request that brings its answer.',
    rests: ['order', 'start'],
  },
  call: {
    says: "The client's request that it was asked in: method (absent where it is not plain which one that is), outcome (as for exchanges), failed (it ended otherwise than by a result, or by one with isError), complains (the texts in its result have words of complaint, such as invalid), answeredBefore (the same request, but for its _meta, was answered earlier on the connection), lateBefore (via result, where a retry that brought decline or cancel had no answer in time: so had an earlier one on the connection, before the call that asked here was sent), askedAgain (a request of the same method came behind the answer to this one), echoedFaults (fields whose unfitting value comes back in its response), credentials (members of that response which hold some).",
  },
  mode: { says: 'Elicitation: form (also when absent), url, or whatever was named.', rests: [] },
  modeOffered: { says: 'Elicitation: the client declared the mode.', rests: ['start'] },
  fields: {
    says: 'Forms: the fields, each with its name; unfit (its name and why, when it is no single value and no choice), choices (it takes several of given texts), format (of a text field), secret (a text field whose name or title can only mean a secret).',
    rests: [],
  },
  wording: {
    says: 'Forms, their message, titles and descriptions: secrets (words by which they may be about one) and links (http addresses, except those of documentation).',
    rests: [],
  },
  url: {
    says: 'URL mode: parses (the url is an absolute one), scheme, place of its host (loopback, private or public; none where the scheme is not http or https), credentials (what it carries that lets its holder in: a password, parameters named after tokens or keys, signatures), personal (what may be personal data: parameters named after such, or with an e-mail address).',
    rests: [],
  },
  elicitationIdReuse: {
    says: 'URL mode: whether its elicitationId was announced on the connection for the first time (first), again, or had stood for another one or one that is complete (other); absent where that is not plain.',
  },
  action: { says: 'Elicitation: what the client answered: accept, decline or cancel.', rests: [] },
  contentFaults: {
    says: 'Elicitation: what of the accepted content does not fit the form. Sampling: content of an unknown type in the answer.',
    rests: [],
  },
  tools: {
    says: "Sampling: what its messages show, at most 50 entries each: uses and results (blocks of the type), impure (messages that have other content beside tool_result), unbalanced (ids of tool uses of an assistant's message that the message behind it does not answer), stray (ids in results that no use before them has), structured (count of the structured results that could be held against an output schema in the request, and misfits among them), rounds (assistant's messages with tool uses).",
    rests: [],
  },
  continues: { says: 'Sampling: it goes on from tool uses that the client had answered with.' },
  loop: {
    says: "Sampling: unanswered (those of these tool uses that it gives no result for in the message behind), takenUp (a later request went on from the tool uses in the client's answer to this one, or the server ended without).",
  },
};
