/**
 * Fetches the metadata documents whose addresses clients use as ids, as an authorization server does, under the policy for
 * metadata: from the internet by https, or from this machine. Whatever comes of it, the client is taken as it is.
 */
import { createSideFetch } from '../../client/peer/beside/side-fetch.ts';
import type { EventInput, Party } from '../../core/model/trace.ts';

export interface ClientDocuments {
  /** A client named the address as its id. */
  named(address: URL): void;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

/** A client waits for its login meanwhile. */
const timeoutMs = 3_000;
/** A client that makes up addresses does not make a crawler of the checker. */
const mostDocuments = 3;

/** Names that exist in examples and tests alone (RFC 2606, RFC 6762): what lies there is taken as given. */
const reserved = /(^|\.)(invalid|test|example|local|example\.(com|net|org))$/i;

export function createClientDocuments(
  resource: string,
  session: string,
  record: (event: EventInput) => void,
): ClientDocuments {
  let seq = 0;
  // The authorization server asks here, and the client answers.
  const turned = (party: Party): Party => (party === 'client' ? 'server' : party === 'server' ? 'client' : party);
  const side = createSideFetch({ kind: 'http', url: resource, headers: [] }, session, (event) => {
    record({ ...event, from: turned(event.from) });
    return (seq += 1);
  });
  const asked = new Map<string, Promise<void>>();

  async function fetchDocument(address: URL): Promise<void> {
    if ((await side.refusal(address)) !== undefined) return;
    const headers: [string, string][] = [['Accept', 'application/json']];
    const exchange = side.send(address, { method: 'GET', headers, timeoutMs });
    const outcome = await exchange?.response;
    if (outcome === undefined || 'error' in outcome) return;
    if (/^text\/event-stream/i.test(String(outcome.headers['content-type'])))
      exchange!.abort('an event stream instead of a document');
    await exchange!.done;
  }

  return {
    named(address) {
      if (asked.size >= mostDocuments || asked.has(address.href) || reserved.test(address.hostname)) return;
      asked.set(
        address.href,
        fetchDocument(address).catch(() => {}),
      );
    },
    async close() {
      await Promise.all(asked.values());
      await side.close();
    },
  };
}
