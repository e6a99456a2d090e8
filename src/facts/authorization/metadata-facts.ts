/** Facts of a `metadata` subject: one document that was asked for beside the endpoint, and what it says. */
import type { JsonObject } from '../../model/json.ts';
import { isLoopbackHost } from '../transports/loopback.ts';
import { presenceOf, type MetadataExchange } from './metadata-exchange.ts';

/** True for an address in plain HTTP whose host is not the own machine. */
export function isInsecure(address: unknown): boolean {
  if (typeof address !== 'string' || !URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !isLoopbackHost(hostname);
}

/** Members of a document that are addresses of endpoints, with their values. */
function endpointsOf(content: JsonObject): [string, unknown][] {
  return Object.entries(content).filter(([name]) => name.endsWith('_endpoint'));
}

export function metadataFacts(exchange: MetadataExchange): Record<string, unknown> {
  const { kind, host, content } = exchange;
  const endpoints = content === undefined || (kind !== 'oauth' && kind !== 'openid') ? [] : endpointsOf(content);
  return {
    document: kind,
    host,
    presence: presenceOf(exchange),
    content,
    endpointCount: endpoints.length,
    insecureEndpoints: endpoints.filter(([, address]) => isInsecure(address)).map(([name]) => name),
    plainEndpoints: endpoints.filter(([, address]) => typeof address === 'string' && address.startsWith('http://')).map(([name]) => name),
  };
}
