/**
 * Arguments of a tools/call, or prompts/get, that are certainly wrong by the listing. Compares plain types only, without
 * running a schema or judging.
 */
import { asObject } from '../../model/json.ts';
import type { Definitions, Facts, Feature } from '../core/plugin.ts';
import { storeOf } from '../state/store.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import { paramsOf } from '../values/rpc.ts';
import type { SessionState } from '../state/session-state.ts';
import { argumentsFault, promptFault } from './arguments-fault.ts';

const callFacts: Definitions<RpcRecord> = {
  argumentsFault: {
    says: 'tools/call: what is certainly wrong with the arguments by the listed inputSchema: a required one is missing, or one has a value that is certainly neither of the right type nor an allowed value. prompts/get: a required argument is missing.',
    rests: ['order', 'start'],
  },
};

const countOf = storeOf(() => ({ results: 0 }));

/** Results of tools/call so far: whatever a tool may change has changed by them. */
export function toolResultsOf(session: SessionState): number {
  return countOf(session).results;
}

export const toolCalls: Feature = {
  name: 'tool-calls',
  after: ['listing', 'paging'],
  facts: { exchange: callFacts },
  create: () => ({
    answered(record, { listed }) {
      if (record.from === 'client' && record.method === 'tools/call' && record.outcome === 'result')
        countOf(record.session).results += 1;
      const facts = toolCallFacts(record, listed);
      return facts && { facts };
    },
  }),
};

function toolCallFacts(record: RpcRecord, listed: unknown): Facts | undefined {
  if (record.from === 'client' && record.method === 'prompts/get') {
    const missing = promptFault(asObject(listed)?.arguments, paramsOf(record.message)?.arguments);
    return missing === undefined ? undefined : { argumentsFault: missing };
  }
  if (record.from !== 'client' || record.method !== 'tools/call') return undefined;
  const fault =
    listed === undefined
      ? undefined
      : argumentsFault(asObject(listed)?.inputSchema, asObject(paramsOf(record.message)?.arguments) ?? {});
  return fault === undefined ? undefined : { argumentsFault: fault };
}
