/** Requests of all connections that wait for their response, each with a note. */
export class OpenRequests<Note> {
  private readonly waiting = new Map<string, Note>();
  private readonly most: number;

  /** @param most requests that are remembered at a time; further ones are not */
  constructor(most: number) {
    this.most = most;
  }

  add(session: string, id: unknown, note: Note): void {
    if (this.waiting.size < this.most) this.waiting.set(keyOf(session, id), note);
  }

  /** Removes the request that a response belongs to. @returns its note; undefined for a request that was not remembered */
  take(session: string, id: unknown): Note | undefined {
    if (this.waiting.size === 0) return undefined;
    const key = keyOf(session, id);
    const note = this.waiting.get(key);
    this.waiting.delete(key);
    return note;
  }
}

/** An id may be any value; 1 and "1" are two. */
function keyOf(session: string, id: unknown): string {
  return JSON.stringify([session, id]);
}
