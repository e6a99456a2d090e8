/**
 * Internals of a server in its text: stack traces, paths of its program, its environment. Only texts of errors are
 * searched for the first two, since a tool may well read out a log; and what was sent is no leak. Pure.
 */
import { internalsIn } from '../language/expectations/internals.ts';
import type { CallOutcome } from './tool-call.ts';

/** A variable that mcpc adds to the environment of a stdio server: its value in an answer leaks the environment. */
export const canary = { name: 'MCPC_CANARY', value: 'mcpc-canary-4c1f09ab77d2' } as const;

/** The sentence about a server that leaks its environment. */
export const environmentLeak = 'The answer holds a variable of the environment of the server';

/** @param sent the arguments, as JSON @returns what leaked, as the begin of a sentence; undefined for nothing */
export function leakIn(outcome: CallOutcome, sent: string): string | undefined {
  if (outcome.kind !== 'result' && outcome.kind !== 'error') return undefined;
  const whole =
    outcome.kind === 'result'
      ? JSON.stringify(outcome.result)
      : `${outcome.message}\n${JSON.stringify(outcome.data ?? '')}`;
  if (whole.includes(canary.value)) return environmentLeak;
  if (outcome.kind === 'result' && !outcome.isError) return undefined;
  const found = internalsIn(outcome.kind === 'result' ? outcome.text : whole, sent);
  return found === undefined ? undefined : `The error holds ${found}`;
}
