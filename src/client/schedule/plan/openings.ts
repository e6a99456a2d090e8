/**
 * Connections that a stimulus opens beside its own for nothing but a handshake. Each is a probe by itself, so that it
 * runs beside others, and what needs a connection of the revision can go on with one on which that was agreed.
 */
import { isObject } from '../../../core/model/json.ts';
import type { HandshakeOptions } from '../../peer/peer.ts';
import type { Step } from '../../../core/model/rules/rule.ts';

/**
 * Takes out of a stimulus the connections that are opened for a handshake alone. One that asks for the revision itself
 * is the handshake with which the stimulus begins, and is not led once more; nor is one that led to the revision.
 * @param asked the version that was asked for when the server was found to speak the revision
 */
export function splitOpenings(
  stimulus: readonly Step[],
  revision: string,
  asked = revision,
): { steps: Step[]; openings: Step[][] } {
  const openings: Step[][] = [];
  const keep = (steps: readonly Step[]): Step[] =>
    steps.filter((step) => {
      const opening = openingOf(step);
      if (opening !== undefined && !asksFor(opening, revision) && !asksFor(opening, asked)) openings.push([opening]);
      return opening === undefined;
    });
  if (stimulus[0] !== 'handshake') return { steps: [...stimulus], openings };
  const steps = keep(stimulus).flatMap((step): Step[] => {
    if (!isObject(step) || !Array.isArray(step.parallel)) return [step];
    const branches = (step.parallel as Step[][]).map(keep).filter(({ length }) => length > 0);
    if (branches.length === (step.parallel as Step[][]).length) return [step];
    return branches.length > 1 ? [{ ...step, parallel: branches }] : branches.flat();
  });
  return { steps, openings };
}

/** Whether a probe is the opening of a connection by a client that names another version, and nothing else: in all other things it is the usual client. */
export function isOpening(steps: readonly Step[]): boolean {
  return steps.length === 1 && isVersionHandshake(steps[0]);
}

/** Whether a connection is opened by a client that only declares other capabilities than the usual one. */
export function isPlainOpening([step]: readonly Step[]): boolean {
  return (
    isObject(step) &&
    isObject(step.handshake) &&
    Object.keys(step.handshake).every((name) => name === 'clientCapabilities')
  );
}

/** How the client of a probe opens its connection. */
export function openingIn([step]: readonly Step[]): HandshakeOptions {
  return isObject(step) ? (step.handshake as HandshakeOptions) : {};
}

/** Whether the client of a probe is told apart from others by nothing but that it does not say yet that it is initialized. */
export function holdsBack([first]: readonly Step[]): boolean {
  return isObject(first) && isObject(first.handshake) && first.handshake.initialized === false;
}

function openingOf(step: Step): Step | undefined {
  if (!isObject(step) || !Array.isArray(step.newSession)) return undefined;
  const [only, ...more] = step.newSession as Step[];
  return more.length === 0 && isVersionHandshake(only) ? only : undefined;
}

function isVersionHandshake(step: Step | undefined): boolean {
  if (!isObject(step) || !isObject(step.handshake)) return false;
  const { version, deviation: _, ...more } = step.handshake;
  return typeof version === 'string' && Object.keys(more).length === 0;
}

function asksFor(step: Step, revision: string): boolean {
  return isObject(step) && isObject(step.handshake) && step.handshake.version === revision;
}
