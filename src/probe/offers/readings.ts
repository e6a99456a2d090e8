/** What resources gave when they were read on a connection, and which of them gave something else the last time. */
import { createHash } from 'node:crypto';
import { asObject } from '../../model/json.ts';
import type { Answer } from '../client/peer.ts';

/** By URI: a digest of the contents, and whether it is another one than at the reading before. */
export type Readings = Map<string, { digest: string; changed: boolean }>;

/** Notes the answer to resources/read; an error tells nothing. */
export function noteReading(readings: Readings, uri: string, answer: Answer | undefined): void {
  const contents = answer?.kind === 'response' ? asObject(answer.message.result)?.contents : undefined;
  if (contents === undefined) return;
  const digest = createHash('sha256').update(JSON.stringify(contents)).digest('base64');
  const before = readings.get(uri);
  readings.set(uri, { digest, changed: before !== undefined && before.digest !== digest });
}

export function anyChanged(readings: Readings): boolean {
  return [...readings.values()].some(({ changed }) => changed);
}
