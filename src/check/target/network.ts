/**
 * From what a user said of the way to a server (flags, members of a fleet file, the environment) to what connections
 * take. It reads the files that were named; it reaches nothing.
 */
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { usageError } from '../../core/model/errors.ts';
import type { NetworkOptions } from '../../client/transport/network/network-options.ts';
import { proxyFor, proxySettings } from '../../client/transport/network/proxy-settings.ts';
import { proxyCredentials, shownProxy, unescaped } from '../../client/transport/network/tunnel.ts';

/** Paths, as they were given. */
export interface NetworkFlags {
  ca?: string;
  insecure?: boolean;
  cert?: string;
  key?: string;
  /** Of an encrypted key; MCPC_KEY_PASSPHRASE in the environment when absent. */
  keyPassphrase?: string;
  unixSocket?: string;
  noProxy?: boolean;
}

export interface ResolvedNetwork {
  options: NetworkOptions;
  /** Values that never reach disk or a report. */
  secrets: string[];
  /** Warnings for the user before any connection. */
  notices: string[];
}

/** Name of the environment variable that opens an encrypted key. */
const passphraseVariable = 'MCPC_KEY_PASSPHRASE';

/**
 * @param address of the server, with its port
 * @throws McpcError usage for an unreadable or wrong file, a key that does not fit its certificate, and an invalid
 * proxy
 */
export function resolveNetwork(wish: NetworkFlags, address: string, env: NodeJS.ProcessEnv): ResolvedNetwork {
  const { options: certificates, secrets } = clientCertificate(wish, env);
  const proxies = wish.noProxy === true || wish.unixSocket !== undefined ? undefined : proxySettings(env);
  const options: NetworkOptions = {
    ...(wish.ca === undefined ? {} : { ca: trusted(wish.ca) }),
    ...(wish.insecure === true ? { insecure: true } : {}),
    ...certificates,
    ...(wish.unixSocket === undefined ? {} : { unixSocket: socketPath(wish.unixSocket) }),
    ...(proxies === undefined ? {} : { proxies }),
  };
  const notices: string[] = [];
  if (wish.insecure === true) notices.push(insecureWarning);
  const proxy = proxyOf(address, options);
  if (proxy) notices.push(`Going through ${shownProxy(proxy)}, as the environment says; --no-proxy goes straight.`);
  return { options, secrets: [...secrets, ...[proxies?.http, proxies?.https].flatMap(secretsOf)], notices };
}

/** For every command that takes any certificate. */
export const insecureWarning =
  'WARNING: certificates are NOT checked (--insecure): anyone on the network path can read and change everything, including tokens.';

function proxyOf(address: string, { proxies }: NetworkOptions): URL | undefined {
  try {
    return proxyFor(new URL(address), proxies);
  } catch (error) {
    throw usageError(
      `${(error as Error).message}.`,
      'Write http://host:port, add the server to NO_PROXY, or go without a proxy with --no-proxy.',
    );
  }
}

/** The password and its encoded forms; an unreadable proxy has none. */
function secretsOf(text: string | undefined): string[] {
  if (text === undefined) return [];
  const bare = text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  const given = /^([^/?#]*)@/.exec(bare)?.[1];
  if (given === undefined) return [];
  const password = given.slice(given.indexOf(':') + 1);
  const whole = URL.canParse(`http://${bare}`)
    ? proxyCredentials(new URL(`http://${bare}`)).flatMap(([, value]) => [value, value.replace(/^Basic /, '')])
    : [];
  return [
    ...new Set([given, unescaped(given), ...(given.includes(':') ? [password, unescaped(password)] : []), ...whole]),
  ].filter((one) => one !== '');
}

function clientCertificate(wish: NetworkFlags, env: NodeJS.ProcessEnv): { options: NetworkOptions; secrets: string[] } {
  if (wish.cert === undefined) {
    if (wish.key !== undefined) throw usageError('--key needs the certificate that it belongs to.', 'Add --cert FILE.');
    return { options: {}, secrets: [] };
  }
  const cert = readPem(wish.cert, 'cert');
  const certificate = certificateIn(cert, wish.cert, 'cert');
  const key = wish.key === undefined ? cert : readPem(wish.key, 'key');
  const where = wish.key ?? wish.cert;
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(key)) {
    throw usageError(
      `${where} holds no private key.`,
      wish.key === undefined
        ? 'Name the file of the key with --key.'
        : 'Check the path given with --key; it must be a PEM file.',
    );
  }
  const passphrase = wish.keyPassphrase ?? (env[passphraseVariable] || undefined);
  if (!certificate.checkPrivateKey(openKey(key, passphrase, where)))
    throw usageError(
      `The key in ${where} does not belong to the certificate in ${wish.cert}.`,
      'Name the two files of one pair with --cert and --key.',
    );
  return {
    options: { cert, key, passphrase },
    secrets: passphrase === undefined ? [] : [passphrase],
  };
}

function openKey(key: string, passphrase: string | undefined, where: string): KeyObject {
  try {
    return createPrivateKey({ key, format: 'pem', passphrase });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (passphrase === undefined && code === 'ERR_MISSING_PASSPHRASE')
      throw usageError(
        `The key in ${where} is encrypted.`,
        `Put its passphrase into the environment variable ${passphraseVariable}.`,
        error,
      );
    throw usageError(
      `The key in ${where} cannot be opened: ${passphrase === undefined ? 'it is damaged, or of a kind that OpenSSL does not know' : 'the passphrase is wrong, or the key is damaged'}.`,
      `Check the file, and ${passphraseVariable} in the environment.`,
      error,
    );
  }
}

function trusted(file: string): string {
  const text = readPem(file, 'ca');
  certificateIn(text, file, 'ca');
  return text;
}

function certificateIn(text: string, file: string, flag: string): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch (error) {
    throw usageError(
      `${file} holds no certificate.`,
      `Check the path given with --${flag}; it must be a PEM file.`,
      error,
    );
  }
}

function readPem(file: string, flag: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(
      `Cannot read the file ${file} of --${flag}: ${(error as Error).message}`,
      `Check the path given with --${flag}; it must be a PEM file.`,
      error,
    );
  }
}

/** It need not be there yet: a server that is started makes it. */
function socketPath(path: string): string {
  if (existsSync(path) && !statSync(path).isSocket())
    throw usageError(`${path} is no Unix socket.`, 'Check the path given with --unix-socket.');
  return resolve(path);
}
