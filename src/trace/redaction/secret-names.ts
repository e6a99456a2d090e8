/** Names and patterns by which secrets are known. Data and plain predicates; it replaces nothing. */

const secretMembers = new Set([
  'password', 'passwd', 'pwd', 'passphrase', 'secret', 'clientsecret', 'token', 'accesstoken', 'refreshtoken', 'idtoken',
  'authtoken', 'bearertoken', 'apitoken', 'sessiontoken', 'apikey', 'xapikey', 'authorization', 'proxyauthorization',
  'cookie', 'setcookie', 'privatekey', 'secretkey', 'accesskey', 'secretaccesskey', 'codeverifier', 'authorizationcode',
]);

/** Endings of compound names such as GITHUB_TOKEN or db-password. */
const secretEnding = /(?:^|[_-])(?:password|passwd|passphrase|secret|token|api[_-]?key|private[_-]?key|access[_-]?key|credentials?)$/i;

/** True for the name of a member that holds a secret, in any spelling (`apiKey`, `api_key`, `API-KEY`). */
export function isSecretMember(name: string): boolean {
  return secretMembers.has(name.toLowerCase().replace(/[_-]/g, ''));
}

/** The same for flags and environment variables, whose names are compounds. Not for protocol members. */
export function isSecretVariable(name: string): boolean {
  return isSecretMember(name) || secretEnding.test(name);
}

/** True for headers whose whole value is a secret, apart from those that have a form of their own. */
export function isSecretHeader(name: string): boolean {
  return !name.startsWith('mcp-') && /(?:^|[-_])(?:api[-_]?key|token|secret|password|passwd|credentials?|signature)(?:$|[-_])|^x-auth(?:$|-)/.test(name);
}

/**
 * Members whose values the specification chooses, or which tie messages together. They are never changed,
 * not even when a value given by the user happens to read "info" or "text".
 */
export const structuralMembers = new Set([
  'jsonrpc', 'method', 'type', 'role', 'level', 'action', 'status', 'mode', 'resultType', 'stopReason', 'mimeType', 'protocolVersion',
  'progressToken', 'cursor', 'nextCursor', 'requestId', '$schema', '$ref', 'format', 'includeContext', 'taskSupport',
  'io.modelcontextprotocol/protocolVersion', 'io.modelcontextprotocol/logLevel', 'io.modelcontextprotocol/subscriptionId',
]);

/** Values that users set in environments and that are no secrets; hiding them would only blur the trace. */
const harmless = new Set([
  'true', 'false', 'null', 'none', 'auto', 'info', 'debug', 'warn', 'warning', 'error', 'notice', 'critical', 'alert', 'emergency',
  'trace', 'verbose', 'silent', 'test', 'testing', 'development', 'production', 'staging', 'local', 'localhost', 'default', 'stdio',
  'http', 'https', 'text', 'json', 'tools', 'tool', 'resources', 'resource', 'prompts', 'prompt', 'server', 'client', 'user', 'assistant',
  'application/json', 'text/event-stream', 'application/json, text/event-stream', 'utf-8', 'utf8', '127.0.0.1', '0.0.0.0',
]);

/** False for values that are too short, or too common, to be looked for in every text. */
export function isSecretValue(value: string): boolean {
  return value.length >= 4 && !harmless.has(value.toLowerCase()) && !/^\d{1,7}$/.test(value) && !/^\d{4}-\d\d-\d\d$/.test(value);
}

/** Parameters in query strings and fragments. */
export const urlSecret =
  /([?&;#](?:access_token|refresh_token|id_token|auth_token|token|api_?key|key|code|code_verifier|client_secret|secret|password|passwd|auth|sig|signature|x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential))=)([^&\s#"'<>{}\\]+)/gi;
export const urlSession = /([?&;#](?:mcp-?)?session_?-?id=)([^&\s#"'<>{}\\]+)/gi;
/** Scheme, user and password of an address. */
export const urlUser = /([a-z][a-z0-9+.-]*:\/\/[^\s/@:"'<>\\]*:)([^\s/@"'<>\\]+)(?=@)/gi;
/** A long user name without a password is a token. */
export const urlToken = /([a-z][a-z0-9+.-]*:\/\/)([^\s/@:"'<>\\]{16,})(?=@)/gi;
/** Credentials of HTTP in running text; a digit tells them from words such as "authentication". */
export const httpCredentials = /(\b(?:bearer|basic)\s+)(?![\w-]+\s*=\s*\\?")(?=[a-z\-._~+/]*\d)([a-z0-9\-._~+/]{8,}=*)/gi;
/** `"api_key": "…"`, `API_KEY=…`, `x-api-key: …` in text that is no parsed JSON. The last group is the value. */
export const quotedPair = /((\\?["'])([\w-]{3,40})\2\s*:\s*\\?["'])([^"'\\\s][^"'\\]*)/g;
export const assignment = /(?<![?&;#\w-])(()([A-Za-z][\w-]{2,60})=["']?)([^\s"',;&\\]+)/g;
export const headerLine = /(()\b((?:proxy-)?authorization|cookie|set-cookie|x-api-key|api-key|x-auth-token)\s*:\s*(?:(?:bearer|basic)\s+)?)([^\s"',;][^\r\n"',;]*)/gi;

/** Tokens that show by their form what they are. */
export const knownTokens = [
  /\beyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*/g,
  /\bsk-(?:ant-|proj-)?[\w-]{16,}/g,
  /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})/g,
  /\bglpat-[\w-]{16,}/g,
  /\bxox[abeoprs]-[\w-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[\w-]{35}/g,
  /\bnpm_[A-Za-z0-9]{36}\b/g,
  /\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /\bhf_[A-Za-z0-9]{30,}\b/g,
  /(?<=-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----)[\s\S]+?(?=-----END|$)/g,
];

/** A quick look that most text does not pass: only then the patterns above are tried. */
export const anySign = /[=@]|eyJ|\bsk[-_]|gh[pousr]_|github_pat|glpat-|xox|AKIA|ASIA|AIza|npm_|rk_|hf_|PRIVATE KEY|bearer|basic|["']\s*:|authorization|cookie|api-key|auth-token/i;
