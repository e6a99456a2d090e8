/**
 * `--oauth`: gets an access token for a target, by `oauth4webapi`, before the target is connected to. The token and
 * whatever came with it live in memory, for this check, and the redactor knows them.
 */
import * as oauth from 'oauth4webapi';
import { McpcError, targetError, usageError } from '../../core/model/errors.ts';
import type { EventSink } from '../../core/model/trace.ts';
import type { HttpTarget } from '../../client/target/target.ts';
import { discover, type Discovered } from './discovery.ts';
import { createLoginExchanges, type LoginExchanges } from './exchanges.ts';
import type { LoginOptions } from './login-options.ts';
import { followAlone, listenForBrowser, type Callback } from './redirect.ts';

export interface LoginWays {
  /** Takes the events of what is recorded. */
  sink: EventSink;
  /** Gets every value that is secret as soon as it is known. */
  learn: (secret: string) => void;
  /** Gets a sentence for the user at once. */
  tell: (line: string) => void;
  /** Of one request, milliseconds. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * @returns the target, with the token in each request
 * @throws McpcError target where nobody gives a token, usage for a login that needs more to be given
 */
export async function logIn(target: HttpTarget, login: LoginOptions, ways: LoginWays): Promise<HttpTarget> {
  if (login.clientSecret !== undefined) learnSecret(login.clientSecret, ways);
  const exchanges = createLoginExchanges(target, ways.sink, ways.timeoutMs);
  try {
    const found = await discover(target.url, exchanges);
    const attempt = new Attempt(found, login, exchanges, ways);
    const token = await attempt.token().catch((error: unknown) => {
      throw asRefusal(error, found.server.issuer);
    });
    return { ...target, headers: [...target.headers, ['Authorization', `Bearer ${token}`]] };
  } finally {
    await exchanges.close();
  }
}

/** The secret as it is and as it is written in a form: an authorization server may say either again. */
function learnSecret(secret: string, { learn }: LoginWays): void {
  learn(secret);
  learn(encodeURIComponent(secret));
}

class Attempt {
  private readonly found: Discovered;
  private readonly login: LoginOptions;
  private readonly exchanges: LoginExchanges;
  private readonly ways: LoginWays;
  private readonly http;

  constructor(found: Discovered, login: LoginOptions, exchanges: LoginExchanges, ways: LoginWays) {
    this.found = found;
    this.login = login;
    this.exchanges = exchanges;
    this.ways = ways;
    // Which addresses may be asked, and by plain HTTP, is decided by the policy for addresses that a target names.
    this.http = { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: fetchBy(exchanges, ways) };
  }

  async token(): Promise<string> {
    const { server } = this.found;
    const granted =
      this.login.flow === 'client-credentials' ? await this.byCredentials() : await this.byCode(await this.callback());
    for (const secret of [granted.access_token, granted.refresh_token, granted.id_token])
      if (secret !== undefined) this.ways.learn(secret);
    if (granted.token_type.toLowerCase() !== 'bearer')
      throw targetError(`${server.issuer} gave a token of type ${granted.token_type}, and MCP has bearer tokens.`);
    if (!/^[\x21-\x7e]+$/.test(granted.access_token))
      throw targetError(`${server.issuer} gave a token that no header can carry.`);
    this.ways.tell(`Logged in at ${server.issuer}.`);
    return granted.access_token;
  }

  private async byCredentials(): Promise<oauth.TokenEndpointResponse> {
    const { clientId, clientSecret } = this.login;
    if (clientId === undefined || clientSecret === undefined)
      throw usageError(
        '--oauth client-credentials needs a client and its secret.',
        'Give --client-id, and one of --client-secret-env, --client-secret-file and --client-secret-stdin.',
      );
    const { server } = this.found;
    const client = { client_id: clientId };
    const reply = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      this.authentication(clientSecret),
      this.wanted(),
      this.http,
    );
    return oauth.processClientCredentialsResponse(server, client, reply);
  }

  private callback(): Promise<Callback> | Callback {
    const { flow, redirectPort } = this.login;
    return flow === 'code'
      ? listenForBrowser(redirectPort, this.ways)
      : followAlone(redirectPort, this.exchanges, this.ways);
  }

