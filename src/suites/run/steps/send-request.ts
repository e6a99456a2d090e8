/** Sends the request of a step, page by page for lists, and waits for what comes of it. */
import { asText, isObject } from '../../../core/model/json.ts';
import type { Answer, Peer } from '../../../client/peer/peer.ts';
import type { SendRequest } from '../../language/model.ts';
import { substitute } from '../../language/judge/substitute.ts';
import type { Variables } from '../../language/judge/substitute.ts';
import type { StepSetting } from './step-setting.ts';
import { ask, whyNoAnswer } from '../connect/ask.ts';
import type { OpenedServer } from '../connect/connection.ts';

const mostPages = 1000;

/**
 * @param step its id
 * @returns words for a missing answer; undefined when one arrived, whatever it says; an answer of our own when there
 * was nothing to send
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
    const answer = await ask(
      opened,
      { method: act.method, params, progress: act.progress, asItStands: act.anyRevision },
      {
        remaining: setting.remaining,
        again() {
          if (setting.timedOut()) return false;
          setting.mark({ mark: 'begin', step });
          return true;
        },
      },
    );
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

/** A method of other revisions; one of no revision is sent unchanged. */
function isElsewhere(method: string, { methods }: StepSetting): boolean {
  return Object.values(methods).some((table) => table[method] !== undefined);
}

async function whatCame(
  answer: Exclude<Answer, { kind: 'response' }>,
  peer: Peer,
  setting: StepSetting,
): Promise<string> {
  const { cut } = setting.connection;
  if (setting.timedOut() || answer.kind === 'timeout')
    return `${setting.overdue()}${cut === undefined ? '' : `; ${cut}`}`;
  return whyNoAnswer(answer, peer, setting.connection);
}
