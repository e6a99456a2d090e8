/** Servers to record: published ones, our example server, one on SDK 2; or those of a fleet. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../support/free-port.ts';
import { launchPublished, publishedServers } from '../../support/published-servers.ts';
import type { Plan } from './clients.ts';
import type { Subject } from './measure.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const example = join(root, 'dist/example-server.js');
const sdkServer = join(root, 'test/e2e/servers/sdk-server.mjs');

/** Calls that ask the client, report progress, fail, or return each kind of content; by the name of the package. */
const calls: Readonly<Record<string, Plan['calls']>> = {
  '@modelcontextprotocol/server-everything': [
    ['echo', { message: 'ünï ✓' }],
    ['get-sum', { a: 2, b: 3 }],
    ['get-tiny-image', {}],
    ['get-structured-content', { location: 'Chicago' }],
    ['get-annotated-message', { messageType: 'error', includeImage: true }],
    ['get-resource-links', { count: 3 }],
    ['get-roots-list', {}],
    ['trigger-sampling-request', { prompt: 'in short', maxTokens: 10 }],
    ['trigger-elicitation-request', {}],
    ['trigger-long-running-operation', { duration: 0.3, steps: 3 }],
  ],
  '@modelcontextprotocol/server-memory': [
    ['read_graph', {}],
    ['create_entities', { entities: [{ name: 'Ada', entityType: 'person', observations: ['counts'] }] }],
    ['read_graph', {}],
    ['search_nodes', { query: 'Ada' }],
  ],
  '@modelcontextprotocol/server-filesystem': [
    ['list_allowed_directories', {}],
    ['read_text_file', { path: '/nowhere/at/all' }],
  ],
  '@modelcontextprotocol/server-sequential-thinking': [
    ['sequentialthinking', { thought: 'a', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }],
  ],
  '@modelcontextprotocol/server-basic-vanillajs': [['get-time', {}]],
  '@itseasy21/mcp-knowledge-graph': [['read_graph', {}]],
};

const exampleCalls: Plan['calls'] = [['echo', { text: 'ünï ✓' }]];

const published = publishedServers
  .filter(({ transport }) => transport !== 'sse')
  .map(
    (server): Subject => ({
      name: server.name,
      transport: server.transport === 'http' ? 'http' : 'stdio',
      calls: calls[server.server] ?? [],
      modern: false,
      launch: (folder) => launchPublished(server, folder),
    }),
  );

const ownOnes: [name: string, modern: boolean, args: string[], calls: Plan['calls']][] = [
  ['example', false, [example, '{{where}}'], exampleCalls],
  ['example-fixtures', false, [example, '{{where}}', '--fixtures'], []],
  ['example-2026-07-28', true, [example, '{{where}}', '--revisions', '2026-07-28'], exampleCalls],
  [
    'sdk-2',
    true,
    [sdkServer, '{{sdk}}'],
    [
      ['echo', { message: 'näh – 漢字' }],
      ['greet', {}],
      ['compose', {}],
      ['folders', {}],
      ['count', { steps: 2 }],
    ],
  ],
];

const own = ownOnes.flatMap(([name, modern, args, ownCalls]) =>
  (['stdio', 'http'] as const).map(
    (transport): Subject => ({
      name: `${name}-${transport}`,
      transport,
      calls: ownCalls,
      modern,
      async launch(folder) {
        const port = transport === 'http' ? await freePort() : 0;
        const put: Record<string, string[]> = {
          '{{where}}': transport === 'http' ? ['http', '--port', String(port)] : ['stdio'],
          '{{sdk}}': transport === 'http' ? [String(port)] : ['stdio'],
        };
        return {
          command: process.execPath,
          args: args.flatMap((word) => put[word] ?? [word]),
          cwd: folder,
          ...(transport === 'http' ? { url: `http://127.0.0.1:${port}/mcp` } : {}),
        };
      },
    }),
  ),
);

/** Of packages that tests use anyway. */
export const subjects: readonly Subject[] = [...published, ...own];

/** Servers of a fleet.json, which start in the folder of that file; ports are those of the list. */
export function fleetSubjects(folder: string): Subject[] {
  const list = JSON.parse(readFileSync(join(folder, 'fleet.json'), 'utf8')) as {
    name: string;
    transport: string;
    command: string;
    args: string[];
    env?: Record<string, string>;
    url?: string;
    speaks20260728?: boolean;
  }[];
  return list
    .filter(({ transport }) => transport !== 'sse')
    .map(({ name, transport, command, args, env = {}, url }) => ({
      name,
      transport: transport === 'stdio' ? 'stdio' : 'http',
      calls: [],
      modern: false,
      launch: () => Promise.resolve({ command, args, env, cwd: folder, ...(url === undefined ? {} : { url }) }),
    }));
}
