/** `mcpc fleet list` and `mcpc fleet init`, and a fleet of a package that is installed for it. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { errorOf, exampleServer, Workspace } from './harness.ts';
import { thorough } from '../support/run/options.ts';

const space = new Workspace();

interface Listed {
  total: number;
  servers: {
    name: string;
    reach: { command?: string[]; url?: string };
    env: string[];
    headers: string[];
    missing: string[];
    tags: string[];
    from: string;
  }[];
}

describe('fleet list', () => {
  space.write(
    'fleet.yaml',
    `
version: 1
defaults: { tags: [all] }
servers:
  first: { command: node, args: [server.js, --api-key, abcdefghijkl, --token, "\${TOKEN}"], env: { SECRET: very-secret }, tags: [prod], owner: us, spec: 2025-11-25 }
  second: { url: "https://example.com/mcp?token=abcdefghijkl", headers: { Authorization: "Bearer \${API_TOKEN}" }, transport: sse }
  third: { npm: "name@1.0.0" }
include: [{ files: sub/.mcp.json, tags: [prod] }]
`,
  );
  space.write('sub/.mcp.json', { mcpServers: { fourth: { command: 'x' }, off: { command: 'y', disabled: true } } });

  test('shows each server in a line, and no secret; what is missing is a warning', async () => {
    const { code, stdout, stderr } = await space.call(['fleet', 'list', 'fleet.yaml'], { env: { TOKEN: 'x' } });
    expect(code, stderr).toBe(0);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(lines[0]).toEqual(['NAME', 'REACHED', 'TRANSPORT', 'SPEC', 'TAGS', 'OWNER', 'FROM']);
    expect(lines[1]).toEqual([
      'first',
      expect.stringMatching(/^node server\.js --api-key redacted\S* --token \$\{TOKEN\}$/),
      'stdio',
      '2025-11-25',
      'all, prod',
      'us',
      'fleet.yaml:5',
    ]);
    expect(lines.slice(2).map(([name, reach, transport]) => [name, reach, transport])).toEqual([
      ['second', expect.stringMatching(/^https:\/\/example\.com\/mcp\?token=redacted/), 'sse'],
      ['third', 'npm name@1.0.0', 'stdio'],
      ['fourth', 'x', 'stdio'],
    ]);
    expect(stdout).not.toMatch(/abcdefghijkl|very-secret/);
    expect(stderr).toMatch(
      /^warning: fleet\.yaml:6: server "second": headers\.Authorization needs the environment variable API_TOKEN, which is not set\.$/m,
    );
    expect(stderr).toMatch(/^note: .*sub\/\.mcp\.json:6: server "off" is disabled there and left out\.$/m);
    expect(stderr).toMatch(/^4 of 4 servers$/m);
  });

  test('picks, and prints JSON; the other name of the topic does the same', async () => {
    const args = ['list', 'fleet.yaml', '--json', '--only', 'tag:prod,second', '--skip', 'f?rst', '--shard', '2/2'];
    const [fleet, factory] = await Promise.all([space.call(['fleet', ...args]), space.call(['factory', ...args])]);
    expect(fleet.code, fleet.stderr).toBe(0);
    expect(factory).toEqual(fleet);
    const { total, servers } = JSON.parse(fleet.stdout) as Listed;
    expect(total).toBe(4);
    expect(servers.map(({ name, tags }) => [name, tags])).toEqual([['fourth', ['all', 'prod']]]);
  });

  test.each<[string, string[], RegExp]>([
    ['a wrong file', ['wrong.yaml'], /^wrong\.yaml:3:6: server "a": needs a "command"/],
    ['no file', ['none.yaml'], /^Cannot read the fleet file none\.yaml/],
    ['a pattern that fits nothing', ['fleet.yaml', '--only', 'tag:prd'], /^--only tag:prd fits no server/],
  ])('%s is told', async (_title, args, why) => {
    space.write('wrong.yaml', 'version: 1\nservers:\n  a: {}\n');
    const outcome = await space.call(['fleet', 'list', ...args]);
    expect(outcome.code).toBe(2);
    expect(errorOf(outcome).why).toMatch(why);
  });
});

describe('fleet init', () => {
  const home = (name: string): Record<string, string> => ({
    HOME: space.path(name),
    USERPROFILE: space.path(name),
    XDG_CONFIG_HOME: '',
    APPDATA: '',
  });
  const git = { command: 'npx', args: ['git-mcp'] };

  test('includes what it finds, each server once, and what it writes can be listed', async () => {
    space.write('full/.config/Claude/claude_desktop_config.json', {
      mcpServers: { git, key: { command: 'x', env: { API_KEY: 'very-secret' } } },
    });
    space.write('full/.cursor/mcp.json', { mcpServers: { git, key: { command: 'other' } } });
    space.write('full/.codeium/windsurf/mcp_config.json', '{');
    space.write('full/.config/Code/User/settings.json', { 'editor.fontSize': 3 });
    space.write('full/.claude.json', {
      mcpServers: { git },
      projects: { [space.path('repo')]: { mcpServers: { local: { command: '${NOT_SET}' } } } },
    });
    space.write('repo/.git/HEAD', '');
    space.write('repo/.vscode/mcp.json', '{ "servers": { "ws": { "command": "${workspaceFolder}/s" } } }');
    space.write('repo/server.json', {
      name: 'io.x/y',
      packages: [{ registryType: 'npm', identifier: 'y', version: '1.0.0' }],
    });
    space.write('.mcp.json', { mcpServers: { outside: { command: 'x' } } });
    // Claude Desktop and VS Code have other folders on other systems, which are not looked at here.
    if (process.platform !== 'linux') throw new Error('The layout of this test is that of Linux.');
    mkdirSync(space.path('repo/deep'));
    const { code, stdout, stderr } = await run(['fleet', 'init', '--json'], 'repo/deep', home('full'));
    expect(code, stderr).toBe(0);
    const report = JSON.parse(stdout) as {
      found: { path: string; servers: string[]; skip: string[] }[];
      unreadable: { file: string }[];
    };
    expect(report.found.map(({ path, servers, skip }) => [path, servers, skip])).toEqual([
      ['../.vscode/mcp.json', ['ws'], []],
      ['../server.json', ['io.x/y'], []],
      ['~/.claude.json', ['local'], []],
      ['~/.claude.json', ['git'], []],
      ['~/.config/Claude/claude_desktop_config.json', ['key'], ['git']],
      ['~/.cursor/mcp.json', ['cursor-user/key'], ['git']],
    ]);
    expect(report.unreadable.map(({ file }) => file)).toEqual([space.path('full/.codeium/windsurf/mcp_config.json')]);
    expect(space.read('repo/deep/fleet.yaml')).not.toContain('very-secret');
    const listed = await run(['fleet', 'list', 'fleet.yaml', '--json'], 'repo/deep', home('full'));
    expect(listed.code, listed.stderr).toBe(0);
    expect((JSON.parse(listed.stdout) as Listed).servers.map(({ name }) => name)).toEqual([
      'ws',
      'io.x/y',
      'local',
      'git',
      'key',
      'cursor-user/key',
    ]);

    const again = await run(['fleet', 'init'], 'repo/deep', home('full'));
    expect(again.code).toBe(2);
    expect(errorOf(again)).toMatchObject({
      why: 'fleet.yaml is there already.',
      fix: expect.stringContaining('--overwrite'),
    });
    expect((await run(['fleet', 'init', '--overwrite'], 'repo/deep', home('full'))).code).toBe(0);
    // The name that the flag had first.
    expect((await run(['fleet', 'init', '--force'], 'repo/deep', home('full'))).code).toBe(0);
  });

  test('that finds nothing says so, and writes examples that are right once they are no comments', async () => {
    mkdirSync(space.path('bare/.git'), { recursive: true });
    const { code, stderr } = await run(['fleet', 'init'], 'bare', home('nobody'));
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('No MCP configuration was found');
    const text = space.read('bare/fleet.yaml');
    const own = text.indexOf('# Servers and clients of your own');
    space.write(
      'bare/used.yaml',
      text.slice(0, own) +
        text
          .slice(own)
          .replace('servers: {}', 'servers:')
          .replace(/^# (?=policies| )/gm, ''),
    );
    const listed = await run(['fleet', 'list', 'used.yaml', '--json'], 'bare', {
      ...home('nobody'),
      TOKEN: 'x',
      API_KEY: 'x',
    });
    expect(listed.code, `${listed.stderr}${space.read('bare/used.yaml')}`).toBe(0);
    expect((JSON.parse(listed.stdout) as Listed).servers.map(({ name, missing }) => [name, missing])).toEqual([
      ['my-server', []],
      ['over-http', []],
      ['from-npm', []],
      ['remote', []],
      ['my-client', []],
    ]);
    expect(errorOf(await run(['fleet', 'list', 'fleet.yaml'], 'bare', home('nobody'))).why).toBe(
      'fleet.yaml names no servers.',
    );
  });
});

test.runIf(thorough)('a package is installed once and checked over stdio and HTTP', async () => {
  space.write('package/package.json', { name: 'example', version: '1.0.0', type: 'module', bin: 'server.js' });
  copyFileSync(exampleServer, space.path('package/server.js'));
  execFileSync('tar', ['-czf', 'example.tgz', 'package'], { cwd: space.folder });
  space.write(
    'npm.yaml',
    `
version: 1
defaults: { spec: 2025-11-25 }
servers:
  stdio: { npm: ./example.tgz, args: [stdio] }
  http: { npm: ./example.tgz, args: [http, --port, "{{port}}"], url: "http://127.0.0.1:{{port}}/mcp" }
  broken: { npm: ./none.tgz }
`,
  );
  const { code, stdout, stderr } = await space.run(
    ['fleet', 'check', 'npm.yaml', '--json', '--only-rules', 'ping', '--jobs', '1', '--out', 'run'],
    { env: { XDG_CACHE_HOME: space.path('cache') } },
  );
  const { servers } = JSON.parse(stdout) as {
    servers: { name: string; status: string; reason: string | null; transport: string | null }[];
  };
  expect(
    servers.map(({ name, status, transport }) => [name, status, transport]),
    stderr,
  ).toEqual([
    ['stdio', 'checked', 'stdio'],
    ['http', 'checked', 'http'],
    ['broken', 'error', null],
  ]);
  expect(servers[2]!.reason).toMatch(/^npm\.yaml:7: server "broken": There is no package .*none\.tgz\./);
  expect(code).toBe(1);
});

/** As `space.call`, in a folder below it. */
async function run(args: readonly string[], folder: string, env: Record<string, string>) {
  return space.call(args, { env, folder });
}

