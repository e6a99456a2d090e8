/**
 * Server requests in any form: a request, an entry of -32042's list, an entry of an input_required result. A question
 * is given out when the request that it was asked in is over, so that it shows what the server made of the answer.
 * Makes the `question` subjects, without judgement.
 */
import { BoundedMap, BoundedSet } from '../../model/bounded.ts';
import { asObject, asText, isObject, type JsonObject } from '../../model/json.ts';
import { perSession } from '../state/per-session.ts';
import type { Definitions, Facts, Feature, Hooks } from '../core/plugin.ts';
import type { Subject } from '../state/subject.ts';
import type { MessageView } from '../requests/message-view.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import { declaredCapabilitiesOf, paramsOf } from '../values/rpc.ts';
import type { SessionState } from '../state/session-state.ts';
import { contentFaults } from './elicitation-facts.ts';
import { createElicitationIds } from './elicitation-ids.ts';
import { questionFacts } from './question-facts.ts';
import { askedBy, retryOf } from './round-tracker.ts';
import { sampleFaults, turnsOf, unansweredOf, usedIn } from './sampling-facts.ts';
import { factsOf } from './what-is-asked.ts';

const questionMethods: ReadonlySet<unknown> = new Set(['sampling/createMessage', 'elicitation/create', 'roots/list']);
const refusals: ReadonlySet<unknown> = new Set(['decline', 'cancel']);
export const urlElicitationRequired = -32042;

/** Members by which credentials go by, in structured data or JSON within text. */
const credentialMember = /\\?"(access_?token|refresh_?token|id_?token|client_?secret)\\?"\s*:\s*\\?"[^"\\]{8,}/gi;

/** Words with which a result says that something was wrong with what it was given. */
const complaint =
  /invalid|not (?:a |an )?valid|error|fail|wrong|must|reject|expect|should|requir|cannot|could not|can't|unable|mismatch|ignor|discard/i;

const keptQuestions = 2000;
const keptUses = 1000;
const longestKey = 10_000;

/** Data of a question: a request, or an entry of a result treated as one, whose reply comes with the retry. */
type Asked = Pick<RpcRecord, 'session' | 'method' | 'message' | 'reply' | 'outcome' | 'events'>;

interface Question {
  record: Asked;
  via: 'request' | 'result';
  /** Via result: its key, and the request of that result. */
  entry?: { key: string; in: RpcRecord };
  /** The client's request that it was asked in, where that is plain; via result: the retry that brings the answer. */
  parent?: RpcRecord;
  /** Tool uses of the client's model that it goes on from. */
  continued?: { unanswered: string[]; from: Question };
  /** A later question took up the tool uses of the answer to this one. */
  takenUp?: boolean;
  /** A question of the same method came after its answer, in the same request. */
  askedAgain: boolean;
  elicitationIdReuse?: string;
}

interface Conversation {
  /** Client requests without an answer. */
  open: Set<RpcRecord>;
  /** The client gave up a request, on which the server may still be at work. */
  abandoned: boolean;
  waiting: Map<Asked, Question>;
  /** Questions by the ids of tool uses in their answers. */
  byUse: Map<string, Question>;
  /** Client requests that were answered, without their _meta. */
  answered: Set<string>;
  /** The first retry that brought a no and had no answer in time. */
  lateNo?: RpcRecord;
}

const messageFacts: Definitions<MessageView> = {
  announced: {
    says: 'notifications/elicitation/complete: where the elicitation was announced: own (connection), elsewhere (another one, still open), earlier (another one, over) or nowhere.',
    rests: ['order', 'start'],
  },
};

export const questions: Feature = {
  name: 'questions',
  after: ['input-rounds'],
  kinds: {
    serverRequest:
      "Something the server asks of the client (roots, sampling, elicitation): a request, an entry in the list of error -32042, or an entry of an input_required result. Complete when the client's request that it was asked in is over; an entry of a result when the request that brings its answer is.",
  },
  facts: { serverRequest: questionFacts, message: messageFacts },
  create: createQuestions,
};

