/** The token endpoint: codes, refresh with rotation, and client credentials (OAuth 2.1, 4; RFC 8707). */
import { BoundedMap } from '../../core/model/bounded.ts';
import { randomUUID } from 'node:crypto';
import type { AssertionGrant } from './assertion-grants.ts';
import type { AuthClient, ClientRegistry } from './clients.ts';
import { grantedScope, type Approval, type CodeFlow } from './code-flow.ts';
import type { Difference } from './deviations.ts';
import { bindsTokens, createProofTester } from './dpop.ts';
import { formOf, jsonReply, oauthError, type AuthReply, type AuthRequest } from './exchange.ts';
import type { TokenKeys } from './token-keys.ts';

export interface TokenEndpointOptions {
  clients: ClientRegistry;
  codes: CodeFlow;
  keys: TokenKeys;
  has(deviation: Difference): boolean;
  /** The audience of a token whose client named no resource. */
  defaultResource(): string;
  /** Takes the place of the other grants. */
  assertions?: AssertionGrant | undefined;
}

interface Refresh extends Approval {
  /** Consecutive tokens; using one twice ends them all (OAuth 2.1, 4.3.1). */
  family: string;
}

const mostRefresh = 1000;
const lifetimeSeconds = 3600;
const shortLifetimeSeconds = 2;
const longLifetimeSeconds = 365 * 24 * 3600;

export function createTokenEndpoint(options: TokenEndpointOptions): (request: AuthRequest) => Promise<AuthReply> {
  const { assertions, clients, codes, defaultResource, has, keys } = options;
  const proofs = createProofTester();
  const refresh = new Map<string, Refresh>();
  const used = new BoundedMap<string, string>(mostRefresh);

  async function give(approval: Approval, family: string | undefined, boundTo?: string): Promise<AuthReply> {
    const lifetime = has('token-expires')
      ? shortLifetimeSeconds
      : has('token-long-lived')
        ? longLifetimeSeconds
        : lifetimeSeconds;
    const { clientId, scope } = approval;
    const audience = has('lenient') ? defaultResource() : (approval.resource ?? defaultResource());
    const access = await keys.issue({ audience, clientId, scope, lifetimeSeconds: lifetime, boundTo });
    const next = family === undefined || has('refresh-absent') ? undefined : `mcpc-refresh-${randomUUID()}`;
    if (next !== undefined) {
      if (refresh.size >= mostRefresh) refresh.clear();
      refresh.set(next, { ...approval, family: family! });
    }
    return jsonReply(200, {
      access_token: access,
      token_type: boundTo === undefined ? 'Bearer' : 'DPoP',
      expires_in: lifetime,
      scope,
      ...(next === undefined ? {} : { refresh_token: next }),
    });
  }

  function byCode(
    form: ReadonlyMap<string, string>,
    client: AuthClient,
    boundTo: string | undefined,
  ): Promise<AuthReply> | AuthReply {
    const approval = codes.redeem(form, client);
    if (approval === undefined)
      return oauthError(400, 'invalid_grant', 'The code is unknown or used, or redirect_uri or verifier differ');
    const resource = form.get('resource');
    const differs = approval.resource !== undefined && resource !== undefined && approval.resource !== resource;
    if (differs && !has('lenient'))
      return oauthError(400, 'invalid_target', 'The resource is not the one that was approved');
    return give({ ...approval, resource: approval.resource ?? resource }, randomUUID(), boundTo);
  }

  function byRefresh(form: ReadonlyMap<string, string>, client: AuthClient): Promise<AuthReply> | AuthReply {
    const token = form.get('refresh_token') ?? '';
    const refused = oauthError(400, 'invalid_grant', 'The refresh token is unknown, used or revoked');
    const family = used.get(token);
    if (family !== undefined) for (const [name, one] of [...refresh]) if (one.family === family) refresh.delete(name);
    const found = refresh.get(token);
    if (found === undefined || found.clientId !== client.clientId || has('refresh-revoked')) return refused;
    if (!has('refresh-kept')) {
      refresh.delete(token);
      used.set(token, found.family);
    }
    const scope = form.get('scope') ?? found.scope;
    if (!scope.split(' ').every((one) => found.scope.split(' ').includes(one)))
      return oauthError(400, 'invalid_scope', 'More scopes than were approved');
    return give({ ...found, scope }, has('refresh-kept') ? undefined : found.family);
  }

  function byCredentials(form: ReadonlyMap<string, string>, client: AuthClient): Promise<AuthReply> | AuthReply {
    if (client.secret === undefined && client.jwks === undefined)
      return oauthError(400, 'unauthorized_client', 'A public client gets no token for itself');
    const scope = grantedScope(form.get('scope'), has);
    if (scope === undefined) return oauthError(400, 'invalid_scope', 'A scope is unknown');
    return give({ clientId: client.clientId, scope, resource: form.get('resource') }, undefined);
  }

  /** The key of a request with a proof, which its token is bound to; undefined without one, or the refusal of a proof. */
  async function keyOf(request: AuthRequest): Promise<string | undefined | AuthReply> {
    if (!bindsTokens(has) || request.headers.dpop === undefined) return undefined;
    const proof = await proofs.test(request);
    if (typeof proof === 'string') return oauthError(400, 'invalid_dpop_proof', proof);
    if (!has('dpop-nonce') || proof.hasNonce) return proof.thumbprint;
    const refused = oauthError(400, 'use_dpop_nonce', 'The proof needs the nonce of this server');
    return { ...refused, headers: { ...refused.headers, 'dpop-nonce': proofs.nonce } };
  }

  return async (request) => {
    const form = formOf(request);
    if (form === undefined)
      return oauthError(400, 'invalid_request', 'The body is no form, or holds a parameter twice');
    const client = await clients.authenticate(request, form);
    if ('status' in client) return client;
    const boundTo = await keyOf(request);
    if (typeof boundTo === 'object') return boundTo;
    if (assertions !== undefined) {
      const approved = await assertions.approve(form, client);
      return 'status' in approved ? approved : give(approved, undefined);
    }
    switch (form.get('grant_type')) {
      case 'authorization_code':
        return byCode(form, client, boundTo);
      case 'refresh_token':
        return byRefresh(form, client);
      case 'client_credentials':
        return byCredentials(form, client);
      default:
        return oauthError(
          400,
          'unsupported_grant_type',
          'Known: authorization_code, refresh_token, client_credentials',
        );
    }
  };
}
