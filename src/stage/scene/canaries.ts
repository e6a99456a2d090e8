/**
 * Addresses that a server names and that a client has no need to fetch. A situation has `{{canary}}` for one at the origin of
 * the server and `{{elsewhere}}` for one at another origin. The path behind it says what lies there.
 */
import type { Situation } from '../../core/model/rules/situation.ts';
import type { JsonObject } from '../../server/protocol/json-rpc.ts';
import type { HttpReply } from '../../server/session/behaviour.ts';

/** The origins of canaries; over stdio neither is the server. */
export interface CanaryOrigins {
  own: string;
  elsewhere: string;
}

/** All canaries lie below it, and nothing else does. */
export const canaryPath = '/canary';
/** What lies here is said to be at the other origin. */
const movedPath = `${canaryPath}/moved`;
const landedPath = `${canaryPath}/landed`;
const placeholder = /\{\{(canary|elsewhere)\}\}/g;

/** True where the server names such addresses. */
export function namesCanaries({ answers, asks, offers }: Situation): boolean {
  return JSON.stringify([answers, asks, offers]).search(placeholder) >= 0;
}

/** A message with addresses in place of the placeholders. */
export function withCanaries(message: JsonObject, { elsewhere, own }: CanaryOrigins): JsonObject {
  const text = JSON.stringify(message);
  const filled = text.replace(placeholder, (_all, name: string) => (name === 'canary' ? own : elsewhere) + canaryPath);
  // A socket is at the same host and port.
  return filled === text ? message : (JSON.parse(filled.replaceAll('"ws:http://', '"ws://')) as JsonObject);
}

/** What is answered to a request for a canary; undefined where there is none. */
export function canaryReply(path: string, { elsewhere }: CanaryOrigins): HttpReply | undefined {
  if (path.startsWith(movedPath))
    return { status: 302, reason: 'canary', headers: { location: `${elsewhere}${landedPath}` } };
  return path.startsWith(canaryPath)
    ? { status: 200, reason: 'canary', body: { type: 'object', properties: {} } }
    : undefined;
}
