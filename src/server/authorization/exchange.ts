/** Requests and replies of the test authorization server as values, so that it can be mounted, observed and tested. */

export interface AuthRequest {
  method: string;
  url: URL;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  body: string;
}

export interface AuthReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** One request with its reply, as it went over the wire. It contains secrets: a writer must redact it. */
export interface AuthExchange {
  request: AuthRequest;
  reply: AuthReply;
}

export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): AuthReply {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(value),
  };
}

/** RFC 6749, 5.2. */
export function oauthError(status: number, error: string, description: string): AuthReply {
  return jsonReply(status, { error, error_description: description });
}

/** The fields of a form; of a name that comes twice, undefined for the whole, as RFC 6749, 3.1 forbids it. */
export function formOf({ headers, body }: AuthRequest): ReadonlyMap<string, string> | undefined {
  if (!/^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')) return undefined;
  return onlyOnce(new URLSearchParams(body));
}

export function onlyOnce(parameters: URLSearchParams): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>();
  for (const [name, value] of parameters) {
    // RFC 8707, 2: resource may come several times; the first is taken.
    if (found.has(name)) {
      if (name === 'resource') continue;
      return undefined;
    }
    found.set(name, value);
  }
  return found;
}
