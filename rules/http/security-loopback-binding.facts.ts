/** The addresses that a server of ours listens on. */
import type { Definitions, Feature, Hooks } from '../../src/core/facts/core/plugin.ts';

const traceFacts: Definitions = {
  listening: { says: 'Local addresses that the server started by the checker listens on.', rests: ['bytes'] },
};

export const feature: Feature = {
  name: 'bindings',
  after: ['target'],
  facts: { trace: traceFacts },
  create: createBindings,
};

function createBindings(): Hooks {
  let listening: unknown;
  let seqs: number[] = [];
  return {
    trace(event) {
      if (event.kind !== 'listening') return undefined;
      listening = event.detail;
      seqs = [event.seq];
      return undefined;
    },
    traceOver: () => ({ facts: { listening }, cites: { listening: seqs }, events: seqs }),
  };
}
