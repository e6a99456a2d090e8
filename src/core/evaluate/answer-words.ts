/** Words for the answers of the target that a rule looked at and could not use, for the reason of an undecided verdict. */
import type { Subject } from '../facts/state/subject.ts';
import { asObject } from '../model/json.ts';

const notAnswered: ReadonlySet<unknown> = new Set(['notification', 'response']);

/**
 * One clause, such as "completion/complete was answered with error -32601".
 *
 * @returns undefined for results, for what gets no response, and where the trace does not show it
 */
export function answerWords({ kind, facts }: Pick<Subject, 'kind' | 'facts'>): string | undefined {
  if (kind !== 'exchange' && kind !== 'followUp') return undefined;
  const of = read(facts, 'of');
  if (notAnswered.has(of)) return undefined;
  const answer = answerOf(facts, of);
  return answer === undefined ? undefined : `${requestWords(facts, of)} ${answer}`;
}

function requestWords(facts: Subject['facts'], of: unknown): string {
  const method = read(facts, 'method');
  if (typeof method === 'string' && method.length <= 100) return method;
  return of === 'unparsable' ? 'input that is not JSON' : of === 'other' ? 'JSON that is no message' : 'a request';
}

function answerOf(facts: Subject['facts'], of: unknown): string | undefined {
  const outcome = read(facts, 'outcome');
  if (outcome === 'result' || outcome === 'unanswered') return undefined;
  const id = firstOf(read(facts, 'errorIds'));
  if (id !== undefined) return `was answered with an error under the id ${JSON.stringify(id)} of another request`;
  const code = read(facts, 'errorCode') ?? asObject(asObject(firstOf(read(facts, 'orphans')))?.error)?.code;
  if (typeof code === 'number') return `was answered with error ${code}`;
  const status = read(facts, 'httpStatus');
  if (typeof status === 'number' && status >= 400) return `was answered with HTTP status ${status}`;
  if (outcome === 'malformed') return 'was answered with neither a result nor an error';
  const isSilent =
    outcome === 'timeout' || outcome === 'missing' || (of !== undefined && read(facts, 'aliveAfter') === true);
  return isSilent ? 'got no response' : undefined;
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? (list as unknown[])[0] : undefined;
}

/** Undefined where the trace does not contain it. */
function read(facts: Subject['facts'], name: string): unknown {
  try {
    return facts[name];
  } catch {
    return undefined;
  }
}
