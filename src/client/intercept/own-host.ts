/** Tests that a name is one of this machine alone. A page in a browser reaches loopback addresses by names that it made point here. */
import { isIP } from 'node:net';

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i;

/** @param host an address to listen on */
export function isLoopback(host: string): boolean {
  return loopback.test(isIP(host) === 6 ? `[${host}]` : host);
}

/** True if a server that listens on `host` may answer the request. @param named its Host header */
export function namesThisMachine(host: string, named: string | undefined): boolean {
  return !isLoopback(host) || loopback.test(named ?? '');
}