  private async byCode(callback: Callback): Promise<oauth.TokenEndpointResponse> {
    const { server } = this.found;
    const { redirectUri } = callback;
    try {
      const address = authorizationAddress(server);
      const { client, secret } = await this.client(redirectUri);
      const verifier = oauth.generateRandomCodeVerifier();
      const state = oauth.generateRandomState();
      for (const hidden of [verifier, state]) this.ways.learn(hidden);
      for (const [name, value] of Object.entries({
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: redirectUri,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        ...this.wanted(),
      }))
        address.searchParams.set(name, value);
      const returned = await callback.follow(address);
      const code = returned.searchParams.get('code');
      if (code !== null) this.ways.learn(code);
      const parameters = oauth.validateAuthResponse(server, client, returned, state);
      const reply = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        this.authentication(secret),
        parameters,
        redirectUri,
        verifier,
        { ...this.http, additionalParameters: { resource: this.found.resource } },
      );
      return await oauth.processAuthorizationCodeResponse(server, client, reply);
    } finally {
      await callback.close();
    }
  }

  /** The client that was given, or one that the authorization server registers. */
  private async client(redirectUri: string): Promise<{ client: oauth.Client; secret: string | undefined }> {
    const { clientId, clientSecret } = this.login;
    const { server } = this.found;
    if (clientId !== undefined) return { client: { client_id: clientId }, secret: clientSecret };
    if (server.registration_endpoint === undefined)
      throw usageError(`${server.issuer} registers no clients by itself.`, 'Give a client of it with --client-id.');
    const reply = await oauth.dynamicClientRegistrationRequest(
      server,
      {
        client_name: 'mcpc',
        application_type: 'native',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
      this.http,
    );
    const client = await oauth.processDynamicClientRegistrationResponse(reply);
    const secret = typeof client.client_secret === 'string' ? client.client_secret : undefined;
    if (secret !== undefined) learnSecret(secret, this.ways);
    if (typeof client.registration_access_token === 'string') this.ways.learn(client.registration_access_token);
    return { client, secret };
  }

  /** Basic where the server takes it, which is what a server takes that says nothing. */
  private authentication(secret: string | undefined): oauth.ClientAuth {
    if (secret === undefined) return oauth.None();
    const methods = this.found.server.token_endpoint_auth_methods_supported;
    return methods === undefined || methods.includes('client_secret_basic')
      ? oauth.ClientSecretBasic(secret)
      : oauth.ClientSecretPost(secret);
  }

  private wanted(): Record<string, string> {
    const scope = this.login.scope ?? this.found.scope;
    return { resource: this.found.resource, ...(scope === undefined ? {} : { scope }) };
  }
}

/** @throws McpcError target where there is no endpoint, or one without the proof that a code belongs to who asks */
function authorizationAddress(server: oauth.AuthorizationServer): URL {
  const { authorization_endpoint: endpoint, code_challenge_methods_supported: methods } = server;
  const address = endpoint !== undefined && URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (address === undefined || !/^https?:$/.test(address.protocol))
    throw targetError(`The metadata of ${server.issuer} has no authorization_endpoint that a browser can open.`);
  if (methods?.includes('S256') !== true)
    throw targetError(
      `The metadata of ${server.issuer} does not say that it supports PKCE by S256 (code_challenge_methods_supported), so that clients must not log in.`,
      'Have the authorization server say so, or give a token with --token.',
    );
  return address;
}

function fetchBy(exchanges: LoginExchanges, { learn }: LoginWays) {
  return async (
    address: string,
    { body, headers, method }: oauth.CustomFetchOptions<'POST' | 'GET', URLSearchParams | string | undefined>,
  ): Promise<Response> => {
    const text = body === undefined ? undefined : String(body);
    const credentials = headers.authorization?.replace(/^\S+ /, '');
    if (credentials !== undefined) learn(credentials);
    const reply = await exchanges.ask(address, {
      method,
      headers: Object.entries(headers),
      ...(text === undefined ? {} : { body: text }),
    });
    return new Response(reply.status === 204 ? null : reply.body, {
      status: reply.status,
      headers: Object.entries(reply.headers).flatMap(([name, value]) =>
        [value].flat().map((one): [string, string] => [name, one]),
      ),
    });
  };
}

/** What the authorization server said, in a sentence. */
function asRefusal(error: unknown, issuer: string): unknown {
  if (error instanceof McpcError) return error;
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError) {
    const { error: code, error_description: description } = error;
    return targetError(
      `The authorization server ${issuer} refused the login: ${code}${description === undefined ? '' : ` (${description})`}.`,
      'See that the client is registered there, for this grant and these scopes.',
    );
  }
  if (error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError)
    return targetError(`The login at ${issuer} came to nothing: ${error.message}.`);
  if (error instanceof oauth.WWWAuthenticateChallengeError)
    return targetError(`The authorization server ${issuer} refused the client with status ${error.status}.`);
  return error;
}
