/**
 * Where MCP clients and other tools keep servers, and how they spell what a server consists of. Reading, `fleet init`,
 * help and docs/fleet.md follow this table: a new tool is a row. Data only.
 */

/** Properties of a server, each with the names that it may have. */
export interface Spelling {
  command: readonly string[];
  args: readonly string[];
  env: readonly string[];
  cwd: readonly string[];
  envFile: readonly string[];
  url: readonly string[];
  /** A path of names joined by dots where they stand deeper. */
  headers: readonly string[];
  /** Headers whose values are names of environment variables. */
  envHeaders: readonly string[];
  /** Name of the environment variable that holds the bearer token. */
  bearerVariable: readonly string[];
  type: readonly string[];
  /** Switched off where it is true. */
  off: readonly string[];
  /** Switched off where it is false. */
  on: readonly string[];
}

/**
 * How texts name variables, besides `${NAME}`, `${NAME:-default}` and `${env:NAME}`:
 *
 * - `dollar`: `$NAME`
 * - `braces`: `{env:NAME}`
 * - `secrets`: `${{ secrets.NAME }}`, `${{ inputs.NAME }}`
 * - `moustache`: `{{NAME}}`
 * - `userConfig`: `${user_config.name}`, declared in the file
 */
export type VariableStyle = 'dollar' | 'braces' | 'secrets' | 'moustache' | 'userConfig';

export interface ClientTool {
  /** For a reader. */
  tool: string;
  /** Short form, for names. */
  short: string;
  /** Files in a folder of a repository; `*` stands for any name. */
  project?: readonly string[];
  /** Files of the user: `~` is the home folder, `{data}` the folder where the system keeps settings of programs. */
  user?: readonly string[];
  /** Paths of properties to the servers, names to servers or a list of servers with names. */
  servers: readonly (readonly string[])[];
  spelling?: Partial<Spelling>;
  /** What the file means by the spelling of an address alone. */
  transports?: Readonly<Record<string, 'http' | 'sse'>>;
  variables?: readonly VariableStyle[];
  /** Variables that stand for the folder of the file, or one above it. */
  folders?: Readonly<Record<string, '.' | '..'>>;
  /** Types of what stands among the servers and is none. */
  builtIn?: readonly string[];
  /** Only files of these names: elsewhere the property means something else. */
  named?: true;
  /** For the table in docs/fleet.md. */
  remark?: string;
}

/** Spellings that each tool has. */
export const usualSpelling: Spelling = {
  command: ['command'],
  args: ['args'],
  env: ['env'],
  cwd: ['cwd'],
  envFile: ['envFile'],
  url: ['url'],
  headers: ['headers'],
  envHeaders: [],
  bearerVariable: [],
  type: ['type', 'transport'],
  off: ['disabled'],
  on: ['enabled'],
};

const mcpServers = [['mcpServers']] as const;
const storage = '{data}/Code/User/globalStorage';

