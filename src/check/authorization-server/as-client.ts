/** The client by which an authorization server is probed: registered by it, or given by the user. */
import { asObject } from '../../core/model/json.ts';
import type { ProbeExchanges } from './probe-exchanges.ts';

export type ServerMetadata = Record<string, unknown>;

/** A client from the user; the authorization server knows its redirect URI. */
export interface GivenClient {
  id: string;
  secret?: string;
}

export interface ProbeClient {
  id: string;
  secret?: string;
  redirectUri: string;
}

const redirectPath = '/callback';
/** The address ends the redirects: nothing is sent there. */
const usualPort = 33_418;

export function redirectUriAt(port: number | undefined): string {
  return `http://127.0.0.1:${port ?? usualPort}${redirectPath}`;
}

/** Text of a member of the metadata. */
export function textOf(metadata: ServerMetadata, name: string): string | undefined {
  const value = metadata[name];
  return typeof value === 'string' ? value : undefined;
}

/** Texts of a list in the metadata; empty without one. */
export function listOf(metadata: ServerMetadata, name: string): string[] {
  const value = metadata[name];
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

/** @returns the client, or why there is none */
export async function obtainClient(
  metadata: ServerMetadata,
  exchanges: ProbeExchanges,
  { given, redirectUri }: { given: GivenClient | undefined; redirectUri: string },
): Promise<ProbeClient | { missing: string }> {
  if (given !== undefined) return { ...given, redirectUri };
  const endpoint = textOf(metadata, 'registration_endpoint');
  if (endpoint === undefined) return { missing: 'it registers no client by itself: give one with --client-id' };
  const grants = listOf(metadata, 'grant_types_supported');
  const reply = await exchanges.send(endpoint, {
    method: 'POST',
    headers: [
      ['Content-Type', 'application/json'],
      ['Accept', 'application/json'],
    ],
    body: JSON.stringify({
      client_name: 'mcpc',
      application_type: 'native',
      redirect_uris: [redirectUri],
      grant_types: [
        'authorization_code',
        ...(grants.length === 0 || grants.includes('refresh_token') ? ['refresh_token'] : []),
      ],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }),
  });
  if ('missing' in reply) return { missing: `the registration got no reply: ${reply.missing}` };
  const content = asObject(reply.content);
  const id = content?.client_id;
  if (typeof id !== 'string' || reply.status >= 300)
    return {
      missing: `it refused to register a client (status ${reply.status}${typeof content?.error === 'string' ? `, ${content.error}` : ''}): give one with --client-id`,
    };
  const secret = content?.client_secret;
  return { id, redirectUri, ...(typeof secret === 'string' ? { secret } : {}) };
}
