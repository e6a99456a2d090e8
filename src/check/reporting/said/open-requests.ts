/**
 * One request of one connection, as the key of a map. An id may be any value; 1 and "1" are two.
 */
export function requestKey(session: string, id: unknown): string {
  return JSON.stringify([session, id]);
}
