/** Files that describe one server: the manifest of an MCP bundle, and the project file of FastMCP. Pure. */
import { basename, dirname, extname, resolve } from 'node:path';
import { isObject, type JsonObject as Json } from '../../../core/model/json.ts';

/** Its `mcp_config`, with what it says of the platform. */
export function bundleServer(manifest: Json, platform: NodeJS.Platform): unknown {
  const server = isObject(manifest['server']) ? manifest['server'] : {};
  const config = server['mcp_config'];
  if (!isObject(config)) return config;
  const overrides = isObject(config['platform_overrides']) ? config['platform_overrides'] : {};
  const own = overrides[platform];
  const { platform_overrides: _overrides, ...common } = config;
  return isObject(own) ? { ...common, ...own } : common;
}

/** Name and entry of the server that a `fastmcp.json` describes: its own tool starts it, over stdio. */
export function fastmcpServer(source: unknown, file: string): { name: string; entry: object } {
  const path = isObject(source) && typeof source['path'] === 'string' ? source['path'] : 'fastmcp';
  return {
    name: basename(path, extname(path)),
    entry: {
      command: 'fastmcp',
      args: ['run', resolve(file), '--transport', 'stdio'],
      cwd: dirname(resolve(file)),
    },
  };
}
