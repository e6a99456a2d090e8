/** Sends the request of a step, page by page for lists, and waits for what comes of it. */
import { asText, isObject } from '../../../core/model/json.ts';
import { logLevelKey } from '../../../core/spec/log-level.ts';
import type { Answer, Peer } from '../../../client/peer/peer.ts';
import type { SendRequest } from '../../language/model.ts';
import { jsonOf } from '../../language/judge/json-text.ts';
import { substitute } from '../../language/judge/substitute.ts';
import type { Variables } from '../../language/judge/substitute.ts';
import type { StepSetting } from './step-setting.ts';
import type { OpenedServer } from '../connect/connection.ts';

type Json = Record<string, unknown>;

const mostPages = 1000;
/** How often a server may ask for more before its answer counts as it is. */
const mostRounds = 20;
/** An ended process is recorded shortly behind the end of its output. */
const exitMs = 300;

/**
 * @param step its id
 * @returns words that say why no answer came; undefined when one did, whatever it says; an answer of our own when there was nothing to send
 */
export async function sendRequest(
  step: string,
  act: SendRequest,
  opened: OpenedServer,
  variables: Variables,
  setting: StepSetting,
): Promise<{ words: string } | { answer: object } | undefined> {
  const { era } = opened;
  if (era === 'stateless' && act.method === 'logging/setLevel') {
    opened.logLevel = asText(substitute(act.params, act.scope, variables)?.['level']);
    return { answer: {} };
  }
  const words = await askAll(step, act, opened, variables, setting);
  return words === undefined ? undefined : { words };
}

async function askAll(
  step: string,
  act: SendRequest,
  opened: OpenedServer,
  variables: Variables,
  setting: StepSetting,
): Promise<string | undefined> {
  const { peer, revision } = opened;
  if (
    act.anyRevision !== true &&
    setting.methods[revision]?.[act.method] === undefined &&
    isElsewhere(act.method, setting)
  )
    return `${act.failed}: revision ${revision} has no ${act.method}`;
  let params = substitute(act.params, act.scope, variables);
  const seen = new Set<string>();
  for (let page = 0; page < mostPages; page += 1) {
    if (setting.timedOut()) return `${act.failed}: ${setting.overdue()}`;
    const answer = await sendWithInput(step, act, params, opened, setting);
    if (answer.kind !== 'response') return `${act.failed}: ${await whatCame(answer, peer, setting)}`;
    const next =
      act.pages !== undefined && isObject(answer.message['result'])
        ? answer.message['result']['nextCursor']
        : undefined;
    if (typeof next !== 'string' || seen.has(next)) return undefined;
    seen.add(next);
    // Steps side by side may have begun meanwhile.
    setting.mark({ mark: 'begin', step });
    params = { ...params, cursor: next };
  }
  return `${act.failed}: the list has more than ${mostPages} pages`;
}

/**
 * The request, repeated with what the server needs of the client for as long as it asks and the file says what to
 * answer (2026-07-28: basic/patterns/mrtr). What a step sends as it stands is not repeated.
 */
async function sendWithInput(
  step: string,
  act: SendRequest,
  params: Json | undefined,
  opened: OpenedServer,
  setting: StepSetting,
): Promise<Answer> {
  let answer = await send(opened.peer, act, params, setting);
  for (
    let round = 1;
    round < mostRounds && opened.era === 'stateless' && act.anyRevision !== true && answer.kind === 'response';
    round += 1
  ) {
    const { result } = answer.message;
    if (!isObject(result) || result['resultType'] !== 'input_required') break;
    const asked = result['inputRequests'];
    const given = isObject(asked) ? await opened.inputFor(asked) : {};
    if (given === undefined || setting.timedOut()) break;
    setting.mark({ mark: 'begin', step });
    const state = result['requestState'];
    answer = await send(
      opened.peer,
      act,
      {
        ...params,
        ...(isObject(asked) ? { inputResponses: given } : {}),
        ...(state === undefined ? {} : { requestState: state }),
      },
      setting,
    );
  }
  return answer;
}

/** A method that other revisions have; what no revision has is sent as it stands. */
function isElsewhere(method: string, { methods }: StepSetting): boolean {
  return Object.values(methods).some((table) => table[method] !== undefined);
}

function send(peer: Peer, act: SendRequest, params: Json | undefined, setting: StepSetting): Promise<Answer> {
  const id = peer.nextId();
  const level = setting.connection.opened?.logLevel;
  const full = peer.paramsFor(params, {
    ...(act.progress === true ? { progressToken: `progress-${id}` } : {}),
    ...(level === undefined ? {} : { [logLevelKey]: level }),
  });
  const message = { jsonrpc: '2.0', id, method: act.method, params: full };
  const text = jsonOf(message);
  // Numbers with more digits than a double holds are sent with all of them; the trace has them in the text.
  const sent = peer.sendRaw(text, { message: JSON.parse(text) as Json });
  return peer.awaitId(id, sent, setting.remaining());
}

async function whatCame(answer: Answer, peer: Peer, setting: StepSetting): Promise<string> {
  const { cut } = setting.connection;
  if (setting.timedOut() || answer.kind === 'timeout')
    return `${setting.overdue()}${cut === undefined ? '' : `; ${cut}`}`;
  if (answer.kind === 'refused') return `HTTP status ${answer.status} without a response`;
  if (peer.transport === 'stdio' && setting.connection.exit === undefined)
    await peer.waiter.wait(({ kind }) => kind === 'exit', exitMs);
  if (setting.connection.exit !== undefined) return `the server ended (${setting.connection.exit}) before it answered`;
  const reason = answer.kind === 'closed' && answer.reason !== undefined ? ` (${answer.reason})` : '';
  return `the connection was closed${reason}`;
}
