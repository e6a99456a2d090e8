/** All expectations, in the order in which they are judged. The schema of suites and their documentation are made from it. */
import type { Expectation } from '../expectation.ts';
import { answerExpectations } from './answer.ts';
import { fileExpectations, unchangedExpectations } from './files.ts';
import { jsonExpectations } from './json.ts';
import { logExpectations, notificationExpectations, progressExpectations } from './notices.ts';
import { ruleExpectation } from './rule.ts';
import { soundExpectations } from './sound.ts';
import { snapshotExpectations } from '../snapshot/snapshot.ts';
import { kindExpectations, orderExpectations, textExpectations } from './text.ts';

/** Members of an `expect`: for an answer, for the log messages of a case, or for its notifications. */
export const expectationSets = {
  answer: [
    ...kindExpectations,
    ...textExpectations,
    ...jsonExpectations,
    ...fileExpectations,
    ...orderExpectations,
    ...unchangedExpectations,
    ...progressExpectations,
    ...answerExpectations,
    ...soundExpectations,
    snapshotExpectations.answer,
    ruleExpectation,
  ],
  log: [...logExpectations, snapshotExpectations.log, ruleExpectation],
  notifications: [...notificationExpectations, snapshotExpectations.notifications, ruleExpectation],
} satisfies Record<string, readonly Expectation[]>;

export type ExpectationSet = keyof typeof expectationSets;
