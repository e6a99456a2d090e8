/** Reads what a server says of itself in its first result, cut to what headers and reports hold. */
import type { Answer } from '../peer/peer.ts';

type Json = Record<string, unknown>;

/** The result in an answer; undefined where it is none. */
export function resultOf(answer: Answer): Json | undefined {
  const result = answer.kind === 'response' ? answer.message.result : undefined;
  return typeof result === 'object' && result !== null ? (result as Json) : undefined;
}

/** The server's description in the result of initialize or server/discover, for readers. */
export function describe(result: Json): { serverInfo?: Json; instructions?: string; capabilities: string[] } {
  const meta = result._meta as Json | undefined;
  const info = (result.serverInfo ?? meta?.['io.modelcontextprotocol/serverInfo']) as Json | undefined;
  const capabilities =
    typeof result.capabilities === 'object' && result.capabilities !== null ? Object.keys(result.capabilities) : [];
  return {
    ...(info && typeof info === 'object' ? { serverInfo: shortened(info) } : {}),
    ...(typeof result.instructions === 'string' ? { instructions: result.instructions } : {}),
    capabilities,
  };
}

/** Longest text of serverInfo that goes to headers and reports; the trace has the message as it came. */
const longestText = 1000;
const mostMembers = 50;

/** Description of a server: long texts are cut, and long values of other types are left out. */
function shortened(info: Json): Json {
  const members = Object.entries(info).slice(0, mostMembers);
  return Object.fromEntries(
    members.flatMap(([name, value]): [string, unknown][] => {
      if (typeof value === 'string')
        return [[name, value.length > longestText ? `${value.slice(0, longestText)}…` : value]];
      return JSON.stringify(value).length > longestText ? [] : [[name, value]];
    }),
  );
}
