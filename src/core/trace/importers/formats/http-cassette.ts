/**
 * Cassettes of HTTP recorders (VCR of Ruby, vcrpy, go-vcr): interactions, each an HTTP request with its response. They
 * are made into an HTTP archive, which has a reader. Times of exchanges are not in them. Pure.
 */
import { isExactObject, numberText } from '../exact-json.ts';

type Members = Record<string, unknown>;

function interactionsOf(document: unknown): unknown[] {
  if (!isExactObject(document)) return [];
  const list = document['http_interactions'] ?? document['interactions'];
  return Array.isArray(list) ? (list as unknown[]) : [];
}

function addressOf(request: Members): string | undefined {
  const address = request['uri'] ?? request['url'];
  return typeof address === 'string' && typeof request['method'] === 'string' ? address : undefined;
}

/** True if some interaction of a document is an HTTP request with an address. */
export function isHttpCassette(document: unknown): boolean {
  return interactionsOf(document).some(
    (one) => isExactObject(one) && isExactObject(one['request']) && addressOf(one['request']) !== undefined,
  );
}

/** The document as an HTTP archive. Interactions without an address are kept as requests that carry no MCP. */
export function archiveOf(document: unknown): { log: { entries: Members[] } } {
  return { log: { entries: interactionsOf(document).map((one) => entryOf(isExactObject(one) ? one : {})) } };
}

function entryOf(interaction: Members): Members {
  const request = isExactObject(interaction['request']) ? interaction['request'] : {};
  const response = isExactObject(interaction['response']) ? interaction['response'] : {};
  const sent = bodyOf(request['body']);
  const answered = bodyOf(response['body']);
  return {
    request: {
      method: request['method'],
      url: addressOf(request),
      headers: headersOf(request['headers']),
      ...(sent === undefined ? {} : { postData: { text: sent } }),
    },
    response: {
      status: statusOf(response),
      headers: headersOf(response['headers']),
      content: answered === undefined ? {} : { text: answered },
    },
  };
}

/** `{code, message}` (VCR, vcrpy), or `code` next to the line of the status (go-vcr). */
function statusOf({ status, code }: Members): unknown {
  return code ?? (isExactObject(status) ? status['code'] : status);
}

/** A text, or an object with it; bytes as YAML has them, or as Base64. */
function bodyOf(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body).toString('utf8');
  if (!isExactObject(body)) return undefined;
  if (typeof body['base64_string'] === 'string') return Buffer.from(body['base64_string'], 'base64').toString('utf8');
  return bodyOf(body['string']);
}

/** Each header with a value, or a list of them. */
function headersOf(headers: unknown): { name: string; value: string }[] {
  if (!isExactObject(headers)) return [];
  return Object.entries(headers).flatMap(([name, values]) =>
    (Array.isArray(values) ? (values as unknown[]) : [values]).flatMap((value) => {
      const text = typeof value === 'string' ? value : numberText(value);
      return text === undefined ? [] : [{ name, value: text }];
    }),
  );
}
