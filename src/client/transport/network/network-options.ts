/** The user's settings for the network path to a server, and their certificates. */
import { BoundedMap } from '../../../core/model/bounded.ts';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import * as tls from 'node:tls';
import type { ProxySettings } from './proxy-settings.ts';

/** Plain values, so that they can be handed to workers. */
export interface NetworkOptions {
  /** Additional trusted certificates (PEM). */
  ca?: string | Buffer | (string | Buffer)[];
  /** Accept any certificate of the server; proxies have to show good ones all the same. */
  insecure?: boolean;
  /** Certificate (PEM, with those between it and its issuer) and private key (PEM) to show to servers that ask for one. */
  cert?: string;
  key?: string;
  /** Of a key that is encrypted. */
  passphrase?: string;
  /** Path of a Unix socket to connect to in place of the host of the address. */
  unixSocket?: string;
  /** Proxies to go through; none when absent. */
  proxies?: ProxySettings;
}

/** The members alone, of whatever holds more. */
export function networkOf({
  ca,
  insecure,
  cert,
  key,
  passphrase,
  unixSocket,
  proxies,
}: NetworkOptions): NetworkOptions {
  return Object.fromEntries(
    Object.entries({ ca, insecure, cert, key, passphrase, unixSocket, proxies }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as NetworkOptions;
}

const mostKept = 8;
const kept = new BoundedMap<string, SecureContext>(mostKept, 'forget-oldest');

/**
 * Certificates as TLS takes them. One is made for all connections with the same settings: reading some hundred
 * certificates takes longer than a connection.
 * @returns undefined for the usual certificates
 * @throws Error of OpenSSL for a key that does not match, or a wrong passphrase
 */
export function secureContext({ ca, cert, key, passphrase }: NetworkOptions): SecureContext | undefined {
  if (ca === undefined && cert === undefined && key === undefined) return undefined;
  const name = JSON.stringify([ca === undefined ? null : [ca].flat().map(String), cert, key, passphrase]);
  const known = kept.get(name);
  if (known) return known;
  const made = createSecureContext({
    ...(ca === undefined ? {} : { ca: [...usualCertificates(), ...[ca].flat()] }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(passphrase === undefined ? {} : { passphrase }),
  });
  kept.set(name, made);
  return made;
}

/** Certificates of Node and, if it knows them, of NODE_EXTRA_CA_CERTS. */
function usualCertificates(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (kind: string) => string[] };
  return getCACertificates?.('default') ?? rootCertificates;
}
