/** Requests to the token endpoint. */
import type { ProbeClient, ServerMetadata } from './as-client.ts';
import { listOf, textOf } from './as-client.ts';
import type { ProbeExchanges, ProbeReply } from './probe-exchanges.ts';

/**
 * @returns the reply; undefined where none came
 */
export async function requestToken(
  metadata: ServerMetadata,
  exchanges: ProbeExchanges,
  client: ProbeClient,
  fields: Record<string, string | undefined>,
): Promise<ProbeReply | undefined> {
  const endpoint = textOf(metadata, 'token_endpoint');
  if (endpoint === undefined) return undefined;
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, value);
  const headers: [string, string][] = [
    ['Content-Type', 'application/x-www-form-urlencoded'],
    ['Accept', 'application/json'],
  ];
  const methods = listOf(metadata, 'token_endpoint_auth_methods_supported');
  if (client.secret === undefined) form.set('client_id', client.id);
  else if (methods.length === 0 || methods.includes('client_secret_basic'))
    headers.push(['Authorization', `Basic ${btoa(`${encoded(client.id)}:${encoded(client.secret)}`)}`]);
  else {
    form.set('client_id', client.id);
    form.set('client_secret', client.secret);
  }
  const reply = await exchanges.send(endpoint, {
    method: 'POST',
    headers,
    body: form.toString(),
  });
  return 'missing' in reply ? undefined : reply;
}

/** RFC 6749, 2.3.1. */
function encoded(text: string): string {
  return new URLSearchParams({ text }).toString().slice('text='.length);
}

/** A text in the body of a reply that granted a token. */
export function grantedText(reply: ProbeReply | undefined, name: string): string | undefined {
  const value = reply?.status === 200 ? reply.content?.[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}
