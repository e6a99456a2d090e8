/**
 * A target that was reached and answered, though not so that a conversation could be led with it: what it sent can be
 * judged all the same; and one that does not speak the revision that it was asked for. Whoever needs the conversation takes it as the error that it is.
 */
import { McpcError } from '../../core/model/errors.ts';
import type { WireEntry } from '../../core/model/reports/run-report.ts';
import type { Era, Revision } from '../../core/model/rules/requirement.ts';
import type { Target } from './target.ts';

/** How the target was spoken to. */
export interface Spoken {
  target: Target;
  era: Era;
  revision: Revision;
  /** HTTP+SSE: it opened an event stream. */
  streamed?: boolean;
}

/** A target that was asked whether it speaks a revision, and showed that it does not. */
export class NotSpoken extends McpcError {
  readonly revision: Revision;
  /** What was seen instead: a sentence without its full stop. */
  readonly why: string;
  /** The messages that show it, numbered from 1, once somebody recorded them. */
  readonly wire: readonly WireEntry[];

  constructor(revision: Revision, why: string, wire: readonly WireEntry[] = []) {
    super('target', `The server does not speak revision ${revision}: ${why}.`, {
      remedy: 'Use --spec each for those that it speaks.',
    });
    this.revision = revision;
    this.why = why;
    this.wire = wire;
  }
}

export class AnsweredOtherwise extends McpcError {
  readonly spoken: Spoken;

  /** @param told what a reader is told where nothing can be judged */
  constructor(told: McpcError, spoken: Spoken) {
    super('target', told.message, { remedy: told.remedy, cause: told.cause });
    this.spoken = spoken;
  }
}

/** Statuses that say that there is nothing at the address, that it may not be asked, not now, or in another protocol. */
const nobodyThere: ReadonlySet<number> = new Set([401, 403, 404, 405, 407, 410, 421, 425, 426, 429]);
/** Of those from 500 on: a server that breaks down, or says that it cannot do it. The others are told by whoever stands before it. */
export const brokenDown: ReadonlySet<number> = new Set([500, 501]);

/** Whether a reply of that status tells that a server is there which was reached and answered. */
export function isAnswer(status: number): boolean {
  return (
    (status >= 200 && status < 300) ||
    (status >= 400 && status < 500 && !nobodyThere.has(status)) ||
    brokenDown.has(status)
  );
}