function createQuestions(): Hooks {
  const conversations = perSession<Conversation>(() => ({
    open: new Set(),
    abandoned: false,
    waiting: new Map(),
    byUse: new BoundedMap(keptUses),
    answered: new BoundedSet(keptUses),
  }));
  const { of } = conversations;
  const ids = createElicitationIds();

  function asked(record: RpcRecord): Subject[] {
    const conversation = of(record.session);
    const parent = parentOf(record, conversation);
    const question: Question = { record, via: 'request', askedAgain: false, ...(parent ? { parent } : {}) };
    const params = paramsOf(record.message);
    for (const before of conversation.waiting.values()) {
      if (
        parent !== undefined &&
        before.parent === parent &&
        before.record.method === record.method &&
        before.record.outcome !== undefined
      )
        before.askedAgain = true;
    }
    if (record.method === 'sampling/createMessage') goOn(question, params, conversation);
    if (record.method === 'elicitation/create')
      question.elicitationIdReuse = ids.announce(params, record.session, 'request');
    conversation.waiting.set(record, question);
    return conversation.waiting.size > keptQuestions ? [subjectOf(conversation.waiting.values().next().value!)] : [];
  }

  function goOn(question: Question, params: JsonObject | undefined, { byUse }: Conversation): void {
    const uses = turnsOf(params).flatMap((turn) => turn.uses.map(({ id }) => asText(id)));
    const from = byUse.get(uses.findLast((id) => byUse.has(id)) ?? '');
    const unanswered = from && unansweredOf(params, usedIn(asObject(from.record.reply)?.result));
    if (!from || !unanswered) return;
    question.continued = { unanswered, from };
    from.takenUp = true;
  }

  /**
   * Over HTTP the request of the reply with it; elsewhere the only one that the server can be working on. A ping asks
   * for nothing.
   */
  function parentOf(record: RpcRecord, { open, abandoned }: Conversation): RpcRecord | undefined {
    const all = [...open].filter(({ method }) => method !== 'ping');
    const sameReply = record.http === undefined ? [] : all.filter((one) => one.http === record.http);
    const possible = sameReply.length > 0 ? sameReply : abandoned ? [] : all;
    return possible.length === 1 ? possible[0] : undefined;
  }

  function subjectOf(question: Question): Subject {
    const { record, parent, via, entry } = question;
    of(record.session).waiting.delete(record);
    const params = paramsOf(record.message);
    const reply = asObject(record.reply);
    return {
      kind: 'serverRequest',
      session: record.session,
      events: [
        ...new Set([
          ...(parent ? parent.events : []),
          ...(question.continued ? question.continued.from.record.events : []),
          ...record.events,
        ]),
      ].sort((a, b) => a - b),
      facts: {
        via,
        ...(via === 'request' || parent !== undefined ? { outcome: record.outcome } : {}),
        answer: asObject(reply?.result),
        ...(entry && parent ? { retryDeclares: declaredCapabilitiesOf(parent.message) ?? {} } : {}),
        ...factsOf(
          record.method,
          params,
          (entry && declaredCapabilitiesOf(entry.in.message)) ?? record.session.clientCapabilities ?? {},
        ),
        ...callFacts(question, params, reply),
        elicitationIdReuse: question.elicitationIdReuse,
        ...loopFacts(question),
      },
    };
  }

  /** Outcome of the request that it was asked in. */
  function callFacts(
    { record, parent, entry, askedAgain }: Question,
    params: JsonObject | undefined,
    reply: JsonObject | undefined,
  ): Facts {
    const answer = asObject(reply?.result);
    const faults =
      record.method === 'sampling/createMessage'
        ? sampleFaults(answer)
        : answer?.action === 'accept'
          ? contentFaults(params, answer.content)
          : [];
    // A retry that is asked for something else is not over yet.
    const over = parent?.outcome === undefined || (entry && askedBy(parent)) ? undefined : parent;
    const result = asObject(asObject(over?.reply)?.result);
    const text = over?.reply === undefined ? '' : JSON.stringify(over.reply);
    return {
      action: answer?.action,
      contentFaults: faults.map(({ field, why }) => `${field} ${why}`),
      call: {
        ...((entry?.in ?? parent) === undefined ? {} : { method: (entry?.in ?? parent)!.method }),
        ...(over && {
          outcome: over.outcome,
          failed: over.outcome !== 'result' || result?.isError === true,
          answeredBefore: of(over.session).answered.has(callKey(over)),
        }),
        ...(over?.outcome === 'timeout' &&
          entry &&
          refusals.has(answer?.action) && { lateBefore: lateBefore(over, entry.in) }),
        ...(over?.reply === undefined ? {} : { complains: textsIn(result).some((one) => complaint.test(one)) }),
        askedAgain,
        echoedFaults: faults
          .filter(({ value }) => isTelling(value) && text.includes(asText(value)))
          .map(({ field }) => field),
        credentials: [...new Set([...text.matchAll(credentialMember)].map(([, name]) => name))],
      },
    };
  }

  /** True if an earlier retry with a refusal got no answer in time, before the call that asked here was sent. */
  function lateBefore(retry: RpcRecord, call: RpcRecord): boolean {
    const first = (of(retry.session).lateNo ??= retry);
    return first !== retry && call.events[0]! > first.events.at(-1)!;
  }

  /** True if the server continued after tool uses, and its answers to earlier ones. */
  function loopFacts({ record, continued, takenUp, parent }: Question): Facts {
    const uses = usedIn(asObject(record.reply)?.result);
    const goesOn =
      uses.length === 0 ? undefined : (takenUp ?? (parent?.reply === undefined || askedBy(parent) ? undefined : false));
    return {
      continues: continued !== undefined,
      loop: {
        ...(continued ? { unanswered: continued.unanswered } : {}),
        ...(goesOn === undefined ? {} : { takenUp: goesOn }),
      },
    };
  }

  /** Entries of the list of -32042. */
  function listedInError(record: RpcRecord): Subject[] {
    const error = asObject(asObject(record.reply)?.error);
    const elicitations = asObject(error?.data)?.elicitations;
    if (error?.code !== urlElicitationRequired || !Array.isArray(elicitations)) return [];
    const declared = declaredCapabilitiesOf(record.message) ?? record.session.clientCapabilities ?? {};
    return elicitations
      .filter(isObject)
      .slice(0, keptQuestions)
      .map((params) => ({
        kind: 'serverRequest',
        session: record.session,
        events: [...record.events],
        facts: {
          via: 'error',
          call: { method: record.method },
          ...factsOf('elicitation/create', params, declared),
          elicitationIdReuse: ids.announce(params, record.session, 'error'),
        },
      }));
  }

  /** Entries of a result that asks for input; each waits for the request that brings its answer. */
  function askedInResult(record: RpcRecord, conversation: Conversation): Subject[] {
    const result = askedBy(record) ?? {};
    const entries = Object.entries(asObject(result.inputRequests) ?? {}).filter((one): one is [string, JsonObject] =>
      isObject(one[1]),
    );
    const before = [...conversation.waiting.values()].filter(({ parent }) => parent === record);
    return entries.slice(0, keptQuestions).flatMap(([key, one]) => {
      const asked: Asked = {
        session: record.session,
        method: one.method,
        message: one,
        reply: undefined,
        outcome: undefined,
        events: [...record.events],
      };
      const question: Question = { record: asked, via: 'result', entry: { key, in: record }, askedAgain: false };
      for (const earlier of before)
        if (earlier.entry && earlier.record.method === one.method) earlier.askedAgain = true;
      if (one.method === 'sampling/createMessage') goOn(question, asObject(one.params), conversation);
      conversation.waiting.set(asked, question);
      return conversation.waiting.size > keptQuestions ? [subjectOf(conversation.waiting.values().next().value!)] : [];
    });
  }

  /** The answers that a retry brings. */
  function brought(retry: RpcRecord, { waiting, byUse }: Conversation): void {
    const of = retryOf(retry)?.of;
    const responses = of && asObject(paramsOf(retry.message)?.inputResponses);
    if (!responses) return;
    for (const question of waiting.values()) {
      const { record, entry } = question;
      if (entry?.in !== of || question.parent) continue;
      question.parent = retry;
      if (!Object.hasOwn(responses, entry!.key)) continue;
      record.reply = { result: responses[entry!.key] };
      record.outcome = 'result';
      for (const id of usedIn(responses[entry!.key])) byUse.set(id, question);
    }
  }

  /** A request of the server has its answer: nothing more can be learnt of a question that belongs to no request. */
  function answeredByClient(record: RpcRecord, conversation: Conversation): Subject[] {
    const question = conversation.waiting.get(record);
    if (!question) return [];
    const uses = usedIn(asObject(record.reply)?.result);
    for (const id of uses) conversation.byUse.set(id, question);
    return !question.parent && uses.length === 0 ? [subjectOf(question)] : [];
  }

  return {
    request(record) {
      if (record.from === 'client') {
        const conversation = of(record.session);
        conversation.open.add(record);
        if (conversation.waiting.size > 0) brought(record, conversation);
      } else if (questionMethods.has(record.method)) return { subjects: asked(record) };
      return undefined;
    },

    answered(record) {
      const conversation = of(record.session);
      if (record.from === 'server') return { subjects: answeredByClient(record, conversation) };
      conversation.open.delete(record);
      if (record.reply === undefined && record.outcome !== 'closed') conversation.abandoned = true;
      const early = askedBy(record) ? askedInResult(record, conversation) : [];
      const over =
        conversation.waiting.size === 0
          ? []
          : [...conversation.waiting.values()].filter(({ parent }) => parent === record).map(subjectOf);
      if (record.reply !== undefined && offersAnything(record.session)) {
        const key = callKey(record);
        if (key.length <= longestKey) conversation.answered.add(key);
      }
      const listed = listedInError(record);
      return early.length + over.length + listed.length === 0
        ? undefined
        : { subjects: [...early, ...over, ...listed] };
    },

    letGo(record) {
      const conversation = of(record.session);
      conversation.open.delete(record);
      conversation.waiting.delete(record);
      conversation.abandoned = true;
    },

    message({ item, session, method, replay }) {
      if (
        replay ||
        item.from !== 'server' ||
        item.shape !== 'notification' ||
        method !== 'notifications/elicitation/complete'
      )
        return undefined;
      return { facts: { announced: ids.complete(paramsOf(item.message)?.elicitationId, session) } };
    },

    sessionOver(session) {
      const subjects = [...of(session).waiting.values()].map(subjectOf);
      conversations.forget(session);
      return { subjects };
    },
  };
}

/** Only a client that declares capabilities is asked anything. */
function offersAnything(session: SessionState): boolean {
  for (const _ in session.clientCapabilities) return true;
  return false;
}

/** Identifies a request, without its _meta. */
function callKey({ method, message }: RpcRecord): string {
  const { _meta, ...params } = paramsOf(message) ?? {};
  return JSON.stringify([method, params]);
}

/** Texts of a tool's result, and what it holds in structured form. */
function textsIn(result: JsonObject | undefined): string[] {
  const content = Array.isArray(result?.content) ? (result.content as unknown[]).filter(isObject) : [];
  return [
    ...content.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])),
    JSON.stringify(result?.structuredContent ?? null),
  ];
}

/** A value that does not occur by chance. */
function isTelling(value: unknown): boolean {
  return (typeof value === 'string' && value.length >= 6) || (typeof value === 'number' && Math.abs(value) >= 10_000);
}
