/** Each deviation shows, in the one place that it is named for; a strict client stops at those that are dangerous. */
import { someOf } from '../../support/run/some-of.ts';
import * as oauth from 'oauth4webapi';
import { expect, test } from 'vitest';
import { deviationNames, type Deviation } from '../../../src/server/authorization/deviations.ts';
import { approve, discover, insecure, logIn, register, startGuarded } from './support.ts';

type Lab = Awaited<ReturnType<typeof startGuarded>>;

/** Members that documents have, of whatever sort they are. */
interface Document {
  resource: string;
  authorization_servers: string[];
  scopes_supported: string[];
  authorization_endpoint: string;
  token_endpoint: string;
  registration_endpoint?: string;
  client_id_metadata_document_supported?: boolean;
  code_challenge_methods_supported: string[];
  token_endpoint_auth_methods_supported: string[];
}

async function json(url: string): Promise<Document> {
  const response = await fetch(url);
  return (response.ok ? await response.json() : undefined) as Document;
}
const known = (lab: Lab, name: string) => json(`${lab.first.origin}/.well-known/${name}`);
const challengeOf = async (lab: Lab) => (await lab.call(undefined)).headers.get('www-authenticate');
const resourceOf = (lab: Lab, place = '/mcp') => json(`${lab.origin}/.well-known/oauth-protected-resource${place}`);
const serverOf = (lab: Lab) => known(lab, 'oauth-authorization-server');

/** Logs in, and tells what was refused on the way. */
async function outcome(lab: Lab, scope?: string): Promise<string> {
  try {
    const as = await discover(lab.first.issuer);
    await logIn(as, await register(as), lab.resource, scope);
    return 'logged in';
  } catch (error) {
    return (error as Error).message;
  }
}

const shown: Record<Deviation, (lab: Lab) => Promise<unknown>> = {
  'challenge-absent': async (lab) => (await challengeOf(lab)) === null,
  'challenge-without-metadata': async (lab) => (await challengeOf(lab)) === 'Bearer scope="mcpc:use"',
  'resource-metadata-at-root': async (lab) => !(await resourceOf(lab)) && (await resourceOf(lab, '')),
  'resource-metadata-elsewhere': async (lab) =>
    !(await resourceOf(lab)) &&
    (await challengeOf(lab))!.includes('/about/resource.json') &&
    (await json(`${lab.origin}/about/resource.json`)),
  'resource-metadata-absent': async (lab) =>
    !(await resourceOf(lab)) && (await json(`${lab.origin}/.well-known/oauth-authorization-server`)).token_endpoint,
  'resource-foreign': async (lab) => (await resourceOf(lab)).resource !== lab.resource,
  'issuer-with-path': async (lab) =>
    lab.first.issuer.endsWith('/tenant') && (await outcome(lab)) === 'logged in' && !(await serverOf(lab)),
  'openid-only': async (lab) => !(await serverOf(lab)) && (await known(lab, 'openid-configuration')),
  'openid-appended': async (lab) =>
    lab.first.issuer.endsWith('/tenant') &&
    !(await known(lab, 'openid-configuration/tenant')) &&
    (await json(`${lab.first.issuer}/.well-known/openid-configuration`)),
  'default-paths': async (lab) => !(await resourceOf(lab)) && !(await serverOf(lab)),
  'scope-in-challenge': async (lab) =>
    (await challengeOf(lab))!.includes('scope') && !(await resourceOf(lab)).scopes_supported,
  'issuer-differs': async (lab) => (await outcome(lab)) !== 'logged in',
  'scope-in-metadata': async (lab) =>
    !(await challengeOf(lab))!.includes('scope') && (await resourceOf(lab)).scopes_supported,
  'scope-nowhere': async (lab) =>
    !(await challengeOf(lab))!.includes('scope') && !(await resourceOf(lab)).scopes_supported,
  'offline-access': async (lab) => (await serverOf(lab)).scopes_supported.includes('offline_access'),
  'pkce-unadvertised': async (lab) => (await serverOf(lab)).code_challenge_methods_supported === undefined,
  'pkce-plain-only': async (lab) =>
    (await serverOf(lab)).code_challenge_methods_supported[0] === 'plain' && (await outcome(lab)) !== 'logged in',
  'address-javascript': async (lab) => (await serverOf(lab)).authorization_endpoint.startsWith('javascript:'),
  'address-file': async (lab) => (await serverOf(lab)).authorization_endpoint.startsWith('file:'),
  'registration-absent': async (lab) => {
    const server = await serverOf(lab);
    return server.registration_endpoint === undefined && !server.client_id_metadata_document_supported;
  },
  'registration-dynamic-only': async (lab) => {
    const server = await serverOf(lab);
    return server.registration_endpoint !== undefined && !server.client_id_metadata_document_supported;
  },
  'registration-refused': async (lab) =>
    (await fetch(`${lab.first.origin}/register`, { method: 'POST', body: '{}' })).status === 403,
  'metadata-documents': async (lab) => {
    const server = await serverOf(lab);
    return server.registration_endpoint === undefined && server.client_id_metadata_document_supported;
  },
  'auth-basic-only': async (lab) => (await methodsOf(lab)) === 'client_secret_basic',
  'auth-post-only': async (lab) => (await methodsOf(lab)) === 'client_secret_post',
  'auth-none-only': async (lab) => (await methodsOf(lab)) === 'none' && (await outcome(lab)) === 'logged in',
  'auth-assertion-only': async (lab) => (await methodsOf(lab)) === 'private_key_jwt',
  lenient: async (lab) => {
    const as = await discover(lab.first.issuer);
    return (await approve(as, await register(as), {})).searchParams.has('code');
  },
  'iss-unannounced': async (lab) => (await outcome(lab)) === 'logged in',
  'iss-absent': async (lab) => (await outcome(lab)).includes('"iss" (issuer) missing'),
  'iss-wrong': async (lab) => (await outcome(lab)).includes('"iss" (issuer)'),
  'iss-wrong-unannounced': async (lab) => (await outcome(lab)).includes('"iss" (issuer)'),
  'iss-slash': async (lab) => (await outcome(lab)).includes('"iss" (issuer)'),
  'iss-in-error': async (lab) => (await outcome(lab)).includes('"iss" (issuer)'),
  'state-foreign': async (lab) => (await outcome(lab)).includes('"state"'),
  'access-denied': async (lab) => (await outcome(lab)) !== 'logged in',
  'token-expires': async (lab) => {
    const as = await discover(lab.first.issuer);
    return (await logIn(as, await register(as), lab.resource)).tokens.expires_in === 2;
  },
  'token-revoked': async (lab) => {
    const as = await discover(lab.first.issuer);
    const client = await register(as);
    const token = (await logIn(as, client, lab.resource)).tokens.access_token;
    const before = (await lab.call(token)).status;
    const call = (await lab.call(token, 'tools/call')).status;
    const next = (await logIn(as, client, lab.resource)).tokens.access_token;
    return before === 200 && call === 401 && (await lab.call(next, 'tools/call')).status === 200;
  },
  'refresh-revoked': async (lab) => {
    const as = await discover(lab.first.issuer);
    const client = await register(as);
    const { tokens } = await logIn(as, client, lab.resource);
    return (await oauth.refreshTokenGrantRequest(as, client, oauth.None(), tokens.refresh_token!, insecure)).status;
  },
  'refresh-absent': async (lab) => {
    const as = await discover(lab.first.issuer);
    return (await logIn(as, await register(as), lab.resource)).tokens.refresh_token === undefined;
  },
  'insufficient-scope-once': async (lab) => (await statuses(lab)).join() === '200,403,200',
  'insufficient-scope-always': async (lab) => (await statuses(lab)).join() === '200,403,403',
  'insufficient-scope-lists': async (lab) => (await statuses(lab)).join() === '403,200,200',
  dpop: async (lab) => (await boundToken(lab)).type === 'dpop',
  'dpop-nonce': async (lab) => (await boundToken(lab)).refusal === 'use_dpop_nonce',
  'other-issuer-later': async (lab) => {
    const before = (await resourceOf(lab)).authorization_servers[0];
    await statuses(lab);
    return before === lab.first.issuer && (await resourceOf(lab)).authorization_servers[0] === lab.second.issuer;
  },
};

