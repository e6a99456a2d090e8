/** Settings of how a server is started and reached, in the order of the schema. */
import { path, plain, texts, toggle, variableText, type Kind } from './kinds.ts';
import type { Row } from './row.ts';

interface Login {
  clientId: string;
  /** `${VAR}`. */
  clientSecret: string;
  /** With blanks between. */
  scope?: string;
}

const lowerCase = (name: string): string => name.toLowerCase();
const names = (value: Record<string, string>): string[] => Object.keys(value);
const noTexts: Record<string, string> = {};

const transport: Kind<'stdio' | 'http' | 'streamable-http' | 'sse', 'stdio' | 'http' | 'sse'> = {
  schema: { enum: ['http', 'streamable-http', 'sse'] },
  read: (written) => (written === 'streamable-http' ? 'http' : written),
};

const login: Kind<Login, Login> = {
  ...plain<Login>({ $ref: '#/$defs/oauth' }),
  fill: (value, { put }) => ({
    ...value,
    ...Object.fromEntries(Object.entries(value).map(([name, one]) => [name, put(one as string, name)])),
  }),
};

export const reachRows = {
  transport: {
    kind: transport,
    says: 'Transport of servers with an address; without it Streamable HTTP is tried, then HTTP+SSE.',
    docs: 'see [how a server is reached](#how-a-server-is-reached)',
    servers: 'addressed',
    ofOneServer: { enum: ['stdio', 'http', 'streamable-http', 'sse'] },
    flags: {
      name: 'transport',
      as: 'choice',
      options: ['stdio', 'http', 'sse'],
      target: {
        group: 'TARGET',
        summary: 'Transport to use. Without it a URL is tried as Streamable HTTP, then as HTTP+SSE.',
      },
    },
  },
  env: {
    kind: texts('texts'),
    says: 'Environment of servers that mcpc starts. ${VAR} and ${VAR:-default} are put in where the check runs.',
    docs: 'additional environment of a started server',
    servers: 'started',
    usual: noTexts,
    // The placeholder of a port hides nothing, and masking it would garble what a server prints.
    secrets: (value: Record<string, string>) => Object.values(value).filter((one) => one !== '{{port}}'),
    list: names,
    flags: {
      name: 'env',
      as: 'words',
      value: 'NAME=VALUE',
      char: 'e',
      target: { group: 'SERVER PROCESS', summary: 'Environment variable for the server process. Repeats.' },
    },
  },
  envFile: {
    kind: path,
    says: 'File of NAME=VALUE lines for the environment of servers that mcpc starts.',
    docs: 'file of `NAME=VALUE` lines for it; `env` overrides the file',
    servers: 'started',
    flags: {
      name: 'server-env-file',
      as: 'words',
      value: 'FILE',
      target: { group: 'SERVER PROCESS', summary: 'File of NAME=VALUE lines for the server process. Repeats.' },
    },
  },
  headers: {
    kind: texts('headers', lowerCase),
    says: 'Headers of every request to servers with an address.',
    docs: 'sent with every request',
    servers: 'addressed',
    usual: noTexts,
    secrets: (value: Record<string, string>) => Object.values(value),
    list: names,
    flags: {
      name: 'header',
      as: 'words',
      value: '"Name: value"',
      char: 'H',
      target: { group: 'TARGET', summary: 'HTTP header for every request. Repeats.' },
    },
  },
  oauth: {
    kind: login,
    says: 'How the check logs in at the authorization server that a server with an address names.',
    docs: '`clientId`, `clientSecret` (a variable) and perhaps `scope`: the check [logs in](authorization.md#log-in) by client credentials',
    servers: 'addressed',
    secrets: ({ clientSecret }: Login) => [clientSecret],
  },
  ca: {
    kind: path,
    says: 'File of certificates (PEM) to trust besides those of the system.',
    docs: 'file of additional trusted certificates',
    servers: 'addressed',
    entry: { in: 'network' },
    flags: {
      name: 'ca',
      as: 'text',
      value: 'FILE',
      network: { summary: 'CA certificates (PEM) to trust in addition to those of the system.' },
    },
  },
  cert: {
    kind: path,
    says: 'File of the certificate (PEM) to show to servers.',
    docs: 'file of the client certificate',
    servers: 'addressed',
    entry: { in: 'network' },
    flags: {
      name: 'cert',
      as: 'text',
      value: 'FILE',
      network: { summary: 'Client certificate (PEM) with its intermediate certificates.' },
    },
  },
  key: {
    kind: path,
    says: 'File of its private key (PEM), unless that of the certificate holds it.',
    docs: 'file of its key, unless that of `cert` holds it',
    servers: 'addressed',
    entry: { in: 'network' },
    // A certificate needs its own key.
    droppedBy: 'cert',
    flags: {
      name: 'key',
      as: 'text',
      value: 'FILE',
      network: {
        summary:
          'Private key (PEM) for --cert, unless that file contains it. MCPC_KEY_PASSPHRASE in the environment decrypts it.',
      },
    },
  },
  keyPassphrase: {
    kind: variableText,
    says: 'Opens an encrypted key; ${VAR} keeps it out of the file. Without it MCPC_KEY_PASSPHRASE in the environment does.',
    docs: 'passphrase of the key, as `${VAR}`',
    servers: 'addressed',
    entry: { in: 'network' },
    droppedBy: 'cert',
  },
  insecure: {
    kind: toggle,
    says: 'Accept any certificate.',
    docs: 'accept any certificate, with a warning',
    servers: 'addressed',
    entry: { in: 'network' },
    flags: {
      name: 'insecure',
      as: 'switch',
      network: {
        summary: 'Accept any TLS certificate. Anybody on the network can then impersonate the server.',
      },
    },
  },
  unixSocket: {
    kind: path,
    says: 'Unix socket to connect to in place of the host of the address.',
    docs: 'Unix socket to connect to',
    servers: 'addressed',
    entry: { in: 'network' },
    flags: {
      name: 'unix-socket',
      as: 'text',
      value: 'PATH',
      network: { summary: 'Connect to this Unix socket instead of the host of the URL.' },
    },
  },
  noProxy: {
    kind: toggle,
    says: 'Do not go through the proxies of HTTP_PROXY and HTTPS_PROXY.',
    docs: 'ignore `HTTP_PROXY` and `HTTPS_PROXY`',
    servers: 'addressed',
    entry: { in: 'network' },
    flags: {
      name: 'no-proxy',
      as: 'switch',
      network: {
        summary: 'Ignore HTTP_PROXY and HTTPS_PROXY in the environment. (NO_PROXY excludes single hosts.)',
      },
    },
  },
  cwd: {
    kind: path,
    says: 'Folder in which servers are started; by default that of the file that names them.',
    docs: 'working folder; by default the folder of the file that names the server',
    servers: 'started',
    flags: {
      name: 'cwd',
      as: 'text',
      value: 'DIR',
      target: { group: 'SERVER PROCESS', summary: 'Working directory of the server process.' },
    },
  },
} as const satisfies Record<string, Row>;
