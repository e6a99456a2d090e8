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
  | 'terminate-first'
  | 'restart-servers'
  | 'listen-again'
  | 'overlook-stderr'
  | 'kill-at-last'
  | 'leave-addresses-alone'
  | 'leave-references-alone'
  | 'leave-icons-alone'
  | 'load-icons-of-the-server'
  | 'leave-sockets-alone'
  | 'load-icons-without-credentials'
  | 'stay-at-redirects'
  | 'fresh-ids'
  | 'ids-of-their-own'
  | 'mirror-parameters'
  | 'answer-pings'
  | 'ask-again-with-answers'
  | 'return-state'
  | 'declare-on-retries'
  | 'declare-tasks-in-each-request'
  | 'heed-poll-intervals'
  | 'answer-open-questions-alone'
  | 'answer-questions-once'
  | 'read-task-ids'
  | 'poll-to-the-end'
  | 'take-batches'
  | 'ask-for-results-early'
  | 'answer-on-listening-streams'
  | 'poll-despite-notifications'
  | 'keep-cursors-of-tasks'
  | 'watch-after-answers'
  | 'answer-task-questions'
  | 'cancel-tasks-by-id'
  | 'take-tasks-of-calls-alone'
  | 'leave-out-unsound-tools'
  | 'keep-integers-safe'
  | 'list-again-after-mismatches'
  | 'ask-again-under-new-ids'
  | 'say-what-is-cancelled'
  | 'look-at-the-same-address'
  | 'delete-sessions'
  | 'post-to-the-endpoint'
  | 'ignore-unknown-completions'
  | 'ignore-late-responses'
  | 'ignore-stray-cancellations'
  | 'survive-late-cancellations'
  | 'keep-cancelled-requests-unanswered'
  | 'stop-cancelled-work'
  | 'answer-each-question'
  | 'bring-bare-results'
  | 'invent-no-state'
  | 'repeat-the-request'
  | 'keep-states-apart'
  | 'retry-under-new-ids'
  | 'retry-other-versions'
  | 'leave-unknown-results'
  | 'ignore-unknown-meta'
  | 'discover-first'
  | 'remember-the-era'
  | 'stay-in-the-era'
  | 'take-supported-versions'
  | 'fall-back-after-any-error'
  | 'name-the-newest-event'
  | 'follow-empty-cursors'
  | 'read-streams'
  | 'skip-comments'
  | 'take-headers-in-any-case'
  | LoginDuty;

/** The same of how it gets and shows tokens. */
export type LoginDuty =
  | 'redirect-to-own-machine'
  | 'register-again'
  | 'bind-credentials'
  | 'check-document-support'
  | 'prefer-documents'
  | 'prefer-documents-to-registration'
  | 'publish-safely'
  | 'publish-its-own-id'
  | 'publish-whole-documents'
  | 'register-itself'
  | 'show-newest-tokens'
  | 'publish-by-https'
  | 'register-refresh'
  | 'name-application-type'
  | 'register-as-native'
  | 'name-the-resource'
  | 'name-the-right-resource'
  | 'name-the-whole-resource'
  | 'leave-fragments-out'
  | 'check-pkce-support'
  | 'challenge-by-s256'
  | 'use-registered-redirects'
  | 'send-state'
  | 'use-pkce'
  | 'check-state'
  | 'want-announced-issuers'
  | 'take-absent-issuers'
  | 'compare-issuers-exactly'
  | 'compare-issuers'
  | 'take-challenged-scopes'
  | 'keep-scopes'
  | 'take-supported-scopes'
  | 'step-up'
  | 'take-scope-errors'
  | 'leave-slashes-out'
  | 'use-default-paths'
  | 'give-up'
  | 'check-the-resource'
  | 'log-in-again'
  | 'keep-tokens-out-of-addresses'
  | 'show-bearer-tokens'
  | 'show-tokens-always'
  | 'name-the-version'
  | 'look-everywhere'
  | 'read-resource-metadata'
  | 'look-at-the-path-first'
  | 'follow-the-challenge'
  | 'ask-oauth-first'
  | 'read-server-metadata'
  | 'check-the-issuer'
  | 'use-named-endpoints'
  | 'take-refusals'
  | 'name-itself'
  | 'refresh-with-tokens-alone'
  | 'look-at-the-root';

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
  watch,
}: {
  faults?: readonly Fault[] | undefined;
  neglects?: readonly ClientDuty[] | undefined;
  /** Called for each message, as a faultless client sends it. */
  watch?: ((message: Json, about: MessageAbout) => void) | undefined;
}): Seams {
  const engines = faults.map(createFaultEngine);
  const left = new Set(neglects);
  return {
    keeps: (duty) => !left.has(duty),
    send(message, about) {
      watch?.(message, about);
      return engines.reduce<Sending[]>(
        (sendings, engine) =>
          sendings.flatMap((sending) =>
            engine.send({ message: sending.message, ...about }).map((changed) => ({ ...sending, ...changed })),
          ),
        [{ message }],
      );
    },
    headers: (headers, about) =>
      engines.reduce((named, engine) => engine.head({ status: 0, headers: named, ...about }).headers, headers),
  };
}
