/** Carries out the attempts of a starter suite, with the client that suites use, and keeps what came of each. */
import type { Attempt } from './attempts.ts';
import type { Answer, Peer } from '../../../client/peer/peer.ts';
import { textOf } from '../../language/judge/views.ts';
import { asText } from '../../../core/model/json.ts';

type Json = Record<string, unknown>;

export type Outcome =
  | { kind: 'result'; result: Json; text: string; isError: boolean }
  | { kind: 'error'; code: unknown; message: string }
  /** No answer: why, as the end of a sentence. */
  | { kind: 'none'; why: string };

/** Outcomes of an attempt, in the order of the rounds. */
export type Seen = Map<Attempt, Outcome[]>;

/**
 * Each attempt so many times, round by round, in one session. A request without an answer is not repeated; after a
 * silence or an end the rest continues with a new connection.
 * @param peer an open connection; it is closed in the end
 * @param open opens another one
 */
export async function observe(
  attempts: readonly Attempt[],
  seen: Seen,
  rounds: number,
  peer: Peer,
  open: () => Promise<Peer>,
): Promise<void> {
  let current: Peer | undefined = peer;
  for (let round = 0; round < rounds; round += 1) {
    for (const attempt of attempts) {
      const before = seen.get(attempt) ?? [];
      if (attempt.skip !== undefined || before.some(({ kind }) => kind === 'none')) continue;
      current ??= await open();
      const outcome = outcomeOf(await current.request(attempt.method, attempt.params).answer, attempt);
      seen.set(attempt, [...before, outcome]);
      if (outcome.kind !== 'none' && current.alive) continue;
      await current.close();
      current = undefined;
    }
  }
  await current?.close();
}

function outcomeOf(answer: Answer, { view }: Attempt): Outcome {
  if (answer.kind === 'timeout') return { kind: 'none', why: 'it did not answer in time' };
  if (answer.kind === 'closed') return { kind: 'none', why: 'the server ended the connection' };
  if (answer.kind === 'refused') return { kind: 'none', why: `the reply was HTTP ${answer.status} without a response` };
  const { result, error } = answer.message as { result?: Json; error?: { code?: unknown; message?: unknown } };
  if (typeof result !== 'object' || result === null)
    return { kind: 'error', code: error?.code, message: asText(error?.message ?? '') };
  return { kind: 'result', result, text: textOf(result, view), isError: result['isError'] === true };
}
