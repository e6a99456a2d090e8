/** Expectations about what the server notifies: progress, log messages, notifications of any kind. */
import { jsonOf } from '../json-text.ts';
import { expectation, kinds, quoted } from '../expectation.ts';
import type { Expectation } from '../expectation.ts';
import type { Notice } from '../subject.ts';
import { asText } from '../../../core/model/json.ts';

export const progressExpectations: readonly Expectation[] = [
  expectation({
    name: 'min_progress',
    says: 'At least this many progress notifications arrive before the answer. The request then has a progress token.',
    option: kinds.count,
    test: ({ progress }, least) =>
      progress.length >= least
        ? undefined
        : {
            words: `expected at least ${least} progress notification(s), got ${progress.length}`,
            expected: `at least ${least}`,
            actual: String(progress.length),
            seqs: seqsOf(progress),
          },
  }),
];

/** The `expect` of assert_logging. */
export const logExpectations: readonly Expectation[] = [
  expectation({
    name: 'min_messages',
    lasting: true,
    says: 'At least this many log messages arrived since the level was set.',
    option: kinds.count,
    test({ notices }, least) {
      const logs = logsIn(notices);
      return logs.length >= least
        ? undefined
        : {
            words: `expected at least ${least} log message(s), got ${logs.length}`,
            expected: `at least ${least}`,
            actual: String(logs.length),
            seqs: seqsOf(logs),
          };
    },
  }),
  expectation({
    name: 'contains_level',
    lasting: true,
    says: 'There is a log message of each level.',
    option: kinds.texts,
    test({ notices }, levels) {
      const logs = logsIn(notices);
      const at = levels.findIndex((level) => !logs.some((log) => memberOf(log, 'level') === level));
      return at === -1
        ? undefined
        : {
            words: `expected log message at level ${quoted(levels[at]!)}`,
            expected: levels[at]!,
            actual: logs.map((log) => asText(memberOf(log, 'level'))).join(', ') || 'no log message',
            at: [at],
            seqs: seqsOf(logs),
          };
    },
  }),
  expectation({
    name: 'contains_data',
    lasting: true,
    says: 'The data of some log message contains each of these; data that is not text is compared as JSON.',
    option: kinds.texts,
    test({ notices }, wanted) {
      const logs = logsIn(notices);
      const at = wanted.findIndex((text) => !logs.some((log) => printedData(memberOf(log, 'data')).includes(text)));
      return at === -1
        ? undefined
        : {
            words: `expected log data containing ${quoted(wanted[at]!)}`,
            expected: wanted[at]!,
            actual: logs.map((log) => printedData(memberOf(log, 'data'))).join('\n') || 'no log message',
            at: [at],
            seqs: seqsOf(logs),
          };
    },
  }),
];

/** The `expect` of assert_notifications. */
export const notificationExpectations: readonly Expectation[] = [
  expectation({
    name: 'min_count',
    lasting: true,
    says: 'At least this many notifications of any kind arrived.',
    option: kinds.count,
    test: ({ notices }, least) =>
      notices.length >= least
        ? undefined
        : {
            words: `expected at least ${least} notification(s), got ${notices.length}`,
            expected: `at least ${least}`,
            actual: String(notices.length),
            seqs: seqsOf(notices),
          },
  }),
  expectation({
    name: 'max_count',
    says: 'At most this many notifications arrived.',
    option: kinds.count,
    test: ({ notices }, most) =>
      notices.length <= most
        ? undefined
        : {
            words: `expected at most ${most} notification(s), got ${notices.length}`,
            expected: `at most ${most}`,
            actual: String(notices.length),
            seqs: seqsOf(notices),
          },
  }),
  expectation({
    name: 'methods',
    lasting: true,
    says: 'A notification of each method arrived.',
    option: kinds.texts,
    test({ notices }, methods) {
      const at = methods.findIndex((method) => !notices.some((notice) => notice.method === method));
      return at === -1
        ? undefined
        : {
            words: `expected notification method ${quoted(methods[at]!)}`,
            expected: methods[at]!,
            actual: notices.map(({ method }) => method).join(', ') || 'no notification',
            at: [at],
            seqs: seqsOf(notices),
          };
    },
  }),
  expectation({
    name: 'not_methods',
    says: 'No notification of these methods arrived.',
    option: kinds.texts,
    test({ notices }, methods) {
      const at = methods.findIndex((method) => notices.some((notice) => notice.method === method));
      return at === -1
        ? undefined
        : {
            words: `notification method ${quoted(methods[at]!)} was received`,
            expected: `no ${methods[at]!}`,
            actual: methods[at]!,
            at: [at],
            seqs: seqsOf(notices.filter(({ method }) => method === methods[at])),
          };
    },
  }),
  expectation({
    name: 'contains_data',
    lasting: true,
    says: 'The params of some notification, as JSON, contain each of these.',
    option: kinds.texts,
    test({ notices }, wanted) {
      const at = wanted.findIndex((text) => !notices.some(({ params }) => jsonOf(params ?? {}).includes(text)));
      return at === -1
        ? undefined
        : {
            words: `no notification params contain ${quoted(wanted[at]!)}`,
            expected: wanted[at]!,
            actual: notices.map(({ params }) => jsonOf(params ?? {})).join('\n') || 'no notification',
            at: [at],
            seqs: seqsOf(notices),
          };
    },
  }),
  expectation({
    name: 'not_contains_data',
    says: 'The params of no notification contain any of these.',
    option: kinds.texts,
    test({ notices }, unwanted) {
      const at = unwanted.findIndex((text) => notices.some(({ params }) => jsonOf(params ?? {}).includes(text)));
      return at === -1
        ? undefined
        : {
            words: `notification params contain ${quoted(unwanted[at]!)}`,
            expected: `no ${unwanted[at]!}`,
            actual: unwanted[at]!,
            at: [at],
            seqs: seqsOf(notices),
          };
    },
  }),
];

function logsIn(notices: readonly Notice[]): Notice[] {
  return notices.filter(({ method }) => method === 'notifications/message');
}

function memberOf({ params }: Notice, name: string): unknown {
  return typeof params === 'object' && params !== null ? (params as Record<string, unknown>)[name] : undefined;
}

function printedData(data: unknown): string {
  return typeof data === 'string' ? data : data === undefined ? '' : jsonOf(data);
}

/** The last of them show as much as all. */
function seqsOf(notices: readonly Notice[]): number[] {
  return notices.slice(-10).map(({ seq }) => seq);
}
