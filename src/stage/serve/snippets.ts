/** Texts for the configuration of applications, so that they connect to a served start. */

/** Address or command of a start. */
export type ServedAt = { url: string } | { command: readonly string[] };

export interface Snippet {
  application: string;
  /** The file, or the place, that the text goes into. */
  file: string;
  text: string;
}

/**
 * @param servers each start by the name that the application is to show
 * @param legacy over the HTTP+SSE transport of 2024-11-05
 */
export function snippetsFor(servers: Readonly<Record<string, ServedAt>>, legacy: boolean): Snippet[] {
  const entries = (remote: (url: string) => object): Record<string, object> =>
    Object.fromEntries(
      Object.entries(servers).map(([name, at]) => [
        name,
        'url' in at ? remote(at.url) : { type: 'stdio', command: at.command[0], args: at.command.slice(1) },
      ]),
    );
  const typed = (url: string): object => ({ type: legacy ? 'sse' : 'http', url });
  const json = (value: unknown): string => JSON.stringify(value, null, 2);
  return [
    {
      application: 'Claude Code and others',
      file: '.mcp.json',
      text: json({ mcpServers: entries(typed) }),
    },
    {
      application: 'Claude Desktop',
      file: 'claude_desktop_config.json',
      // It starts processes alone; mcp-remote connects one to an address.
      text: json({
        mcpServers: entries((url) => ({ command: 'npx', args: ['-y', 'mcp-remote', url, '--allow-http'] })),
      }),
    },
    { application: 'VS Code', file: '.vscode/mcp.json', text: json({ servers: entries(typed) }) },
    { application: 'Cursor', file: '.cursor/mcp.json', text: json({ mcpServers: entries((url) => ({ url })) }) },
  ];
}
