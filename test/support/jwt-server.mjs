/**
 * An MCP server over HTTP that trusts one authorization server: it checks the signature of each token by the keys at --jwks,
 * its issuer, expiry and audience, and asks for a token with every request. --fault leaves one of that out, or has scopes
 * matter: `scopes` without a fault, `scopes-one-by-one`, and `scopes-wrong`.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    issuer: { type: 'string' },
    jwks: { type: 'string' },
    audience: { type: 'string' },
    fault: { type: 'string', default: 'none' },
  },
});
const { audience, fault, issuer, port } = values;
const keys = createRemoteJWKSet(new URL(values.jwks));
const sessions = new Set();
const origin = `http://127.0.0.1:${port}`;
const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;

/** Scopes that a request needs, and those that a challenge names of the ones that lack. */
const needed = fault.startsWith('scopes') ? ['mcpc:use', 'mcpc:more'] : [];
const named = {
  scopes: () => needed,
  'scopes-one-by-one': (lacking) => lacking.slice(0, 1),
  'scopes-wrong': () => ['mcpc:other'],
};

function scopesLackingIn(request) {
  const { scope = '' } = decodeJwt(request.headers.authorization.split(' ')[1]);
  return needed.filter((one) => !scope.split(' ').includes(one));
}

async function isGood(request) {
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) return fault === 'session' && sessions.has(request.headers['mcp-session-id']);
  try {
    await jwtVerify(token, keys, {
      issuer,
      ...(fault === 'audience' ? {} : { audience }),
      ...(fault === 'expired' ? { clockTolerance: '10 years' } : {}),
    });
    return true;
  } catch {
    return false;
  }
}

function resultOf({ method }) {
  if (method === 'initialize')
    return {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'jwt-server', version: '1.0.0' },
    };
  if (method === 'ping') return {};
  return method === 'tools/list' ? { tools: [] } : undefined;
}

createServer(async (request, response) => {
  const reply = (status, body, headers = {}) =>
    response
      .writeHead(status, { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers })
      .end(body === undefined ? undefined : JSON.stringify(body));
  if (request.url === new URL(metadata).pathname)
    return reply(200, { resource: audience, authorization_servers: [issuer], scopes_supported: ['mcpc:use'] });
  if (request.url !== '/mcp') return reply(404);
  if (!(await isGood(request)))
    return reply(401, undefined, {
      'www-authenticate': `Bearer ${request.headers.authorization === undefined ? '' : 'error="invalid_token", '}scope="mcpc:use", resource_metadata="${metadata}"`,
    });
  const lacking = needed.length === 0 ? [] : scopesLackingIn(request);
  if (lacking.length > 0)
    return reply(403, undefined, {
      'www-authenticate': `Bearer error="insufficient_scope", scope="${named[fault](lacking).join(' ')}", resource_metadata="${metadata}"`,
    });
  if (request.method !== 'POST') return reply(405, undefined, { allow: 'POST' });
  let text = '';
  for await (const part of request) text += part;
  let message;
  try {
    message = JSON.parse(text);
  } catch {
    return reply(400, { jsonrpc: '2.0', error: { code: -32700, message: 'No JSON' } });
  }
  if (message.id === undefined) return reply(202);
  const isNew = message.method === 'initialize';
  const session = isNew ? randomUUID() : request.headers['mcp-session-id'];
  if (isNew) sessions.add(session);
  else if (session === undefined) return reply(400, { jsonrpc: '2.0', error: { code: -32600, message: 'No session' } });
  else if (!sessions.has(session)) return reply(404);
  const result = resultOf(message);
  const answer = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result };
  reply(200, { jsonrpc: '2.0', id: message.id, ...answer }, isNew ? { 'mcp-session-id': session } : {});
}).listen(Number(port), '127.0.0.1');
