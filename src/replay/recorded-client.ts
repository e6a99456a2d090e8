/** The client of a recorded connection: the revision that it spoke, what it declared, and what it answered the server. */
import { isObject, type JsonObject } from '../core/model/json.ts';
import type { Revision } from '../core/model/rules/requirement.ts';
import { isKnownRevision } from '../core/spec/revisions.ts';
import type { ClientFeatures, ElicitationAction } from '../suites/language/model.ts';
import type { Turn } from './recording.ts';

export interface RecordedClient {
  /** Undefined where the recording does not say it, or mcpc does not know it. */
  revision: Revision | undefined;
  features: ClientFeatures;
}

const metaKey = 'io.modelcontextprotocol/';

/** @param turns those of one connection */
export function recordedClient(turns: readonly Turn[]): RecordedClient {
  const hello = turns.find(({ method }) => method === 'initialize');
  const asked = isObject(hello?.params) ? hello.params : {};
  const meta = turns.map(({ params }) => (isObject(params) && isObject(params['_meta']) ? params['_meta'] : {}));
  const declared = asked['capabilities'] ?? first(meta, `${metaKey}clientCapabilities`);
  const agreed = isObject(hello?.reply?.message['result'])
    ? hello.reply.message['result']['protocolVersion']
    : undefined;
  const revision = agreed ?? first(meta, `${metaKey}protocolVersion`);
  return {
    revision: typeof revision === 'string' && isKnownRevision(revision) ? revision : undefined,
    features: featuresOf(isObject(declared) ? declared : {}, turns),
  };
}

function first(metas: readonly JsonObject[], member: string): unknown {
  return metas.map((one) => one[member]).find((value) => value !== undefined);
}

/** Every request of a kind gets the first answer that was recorded; without one, an empty or declining answer. */
function featuresOf({ roots, sampling, elicitation }: JsonObject, turns: readonly Turn[]): ClientFeatures {
  return {
    ...(isObject(roots) ? { roots: rootsOf(answerTo(turns, 'roots/list')) } : {}),
    ...(isObject(sampling) ? { sampling: sampleOf(answerTo(turns, 'sampling/createMessage'), sampling) } : {}),
    ...(isObject(elicitation) ? { elicitation: elicited(answerTo(turns, 'elicitation/create'), elicitation) } : {}),
  };
}

function answerTo(turns: readonly Turn[], method: string): JsonObject {
  const said = turns
    .flatMap(({ before, after }) => [...before, ...after])
    .find(({ message, answer }) => message['method'] === method && isObject(answer?.['result']));
  return (said?.answer?.['result'] as JsonObject | undefined) ?? {};
}

function rootsOf({ roots }: JsonObject): string[] {
  return (Array.isArray(roots) ? (roots as unknown[]) : []).flatMap((root) => {
    const uri = isObject(root) ? root['uri'] : undefined;
    return typeof uri === 'string' && uri.startsWith('file://') ? [uri.slice('file://'.length)] : [];
  });
}

function sampleOf(answer: JsonObject, declared: JsonObject): NonNullable<ClientFeatures['sampling']> {
  const content = [answer['content']].flat().find(isObject);
  const text = (value: unknown, usual: string): string => (typeof value === 'string' ? value : usual);
  return {
    text: text(content?.['text'], ''),
    model: text(answer['model'], 'recorded'),
    stopReason: text(answer['stopReason'], 'endTurn'),
    ...(isObject(declared['tools']) ? { tools: [] } : {}),
  };
}

const actions: readonly unknown[] = ['accept', 'decline', 'cancel'] satisfies ElicitationAction[];

function elicited({ action, content }: JsonObject, declared: JsonObject): NonNullable<ClientFeatures['elicitation']> {
  return {
    action: actions.includes(action) ? (action as ElicitationAction) : 'decline',
    ...(isObject(content) ? { content } : {}),
    ...(isObject(declared['url']) ? { url: 'decline' } : {}),
  };
}
