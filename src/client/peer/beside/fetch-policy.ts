/**
 * Which addresses may be fetched on the word of an untrusted target. A target names addresses of metadata, and
 * must not make the checker a way into networks that it cannot reach itself.
 */
import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { isLoopbackHost } from '../../../core/facts/values/loopback.ts';

/**
 * `own`: the target's own origin. `near`: this machine, if the target is on it, or an allowed origin. `public`: the
 * internet.
 */
export type Reach = 'own' | 'near' | 'public' | { refused: string };

const reserved = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  reserved.addSubnet(net, bits, 'ipv4');
/** Of IPv6 only what is given out for the internet counts as public. */
const global = new BlockList();
global.addSubnet('2000::', 3, 'ipv6');
for (const [net, bits] of [
  ['2001:db8::', 32],
  ['2001::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  reserved.addSubnet(net, bits, 'ipv6');

/** True for addresses of the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !reserved.check(address, 'ipv4');
  return family === 6 && global.check(address, 'ipv6') && !reserved.check(address, 'ipv6');
}

/**
 * @param target address of the target
 * @param allowed origins that the user allows
 */
export function reachOf(address: URL, target: URL, allowed: readonly string[] = []): Reach {
  if (address.protocol !== 'https:' && address.protocol !== 'http:') return { refused: 'it is neither http nor https' };
  if (address.username !== '' || address.password !== '') return { refused: 'the address holds credentials' };
  if (address.origin === target.origin) return 'own';
  if (allowed.includes(address.origin)) return 'near';
  if (isLoopbackHost(address.hostname))
    return isLoopbackHost(target.hostname) ? 'near' : { refused: 'it is on the own machine, and the target is not' };
  if (address.protocol === 'http:') return { refused: 'it is plain HTTP to another host' };
  const literal = address.hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0 ? !isPublicAddress(literal) : !literal.includes('.'))
    return { refused: 'it is no address of the internet' };
  return 'public';
}

/** Looks a name up, and refuses it unless every address is a public one; what was checked is what is connected to. */
export const publicLookup: LookupFunction = (hostname, options, done) => {
  systemLookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, '', 0);
    const inner = addresses.find(({ address }) => !isPublicAddress(address));
    if (inner !== undefined || addresses.length === 0) {
      return done(Object.assign(new Error(`${hostname} is no host of the internet`), { code: 'ENOTPUBLIC' }), '', 0);
    }
    if (options.all === true) return done(null, addresses);
    return done(null, addresses[0]!.address, addresses[0]!.family);
  });
};
