/**
 * Carries out the steps of a stimulus on a peer, by the table of steps. Each waits for its expected message, never for
 * a fixed time, and a step without input is left out.
 */
import type { Step } from '../../core/model/rules/rule.ts';
import type { Peer } from '../peer/peer.ts';
import type { AnyStepKind, Json, StepWork } from './support/step-kind.ts';
import type { Scope, StepContext } from './support/step-scope.ts';
import { objectStep, wordStep } from './table.ts';

/** Runs the steps; ends early when the connection is gone. */
export async function runSteps(steps: readonly Step[], peer: Peer, context: StepContext): Promise<void> {
  await runWhole(steps, scopeOn(peer, context), context);
}

/** With what was sent on the connection and is waited for to the end only. */
async function runWhole(steps: readonly Step[], scope: Scope, context: StepContext): Promise<void> {
  await runAll(steps, scope, context);
  await Promise.all(scope.unawaited);
}

/** @param around the scope of the connection on which the steps for this one stand: what it named can be used here, too */
function scopeOn(peer: Peer, { turns }: StepContext, around?: Scope): Scope {
  return {
    peer,
    pending: new Map(around?.pending),
    exchanges: new Map(),
    unawaited: [],
    completed: new Map(around?.completed),
    readings: new Map(),
    turns,
  };
}

async function runAll(steps: readonly Step[], scope: Scope, context: StepContext): Promise<void> {
  const work: StepWork = {
    scope,
    context,
    runAll: (within, on) =>
      on ? runWhole(within, scopeOn(on, context, scope), context) : runAll(within, scope, context),
  };
  for (const step of steps) {
    const { kind, run } = typeof step === 'string' ? wordToRun(step, work) : stepToRun(step, work);
    if (!scope.peer.alive && kind.runsWithoutConnection?.(context) !== true) return;
    const over = context.watch?.step(scope.peer.session, typeof step === 'string' ? step : Object.keys(step)[0]!);
    try {
      await run();
    } finally {
      over?.();
    }
  }
}

interface ToRun {
  kind: AnyStepKind;
  run(): Promise<void> | void;
}

function wordToRun(word: string, work: StepWork): ToRun {
  const kind = wordStep(word);
  return { kind, run: () => kind.run(work) };
}

function stepToRun(step: Json, work: StepWork): ToRun {
  const kind = objectStep(step);
  return { kind, run: () => kind.run(step, work) };
}
