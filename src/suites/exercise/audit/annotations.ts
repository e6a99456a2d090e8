/**
 * Compares the annotations of a tool with observations: `readOnlyHint` means that it changes nothing visible,
 * `idempotentHint` that a repeated call changes nothing more. What a change is blamed on a tool for was seen twice, in
 * two sessions.
 */
import { isObject } from '../../../core/model/json.ts';
import type { ExerciseSession } from '../session.ts';
import { changedBetween, lookAt, steady } from '../seen-state.ts';
import { callTool } from '../tool-call.ts';
import type { ListedTool } from '../permitted.ts';

/** The testable hint of the tool; a reading tool is also idempotent. */
export function hintToHold({ annotations }: Record<string, unknown>): 'readOnlyHint' | 'idempotentHint' | undefined {
  if (!isObject(annotations)) return undefined;
  if (annotations['readOnlyHint'] === true) return 'readOnlyHint';
  return annotations['idempotentHint'] === true ? 'idempotentHint' : undefined;
}

/** @returns a sentence about a change that the tool denies; undefined without one, or if uncertain */
export async function brokenHint(listed: ListedTool, session: ExerciseSession): Promise<string | undefined> {
  const hint = hintToHold(listed.tool);
  if (hint === undefined) return undefined;
  const first = await changesBy(listed, hint, session);
  if (first.length === 0) return undefined;
  await session.fresh();
  const again = await changesBy(listed, hint, session);
  // A look between two calls without the tool in between: changes in that time are independent of it.
  const sure = first.filter((what) => again.includes(what));
  if (sure.length === 0) return undefined;
  const when = hint === 'readOnlyHint' ? 'a call' : 'a second call with the same arguments';
  return `The tool says ${hint}: true, and ${when} changed ${sure.join(', ')}.`;
}

async function changesBy(
  { name, valid }: ListedTool,
  hint: 'readOnlyHint' | 'idempotentHint',
  session: ExerciseSession,
): Promise<string[]> {
  const connection = await session.connection();
  const { peer } = connection.opened!;
  const look = () => lookAt(peer, session.fixture);
  if (hint === 'idempotentHint') await callTool(connection, name, valid);
  const [one, other] = [await look(), await look()];
  const { outcome } = await callTool(connection, name, valid);
  if (outcome.kind !== 'result' || outcome.isError) return [];
  const after = await look();
  // Values that keep changing without a call change by themselves.
  const settled = steady(after, await look());
  return changedBetween(other, after, new Set([...steady(one, other)].filter((what) => settled.has(what))));
}
