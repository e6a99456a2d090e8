/** A file of each row of the table of clients, as that tool has it, and what mcpc takes from it. */
import type { FleetReach } from '../../src/core/model/reports/fleet.ts';

export interface ClientExample {
  /** Short form of the tool. */
  short: string;
  /** Path in a repository, or from the home folder where it begins with `~`. */
  path: string;
  text: string;
  /** By name; the folder of the repository is `{project}`, that of the file `{folder}`. */
  servers: Record<string, Taken>;
  /** Other files that belong to it. */
  beside?: Record<string, string>;
  /** Names of servers that are switched off. */
  off?: string[];
}

interface Taken {
  reach: FleetReach;
  env?: Record<string, string>;
  headers?: Record<string, string>;
  transport?: string;
  cwd?: string;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);
const run = (command: string, ...args: string[]): FleetReach => ({ kind: 'command', command, args });
const at = (url: string): FleetReach => ({ kind: 'url', url });

export const clientExamples: readonly ClientExample[] = [
  {
    short: 'claude-code',
    path: '.mcp.json',
    text: json({
      mcpServers: {
        paint: {
          type: 'stdio',
          command: 'paint',
          args: ['--root', '${CLAUDE_PLUGIN_ROOT}/art'],
          env: { KEY: '${KEY:-k}' },
        },
        far: { type: 'http', url: 'https://paint.example/mcp', headers: { 'X-Team': '${TEAM}' } },
      },
    }),
    servers: {
      paint: { reach: run('paint', '--root', '{project}/art'), env: { KEY: '${KEY:-k}' } },
      far: { reach: at('https://paint.example/mcp'), transport: 'http', headers: { 'X-Team': '${TEAM}' } },
    },
  },
  {
    short: 'claude-desktop',
    path: '~/.config/Claude/claude_desktop_config.json',
    text: json({ globalShortcut: '', mcpServers: { paint: { command: 'npx', args: ['-y', 'paint'] } } }),
    servers: { paint: { reach: run('npx', '-y', 'paint') } },
  },
  {
    short: 'vscode',
    path: '.vscode/mcp.json',
    text: `{
  // of this project
  "inputs": [
    { "id": "key", "type": "promptString", "password": true },
    { "id": "tone", "type": "pickString", "options": ["dark", "light"], "default": "light" },
  ],
  "servers": {
    "paint": { "command": "paint", "args": ["\${workspaceFolder}/art", "\${input:tone}"], "env": { "KEY": "\${input:key}" } },
    "socket": { "type": "http", "url": "unix:///run/paint.sock#/mcp" },
  },
}`,
    servers: {
      paint: {
        reach: run('paint', '{project}/art', '${input:tone:-light}'),
        env: { KEY: '${input:key:password}' },
      },
      socket: { reach: at('http://localhost/mcp'), transport: 'http' },
    },
  },
  {
    short: 'vscode',
    path: 'team.code-workspace',
    text: json({ folders: [{ path: '.' }], settings: { mcp: { servers: { paint: { command: 'paint' } } } } }),
    servers: { paint: { reach: run('paint') } },
  },
  {
    short: 'devcontainer',
    path: '.devcontainer/devcontainer.json',
    text: json({
      image: 'x',
      customizations: { vscode: { mcp: { servers: { paint: { command: 'paint', args: ['${workspaceFolder}'] } } } } },
    }),
    servers: { paint: { reach: run('paint', '{project}') } },
  },
  {
    short: 'cursor',
    path: '.cursor/mcp.json',
    text: json({
      mcpServers: { paint: { command: 'paint', env: { KEY: '${env:KEY}' }, cwd: '${workspaceFolder}/art' } },
    }),
    servers: { paint: { reach: run('paint'), env: { KEY: '${env:KEY}' }, cwd: '{project}/art' } },
  },
  {
    short: 'codex',
    path: '~/.codex/config.toml',
    text: `model = "any"

[mcp_servers.paint]
command = "paint"
args = ["--fast"]
startup_timeout_sec = 20

[mcp_servers.paint.env]
TONE = "dark"

[mcp_servers.far]
url = "https://paint.example/mcp"
bearer_token_env_var = "PAINT_TOKEN"
http_headers = { "X-Region" = "eu" }
env_http_headers = { "X-Team" = "TEAM" }

[mcp_servers.old]
command = "old"
enabled = false
`,
    servers: {
      paint: { reach: run('paint', '--fast'), env: { TONE: 'dark' } },
      far: {
        reach: at('https://paint.example/mcp'),
        headers: { 'X-Region': 'eu', 'X-Team': '${TEAM}', Authorization: 'Bearer ${PAINT_TOKEN}' },
      },
    },
    off: ['old'],
  },
  {
    short: 'gemini',
    path: '~/.gemini/settings.json',
    text: json({
      theme: 'x',
      mcpServers: {
        paint: { command: 'paint', args: ['$ROOT'], env: { KEY: '$KEY' }, trust: true, timeout: 3000 },
        far: { httpUrl: 'https://paint.example/mcp', headers: { Authorization: 'Bearer $TOKEN' } },
        stream: { url: 'https://paint.example/sse' },
      },
    }),
    servers: {
      paint: { reach: run('paint', '${ROOT}'), env: { KEY: '${KEY}' } },
      far: {
        reach: at('https://paint.example/mcp'),
        transport: 'http',
        headers: { Authorization: 'Bearer ${TOKEN}' },
      },
      stream: { reach: at('https://paint.example/sse'), transport: 'sse' },
    },
  },
  {
    short: 'zed',
    path: '.zed/settings.json',
    text: json({
      context_servers: {
        paint: { source: 'custom', command: { path: 'paint', args: ['--fast'], env: { TONE: 'dark' } } },
        plain: { command: 'plain', args: ['x'], env: {} },
        far: { url: 'https://paint.example/mcp', headers: { 'X-Team': 'a' } },
      },
    }),
    servers: {
      paint: { reach: run('paint', '--fast'), env: { TONE: 'dark' } },
      plain: { reach: run('plain', 'x') },
      far: { reach: at('https://paint.example/mcp'), headers: { 'X-Team': 'a' } },
    },
  },
  {
    short: 'opencode',
    path: 'opencode.jsonc',
    text: `{
  "$schema": "https://opencode.ai/config.json",
  "mcp": {
    // words of the command
    "paint": { "type": "local", "command": ["npx", "-y", "paint"], "environment": { "KEY": "{env:KEY}" }, "enabled": true },
    "far": { "type": "remote", "url": "https://paint.example/mcp", "headers": { "Authorization": "Bearer {env:TOKEN}" } },
    "old": { "type": "local", "command": ["old"], "enabled": false },
  },
}`,
    servers: {
      paint: { reach: run('npx', '-y', 'paint'), env: { KEY: '${KEY}' } },
      far: { reach: at('https://paint.example/mcp'), headers: { Authorization: 'Bearer ${TOKEN}' } },
    },
    off: ['old'],
  },
  {
    short: 'librechat',
    path: 'librechat.yaml',
    text: `version: 1.2.8
mcpServers:
  paint:
    type: stdio
    command: npx
    args: [-y, paint]
    env: { KEY: "\${KEY}" }
  far:
    type: streamable-http
    url: https://paint.example/mcp
    headers: { X-User: "{{LIBRECHAT_USER_ID}}" }
    timeout: 60000
`,
    servers: {
      paint: { reach: run('npx', '-y', 'paint'), env: { KEY: '${KEY}' } },
      far: {
        reach: at('https://paint.example/mcp'),
        transport: 'http',
        headers: { 'X-User': '${LIBRECHAT_USER_ID}' },
      },
    },
  },
  {
    short: 'continue',
    path: '.continue/mcpServers/paint.yaml',
    text: `name: Paint
version: 0.0.1
schema: v1
mcpServers:
  - name: paint
    command: npx
    args: [-y, paint]
    env:
      KEY: \${{ secrets.KEY }}
  - name: far
    type: streamable-http
    url: https://paint.example/mcp
    requestOptions:
      headers: { X-Team: "\${{ inputs.TEAM }}" }
`,
    servers: {
      paint: { reach: run('npx', '-y', 'paint'), env: { KEY: '${KEY}' } },
      far: { reach: at('https://paint.example/mcp'), transport: 'http', headers: { 'X-Team': '${TEAM}' } },
    },
  },
  {
    short: 'roo',
    path: '.roo/mcp.json',
    text: json({
      mcpServers: {
        paint: { command: 'paint', alwaysAllow: ['mix'], env: { KEY: '${env:KEY}' } },
        far: { type: 'streamable-http', url: 'https://paint.example/mcp' },
      },
    }),
    servers: {
      paint: { reach: run('paint'), env: { KEY: '${env:KEY}' } },
      far: { reach: at('https://paint.example/mcp'), transport: 'http' },
    },
  },
  {
    short: 'kiro',
    path: '.kiro/settings/mcp.json',
    text: json({ mcpServers: { paint: { command: 'uvx', args: ['paint'], disabled: false, autoApprove: [] } } }),
    servers: { paint: { reach: run('uvx', 'paint') } },
  },
  {
    short: 'amazonq',
    path: '~/.aws/amazonq/mcp.json',
    text: json({ mcpServers: { paint: { command: 'paint', timeout: 60000, disabled: true } } }),
    servers: {},
    off: ['paint'],
  },
  {
    short: 'junie',
    path: '.junie/mcp/mcp.json',
    text: json({ mcpServers: { paint: { command: 'paint' } } }),
    servers: { paint: { reach: run('paint') } },
  },
  {
    short: 'qwen',
    path: '.qwen/settings.json',
    text: json({ mcpServers: { far: { httpUrl: 'https://paint.example/mcp' }, paint: { command: '$PAINT' } } }),
    servers: {
      far: { reach: at('https://paint.example/mcp'), transport: 'http' },
      paint: { reach: run('${PAINT}') },
    },
  },
  {
    short: 'crush',
    path: 'crush.json',
    text: json({
      $schema: 'https://charm.land/crush.json',
      mcp: {
        paint: { type: 'stdio', command: 'paint', args: ['x'], env: { KEY: '$KEY' } },
        far: { type: 'http', url: 'https://paint.example/mcp' },
      },
    }),
    servers: {
      paint: { reach: run('paint', 'x'), env: { KEY: '${KEY}' } },
      far: { reach: at('https://paint.example/mcp'), transport: 'http' },
    },
  },
  {
    short: 'bundle',
    path: 'manifest.json',
    text: json({
      manifest_version: '0.3',
      name: 'paint',
      version: '1.0.0',
      server: {
        type: 'node',
        entry_point: 'server/index.js',
        mcp_config: {
          command: 'node',
          args: ['${__dirname}/server/index.js', '${user_config.folders}'],
          env: { KEY: '${user_config.key}' },
          platform_overrides: { win32: { command: 'node.exe' } },
        },
      },
      user_config: {
        key: { type: 'string', title: 'Key', sensitive: true, required: true },
        folders: { type: 'directory', title: 'Folders', multiple: true, default: ['/srv/art'] },
      },
    }),
    servers: {
      paint: {
        reach: run('node', '{project}/server/index.js', '${input:folders:-/srv/art}'),
        env: { KEY: '${input:key:password}' },
      },
    },
  },
  {
    short: 'plugin',
    path: '.claude-plugin/plugin.json',
    text: json({ name: 'paint', mcpServers: './servers.json' }),
    beside: { 'servers.json': json({ paint: { command: '${CLAUDE_PLUGIN_ROOT}/bin/paint' } }) },
    servers: { paint: { reach: run('{project}/bin/paint') } },
  },
  {
    short: 'windsurf',
    path: '~/.codeium/windsurf/mcp_config.json',
    text: json({
      mcpServers: {
        far: { serverUrl: 'https://paint.example/mcp', headers: { Authorization: 'Bearer ${env:TOKEN}' } },
      },
    }),
    servers: {
      far: { reach: at('https://paint.example/mcp'), headers: { Authorization: 'Bearer ${env:TOKEN}' } },
    },
  },
  {
    short: 'cline',
    path: '~/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    text: json({
      mcpServers: {
        far: { type: 'streamableHttp', url: 'https://paint.example/mcp', autoApprove: [], disabled: false },
        old: { command: 'old', disabled: true },
      },
    }),
    servers: { far: { reach: at('https://paint.example/mcp'), transport: 'http' } },
    off: ['old'],
  },
  {
    short: 'copilot',
    path: '~/.copilot/mcp-config.json',
    text: json({
      mcpServers: {
        paint: { type: 'local', command: 'paint', args: [], tools: ['*'] },
        far: { type: 'http', url: 'https://paint.example/mcp', tools: ['mix'] },
      },
    }),
    servers: {
      paint: { reach: run('paint') },
      far: { reach: at('https://paint.example/mcp'), transport: 'http' },
    },
  },
  {
    short: 'lmstudio',
    path: '~/.lmstudio/mcp.json',
    text: json({ mcpServers: { far: { url: 'https://paint.example/mcp' } } }),
    servers: { far: { reach: at('https://paint.example/mcp') } },
  },
  {
    short: 'goose',
    path: '~/.config/goose/config.yaml',
    text: `GOOSE_MODEL: any
extensions:
  developer: { type: builtin, name: developer, enabled: true, bundled: true }
  paint:
    type: stdio
    name: paint
    enabled: true
    cmd: npx
    args: [-y, paint]
    envs: { TONE: dark }
    env_keys: [KEY]
    timeout: 300
  far: { type: streamable_http, enabled: true, uri: "https://paint.example/mcp" }
  old: { type: stdio, cmd: old, enabled: false }
`,
    servers: {
      paint: { reach: run('npx', '-y', 'paint'), env: { TONE: 'dark' } },
      far: { reach: at('https://paint.example/mcp'), transport: 'http' },
    },
    off: ['old'],
  },
  {
    short: 'visualstudio',
    path: '.vs/mcp.json',
    text: json({ inputs: [], servers: { paint: { type: 'stdio', command: 'paint', args: ['--vs'] } } }),
    servers: { paint: { reach: run('paint', '--vs') } },
  },
  {
    short: 'kilo',
    path: '.kilo/kilo.jsonc',
    text: `{
  // two of them
  "mcp": {
    "paint": { "type": "local", "command": ["paint", "--kilo"], "environment": { "TONE": "dark" }, "enabled": true, "timeout": 10000 },
    "old": { "type": "remote", "url": "https://old.example/mcp", "enabled": false }
  }
}`,
    servers: { paint: { reach: run('paint', '--kilo'), env: { TONE: 'dark' } } },
    off: ['old'],
  },
  {
    short: 'kilo',
    path: '.kilocode/mcp.json',
    text: json({
      mcpServers: {
        far: { type: 'streamable-http', url: 'https://kilo.example/mcp', alwaysAllow: ['mix'], timeout: 60 },
      },
    }),
    servers: { far: { reach: at('https://kilo.example/mcp'), transport: 'http' } },
  },
  {
    short: 'amp',
    path: '.amp/settings.json',
    text: json({
      'amp.url': 'https://amp.example',
      'amp.mcpServers': { paint: { command: 'paint', args: ['--amp'] } },
    }),
    servers: { paint: { reach: run('paint', '--amp') } },
  },
  {
    short: 'omp',
    path: '.omp/mcp.json',
    text: json({ mcpServers: { paint: { type: 'stdio', command: 'paint', args: ['--omp'], timeout: 5000 } } }),
    servers: { paint: { reach: run('paint', '--omp') } },
  },
  {
    short: 'fastagent',
    path: 'fastagent.config.yaml',
    text: `default_model: any
mcp:
  servers:
    paint: { transport: stdio, command: npx, args: [-y, paint], env: { TONE: dark } }
    far: { transport: http, url: "https://paint.example/mcp", headers: { Authorization: "Bearer \${TOKEN}" } }
  targets:
    - { name: mix, target: "npx -y 'paint mix' ." }
    - { name: print, target: "https://print.example/mcp" }
`,
    servers: {
      paint: { reach: run('npx', '-y', 'paint'), env: { TONE: 'dark' } },
      far: { reach: at('https://paint.example/mcp'), transport: 'http', headers: { Authorization: 'Bearer ${TOKEN}' } },
      mix: { reach: run('npx', '-y', 'paint mix', '.') },
      print: { reach: at('https://print.example/mcp') },
    },
  },
  {
    short: 'mcpagent',
    path: 'mcp_agent.config.yaml',
    text: `execution_engine: asyncio
logger: { transports: [console] }
mcp:
  servers:
    paint: { command: uvx, args: [paint] }
    far: { transport: streamable_http, url: "https://agent.example/mcp" }
`,
    servers: {
      paint: { reach: run('uvx', 'paint') },
      far: { reach: at('https://agent.example/mcp'), transport: 'http' },
    },
  },
  {
    short: 'fastmcp',
    path: 'fastmcp.json',
    text: json({
      source: { path: 'src/paint.py', entrypoint: 'app' },
      environment: { type: 'uv', dependencies: ['pigment'] },
      deployment: { transport: 'http', port: 8000 },
    }),
    servers: {
      paint: { reach: run('fastmcp', 'run', '{project}/fastmcp.json', '--transport', 'stdio'), cwd: '{project}' },
    },
  },
  {
    short: 'dockercatalog',
    path: '~/.docker/mcp/catalogs/ours.yaml',
    text: `name: ours
registry:
  far:
    title: Paint
    type: remote
    remote: { transport_type: streamable-http, url: "https://catalog.example/mcp", headers: { X-Tone: dark } }
`,
    servers: {
      far: { reach: at('https://catalog.example/mcp'), transport: 'http', headers: { 'X-Tone': 'dark' } },
    },
  },
  {
    short: 'warp',
    path: 'warp-servers.json',
    text: json({ paint: { command: 'paint', args: ['--warp'] }, far: { url: 'https://warp.example/mcp' } }),
    servers: { paint: { reach: run('paint', '--warp') }, far: { reach: at('https://warp.example/mcp') } },
  },
];
