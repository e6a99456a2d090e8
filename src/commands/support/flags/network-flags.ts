/** Flags about the way to a server over HTTP. Shared by the commands that reach one. */
import { Flags } from '@oclif/core';

/** @param helpGroup heading in the help */
export function networkFlags(helpGroup: string) {
  return {
    ca: Flags.string({ summary: 'Certificates (PEM) to trust besides those of the system.', helpGroup, helpValue: 'FILE' }),
    insecure: Flags.boolean({ summary: 'Accept any certificate. Nothing then tells the server from whoever stands between.', helpGroup }),
    cert: Flags.string({ summary: 'Certificate (PEM) to show to the server, with those between it and its issuer.', helpGroup, helpValue: 'FILE' }),
    key: Flags.string({ summary: 'Private key (PEM) of --cert, unless that file holds it. MCPC_KEY_PASSPHRASE in the environment opens an encrypted one.', helpGroup, helpValue: 'FILE' }),
    'unix-socket': Flags.string({ summary: 'Unix socket to connect to in place of the host of the address.', helpGroup, helpValue: 'PATH' }),
    'no-proxy': Flags.boolean({ summary: 'Do not go through the proxies of HTTP_PROXY and HTTPS_PROXY in the environment. NO_PROXY there lists single hosts.', helpGroup }),
  };
}

export interface NetworkFlagValues {
  ca?: string | undefined;
  insecure: boolean;
  cert?: string | undefined;
  key?: string | undefined;
  'unix-socket'?: string | undefined;
  'no-proxy': boolean;
}

/** What the flags say, under the names of the use cases. */
export function networkWish(flags: NetworkFlagValues) {
  const { ca, insecure, cert, key } = flags;
  return { ca, insecure, cert, key, unixSocket: flags['unix-socket'], noProxy: flags['no-proxy'] };
}
