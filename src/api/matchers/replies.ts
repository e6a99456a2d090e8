/** Matchers about one reply. */
import { asObject, isObject } from '../../core/model/json.ts';
import type { Reply } from '../session/session.ts';
import { outcome, replyIn, textOf, type MatcherResult } from './outcome.ts';
import { differsAt } from './subset.ts';

/** The response is a result, and of a tool no error of the tool. */
export function toSucceed(received: unknown): MatcherResult {
  const reply = replyIn(received, 'toSucceed');
  return outcome(reply.error === undefined && !isToolError(reply), {
    wanted: 'to succeed',
    got: stateOf(reply),
    about: reply,
  });
}

/** The tool reports an error of its own: a result with `isError`. @param text part of what it says, or a pattern */
export function toBeToolError(received: unknown, text?: string | RegExp): MatcherResult {
  const reply = replyIn(received, 'toBeToolError');
  const said = textsOf(reply).join('\n');
  const fits = isToolError(reply) && (text === undefined || holds(said, text));
  return outcome(fits, {
    wanted: `to report an error of the tool${text === undefined ? '' : ` that contains ${shown(text)}`}`,
    got: isToolError(reply) ? `it reports ${textOf(said)}` : stateOf(reply),
    about: reply,
  });
}

/** The response is an error. @param expected its code, a part of its message or a pattern, and a part of its data */
export function toFailWith(
  received: unknown,
  expected: { code?: number; message?: string | RegExp; data?: unknown } = {},
): MatcherResult {
  const reply = replyIn(received, 'toFailWith');
  const { code, message, data } = expected;
  const { error } = reply;
  const fits =
    error !== undefined &&
    (code === undefined || error.code === code) &&
    (message === undefined || holds(error.message, message)) &&
    (data === undefined || differsAt(error.data, data) === undefined);
  const wanted = [
    ...(code === undefined ? [] : [`code ${code}`]),
    ...(message === undefined ? [] : [`a message that contains ${shown(message)}`]),
    ...(data === undefined ? [] : [`data ${textOf(data)}`]),
  ];
  return outcome(fits, {
    wanted: `to fail${wanted.length === 0 ? '' : ` with ${wanted.join(', ')}`}`,
    got: stateOf(reply),
    about: reply,
    expected,
    actual: error,
  });
}

/** A text of the result contains this: content of a tool, contents of a resource, messages of a prompt. */
export function toContainText(received: unknown, text: string | RegExp): MatcherResult {
  const reply = replyIn(received, 'toContainText');
  const texts = textsOf(reply);
  return outcome(
    texts.some((one) => holds(one, text)),
    {
      wanted: `to contain the text ${shown(text)}`,
      got: texts.length === 0 ? `there is no text: ${stateOf(reply)}` : `its text is ${textOf(texts.join('\n'))}`,
      about: reply,
      expected: String(text),
      actual: texts.join('\n'),
    },
  );
}

/** The structured content has all of this; objects may have more properties. */
export function toMatchStructured(received: unknown, expected: unknown): MatcherResult {
  const reply = replyIn(received, 'toMatchStructured');
  const actual = reply.result?.['structuredContent'];
  const at = actual === undefined ? '' : differsAt(actual, expected);
  const got =
    actual === undefined
      ? `there is no structured content: ${stateOf(reply)}`
      : at === undefined
        ? 'it does'
        : `it differs${at === '' ? '' : ` at ${at}`}`;
  return outcome(actual !== undefined && at === undefined, {
    wanted: `to match the structured content ${textOf(expected)}`,
    got,
    about: reply,
    expected,
    actual,
  });
}

/** One of the blocks of content has all of this, as `{ type: 'image', mimeType: 'image/png' }`. */
export function toHaveContent(received: unknown, expected: Readonly<Record<string, unknown>> | string): MatcherResult {
  const reply = replyIn(received, 'toHaveContent');
  const wanted = typeof expected === 'string' ? { type: expected } : expected;
  const blocks = blocksOf(reply);
  return outcome(
    blocks.some((block) => differsAt(block, wanted) === undefined),
    {
      wanted: `to have content ${textOf(wanted)}`,
      got:
        blocks.length === 0
          ? `there is none: ${stateOf(reply)}`
          : `it has ${blocks.map(({ type }) => textOf(type)).join(', ')}`,
      about: reply,
      expected: wanted,
      actual: blocks,
    },
  );
}

/** The response came within so many milliseconds. */
export function toRespondWithin(received: unknown, ms: number): MatcherResult {
  const reply = replyIn(received, 'toRespondWithin');
  return outcome(reply.durationMs <= ms, {
    wanted: `to respond within ${ms} ms`,
    got: `it took ${reply.durationMs} ms`,
    about: reply,
  });
}

function isToolError({ result }: Reply): boolean {
  return result?.['isError'] === true;
}

function stateOf(reply: Reply): string {
  const { error } = reply;
  if (error !== undefined) return `the response is error ${textOf(error.code)}: ${error.message}`;
  if (isToolError(reply)) return `the tool reports ${textOf(textsOf(reply).join('\n'))}`;
  return `the response is a result`;
}

function holds(text: string, wanted: string | RegExp): boolean {
  if (typeof wanted === 'string') return text.includes(wanted);
  wanted.lastIndex = 0;
  return wanted.test(text);
}

function shown(wanted: string | RegExp): string {
  return typeof wanted === 'string' ? JSON.stringify(wanted) : String(wanted);
}

function blocksOf({ result = {} }: Reply): Record<string, unknown>[] {
  const messages = listOf(result['messages']).flatMap(({ content }) =>
    Array.isArray(content) ? listOf(content) : listOf([content]),
  );
  return [...listOf(result['content']), ...listOf(result['contents']), ...messages];
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Texts of a reply in their order, those of embedded resources included. */
function textsOf(reply: Reply): string[] {
  return blocksOf(reply).flatMap((block) => {
    const text = block['text'] ?? asObject(block['resource'])?.['text'];
    return typeof text === 'string' ? [text] : [];
  });
}
