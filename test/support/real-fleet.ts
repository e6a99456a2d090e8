/** A list of real servers (one object each, as in a fleet.json of such a collection) as a fleet file of ours. */
import { readFileSync } from 'node:fs';
import { stringify } from 'yaml';

interface RealServer {
  name: string;
  transport: 'stdio' | 'streamable-http' | 'sse';
  command: string;
  args: string[];
  env: Record<string, string>;
  url?: string;
  headers?: Record<string, string>;
  framework?: string;
}

/**
 * @param list path of the JSON file with the servers
 * @param folder where they are installed; their paths are relative to it
 * @returns text of a fleet file: every server with its transport, tagged by it
 */
export function realFleetFile(list: string, folder: string): string {
  const servers = JSON.parse(readFileSync(list, 'utf8')) as RealServer[];
  const entries = servers.map(({ name, transport, command, args, env, url, headers, framework }): [string, object] => [
    name,
    {
      command,
      args,
      ...(Object.keys(env).length === 0 ? {} : { env }),
      ...(url === undefined ? {} : { url }),
      transport,
      ...(headers === undefined || url === undefined ? {} : { headers }),
      tags: [transport],
      ...(framework === undefined ? {} : { owner: framework }),
    },
  ]);
  return stringify({ version: 1, defaults: { cwd: folder }, servers: Object.fromEntries(entries) });
}