describe('a server that cannot be read', () => {
  space.write('odd/.mcp.json', {
    mcpServers: { fine: { command: 'node', args: ['${input:tone}'] }, odd: { command: 'node art.js' } },
    inputs: [{ id: 'tone', type: 'promptString' }],
  });
  space.write('odd/fleet.yaml', 'version: 1\ninclude: [.mcp.json]\n');
  space.write('odd/only.yaml', 'version: 1\ninclude: [{ files: .mcp.json, skip: [fine] }]\n');
  const list = (...args: string[]) => space.call(['fleet', 'list', ...args], { folder: 'odd' });

  test('is a row that says why, and stops no other', async () => {
    const { code, stdout, stderr } = await list('fleet.yaml');
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(
      /^odd +not read: the command "node art\.js" holds blanks.*words belong into "args".* \.mcp\.json:9$/m,
    );
    expect(stderr).toContain('1 of 1 servers, 1 not read');
    const { unread, servers } = JSON.parse((await list('fleet.yaml', '--json')).stdout) as {
      unread: { name: string }[];
      servers: unknown[];
    };
    expect([unread.map(({ name }) => name), servers.length]).toEqual([['odd'], 1]);
    expect((await list('fleet.yaml', '--skip', 'odd')).code).toBe(0);
  });

  test('is an error where it is named, or nothing else is left', async () => {
    const named = await list('fleet.yaml', '--only', 'odd');
    expect(named.code).toBe(2);
    expect(errorOf(named).why).toMatch(/\.mcp\.json:9: server "odd": the command "node art\.js" holds blanks/);
    const alone = await list('only.yaml');
    expect(alone.code).toBe(2);
    expect(errorOf(alone).why).toMatch(/^only\.yaml names no server that can be checked:/);
    const check = await space.call(['fleet', 'check', 'only.yaml', '--out', 'run'], { folder: 'odd' });
    expect(check.code).toBe(2);
  });

  test('inputs have values by flag, or are missing', async () => {
    expect((await list('fleet.yaml')).stderr).toContain('asks for the input "tone", which has no value');
    const given = await list('fleet.yaml', '--input', 'tone=dark', '--json');
    expect((JSON.parse(given.stdout) as Listed).servers[0]!.missing).toEqual([]);
    const wrong = await list('fleet.yaml', '--input', 'tone');
    expect(wrong.code).toBe(2);
    expect(errorOf(wrong).why).toBe('--input takes NAME=VALUE, not "tone".');
  });
});