/** Those whose files `fleet init` looks for come in the order in which it names them. */
export const clientTools: readonly ClientTool[] = [
  {
    tool: 'Claude Code',
    short: 'claude-code',
    project: ['.mcp.json'],
    user: ['~/.claude.json'],
    servers: mcpServers,
    folders: { CLAUDE_PLUGIN_ROOT: '.' },
    remark: 'in `~/.claude.json` also those of one folder, with `project`',
  },
  {
    tool: 'Claude Desktop',
    short: 'claude-desktop',
    user: ['{data}/Claude/claude_desktop_config.json'],
    servers: mcpServers,
  },
  {
    tool: 'VS Code',
    short: 'vscode',
    project: ['.vscode/mcp.json', '.vscode/settings.json', '*.code-workspace'],
    user: ['Code', 'Code - Insiders', 'VSCodium'].flatMap((product) =>
      ['mcp.json', 'settings.json'].map((name) => `{data}/${product}/User/${name}`),
    ),
    servers: [['servers'], ['mcp', 'servers'], ['settings', 'mcp', 'servers']],
    remark: '`inputs`; addresses `unix:///path#/mcp`',
  },
  {
    tool: 'Dev container',
    short: 'devcontainer',
    project: ['.devcontainer/devcontainer.json', '.devcontainer.json', '.devcontainer/*/devcontainer.json'],
    servers: [['customizations', 'vscode', 'mcp', 'servers']],
  },
  {
    tool: 'Cursor',
    short: 'cursor',
    project: ['.cursor/mcp.json'],
    user: ['~/.cursor/mcp.json'],
    servers: mcpServers,
  },
  {
    tool: 'Codex',
    short: 'codex',
    project: ['.codex/config.toml'],
    user: ['~/.codex/config.toml'],
    servers: [['mcp_servers']],
    spelling: {
      headers: ['http_headers'],
      envHeaders: ['env_http_headers'],
      bearerVariable: ['bearer_token_env_var'],
    },
  },
  {
    tool: 'Gemini CLI',
    short: 'gemini',
    project: ['.gemini/settings.json', 'gemini-extension.json'],
    user: ['~/.gemini/settings.json'],
    servers: mcpServers,
    spelling: { url: ['httpUrl', 'url'] },
    transports: { httpUrl: 'http', url: 'sse' },
    variables: ['dollar'],
    folders: { extensionPath: '.' },
  },
  {
    tool: 'Zed',
    short: 'zed',
    project: ['.zed/settings.json'],
    user: ['~/.config/zed/settings.json'],
    servers: [['context_servers']],
    remark: '`command` may be an object with `path`, `args`, `env`',
  },
  {
    tool: 'opencode',
    short: 'opencode',
    project: ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json'],
    user: ['~/.config/opencode/opencode.json', '~/.config/opencode/opencode.jsonc'],
    servers: [['mcp']],
    spelling: { env: ['environment'] },
    variables: ['braces'],
    remark: '`command` is a list of words',
  },
  {
    tool: 'LibreChat',
    short: 'librechat',
    project: ['librechat.yaml', 'librechat.yml'],
    servers: mcpServers,
    variables: ['moustache'],
  },
  {
    tool: 'Continue',
    short: 'continue',
    project: ['.continue/mcpServers/*', '.continue/config.yaml'],
    user: ['~/.continue/config.yaml', '~/.continue/config.json', '~/.continue/mcpServers/*'],
    servers: [['mcpServers'], ['experimental', 'modelContextProtocolServers']],
    spelling: { headers: ['requestOptions.headers'] },
    variables: ['secrets'],
    remark: 'a list of servers, each with its `name`',
  },
  {
    tool: 'Roo Code',
    short: 'roo',
    project: ['.roo/mcp.json'],
    user: [`${storage}/rooveterinaryinc.roo-cline/settings/mcp_settings.json`],
    servers: mcpServers,
  },
  {
    tool: 'Kiro',
    short: 'kiro',
    project: ['.kiro/settings/mcp.json'],
    user: ['~/.kiro/settings/mcp.json'],
    servers: mcpServers,
  },
  {
    tool: 'Amazon Q Developer',
    short: 'amazonq',
    project: ['.amazonq/mcp.json', '.amazonq/default.json'],
    user: ['~/.aws/amazonq/mcp.json', '~/.aws/amazonq/default.json'],
    servers: mcpServers,
  },
  {
    tool: 'Junie',
    short: 'junie',
    project: ['.junie/mcp/mcp.json'],
    user: ['~/.junie/mcp/mcp.json'],
    servers: mcpServers,
  },
  {
    tool: 'Qwen Code',
    short: 'qwen',
    project: ['.qwen/settings.json'],
    user: ['~/.qwen/settings.json'],
    servers: mcpServers,
    spelling: { url: ['httpUrl', 'url'] },
    transports: { httpUrl: 'http', url: 'sse' },
    variables: ['dollar'],
  },
  {
    tool: 'Crush',
    short: 'crush',
    project: ['crush.json', '.crush.json'],
    user: ['~/.config/crush/crush.json'],
    servers: [['mcp']],
    variables: ['dollar'],
    named: true,
    remark: '`$(command)` is not run',
  },
  {
    tool: 'MCP bundle',
    short: 'bundle',
    project: ['manifest.json'],
    servers: [['server', 'mcp_config']],
    variables: ['userConfig'],
    folders: { __dirname: '.' },
    named: true,
    remark:
      'the manifest of an unpacked bundle: one server, with what it says of the platform; `user_config` gives defaults',
  },
  {
    tool: 'Claude plugin',
    short: 'plugin',
    project: ['.claude-plugin/plugin.json'],
    servers: mcpServers,
    folders: { CLAUDE_PLUGIN_ROOT: '..' },
    remark: '`mcpServers` may be the path of a file',
  },
  {
    tool: 'Windsurf',
    short: 'windsurf',
    user: ['~/.codeium/windsurf/mcp_config.json'],
    servers: mcpServers,
    spelling: { url: ['serverUrl'] },
  },
  {
    tool: 'Cline',
    short: 'cline',
    user: [`${storage}/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`],
    servers: mcpServers,
  },
  {
    tool: 'Copilot CLI',
    short: 'copilot',
    user: ['~/.copilot/mcp-config.json'],
    servers: mcpServers,
  },
  {
    tool: 'LM Studio',
    short: 'lmstudio',
    user: ['~/.lmstudio/mcp.json'],
    servers: mcpServers,
  },
  {
    tool: 'Goose',
    short: 'goose',
    user: ['~/.config/goose/config.yaml'],
    servers: [['extensions']],
    spelling: { command: ['cmd'], env: ['envs'], url: ['uri'] },
    builtIn: ['builtin', 'platform', 'frontend', 'inline_python'],
    named: true,
    remark: 'extensions that are servers',
  },
];
