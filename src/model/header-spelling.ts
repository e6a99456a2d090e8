/** How the names of HTTP headers are written: they mean the same in every letter case (RFC 9110, 5.1). Pure. */

/** Headers that clients of MCP send, as they are usually written. */
const usual = ['Host', 'Accept', 'Content-Type', 'Content-Length', 'Connection', 'Last-Event-ID', 'Mcp-Session-Id', 'MCP-Session-Id', 'MCP-Protocol-Version', 'Mcp-Protocol-Version', 'Mcp-Method', 'Mcp-Name'];
const written = new Set(usual);
const known = new Set(usual.map((name) => name.toLowerCase()));

/** Of the names as they are written, those of headers that clients of MCP send, in neither lower case nor the usual letters. */
export function oddlySpelled(names: readonly string[]): string[] {
  return names.filter((name) => known.has(name.toLowerCase()) && name !== name.toLowerCase() && !written.has(name));
}
