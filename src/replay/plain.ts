/** What a server with nothing to offer answers: for `--on-miss plain`, and for what a recording need not have. Pure. */
import type { JsonObject } from '../core/model/json.ts';
import { isKnownRevision, revisions } from '../core/spec/revisions.ts';
import type { Recording } from './recording.ts';

const empty: Readonly<Record<string, JsonObject>> = {
  ping: {},
  'tools/list': { tools: [] },
  'resources/list': { resources: [] },
  'resources/templates/list': { resourceTemplates: [] },
  'prompts/list': { prompts: [] },
  'logging/setLevel': {},
  'resources/subscribe': {},
  'resources/unsubscribe': {},
  'completion/complete': { completion: { values: [] } },
  'tools/call': { content: [] },
  'prompts/get': { messages: [] },
  'resources/read': { contents: [] },
};

export function plainResult(method: string): JsonObject | undefined {
  return Object.hasOwn(empty, method) ? empty[method] : undefined;
}

/** The result of a handshake for a recording that begins after it: what its requests rest on is declared. */
export function plainHandshake({ turns, revision }: Recording, asked: unknown): JsonObject {
  const has = (start: string): boolean => turns.some(({ method, id }) => id !== undefined && method.startsWith(start));
  const known = typeof asked === 'string' && isKnownRevision(asked) ? asked : revisions.at(-1)!;
  return {
    protocolVersion: revision ?? known,
    capabilities: {
      ...(has('tools/') ? { tools: {} } : {}),
      ...(has('resources/') ? { resources: {} } : {}),
      ...(has('prompts/') ? { prompts: {} } : {}),
      ...(has('logging/') ? { logging: {} } : {}),
      ...(has('completion/') ? { completions: {} } : {}),
    },
    serverInfo: { name: 'mcpc-replay', version: '0' },
  };
}
