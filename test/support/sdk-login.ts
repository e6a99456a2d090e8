/** Both generations of the SDK as clients that log in without a person: they follow the redirects themselves. */
import { randomUUID } from 'node:crypto';
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ClientFunctions } from '../../src/stage/drive/functions-driver.ts';
import { browse } from './browse.ts';

export const redirectUri = 'http://127.0.0.1:7/callback';

/** What both generations have in common, as far as it is used here. */
interface AnyClient {
  connect(transport: unknown): Promise<void>;
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  getServerVersion(): { name: string } | undefined;
  close(): Promise<void>;
}

export interface Login {
  /** Name of the server. */
  name: string | undefined;
  /** All that the client was given: registration, tokens, verifier, code. */
  kept: Map<string, unknown>;
}

interface ProviderOptions {
  /** How it wants to authenticate at the token endpoint. [default: none] */
  authentication?: string;
  /** Address of its metadata document, where it has one. */
  document?: string;
  /** Credentials that it was given beforehand. */
  client?: Record<string, unknown> | undefined;
}

export interface LoginOptions extends ProviderOptions {
  /** The revision that the newer SDK is pinned to. */
  pin?: string | undefined;
}

/** A provider that keeps what it is given, and compares `state`. */
function createProvider({ authentication = 'none', client, document }: ProviderOptions) {
  const kept = new Map<string, unknown>(client === undefined ? [] : [['client', client]]);
  const state = randomUUID();
  let returned: URLSearchParams | undefined;
  return {
    kept,
    redirectUrl: redirectUri,
    state: () => state,
    ...(document === undefined ? {} : { clientMetadataUrl: document }),
    clientMetadata: {
      client_name: 'sdk',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', ...(document === undefined ? [] : ['refresh_token'])],
      response_types: ['code'],
      token_endpoint_auth_method: authentication,
      application_type: 'native',
      scope: 'mcpc:use',
    },
    clientInformation: () => kept.get('client') as never,
    saveClientInformation: (value: unknown) => void kept.set('client', value),
    tokens: () => kept.get('tokens') as never,
    saveTokens: (value: unknown) => void kept.set('tokens', value),
    codeVerifier: () => kept.get('verifier') as string,
    saveCodeVerifier: (value: string) => void kept.set('verifier', value),
    saveDiscoveryState: (value: unknown) => void kept.set('discovery', value),
    discoveryState: () => kept.get('discovery') as never,
    async redirectToAuthorization(address: URL) {
      const { address: back } = await browse(address.href, (at) => at.href.startsWith(redirectUri));
      if (back.searchParams.get('state') !== state) throw new Error('another state came back');
      kept.set('code', back.searchParams.get('code'));
      returned = back.searchParams;
    },
    /** Parameters of the newest redirect, once. */
    returned(): URLSearchParams | undefined {
      const newest = returned;
      returned = undefined;
      return newest;
    },
  };
}

type Provider = ReturnType<typeof createProvider>;

/** A generation of the SDK: its client, and a transport with the step that a redirect leads to. */
interface Generation {
  create(pin: string | undefined): AnyClient;
  open(
    endpoint: string,
    authProvider: Provider,
  ): { transport: unknown; finish(returned: URLSearchParams): Promise<void> };
}

export type Sdk = 'SDK 1.32' | 'SDK 2.4';

const generations: Record<Sdk, Generation> = {
  'SDK 1.32': {
    create: () => new Client1({ name: 'sdk-1', version: '1' }) as unknown as AnyClient,
    open(endpoint, authProvider) {
      const transport = new Transport1(new URL(endpoint), { authProvider });
      return { transport, finish: (returned) => transport.finishAuth(returned.get('code') ?? '') };
    },
  },
  'SDK 2.4': {
    create: (pin) =>
      new Client2(
        { name: 'sdk-2', version: '1' },
        pin === undefined ? {} : { versionNegotiation: { mode: { pin } } },
      ) as unknown as AnyClient,
    open(endpoint, authProvider) {
      const transport = new Transport2(new URL(endpoint), { authProvider });
      return { transport, finish: (returned) => transport.finishAuth(returned) };
    },
  },
};

/** A client of the SDK that logs in whenever the SDK leads it to an authorization server. */
export interface SdkClient {
  kept: Map<string, unknown>;
  /** Does it once more after a login that it led to. */
  run<Value>(act: (client: AnyClient) => Promise<Value>): Promise<Value>;
  close(): Promise<void>;
}

/** Logins for one act, after which a client gives up. */
const mostLogins = 3;

export async function openSdk(sdk: Sdk, endpoint: string, options: LoginOptions = {}): Promise<SdkClient> {
  const { create, open } = generations[sdk];
  const provider = createProvider(options);
  let connection = open(endpoint, provider);
  let client: AnyClient | undefined;

  async function attempt<Value>(act: () => Promise<Value>): Promise<Value> {
    for (let logins = 0; ; logins += 1) {
      try {
        return await act();
      } catch (error) {
        const returned = provider.returned();
        if (returned === undefined || logins >= mostLogins) throw error;
        await connection.finish(returned);
      }
    }
  }

  async function connect(): Promise<void> {
    await client?.close().catch(() => {});
    connection = open(endpoint, provider);
    const next = create(options.pin);
    await next.connect(connection.transport);
    client = next;
  }

  await attempt(connect);
  return {
    kept: provider.kept,
    run: (act) => attempt(() => act(client!)),
    close: async () => client?.close(),
  };
}

/** Logs in where the endpoint requires it, and lists the tools. @throws what the SDK throws of a login that fails */
export async function logIn(sdk: Sdk, endpoint: string, options: LoginOptions = {}): Promise<Login> {
  const client = await openSdk(sdk, endpoint, options);
  const name = await client.run(async (one) => {
    await one.listTools();
    return one.getServerVersion()?.name;
  });
  await client.close();
  return { name, kept: client.kept };
}

/** The acts of starts as such a client does them. */
export function sdkFunctions(sdk: Sdk): ClientFunctions<SdkClient> {
  return {
    connect: ({ context, protocolVersion, url }) =>
      openSdk(sdk, url, {
        document: 'https://client.example/mcpc.json',
        client: typeof context.client_id === 'string' ? { ...context } : undefined,
        pin: sdk === 'SDK 2.4' && protocolVersion === '2026-07-28' ? protocolVersion : undefined,
      }),
    listTools: (client) => client.run((one) => one.listTools()),
    callTool: (client, call) => client.run((one) => one.callTool(call)),
    close: (client) => client.close(),
  };
}

export const sdks = Object.keys(generations) as readonly Sdk[];