async function methodsOf(lab: Lab): Promise<string> {
  return (await serverOf(lab)).token_endpoint_auth_methods_supported.join();
}

/** Asks for a token with a proof of a key, without a nonce. */
async function boundToken(lab: Lab): Promise<{ type?: string; refusal?: string }> {
  const as = await discover(lab.first.issuer);
  const client = await register(as);
  try {
    const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'));
    return { type: (await logIn(as, client, lab.resource, undefined, { DPoP })).tokens.token_type };
  } catch (error) {
    return { refusal: (error as oauth.ResponseBodyError).error };
  }
}

/** Of a list, a call, and a call with all scopes. */
async function statuses(lab: Lab): Promise<number[]> {
  const as = await discover(lab.first.issuer);
  const client = await register(as);
  const { tokens: first } = await logIn(as, client, lab.resource);
  const { tokens: more } = await logIn(as, client, lab.resource, 'mcpc:use mcpc:tools mcpc:never');
  return [
    (await lab.call(first.access_token)).status,
    (await lab.call(first.access_token, 'tools/call')).status,
    (await lab.call(more.access_token, 'tools/call')).status,
  ];
}

test.each(someOf(deviationNames, 4, String))('%s shows, and only where it is asked for', async (deviation) => {
  const [odd, right] = await Promise.all([startGuarded([deviation]), startGuarded()]);
  try {
    expect(await shown[deviation](odd)).toBeTruthy();
    // A server without deviations gives the opposite, or lets the client log in.
    if (!['auth-none-only', 'iss-unannounced', 'refresh-revoked'].includes(deviation))
      expect(Boolean(await shown[deviation](right))).toBe(false);
    expect(await outcome(right)).toBe('logged in');
  } finally {
    await Promise.all([odd.close(), right.close()]);
  }
});
