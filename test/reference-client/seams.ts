/**
 * Where the reference client can be made to act otherwise. A fault of a rule file (`mutation`) changes messages and headers
 * on their way out; what is more than that is a duty that the client leaves out.
 */
import { createFaultEngine } from '../../src/core/faults/engine.ts';
import type { Json, Sending } from '../../src/core/faults/operators.ts';
import type { Fault } from '../../src/core/model/rules/mutation.ts';

/** What a faultless client does at one place, and can leave out. */
export type ClientDuty =
  | 'announce-initialized'
  | 'initialize-first'
  | 'leave-unknown-versions'
  | 'restart-lost-sessions'
  | 'resume-streams'
  | 'wait-before-resuming'
  | 'name-the-last-event'
  | 'keep-cursors'
  | 'end-lists-at-the-last-page'
  | 'follow-cursors'
  | 'use-only-what-is-declared'
  | 'refuse-unoffered-modes'
  | 'refuse-undeclared-tools'
  | 'check-sampling-messages'
  | 'heed-tool-choice'
  | 'take-no-mode-for-a-form'
  | 'refuse-unknown-methods'
  | 'refuse-unoffered-methods'
  | 'keep-notifications-unanswered'
  | 'survive-stray-messages'
  | 'close-stdin-first'
  | 'leave-addresses-alone'
  | 'leave-icons-alone'
  | 'fresh-ids'
  | 'ids-of-their-own'
  | 'mirror-parameters'
  | 'answer-pings'
  | 'ask-again-with-answers'
  | 'return-state'
  | 'answer-each-question'
  | 'retry-other-versions'
  | 'leave-unknown-results'
  | 'take-absent-types-for-complete';

export interface MessageAbout {
  kind: 'request' | 'notification' | 'result' | 'error';
  method: string | undefined;
  asked?: unknown;
  connection: object;
}

export interface RequestAbout {
  verb: string;
  posted?: 'request' | 'notification' | 'response' | 'batch' | undefined;
  method?: string | undefined;
  message?: unknown;
}

export interface Seams {
  keeps(duty: ClientDuty): boolean;
  send(message: Json, about: MessageAbout): Sending[];
  headers(headers: Record<string, string>, about: RequestAbout): Record<string, string>;
}

/** The seams of a client with these faults; a faultless one without any. */
export function seamsOf({
  faults = [],
  neglects = [],
}: {
  faults?: readonly Fault[] | undefined;
  neglects?: readonly ClientDuty[] | undefined;
}): Seams {
  const engines = faults.map(createFaultEngine);
  const left = new Set(neglects);
  return {
    keeps: (duty) => !left.has(duty),
    send: (message, about) =>
      engines.reduce<Sending[]>(
        (sendings, engine) =>
          sendings.flatMap((sending) =>
            engine.send({ message: sending.message, ...about }).map((changed) => ({ ...sending, ...changed })),
          ),
        [{ message }],
      ),
    headers: (headers, about) =>
      engines.reduce((named, engine) => engine.head({ status: 0, headers: named, ...about }).headers, headers),
  };
}
