/**
 * Calls of tools whose inputSchema asks for headers (2026-07-28: basic/transports/streamable-http, schema extension).
 * Reads if the annotations are as the specification has them, and if the list has others.
 */
import { headerTypes, isHeaderToken } from '../../src/core/json-schema/header-parameters.ts';
import { asObject } from '../../src/core/model/json.ts';
import type { Definitions, Feature } from '../../src/core/facts/core/plugin.ts';
import { annotationsIn, type HeaderAnnotation } from '../../src/core/facts/features/header-annotations.ts';
import type { RpcRecord } from '../../src/core/facts/requests/rpc-record.ts';
import { perSession } from '../../src/core/facts/state/per-session.ts';
import { BoundedSet } from '../../src/core/model/bounded.ts';

const keptTools = 1_000;

const exchangeFacts: Definitions<RpcRecord> = {
  calledHeaders: {
    says: 'Stateless era: tools/call of a listed tool with x-mcp-header: sound (true, false, absent where a type is left open), and others (how many listed tools have unsound ones).',
    rests: ['order', 'start'],
  },
};

export const feature: Feature = {
  name: 'called-headers',
  after: ['listing'],
  facts: { exchange: exchangeFacts },
  create() {
    const unsound = perSession(() => new BoundedSet<unknown>(keptTools));
    return {
      answered({ from, method, reply, session }, { listed }) {
        if (from !== 'client' || session.era !== 'stateless') return undefined;
        const tools: unknown = asObject(asObject(reply)?.result)?.tools;
        if (method === 'tools/list' && Array.isArray(tools))
          for (const tool of tools as unknown[]) {
            const { name, inputSchema } = asObject(tool) ?? {};
            if (soundness(annotationsIn(inputSchema, name)) === false) unsound.of(session).add(name);
          }
        const { name, inputSchema } = asObject(listed) ?? {};
        const annotations = method === 'tools/call' ? annotationsIn(inputSchema, name) : [];
        if (annotations.length === 0) return undefined;
        const sound = soundness(annotations);
        return {
          facts: { calledHeaders: { ...(sound === undefined ? {} : { sound }), others: unsound.of(session).size } },
        };
      },
      sessionOver(session) {
        unsound.forget(session);
        return undefined;
      },
    };
  },
};

/** Undefined where a schema leaves it open. */
function soundness(annotations: readonly HeaderAnnotation[]): boolean | undefined {
  const keys = new Set(annotations.map(({ key }) => key));
  const isUnsound =
    keys.size < annotations.length ||
    annotations.some(
      ({ header, type, reached }) =>
        !isHeaderToken(header) || reached === 'otherwise' || (type !== undefined && !headerTypes.has(type)),
    );
  if (isUnsound) return false;
  return annotations.some(({ type }) => type === undefined) ? undefined : true;
}
