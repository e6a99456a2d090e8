/** Turns the per-revision method tables of `spec` into the look-up that facts use: method to revisions. */
import type { MethodTable } from '../state/subject.ts';

type PerRevision = Record<string, Record<string, { from: 'client' | 'server' | 'both'; kind: string }>>;

export function mergeMethodTables(tables: PerRevision): MethodTable {
  const merged: MethodTable = {};
  for (const [revision, methods] of Object.entries(tables)) {
    for (const [method, { from, kind }] of Object.entries(methods)) {
      if (kind !== 'request' && kind !== 'notification') continue;
      const entry = (merged[method] ??= { revisions: [], from, kind });
      entry.revisions.push(revision);
    }
  }
  // Immutable values can be compared by identity (see evaluate/traits.ts).
  for (const entry of Object.values(merged)) Object.freeze(entry.revisions);
  return merged;
}
