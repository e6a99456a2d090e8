/** Rows of the table of clients: frameworks, gateways and collections that keep servers in files. Data only. */
import type { ClientTool } from './spelling.ts';

export const frameworks: readonly ClientTool[] = [
  {
    tool: 'fast-agent',
    short: 'fastagent',
    project: ['fastagent.config.yaml'],
    servers: [
      ['mcp', 'servers'],
      ['mcp', 'targets'],
    ],
    spelling: { line: ['target'] },
    remark: '`target` is a command line or an address',
  },
  {
    tool: 'mcp-agent',
    short: 'mcpagent',
    project: ['mcp_agent.config.yaml'],
    servers: [['mcp', 'servers']],
  },
  {
    tool: 'FastMCP',
    short: 'fastmcp',
    project: ['fastmcp.json'],
    servers: [['source']],
    named: true,
    remark: 'one server, started with `fastmcp run` over stdio',
  },
  {
    tool: 'Docker MCP catalog',
    short: 'dockercatalog',
    user: ['~/.docker/mcp/catalogs/*'],
    servers: [['registry']],
    spelling: { url: ['remote.url'], headers: ['remote.headers'], type: ['remote.transport_type'] },
    remark: 'servers of type `remote`; images are not started',
  },
  {
    tool: 'Warp',
    short: 'warp',
    servers: [[]],
    remark: 'names to servers, without a property around them',
  },
];
