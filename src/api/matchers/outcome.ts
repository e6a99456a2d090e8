/** Results of matchers, and their common words. */
import { usageError } from '../../core/model/errors.ts';
import { isObject } from '../../core/model/json.ts';
import { suggestion } from '../../core/model/suggestion.ts';
import { knownOf, namedIn } from '../session/known.ts';
import type { Reply, Session } from '../session/session.ts';

export interface MatcherResult {
  pass: boolean;
  message(): string;
  expected?: unknown;
  actual?: unknown;
}

const longest = 2_000;

/**
 * @param wanted what was expected, as a phrase behind "expected"; its negation follows from it
 * @param about the reply whose exchange the message shows
 */
export function outcome(
  pass: boolean,
  {
    wanted,
    got,
    about,
    ...values
  }: { wanted: string; got: string; about: Reply; expected?: unknown; actual?: unknown },
): MatcherResult {
  return {
    pass,
    message: () =>
      [`expected ${titleOf(about)} ${pass ? 'not ' : ''}${wanted}; ${got}`, ...offersOf(about), exchangeOf(about)].join(
        '\n',
      ),
    ...values,
  };
}

/** @throws McpcError usage for anything else than what a session answers */
export function replyIn(received: unknown, matcher: string): Reply {
  if (isObject(received) && typeof received['method'] === 'string' && 'durationMs' in received)
    return received as unknown as Reply;
  const hint = received instanceof Promise ? ' Await it first.' : '';
  throw usageError(
    `${matcher} takes a reply of a session, not ${textOf(received)}.${hint}`,
    'As in: expect(await session.call("greet", { name: "Ada" })).',
  );
}

/** @throws McpcError usage for anything else than a session */
export function sessionIn(received: unknown, matcher: string): Session {
  const known = typeof received === 'object' && received !== null ? knownOf(received as Session) : undefined;
  if (known !== undefined) return known.session;
  throw usageError(
    `${matcher} takes a session, not ${textOf(received)}.`,
    'As in: const session = await connect(createServer()).',
  );
}

export function titleOf({ method, params }: Reply): string {
  const [, member] = namedIn[method] ?? [];
  const name = member === undefined ? undefined : params?.[member];
  return typeof name === 'string' ? `${method} ${name}` : method;
}

/** A value as JSON, cut where it is long. */
export function textOf(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value, (_name, one: unknown) => (typeof one === 'bigint' ? String(one) : one));
  } catch {
    // A value that is not JSON still has a text.
  }
  text ??= String(value as string);
  return text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text;
}

/** A value without the secrets that the session knows. */
export function cleanText(reply: Reply, value: Record<string, unknown>): string {
  return textOf(knownOf(reply)?.clean(value) ?? value);
}

function exchangeOf(reply: Reply): string {
  const { method, params, result, error } = reply;
  return [
    `  → ${cleanText(reply, { method, ...(params === undefined ? {} : { params }) })}`,
    `  ← ${cleanText(reply, error === undefined ? { result } : { error })} (${Math.round(reply.durationMs)} ms)`,
  ].join('\n');
}

/** The server's similar names for one that it does not list. */
function offersOf(reply: Reply): string[] {
  const [kind, member] = namedIn[reply.method] ?? [];
  const offered = kind === undefined ? undefined : knownOf(reply)?.offered.get(kind);
  const name = member === undefined ? undefined : reply.params?.[member];
  if (offered === undefined || typeof name !== 'string' || offered.includes(name)) return [];
  return [missing(kind!, name, offered)];
}

/** A sentence about a name that a list lacks. */
export function missing(kind: string, name: string, offered: readonly string[]): string {
  const shown = offered.slice(0, 30).join(', ') || 'none';
  const more = offered.length > 30 ? ` and ${offered.length - 30} more` : '';
  return `the server lists no "${name}"; its ${kind} are ${shown}${more}.${suggestion(name, offered)}`;
}
