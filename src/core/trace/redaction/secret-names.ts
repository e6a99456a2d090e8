/** Names by which secrets are known, and values that are none. Data and plain predicates; it replaces nothing. */
import { protocolWords } from './protocol-words.ts';

const secretMembers = new Set([
  'password',
  'passwd',
  'pwd',
  'passphrase',
  'secret',
  'clientsecret',
  'token',
  'accesstoken',
  'refreshtoken',
  'idtoken',
  'authtoken',
  'bearertoken',
  'apitoken',
  'sessiontoken',
  'apikey',
  'xapikey',
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'privatekey',
  'secretkey',
  'accesskey',
  'secretaccesskey',
  'codeverifier',
  'authorizationcode',
]);

/** Endings of compound names such as GITHUB_TOKEN or db-password. */
const secretEnding =
  /(?:^|[_-])(?:password|passwd|passphrase|secret|token|api[_-]?key|private[_-]?key|access[_-]?key|credentials?)$/i;

/** True for the name of a member that holds a secret, in any spelling (`apiKey`, `api_key`, `API-KEY`). */
export function isSecretMember(name: string): boolean {
  return secretMembers.has(name.toLowerCase().replace(/[_-]/g, ''));
}

/** The same for flags and environment variables, whose names are compounds. Not for protocol members. */
export function isSecretVariable(name: string): boolean {
  // Longer than any known name.
  if (name.length > 200) return false;
  // Every shell keeps the working directory under these names.
  if (name === 'PWD' || name === 'OLDPWD') return false;
  return isSecretMember(name) || secretEnding.test(name.replace(/([a-z0-9])([A-Z])/g, '$1-$2'));
}

/** The same for flags of a command line, which may say `--key` or `--pat` and mean nothing else. */
export function isSecretFlag(name: string): boolean {
  return isSecretVariable(name) || /^(?:[\w-]{0,100}[_-])?(?:key|pass|pat|jwt|dsn|cookie)$/i.test(name);
}

/** True for headers whose whole value is a secret, apart from those with a separate form. */
export function isSecretHeader(name: string): boolean {
  return (
    !name.startsWith('mcp-') &&
    /(?:^|[-_])(?:api[-_]?key|token|secret|password|passwd|credentials?|signature)(?:$|[-_])|^x-auth(?:$|-)/.test(name)
  );
}

/**
 * Members whose values the specification chooses, or which tie messages together. They are never changed,
 * not even when a value given by the user happens to read "info" or "text".
 */
export const structuralMembers = new Set([
  'jsonrpc',
  'method',
  'type',
  'role',
  'level',
  'action',
  'status',
  'mode',
  'resultType',
  'stopReason',
  'mimeType',
  'protocolVersion',
  'progressToken',
  'cursor',
  'nextCursor',
  'requestId',
  '$schema',
  '$ref',
  'format',
  'includeContext',
  'taskSupport',
  'io.modelcontextprotocol/protocolVersion',
  'io.modelcontextprotocol/logLevel',
  'io.modelcontextprotocol/subscriptionId',
]);

/** Values that users set in environments and that are no secrets; hiding them would only blur the trace. */
const harmless = new Set([
  'true',
  'false',
  'null',
  'none',
  'auto',
  'info',
  'debug',
  'warn',
  'warning',
  'error',
  'notice',
  'critical',
  'alert',
  'emergency',
  'trace',
  'verbose',
  'silent',
  'test',
  'testing',
  'development',
  'production',
  'staging',
  'local',
  'localhost',
  'default',
  'stdio',
  'http',
  'https',
  'text',
  'json',
  'tools',
  'tool',
  'resources',
  'resource',
  'prompts',
  'prompt',
  'server',
  'client',
  'user',
  'assistant',
  'application/json',
  'text/event-stream',
  'application/json, text/event-stream',
  'utf-8',
  'utf8',
  '127.0.0.1',
  '0.0.0.0',
]);

/** False for values that are too short, or too common, to be looked for in every text, and for words of the protocol. */
export function isSecretValue(value: string): boolean {
  return (
    value.length >= 4 &&
    !protocolWords.has(value) &&
    !harmless.has(value.toLowerCase()) &&
    !/^\d{1,7}$/.test(value) &&
    !/^\d{4}-\d\d-\d\d$/.test(value)
  );
}

/** Headers whose names the standards choose; one of them is no value of the user, whatever it reads. */
export const plainHeaders = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'accept-ranges',
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-max-age',
  'age',
  'allow',
  'alt-svc',
  'authorization',
  'cache-control',
  'connection',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-range',
  'content-security-policy',
  'content-type',
  'cookie',
  'date',
  'etag',
  'expect',
  'expires',
  'forwarded',
  'from',
  'host',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'keep-alive',
  'last-event-id',
  'last-modified',
  'link',
  'location',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'origin',
  'pragma',
  'proxy-authenticate',
  'proxy-authorization',
  'range',
  'referer',
  'referrer-policy',
  'retry-after',
  'server',
  'set-cookie',
  'strict-transport-security',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'vary',
  'via',
  'warning',
  'www-authenticate',
  'x-accel-buffering',
  'x-content-type-options',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-frame-options',
  'x-powered-by',
  'x-request-id',
]);
