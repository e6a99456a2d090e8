/** Facts of a `metadata` subject: one document outside the endpoint, and its content. */
import { isLoopbackHost } from '../values/loopback.ts';
import { presenceOf, type MetadataExchange } from './metadata-exchange.ts';

/** True for an address in plain HTTP whose host is not the own machine. */
export function isInsecure(address: unknown): boolean {
  if (typeof address !== 'string' || !URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !isLoopbackHost(hostname);
}

export function metadataFacts(exchange: MetadataExchange): Record<string, unknown> {
  const { content, host, kind, rewritten = {} } = exchange;
  const endpoints =
    kind === 'oauth' || kind === 'openid'
      ? Object.entries(content ?? {}).filter(([name]) => name.endsWith('_endpoint'))
      : [];
  return {
    document: kind,
    host,
    presence: presenceOf(exchange),
    content,
    endpoints: endpoints.map(([name, value]) => {
      // A proxy on the own machine is no address of the server.
      const address = rewritten[name] ?? value;
      return {
        name,
        plain: typeof address === 'string' && address.startsWith('http://'),
        insecure: isInsecure(address),
      };
    }),
  };
}
