/**
 * Checks if the mirror headers of a request of the stateless era over HTTP agree with its body (2026-07-28:
 * basic/transports/streamable-http, request metadata and server validation). It makes no judgement.
 */
import { readHeaderValue } from '../../json-schema/header-parameters.ts';
import { asText } from '../../model/json.ts';
import { nameMembers } from '../../model/request-headers.ts';
import type { Definitions, Feature } from '../core/plugin.ts';
import type { RpcRecord } from '../requests/rpc-record.ts';
import { declaredVersionOf, paramsOf } from '../values/rpc.ts';

/** The fault of the first header that differs from the body. */
interface HeaderFault {
  header: 'MCP-Protocol-Version' | 'Mcp-Method' | 'Mcp-Name';
  is: 'missing' | 'different' | 'other-case' | 'invalid';
  /** The sent value, shortened; absent without one. */
  sent?: string;
  /** The value of the body, shortened. */
  body: string;
}

const shown = 80;

const exchangeFacts: Definitions<RpcRecord> = {
  headerFault: {
    says: 'Requests of the client over HTTP in the stateless era: the first of the headers MCP-Protocol-Version, Mcp-Method and Mcp-Name that is not as the body demands: header (its name), is (missing, different, other-case: different in upper and lower case alone, or invalid: characters that no header may have, or broken Base64), sent and body (both values, shortened); absent where all are right. Mcp-Name is looked at for tools/call, prompts/get and resources/read.',
    rests: ['exchanges'],
    read: headerFault,
  },
};

export const standardHeaders: Feature = {
  name: 'standard-headers',
  after: [],
  facts: { exchange: exchangeFacts },
  create: () => ({}),
};

function headerFault(record: RpcRecord): HeaderFault | undefined {
  const { from, http, message, method, session } = record;
  if (from !== 'client' || http === undefined || session.era !== 'stateless') return undefined;
  const headers = http.requestHeaders as Readonly<Record<string, unknown>>;
  const compared: [HeaderFault['header'], unknown, boolean][] = [
    ['MCP-Protocol-Version', declaredVersionOf(message), false],
    ['Mcp-Method', method, false],
    ['Mcp-Name', nameIn(record), true],
  ];
  for (const [header, body, decoded] of compared) {
    if (typeof body !== 'string') continue;
    const fault = faultOf(headers[header.toLowerCase()], body, decoded);
    if (fault !== undefined) return { header, ...fault, body: shortened(body) };
  }
  return undefined;
}

function nameIn({ message, method }: RpcRecord): unknown {
  const named = method === 'tools/call' || method === 'prompts/get' || method === 'resources/read';
  return named ? paramsOf(message)?.[nameMembers[method]!] : undefined;
}

/** @param decoded whether the value may be written as Base64 between markers */
function faultOf(value: unknown, body: string, decoded: boolean): Pick<HeaderFault, 'is' | 'sent'> | undefined {
  if (value === undefined) return { is: 'missing' };
  const text = asText(value).trim();
  const sent = shortened(text);
  const read = readHeaderValue(text);
  if (read.as === 'invalid' && (decoded || !isPlain(text))) return { is: 'invalid', sent };
  const said = decoded && read.as !== 'invalid' ? read.text : text;
  if (said === body) return undefined;
  return { is: said.toLowerCase() === body.toLowerCase() ? 'other-case' : 'different', sent };
}

/** True if a header may have all characters of a text. */
function isPlain(text: string): boolean {
  return /^[\t\x20-\x7E]*$/.test(text);
}

function shortened(text: string): string {
  return text.length > shown ? `${text.slice(0, shown)}\u2026` : text;
}
