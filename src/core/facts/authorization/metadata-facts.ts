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
  const { kind, host, content } = exchange;
  const endpoints =
    kind === 'oauth' || kind === 'openid'
      ? Object.entries(content ?? {}).filter(([name]) => name.endsWith('_endpoint'))
      : [];
  return {
    document: kind,
    host,
    presence: presenceOf(exchange),
    content,
    endpoints: endpoints.map(([name, address]) => ({
      name,
      plain: typeof address === 'string' && address.startsWith('http://'),
      insecure: isInsecure(address),
    })),
  };
}
