/** The server of an MCP bundle, from its manifest. Pure. */
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
