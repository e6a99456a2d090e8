/**
 * The origins behind a proxy that relays logins: the server's own and those of its authorization servers, each with the
 * address at which this machine stands for it. It opens an address for a new origin where the policy for addresses on
 * the word of a server allows it.
 */
import { reachOf, type Reach } from '../../peer/beside/fetch-policy.ts';

export interface OriginsOptions {
  /** Address of the server. */
  upstream: URL;
  /** Origin of the proxy before it. */
  local: string;
  /** Origins that the user allows, whatever their address. */
  allowed: readonly string[];
  /** Listens for an origin. @returns the origin of the listener */
  open(origin: URL, how: Exclude<Reach, object>): Promise<string>;
  /** An origin is relayed at an address of its own. */
  onRelay(origin: string, local: string): void;
  /** An origin is not relayed: clients reach it past the proxy. */
  onRefused(origin: string, why: string): void;
}

export interface Origins {
  /** Opens what is missing for these addresses. */
  admit(addresses: readonly string[]): Promise<void>;
  /** The address at this machine; undefined for an origin that is not relayed. */
  local(address: string): string | undefined;
  /** The address behind the proxy; undefined for any other address. */
  behind(address: string): string | undefined;
}

/** Origins that one server may have relayed. */
const most = 20;
const originPart = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

export function createOrigins({ allowed, local, onRefused, onRelay, open, upstream }: OriginsOptions): Origins {
  const toLocal = new Map<string, string | undefined>([[upstream.origin, local]]);
  const toBehind = new Map<string, string>([[local, upstream.origin]]);
  const opening = new Map<string, Promise<void>>();

  async function begin(address: URL): Promise<void> {
    const { origin } = address;
    const reach =
      toLocal.size >= most ? { refused: `more than ${most} origins are named` } : reachOf(address, upstream, allowed);
    if (typeof reach === 'object') {
      toLocal.set(origin, undefined);
      onRefused(origin, reach.refused);
      return;
    }
    const own = await open(new URL(origin), reach);
    toLocal.set(origin, own);
    toBehind.set(own, origin);
    onRelay(origin, own);
  }

  return {
    async admit(addresses) {
      for (const text of addresses) {
        if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) continue;
        const address = new URL(text);
        // An address of a listener needs no other one.
        if (toLocal.has(address.origin) || toBehind.has(address.origin)) continue;
        const known = opening.get(address.origin) ?? begin(address);
        opening.set(address.origin, known);
        await known;
      }
    },
    local: (address) => moved(address, (origin) => toLocal.get(origin)),
    behind: (address) => moved(address, (origin) => toBehind.get(origin)),
  };
}

/** Only the origin changes; the rest stays as it was written. */
function moved(address: string, to: (origin: string) => string | undefined): string | undefined {
  if (!originPart.test(address) || !URL.canParse(address)) return undefined;
  const origin = to(new URL(address).origin);
  return origin === undefined ? undefined : address.replace(originPart, origin);
}
