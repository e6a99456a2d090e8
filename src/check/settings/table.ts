/**
 * The settings of a server of a fleet file: one row each, in the order of the schema. Types, reading, layers, entries,
 * `fleet list`, flags, the schema and the table of generated/FLEET.md follow from the rows.
 */
import type { Revision } from '../../core/model/rules/requirement.ts';
import {
  duration,
  grade,
  number,
  path,
  plain,
  serverPath,
  serverPaths,
  text,
  texts,
  toggle,
  union,
  variableText,
  type Kind,
} from './kinds.ts';
import type { SettingFlags } from './flags.ts';

/** One setting. */
export interface Row {
  kind: Kind<unknown, unknown>;
  /** Sentence for editors, in the schema; that of the definition it refers to when absent. */
  says?: string;
  /** Sentence for generated/FLEET.md; links are those of docs/fleet.md. */
  docs: string;
  /** The servers that it has a meaning for; all when absent. A fleet file refuses it for others. */
  servers?: 'started' | 'addressed' | 'packages';
  /** Schema for a single server, where it differs from that of defaults and includes. */
  ofOneServer?: object;
  /** Its property in the file, where that is not the name of the row at the top. */
  file?: { in: 'timeouts'; name: string };
  /** Its property in an entry, where that is not the name of the row at the top; false for none. */
  entry?: { in?: 'timeouts' | 'network'; name?: string } | false;
  /** Value of entries without one. */
  usual?: unknown;
  /** A layer that has this other setting drops the value of the layers before. */
  droppedBy?: string;
  /** Values to redact. */
  secrets?(value: never): string[];
  /** Whether `fleet list --json` prints it, or the form in which it does. */
  list?: true | ((value: never) => unknown);
  /** A check takes it as it is, as the option of the same name. */
  option?: true;
  /** Flags that set it. */
  flags?: SettingFlags;
}

/** Revision setting of a server: one revision, the newest spoken, all spoken, or the spoken ones of a list. */
export type EntrySpec = Revision | 'auto' | 'each' | readonly Revision[];

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
const noTags: string[] = [];

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

