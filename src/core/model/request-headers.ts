/** The headers of the HTTP requests that clients of MCP send: how their names are written, what changes them, and what Mcp-Name repeats. Pure. */

/** Changes by name to the headers that a correct client sends: null leaves one out, true keeps the spelling of its name. */
export type HeaderChanges = Record<string, string | null | true>;

/** Headers that clients of MCP send, as they are usually written. */
const usual = [
  'Host',
  'Accept',
  'Content-Type',
  'Content-Length',
  'Connection',
  'Last-Event-ID',
  'Mcp-Session-Id',
  'MCP-Session-Id',
  'MCP-Protocol-Version',
  'Mcp-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
];
const written = new Set(usual);
const known = new Set(usual.map((name) => name.toLowerCase()));

/** Names mean the same in every letter case (RFC 9110, 5.1). Of those as they are written, those of headers that clients of MCP send, in neither lower case nor the usual letters. */
export function oddlySpelled(names: readonly string[]): string[] {
  return names.filter((name) => known.has(name.toLowerCase()) && name !== name.toLowerCase() && !written.has(name));
}

/** Which member of params the header Mcp-Name repeats, by method: revision 2026-07-28, and its tasks extension. */
export const nameMembers: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};
