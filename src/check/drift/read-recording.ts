/** Reads the offer of a server from a recorded conversation, so that a lock needs no server. */
import { openTrace, type WireChoice } from '../capture/open-capture.ts';
import { differing } from '../../core/drift/unsteady.ts';
import type { Offer } from '../../core/drift/lock.ts';
import { usageError } from '../../core/model/errors.ts';
import { asObject, isObject, type JsonObject } from '../../core/model/json.ts';
import type { TraceEvent } from '../../core/model/trace.ts';
import { conversationsOf, type AnsweredRequest, type Conversation } from '../../core/trace/conversation.ts';
import type { ReadOffer } from './read-offer.ts';

const lists = [
  { method: 'tools/list', member: 'tools', into: 'tools', capability: 'tools' },
  { method: 'prompts/list', member: 'prompts', into: 'prompts', capability: 'prompts' },
  { method: 'resources/list', member: 'resources', into: 'resources', capability: 'resources' },
  { method: 'resources/templates/list', member: 'resourceTemplates', into: 'templates', capability: 'resources' },
] as const;

type List = (typeof lists)[number];

export interface RecordedOffer extends ReadOffer {
  /** Lists that the server has and the recording lacks, as sentences: the lock holds nothing of them. */
  lacks: string[];
}

/**
 * Takes the first handshake, and each list as it was first read to its end, on any connection of that revision.
 * @throws McpcError usage for a file that cannot be read, has no handshake, or lacks the tools of a server that has some
 */
export async function readRecordedOffer(file: string, choice: WireChoice = {}): Promise<RecordedOffer> {
  const trace = await openTrace(file, choice);
  const conversations = (await conversationsOf(asMeant(trace.events))).map(answered);
  const found = conversations.flatMap((requests) => requests.filter(isHandshake)).at(0);
  const handshake = asObject(found?.reply);
  if (handshake === undefined)
    throw usageError(
      `${file} has no handshake, so that it does not say whose lists these are.`,
      'Record the conversation from its beginning, for example with "mcpc intercept".',
    );
  const revision = revisionOf(handshake, conversations.flat(), trace.header.revision);
  const own = conversations.filter((requests) =>
    requests.every((one) => one.method !== 'initialize' || asObject(one.reply)?.['protocolVersion'] === revision),
  );
  const capabilities = asObject(handshake['capabilities']) ?? {};
  const instructions = handshake['instructions'];
  const offer: Offer = {
    revision,
    serverInfo: asObject(handshake['serverInfo']),
    capabilities,
    instructions: typeof instructions === 'string' ? instructions : undefined,
    tools: [],
    prompts: [],
    resources: [],
    templates: [],
  };
  const unsteady: string[] = [];
  const lacks: string[] = [];
  for (const list of lists) {
    const walks = own.flatMap((requests) => walksOf(list, requests));
    const [first, ...others] = walks;
    if (first !== undefined) {
      offer[list.into] = first;
      const differs = others.some((other) => differing(offer, { ...offer, [list.into]: other }).length > 0);
      if (differs) unsteady.push(`${list.into} differ within the recording`);
    } else if (list.capability in capabilities && !own.flat().some((one) => isRefused(list, one)))
      lacks.push(`${list.method} was not recorded to the last page`);
  }
  if (lacks.some((one) => one.startsWith('tools/')))
    throw usageError(
      `${file} does not say which tools the server has: ${lacks.join('; ')}.`,
      'Record a conversation in which the client lists them, or lock the running server.',
    );
  return { offer, unsteady, lacks };
}

/** The events without what a checker sent wrong on purpose. */
async function* asMeant(events: AsyncIterable<TraceEvent>): AsyncGenerator<TraceEvent> {
  for await (const event of events) if (event.deviation === undefined) yield event;
}

function answered({ requests }: Conversation): AnsweredRequest[] {
  return requests.filter(({ from, outcome }) => from === 'client' && outcome !== 'none');
}

function isHandshake({ method, outcome }: AnsweredRequest): boolean {
  return (method === 'initialize' || method === 'server/discover') && outcome === 'result';
}

/** Servers with resources may have no templates, and say so by an error. */
function isRefused({ method }: List, one: AnsweredRequest): boolean {
  return one.method === method && one.outcome === 'error';
}

/** The readings of a list that came to its end. */
function walksOf({ method, member }: List, requests: readonly AnsweredRequest[]): JsonObject[][] {
  const whole: JsonObject[][] = [];
  let walk: { entries: JsonObject[]; next: unknown } | undefined;
  for (const one of requests) {
    if (one.method !== method || one.outcome !== 'result') continue;
    const result = asObject(one.reply);
    const page = result?.[member];
    if (result === undefined || !Array.isArray(page)) continue;
    const cursor = asObject(one.params)?.['cursor'];
    if (cursor === undefined) walk = { entries: [], next: undefined };
    else if (walk === undefined || walk.next !== cursor) continue;
    walk.entries = [...walk.entries, ...(page as unknown[]).filter(isObject)];
    walk.next = result['nextCursor'];
    if (typeof walk.next === 'string') continue;
    whole.push(walk.entries);
    walk = undefined;
  }
  return whole;
}

/** The revision that the parties agreed on. */
function revisionOf(handshake: JsonObject, requests: readonly AnsweredRequest[], reported: string | undefined): string {
  const agreed = handshake['protocolVersion'];
  if (typeof agreed === 'string') return agreed;
  const named = requests
    .map(({ params }) => asObject(asObject(params)?.['_meta'])?.['io.modelcontextprotocol/protocolVersion'])
    .find((one) => typeof one === 'string');
  return reported ?? (named as string | undefined) ?? '';
}
