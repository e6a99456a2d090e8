/** Contents of resources read on a connection, and changed ones among them. */
import { createHash } from 'node:crypto';
import { asObject } from '../../core/model/json.ts';
import { largest } from '../../core/model/lists.ts';
import type { Answer } from '../peer/peer.ts';

/** The last reading of a resource: a digest of the contents, when that was, and milliseconds since the one before where that gave something else. */
interface Reading {
  digest: string;
  at: number;
  changedIn?: number;
}

/** By URI. */
export type Readings = Map<string, Reading>;

/** Records the answer to resources/read; an error is no evidence. */
export function noteReading(readings: Readings, uri: string, answer: Answer | undefined): void {
  const contents = answer?.kind === 'response' ? asObject(answer.message.result)?.contents : undefined;
  if (contents === undefined) return;
  const digest = createHash('sha256').update(JSON.stringify(contents)).digest('base64');
  const at = performance.now();
  const before = readings.get(uri);
  readings.set(uri, {
    digest,
    at,
    ...(before !== undefined && before.digest !== digest ? { changedIn: at - before.at } : {}),
  });
}

/** Milliseconds between the last two readings that differ, the most of any resource; undefined where none changed. */
export function changedIn(readings: Readings): number | undefined {
  const times = [...readings.values()].map((one) => one.changedIn).filter((ms) => ms !== undefined);
  return times.length === 0 ? undefined : largest(times);
}
