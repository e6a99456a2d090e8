/** An answer as the text that a snapshot keeps: YAML, members by name, without what changes from run to run. Pure. */
import { stringify } from 'yaml';
import { isObject } from '../../../core/model/json.ts';
import { jsonOf } from '../json-text.ts';
import type { Subject } from '../subject.ts';
import { createMasks } from './masks.ts';
import type { MaskedPlace } from './masks.ts';
import { withoutVolatile } from './volatile.ts';

export interface AnswerTextOptions {
  places: readonly MaskedPlace[];
  /** JSON paths. */
  volatile: readonly string[];
  /** Takes secrets out of a message. */
  clean(message: Record<string, unknown>): Record<string, unknown>;
}

/** The part of a step in a snapshot: its answer, the log messages, or all notifications of the case. */
export type Kept = 'answer' | 'log' | 'notifications';

/** @throws Error for a volatile path that cannot be read */
export function answerText(subject: Subject, kept: Kept, { places, volatile, clean }: AnswerTextOptions): string {
  const seen = clean(kept === 'answer' ? answerOf(subject) : { notifications: noticesOf(subject, kept) });
  const result =
    'result' in seen ? { result: withoutVolatile(seen['result'], volatile) } : withoutVolatile(seen, volatile);
  return stringify(createMasks(places).value(result), {
    lineWidth: 0,
    blockQuote: 'literal',
    sortMapEntries: true,
    aliasDuplicateObjects: false,
  });
}

function answerOf({ result, error, text }: Subject): Record<string, unknown> {
  if (error !== undefined) return { error };
  if (!isObject(result)) return result === undefined ? { text } : { result };
  const { _meta: _left, isError, ...rest } = result;
  return { result: { ...rest, ...(isError === undefined || isError === false ? {} : { isError }) } };
}

/** Each of them once, in the order of their text: how many come until a step is over, and in which order, is chance. */
function noticesOf({ notices }: Subject, kept: Kept): unknown[] {
  const wanted = kept === 'log' ? notices.filter(({ method }) => method === 'notifications/message') : notices;
  const byText = new Map(
    wanted.map(({ method, params }): [string, unknown] => {
      const { _meta: _left, progressToken: _token, ...rest } = isObject(params) ? params : {};
      const notice = { method, ...(params === undefined ? {} : { params: rest }) };
      return [jsonOf(notice), notice];
    }),
  );
  return [...byText].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, notice]) => notice);
}
