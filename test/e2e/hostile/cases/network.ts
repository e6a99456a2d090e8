/** Peers that misuse the network below MCP: servers of HTTP, TLS and HTTP/2, and forward proxies. */
import type { HostileCase } from '../case.ts';

const shared = { part: 'network', script: 'network.mjs' } as const;
const http = { ...shared, transport: 'http', exit: 3 } as const;
const secure = { ...http, url: 'https://127.0.0.1:{{port}}/mcp' } as const;
/** What is refused before any certificate is looked at, or with any one. */
const open = ['--insecure'];
/** Time enough for the server to be started on a busy machine. */
const brief = ['--start-timeout', '8s', '--timeout', '1s'];
const insecure = /WARNING: certificates are NOT checked/;

export const networkCases: readonly HostileCase[] = [
  {
    ...http,
    id: 'redirects-elsewhere',
    does: 'sends each request on to another origin, which is never asked',
    flags: ['--token', 'taken-elsewhere', '--verbose'],
    says: [/HTTP status 307/],
    saysNot: [/taken-elsewhere/, /ASKED ELSEWHERE/],
  },
  {
    ...http,
    id: 'drips-its-head',
    does: 'sends the head of its reply a byte at a time, without an end',
    flags: brief,
    says: [/did not answer initialize in time|gave up waiting/],
    slow: true,
  },
  {
    ...http,
    id: 'drips-its-body',
    does: 'sends the body of its reply a byte at a time',
    flags: brief,
    says: [/did not answer initialize in time|gave up waiting/],
    slow: true,
  },
  {
    ...http,
    id: 'endless-early-hints',
    does: 'sends replies of status 103 without an end',
    flags: brief,
    says: [/did not answer initialize in time|gave up waiting/],
    slow: true,
  },
  { ...http, id: 'floods-headers', does: 'sends headers without an end', says: [/does not speak HTTP/] },
  { ...http, id: 'endless-header-line', does: 'sends one header line without an end', says: [/does not speak HTTP/] },
  { ...http, id: 'switches-protocols', does: 'answers with 101 and floods the socket', says: [/HTTP status 101/] },
  { ...http, id: 'speaks-smtp', does: 'speaks SMTP', says: [/does not speak HTTP/] },
  {
    ...shared,
    id: 'points-elsewhere',
    does: 'names an endpoint in the network of the cloud provider',
    transport: 'sse',
    exit: 1,
    says: [/points to another origin, http:\/\/169\.254\.169\.254; nothing is sent there/],
  },
  {
    ...shared,
    id: 'points-next-door',
    does: 'names an endpoint on another port of its own machine',
    transport: 'sse',
    exit: 1,
    flags: ['--token', 'taken-elsewhere', '--verbose'],
    says: [/points to another origin/],
    saysNot: [/taken-elsewhere/, /ASKED ELSEWHERE/],
  },
  {
    ...secure,
    id: 'tls-of-nobody',
    does: 'shows a certificate that nobody signed, for another name',
    says: [/certificate of .* is not trusted/],
  },
  {
    ...secure,
    id: 'tls-never-shakes-hands',
    does: 'takes connections and never answers the handshake of TLS',
    flags: [...brief, ...open],
    says: [/did not answer initialize in time|gave up waiting/, insecure],
    slow: true,
  },
  {
    ...secure,
    id: 'h2-resets-streams',
    does: 'speaks HTTP/2 alone and resets each stream',
    flags: open,
    says: [/reset|INTERNAL_ERROR/, insecure],
  },
  {
    ...secure,
    id: 'h2-refuses-streams',
    does: 'speaks HTTP/2 alone and refuses each stream',
    flags: open,
    says: [/closed the connection|reset|REFUSED_STREAM/],
  },
  {
    ...secure,
    id: 'h2-goes-away',
    does: 'speaks HTTP/2 alone and sends GOAWAY for each request',
    flags: [...brief, ...open],
    says: [/initialize/],
    slow: true,
  },
  {
    ...secure,
    id: 'h2-endless-continuation',
    does: 'speaks HTTP/2 alone and sends header blocks without an end',
    flags: [...brief, ...open],
    says: [/initialize/],
    slow: true,
  },
  {
    ...http,
    id: 'proxy-wants-credentials',
    does: 'is a proxy that refuses with 407, and puts an answer of MCP into the refusal',
    as: 'proxy',
    url: 'http://mcp.test/mcp',
    says: [/the proxy http:\/\/127\.0\.0\.1:\d+ wants credentials \(status 407\)/],
    saysNot: [/COMPLIANT/],
  },
  {
    ...http,
    id: 'proxy-wants-credentials-for-tunnels',
    does: 'is a proxy that refuses tunnels with 407, and puts an answer of MCP into the refusal',
    as: 'proxy',
    url: 'https://mcp.test/mcp',
    behaves: 'proxy-wants-credentials',
    says: [/wants credentials \(status 407\)/],
    saysNot: [/COMPLIANT/],
  },
  {
    ...http,
    id: 'proxy-hangs-up',
    does: 'is a proxy that ends each connection',
    as: 'proxy',
    url: 'http://mcp.test/mcp',
    says: [/the proxy http:\/\/127\.0\.0\.1:\d+ gave no connection/],
  },
  {
    ...http,
    id: 'proxy-never-answers',
    does: 'is a proxy that never opens a tunnel',
    as: 'proxy',
    url: 'https://mcp.test/mcp',
    flags: brief,
    says: [/did not answer initialize in time|gave up waiting/],
    slow: true,
  },
  {
    ...http,
    id: 'proxy-floods-headers',
    does: 'is a proxy that answers CONNECT with headers without an end',
    as: 'proxy',
    url: 'https://mcp.test/mcp',
    says: [/the proxy http:\/\/127\.0\.0\.1:\d+ gave no connection/],
  },
];
