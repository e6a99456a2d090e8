/**
 * Differences in behaviour between two conversations. Ids, tokens, times, session ids and the order of independent
 * notifications do not count. It must not say which of the two is right.
 */
import { diffArrays } from 'diff';
import type { AnsweredRequest, Conversation } from './conversation.ts';
import { asText } from '../model/json.ts';

export interface Difference {
  /** Its subject: `connection 1, tools/call "echo"`. */
  where: string;
  /** `missing`: only in the first; `added`: only in the second. */
  what: 'missing' | 'added' | 'changed';
  /** Method and place within the message, with slashes: `tools/call/result/content/0/text`. */
  path: string;
  left?: unknown;
  right?: unknown;
  leftSeq?: number;
  rightSeq?: number;
}

export interface CompareOptions {
  /** True for paths whose differences do not count. */
  ignored?: (path: string) => boolean;
}

/** Members that differ from run to run and mean nothing. */
const volatile = new Set([
  'progressToken',
  'requestId',
  'cursor',
  'nextCursor',
  'subscriptionId',
  'io.modelcontextprotocol/subscriptionId',
]);

/** Differences of one pair of messages that are listed. */
const mostInOne = 20;

export function compareConversations(
  left: readonly Conversation[],
  right: readonly Conversation[],
  options: CompareOptions = {},
): Difference[] {
  const found: Difference[] = [];
  const ignored = options.ignored ?? (() => false);
  const add = (difference: Difference): void => {
    if (!ignored(difference.path)) found.push(difference);
  };
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const place = `connection ${index + 1}`;
    const [one, two] = [left[index], right[index]];
    if (one && two) compareOne(one, two, place, add);
    else
      add({
        where: place,
        what: one ? 'missing' : 'added',
        path: 'connection',
        ...(one ? { left: summary(one) } : { right: summary(two!) }),
      });
  }
  return found;
}

function summary({ requests, notices }: Conversation): string {
  return `${requests.length} requests, ${notices.length} notifications`;
}

function compareOne(
  left: Conversation,
  right: Conversation,
  place: string,
  add: (difference: Difference) => void,
): void {
  for (const [one, two] of aligned(left.requests, right.requests)) {
    const request = (one ?? two)!;
    const where = `${place}, ${titleOf(request)}`;
    if (one && two) compareRequests(one, two, where, add);
    else
      add({
        where,
        what: one ? 'missing' : 'added',
        path: request.method,
        ...(one ? { leftSeq: one.seq } : { rightSeq: two!.seq }),
      });
  }
  for (const side of ['client', 'server'] as const) {
    for (const method of methodsOf(left, right, side)) {
      const ones = left.notices.filter((notice) => notice.from === side && notice.method === method);
      const twos = right.notices.filter((notice) => notice.from === side && notice.method === method);
      const where = `${place}, ${method} from the ${side}`;
      if (ones.length !== twos.length)
        add({ where, what: 'changed', path: `${method}/count`, left: ones.length, right: twos.length });
      for (let index = 0; index < Math.min(ones.length, twos.length); index += 1) {
        const [one, two] = [ones[index]!, twos[index]!];
        values(one.params, two.params, `${method}/params`, (path, a, b) =>
          add({ where, what: 'changed', path, left: a, right: b, leftSeq: one.seq, rightSeq: two.seq }),
        );
      }
    }
  }
  for (const side of ['client', 'server']) {
    const [ones, twos] = [left, right].map(({ odd }) =>
      odd
        .filter(({ from }) => from === side)
        .map(({ what }) => what)
        .toSorted(),
    ) as [string[], string[]];
    if (ones.join('\n') !== twos.join('\n'))
      add({ where: `${place}, from the ${side}`, what: 'changed', path: 'odd', left: ones, right: twos });
  }
}

function methodsOf(left: Conversation, right: Conversation, side: string): string[] {
  return [
    ...new Set([...left.notices, ...right.notices].filter(({ from }) => from === side).map(({ method }) => method)),
  ];
}

/** The requests of both, with equal ones side by side. */
function aligned(
  left: readonly AnsweredRequest[],
  right: readonly AnsweredRequest[],
): [AnsweredRequest | undefined, AnsweredRequest | undefined][] {
  const pairs: [AnsweredRequest | undefined, AnsweredRequest | undefined][] = [];
  let [i, j] = [0, 0];
  for (const part of diffArrays(left.map(titleOf), right.map(titleOf))) {
    for (const _title of part.value) {
      if (part.removed) pairs.push([left[i++], undefined]);
      else if (part.added) pairs.push([undefined, right[j++]]);
      else pairs.push([left[i++], right[j++]]);
    }
  }
  return pairs;
}

/** Requests with one title are taken for the same. */
export function titleOf({ from, method, params }: Pick<AnsweredRequest, 'from' | 'method' | 'params'>): string {
  const named = typeof params === 'object' && params !== null ? (params as { name?: unknown; uri?: unknown }) : {};
  const name = typeof named.name === 'string' ? named.name : typeof named.uri === 'string' ? named.uri : undefined;
  return `${from === 'server' ? "the server's " : ''}${method}${name === undefined ? '' : ` ${JSON.stringify(name)}`}`;
}

function compareRequests(
  one: AnsweredRequest,
  two: AnsweredRequest,
  where: string,
  add: (difference: Difference) => void,
): void {
  const both = { where, what: 'changed' as const, leftSeq: one.replySeq ?? one.seq, rightSeq: two.replySeq ?? two.seq };
  const changed = (path: string, left: unknown, right: unknown): void =>
    add({ ...both, path: `${one.method}/${path}`, left, right });
  values(one.params, two.params, 'params', changed);
  if (one.status !== undefined && two.status !== undefined && one.status !== two.status)
    changed('status', one.status, two.status);
  if (one.outcome === two.outcome) values(one.reply, two.reply, one.outcome, changed);
  else changed('outcome', outcomeText(one), outcomeText(two));
  const [reported, toldNow] = [one.progress.length, two.progress.length];
  // The number of progress notifications is a matter of time; their presence is not.
  if (reported > 0 ? toldNow === 0 : toldNow > 0) changed('progress', reported, toldNow);
}

function outcomeText({ outcome, reply }: AnsweredRequest): string {
  const error =
    outcome === 'error' && typeof reply === 'object' && reply !== null
      ? ` ${asText((reply as { code?: unknown }).code)}`
      : '';
  return `${outcome}${error}`;
}

/** Calls back for each place where two JSON values differ. */
function values(
  left: unknown,
  right: unknown,
  path: string,
  report: (path: string, left: unknown, right: unknown) => void,
): void {
  let count = 0;
  const visit = (a: unknown, b: unknown, at: string): void => {
    if (Object.is(a, b) || count >= mostInOne) return;
    if (isContainer(a) && isContainer(b) && Array.isArray(a) === Array.isArray(b)) {
      const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
      for (const key of keys) if (!volatile.has(key)) visit(ownOf(a, key), ownOf(b, key), `${at}/${key}`);
      return;
    }
    count += 1;
    report(at, a, b);
  };
  visit(left, right, path);
}

/** A member that only the other one has may be named as what each object inherits. */
function ownOf(holder: object, key: string): unknown {
  return Object.hasOwn(holder, key) ? (holder as Record<string, unknown>)[key] : undefined;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
