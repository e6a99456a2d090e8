/**
 * The proxy for a request, by HTTP_PROXY, HTTPS_PROXY and NO_PROXY as in curl: both letter cases, lower case first; a
 * name in NO_PROXY includes its subdomains. The own machine is never asked for through a proxy. Values only.
 */
import { BlockList, isIP } from 'node:net';

/** The variables as they were set; a plain value, so that it can be handed to workers. */
export interface ProxySettings {
  /** For http addresses, and for https ones. */
  http?: string;
  https?: string;
  /** Hosts that are reached without a proxy. */
  none?: string;
}

/** @returns undefined where the environment names no proxy */
export function proxySettings(env: Readonly<Record<string, string | undefined>>): ProxySettings | undefined {
  const [http, https, none] = ['http_proxy', 'https_proxy', 'no_proxy'].map(
    (name) => (env[name] || env[name.toUpperCase()])?.trim() || undefined,
  );
  if (http === undefined && https === undefined) return undefined;
  return {
    ...(http === undefined ? {} : { http }),
    ...(https === undefined ? {} : { https }),
    ...(none === undefined ? {} : { none }),
  };
}

/**
 * @returns address of the proxy for requests to an address, with its user and password; undefined for none
 * @throws TypeError for a value that is not an HTTP proxy; the message contains no password
 */
export function proxyFor(address: URL, settings: ProxySettings | undefined): URL | undefined {
  const kind = address.protocol === 'https:' ? 'https' : 'http';
  const text = settings?.[kind];
  if (text === undefined || isOwnMachine(hostOf(address)) || isExcepted(address, settings?.none)) return undefined;
  const variable = `${kind.toUpperCase()}_PROXY`;
  let proxy: URL;
  try {
    proxy = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  } catch {
    throw new TypeError(`${variable} holds no address of a proxy`);
  }
  if (proxy.protocol !== 'http:' && proxy.protocol !== 'https:')
    throw new TypeError(
      `${variable} names a proxy of the kind ${proxy.protocol.replace(':', '')}, and mcpc speaks with HTTP proxies only`,
    );
  return proxy;
}

/** The host of an address without the brackets of IPv6. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function isOwnMachine(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || /^127(?:\.\d+){3}$/.test(host) || host === '::1';
}

function isExcepted(address: URL, none: string | undefined): boolean {
  const host = hostOf(address);
  const port = address.port || (address.protocol === 'https:' ? '443' : '80');
  return (none ?? '').split(/[\s,]+/).some((entry) => entry !== '' && excepts(entry.toLowerCase(), host, port));
}

/** `*`, a name with or without a leading dot or `*.`, an address, a range of addresses; names and addresses may have a port. */
function excepts(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const family = isIP(host);
  const range = /^\[?([\da-f.:]+)\]?\/(\d{1,3})$/.exec(entry);
  if (range) return family !== 0 && inRange(range[1]!, Number(range[2]), host);
  const [, name = entry, wanted] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
  if (wanted !== undefined && wanted !== port) return false;
  const bare = name.replace(/^\[|\]$/g, '');
  if (family !== 0) return sameAddress(bare, host);
  const domain = bare.replace(/^\*?\.+/, '').replace(/\.$/, '');
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

function sameAddress(one: string, other: string): boolean {
  return isIP(one) !== 0 && inRange(one, isIP(one) === 6 ? 128 : 32, other);
}

function inRange(net: string, bits: number, host: string): boolean {
  const family = isIP(net);
  if (family === 0 || family !== isIP(host) || bits > (family === 6 ? 128 : 32)) return false;
  const list = new BlockList();
  const kind = family === 6 ? 'ipv6' : 'ipv4';
  list.addSubnet(net, bits, kind);
  return list.check(host, kind);
}
