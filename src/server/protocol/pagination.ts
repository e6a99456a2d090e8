/**
 * Cuts lists into pages behind opaque cursors. A cursor names its list and offset and has a check sum, so that cursors
 * of other lists and invented ones are recognised. Must not hold state: a cursor stays good as long as the process, and
 * longer.
 */
import { createHash } from 'node:crypto';
import { errorCode, RpcError } from './json-rpc.ts';

export interface Page<T> {
  items: T[];
  nextCursor?: unknown;
}

function checkSum(text: string): string {
  return createHash('sha256').update(`reference:${text}`).digest('base64url').slice(0, 8);
}

export function makeCursor(list: string, offset: number): string {
  const body = `${list}:${offset}`;
  return Buffer.from(`${body}:${checkSum(body)}`).toString('base64url');
}

/** The offset that a cursor stands for, or undefined if it is none of this list's. */
export function readCursor(cursor: unknown, list: string, length: number): number | undefined {
  if (typeof cursor !== 'string') return undefined;
  const [name, offsetText, sum] = Buffer.from(cursor, 'base64url').toString('utf8').split(':');
  const offset = Number(offsetText);
  const genuine = name === list && sum === checkSum(`${name}:${offsetText}`) && makeCursor(list, offset) === cursor;
  return genuine && offset > 0 && offset < length ? offset : undefined;
}

/**
 * The page at a cursor, or the first one if the cursor is undefined.
 * @throws RpcError -32602 for a cursor that this server never gave out for this list
 */
export function paginate<T>(items: readonly T[], cursor: unknown, size: number, list: string): Page<T> {
  const offset = cursor === undefined ? 0 : readCursor(cursor, list, items.length);
  if (offset === undefined) throw new RpcError(errorCode.invalidParams, 'Invalid cursor', { reason: 'cursor' });
  const end = offset + size;
  const page: Page<T> = { items: items.slice(offset, end) };
  if (end < items.length) page.nextCursor = makeCursor(list, end);
  return page;
}
