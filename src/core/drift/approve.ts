/** Takes changes of a server into its lock. Pure. */
import { hashOf, lockedLists, type ServerLock } from './lock.ts';

/**
 * The lock with the current state of one entry, and everything else unchanged.
 * @param entry a name in any list, or a member about the server itself; absent for all
 */
export function approved(before: ServerLock, now: ServerLock, entry: string | undefined): ServerLock {
  if (entry === undefined) return now;
  const { hash: _hash, ...old } = before;
  const body: Omit<ServerLock, 'hash'> = { ...old };
  for (const { list } of lockedLists) {
    const is = Object.hasOwn(now[list], entry) ? now[list][entry] : undefined;
    const { [entry]: was, ...others } = before[list];
    if (was === undefined && is === undefined) continue;
    const entries = Object.entries(is === undefined ? others : { ...others, [entry]: is });
    body[list] = Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
  }
  if (entry === 'revision' || entry === 'capabilities' || entry === 'serverInfo')
    Object.assign(body, { [entry]: now[entry] });
  if (entry === 'instructions') {
    delete body.instructions;
    delete body.instructionsText;
    const { instructions, instructionsText } = now;
    if (instructions !== undefined && instructionsText !== undefined)
      Object.assign(body, { instructions, instructionsText });
  }
  return { ...body, hash: hashOf(body) };
}
