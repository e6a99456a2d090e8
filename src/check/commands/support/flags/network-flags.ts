/** Flags about the way to a server over HTTP. Shared by the commands that reach one. */
import { Flags } from '@oclif/core';

/** @param helpGroup heading in the help */
export function networkFlags(helpGroup: string) {
  return {
    ca: Flags.string({
      summary: 'CA certificates (PEM) to trust in addition to those of the system.',
      helpGroup,
      helpValue: 'FILE',
    }),
    insecure: Flags.boolean({
      summary: 'Accept any TLS certificate. Anybody on the network can then impersonate the server.',
      helpGroup,
    }),
    cert: Flags.string({
      summary: 'Client certificate (PEM) with its intermediate certificates.',
      helpGroup,
      helpValue: 'FILE',
    }),
    key: Flags.string({
      summary:
        'Private key (PEM) for --cert, unless that file contains it. MCPC_KEY_PASSPHRASE in the environment decrypts it.',
      helpGroup,
      helpValue: 'FILE',
    }),
    'unix-socket': Flags.string({
      summary: 'Connect to this Unix socket instead of the host of the URL.',
      helpGroup,
      helpValue: 'PATH',
    }),
    'no-proxy': Flags.boolean({
      summary: 'Ignore HTTP_PROXY and HTTPS_PROXY in the environment. (NO_PROXY excludes single hosts.)',
      helpGroup,
    }),
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

/** Values of the flags, under the names of the use cases. */
export function networkFlagsOf(flags: NetworkFlagValues) {
  const { ca, insecure, cert, key } = flags;
  return { ca, insecure, cert, key, unixSocket: flags['unix-socket'], noProxy: flags['no-proxy'] };
}
