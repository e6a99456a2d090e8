/** Addresses as users give them: checked, and with the credentials in them as a header. It reaches nothing. */
import { usageError } from '../../../core/model/errors.ts';
import { createRedactor } from '../../../core/trace/redaction/redact.ts';

/** An address that can be reached. @throws McpcError usage for anything but http and https */
export function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw usageError(
      `"${createRedactor({ addresses: [text] }).text(text)}" is no http or https address.`,
      'For example http://127.0.0.1:3000/mcp.',
    );
  }
  return text;
}

/**
 * An address that names a Unix socket, as VS Code has it: `unix:///run/server.sock#/mcp`, the endpoint behind the sign.
 *
 * @returns undefined for any other address
 */
export function socketAddress(text: string): { url: string; unixSocket: string } | undefined {
  if (!/^unix:\/\//i.test(text)) return undefined;
  const [socket = '', endpoint = '/'] = text.slice('unix://'.length).split('#');
  return { url: `http://localhost${endpoint.startsWith('/') ? '' : '/'}${endpoint}`, unixSocket: socket };
}

/** True for `http://user:password@host`. */
export function hasCredentials(address: string): boolean {
  return URL.canParse(address) && new URL(address).username + new URL(address).password !== '';
}

/**
 * Address and headers of a request. User and password of an address are sent as Basic authorization (RFC 7617), as by
 * every HTTP client, and appear nowhere else.
 * @throws McpcError usage for anything but http and https, and for a second Authorization
 */
export function reachedAt(
  address: string,
  headers: readonly [string, string][],
): { url: string; headers: [string, string][] } {
  const text = checkedUrl(address);
  if (!hasCredentials(text)) return { url: text, headers: [...headers] };
  const credentials = basicCredentials(new URL(text));
  if (headers.some(([name]) => name.toLowerCase() === 'authorization')) {
    throw usageError(
      'Authorization is given twice: by the address and by a header or token.',
      'Leave one of them out.',
    );
  }
  return { url: withoutCredentials(text), headers: [...headers, ['Authorization', credentials]] };
}

/** The value of an Authorization header for the user and password of an address. */
export function basicCredentials({ username, password }: URL): string {
  return `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')}`;
}

/** The address as it was written, without user and password. */
export function withoutCredentials(address: string): string {
  return address.replace(/^([A-Za-z][A-Za-z0-9+.-]*:\/\/)[^/?#]*@/, '$1');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
