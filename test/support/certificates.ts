/** A certificate authority of a test, and what it signs; by openssl, in a folder that goes with it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Pair {
  certFile: string;
  keyFile: string;
  cert: string;
  key: string;
}

export interface Authority {
  readonly folder: string;
  /** Path of its certificate, and the text. */
  readonly caFile: string;
  readonly ca: string;
  /** @param names subject alternative names, as `IP:127.0.0.1` */
  sign(name: string, names?: string, passphrase?: string): Pair;
  remove(): void;
}

/** Keys on a curve are made at once; one of RSA takes a tenth of a second and more. */
export const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];

export function createAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'mcpc-ca-'));
  const file = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { stdio: 'pipe' });
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-nodes',
    '-keyout',
    file('ca.key'),
    '-out',
    file('ca.pem'),
    '-days',
    '2',
    '-subj',
    '/CN=Authority of a test',
  );
  return {
    folder,
    caFile: file('ca.pem'),
    ca: readFileSync(file('ca.pem'), 'utf8'),
    sign(name, names = 'IP:127.0.0.1,IP:::1,DNS:localhost', passphrase) {
      const [keyFile, certFile] = [file(`${name}.key`), file(`${name}.pem`)];
      openssl(
        'req',
        ...newKey,
        '-keyout',
        keyFile,
        '-out',
        file(`${name}.csr`),
        '-subj',
        `/CN=${name}`,
        ...(passphrase === undefined ? ['-nodes'] : ['-passout', `pass:${passphrase}`]),
      );
      writeFileSync(file(`${name}.ext`), `subjectAltName=${names}\n`);
      openssl(
        'x509',
        '-req',
        '-in',
        file(`${name}.csr`),
        '-CA',
        file('ca.pem'),
        '-CAkey',
        file('ca.key'),
        '-CAcreateserial',
        '-out',
        certFile,
        '-days',
        '2',
        '-extfile',
        file(`${name}.ext`),
      );
      return { certFile, keyFile, cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