export const settings = {
  transport: {
    kind: transport,
    says: 'Transport of servers with an address; without it Streamable HTTP is tried, then HTTP+SSE.',
    docs: 'see [how a server is reached](#how-a-server-is-reached)',
    servers: 'addressed',
    ofOneServer: { enum: ['stdio', 'http', 'streamable-http', 'sse'] },
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
  },
  envFile: {
    kind: path,
    says: 'File of NAME=VALUE lines for the environment of servers that mcpc starts.',
    docs: 'file of `NAME=VALUE` lines for it; `env` overrides the file',
    servers: 'started',
  },
  headers: {
    kind: texts('headers', lowerCase),
    says: 'Headers of every request to servers with an address.',
    docs: 'sent with every request',
    servers: 'addressed',
    usual: noTexts,
    secrets: (value: Record<string, string>) => Object.values(value),
    list: names,
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
  },
  cert: {
    kind: path,
    says: 'File of the certificate (PEM) to show to servers.',
    docs: 'file of the client certificate',
    servers: 'addressed',
    entry: { in: 'network' },
  },
  key: {
    kind: path,
    says: 'File of its private key (PEM), unless that of the certificate holds it.',
    docs: 'file of its key, unless that of `cert` holds it',
    servers: 'addressed',
    entry: { in: 'network' },
    // A certificate needs its own key.
    droppedBy: 'cert',
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
  },
  unixSocket: {
    kind: path,
    says: 'Unix socket to connect to in place of the host of the address.',
    docs: 'Unix socket to connect to',
    servers: 'addressed',
    entry: { in: 'network' },
  },
  noProxy: {
    kind: toggle,
    says: 'Do not go through the proxies of HTTP_PROXY and HTTPS_PROXY.',
    docs: 'ignore `HTTP_PROXY` and `HTTPS_PROXY`',
    servers: 'addressed',
    entry: { in: 'network' },
  },
  cwd: {
    kind: path,
    says: 'Folder in which servers are started; by default that of the file that names them.',
    docs: 'working folder; by default the folder of the file that names the server',
    servers: 'started',
  },
  spec: {
    kind: plain<EntrySpec>({ $ref: '#/$defs/spec' }),
    docs: 'the revision to check, by default (`auto`) the newest that the server speaks; `each` or a list for [several](#several-revisions)',
    entry: false,
  },
  requestTimeout: {
    kind: duration,
    says: 'Of one answer; 10s by default.',
    docs: 'deadline of one answer: milliseconds, or `500ms`, `30s`, `5m`, `1h`',
    file: { in: 'timeouts', name: 'request' },
    entry: { in: 'timeouts', name: 'requestMs' },
    list: true,
  },
  startTimeout: {
    kind: duration,
    says: 'Of the first answer; 30s by default.',
    docs: 'deadline of the first answer',
    file: { in: 'timeouts', name: 'start' },
    entry: { in: 'timeouts', name: 'startMs' },
    list: true,
  },
  checkTimeout: {
    kind: duration,
    says: 'Of the whole check of one server; 5m by default.',
    docs: 'deadline of the whole check',
    file: { in: 'timeouts', name: 'check' },
    entry: { in: 'timeouts', name: 'checkMs' },
    list: true,
  },
  tags: {
    kind: union('tags'),
    docs: 'for `--only tag:prod`, policies and the report',
    usual: noTags,
    list: true,
  },
  owner: {
    kind: text,
    says: 'Team or person that the report names.',
    docs: 'for `--skip owner:support` and the report',
    list: true,
  },
  hints: {
    kind: serverPath,
    says: 'File of hints, see docs/hints.md. {{id}} stands for the id of the server; such a file may be missing.',
    docs: 'file of [hints](hints.md). `{{id}}` is the id of the server; only then may the file be missing',
    list: true,
  },
  baseline: {
    kind: serverPath,
    says: 'File of known failures. {{id}} stands for the id of the server; such a file may be missing.',
    docs: 'file of known failures; `{{id}}` as for `hints`',
    list: true,
  },
  suites: {
    kind: serverPaths,
    says: 'Files and folders of suites that are run against the server after its check, see docs/suites.md. {{id}} stands for the id of the server; such a file may be missing.',
    docs: 'files and folders of [suites](suites.md) to run after the check; `{{id}}` as for `hints`',
    list: true,
  },
  fixture: {
    kind: path,
    says: 'Folder of files for the suites; each case has a copy of it.',
    docs: 'folder of files for the suites; each case gets a copy',
  },
  grade: {
    kind: grade,
    says: 'Grade that the server is expected to reach; a worse one breaks the policy.',
    docs: 'expected grade',
    entry: { name: 'expectedGrade' },
    list: true,
  },
  allowDestructive: {
    kind: toggle,
    says: 'Call every tool that is not denied.',
    docs: 'call every tool that is not denied. By default only tools that certainly read are called; the report lists the others with the reason',
    usual: false,
    list: true,
    option: true,
  },
  allowTools: {
    kind: union('toolNames'),
    says: 'Tools that are called although they may change something.',
    docs: 'tools, by name or glob, to call although they may change something',
    list: true,
    option: true,
  },
  denyTools: {
    kind: union('toolNames'),
    says: 'Tools that are never called.',
    docs: 'tools never to call; takes precedence over `allowTools`',
    list: true,
    option: true,
  },
  maxRate: {
    kind: number(0.1, 10_000),
    says: 'Most requests a second.',
    docs: 'most requests a second, for shared servers',
    list: true,
    option: true,
  },
  allowScripts: {
    kind: toggle,
    says: 'Let npm packages run their install scripts.',
    docs: 'let the npm package run its install scripts',
    servers: 'packages',
    entry: false,
  },
} as const satisfies Record<string, Row>;

export type Table = typeof settings;
export type SettingName = keyof Table;

/** The rows in order, for code that treats them alike. */
export const rows = Object.entries(settings) as [SettingName, Row][];
