/** Requests of a server that came on a listening stream, the reply to a GET (2025-11-25: basic/transports). */
import type { Definitions, Feature } from '../../src/core/facts/core/plugin.ts';
import { viaOf } from '../../src/core/facts/http/via.ts';
import type { RpcRecord } from '../../src/core/facts/requests/rpc-record.ts';

const exchangeFacts: Definitions<RpcRecord> = {
  onListeningStream: {
    says: 'Streamable HTTP, requests of the server: they came on the stream of a GET that resumes no other one.',
    rests: ['exchanges', 'streams'],
    read: ({ from, http, session }) => (from === 'server' ? viaOf(session, http) === 'get-stream' : undefined),
  },
};

export const feature: Feature = { name: 'listening-streams', facts: { exchange: exchangeFacts } };
