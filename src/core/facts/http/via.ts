/** The way that a message takes. */
import type { SessionState } from '../state/session-state.ts';
import type { HttpState } from './http-state.ts';

/** Transport of the message to its receiver. */
export function viaOf(session: SessionState, http: HttpState | undefined): string {
  if (session.transport === 'stdio') return 'stdio';
  if (session.transport === 'sse') return http?.method === 'POST' ? 'post-body' : 'sse';
  if (http?.stream?.resumes) return 'resumed-stream';
  if (http?.stream) return http.method === 'GET' ? 'get-stream' : 'post-stream';
  return 'json';
}
