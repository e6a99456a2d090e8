/** Fleet files that are right, and such that are wrong, with what is said of them. */

export const rightFiles: Record<string, string> = {
  'the least': 'version: 1\nservers: {}\n',
  'a command': 'version: 1\nservers:\n  a: { command: node, args: [server.js, 3] }\n',
  JSON: '{ "$schema": "x", "version": 1, "servers": { "a": { "url": "https://example.com/mcp" } } }',
  'a command that is reached over HTTP':
    'version: 1\nservers:\n  a: { command: node, args: ["{{port}}"], url: "http://127.0.0.1:{{port}}/mcp", transport: streamable-http }\n',
  'a fixed port':
    'version: 1\nservers:\n  a: { command: node, url: http://127.0.0.1:4000/sse, transport: sse, env: { PORT: 4000 } }\n',
  'npm packages':
    'version: 1\nservers:\n  a: { npm: "@scope/name@1.2.3", bin: x, allowScripts: true, args: [stdio], nodeArgs: [--no-warnings] }\n  b: { npm: name }\n  c: { npm: "name@^1.2" }\n  d: { npm: ./pkg.tgz }\n  e: { npm: "file:../pkg" }\n  f: { npm: "name@${VERSION}" }\n',
  'an address from a variable':
    'version: 1\nservers:\n  a: { url: "${BASE}/mcp", headers: { Authorization: "Bearer ${TOKEN:-none}" } }\n',
  'everything a server can have':
    'version: 1\nservers:\n  a:\n    command: node\n    env: { A: x, B: 1, C: true }\n    envFile: .env\n    cwd: sub\n    transport: stdio\n    spec: 2025-11-25\n    timeouts: { request: 5s, start: 1m, check: 90000 }\n    tags: [prod, eu-1]\n    owner: team one\n    hints: hints.yaml\n    baseline: "b/{{id}}.json"\n    grade: B\n    allowDestructive: false\n',
  'several revisions':
    'version: 1\ndefaults: { spec: each }\nservers:\n  a: { command: x }\n  b: { command: x, spec: [2025-11-25, 2026-07-28] }\n',
  defaults:
    'version: 1\ndefaults:\n  env: { A: b }\n  headers: { X-A: b }\n  transport: sse\n  spec: auto\n  tags: [all]\n  maxPerHost: 2\n  allowScripts: false\nservers: {}\n',
  policies:
    'version: 1\nservers: {}\npolicies:\n  minGrade: C\n  maxRegressions: 0\n  tags:\n    prod: { minGrade: A, minScore: 92.5, compliant: true }\n',
  anchors: 'version: 1\nservers:\n  a: &a { command: node }\n  b: *a\n',
};

/** Text, where it is wrong, and what is said. */
export const wrongFiles: Record<string, [text: string, message: RegExp]> = {
  'no version': ['servers: {}\n', /^f\.yaml:1:1: needs "version"\.$/],
  'another version': ['version: 2\nservers: {}\n', /^f\.yaml:1:10: version: must be 1\.$/],
  'no servers': ['version: 1\n', /^f\.yaml:1:1: names no servers: "servers" or "include" has to be there\.$/],
  'an unknown member': [
    'version: 1\nservers:\n  a:\n    comand: node\n',
    /f\.yaml:4:5: server "a": unknown property "comand"\. Did you mean "command"\? Known are command, args,/,
  ],
  'an unknown section': [
    'version: 1\nserver: {}\nservers: {}\n',
    /^f\.yaml:2:1: unknown property "server"\. Did you mean "servers"\?/,
  ],
  'an unknown member of the defaults': [
    'version: 1\ndefaults:\n  tag: [x]\nservers: {}\n',
    /^f\.yaml:3:3: defaults: unknown property "tag"\. Did you mean "tags"\?/,
  ],
  'nothing to reach': [
    'version: 1\nservers:\n  a: { tags: [x] }\n',
    /^f\.yaml:3:6: server "a": needs a "command", an "npm" package, a "url" or a "client"\.$/,
  ],
  'two ways to start': [
    'version: 1\nservers:\n  a: { command: x, npm: y }\n',
    /server "a": has both a "command" and an "npm" package/,
  ],
  'arguments of an address': [
    'version: 1\nservers:\n  a: { url: "http://x/", args: [x] }\n',
    /server "a": "args" belong to a "command" or an "npm" package\.$/,
  ],
  'a program of a command': [
    'version: 1\nservers:\n  a: { command: x, bin: y }\n',
    /"bin", "nodeArgs" and "allowScripts" belong to an "npm" package\.$/,
  ],
  'an environment of an address': [
    'version: 1\nservers:\n  a: { url: "http://x/", env: { A: b } }\n',
    /have no meaning for a server that mcpc does not start\.$/,
  ],
  'headers on stdio': ['version: 1\nservers:\n  a: { command: x, headers: { A: b } }\n', /"headers" need a "url"\.$/],
  'stdio with an address': [
    'version: 1\nservers:\n  a: { url: "http://x/", transport: stdio }\n',
    /the transport stdio has no "url"\.$/,
  ],
  'HTTP without an address': [
    'version: 1\nservers:\n  a: { command: x, transport: http }\n',
    /the transports http and sse need a "url"/,
  ],
  'an unknown transport': [
    'version: 1\nservers:\n  a: { url: "http://x/", transport: ws }\n',
    /^f\.yaml:3:37: server "a": transport: must be one of stdio, http, streamable-http, sse\.$/,
  ],
  'an address of another kind': [
    'version: 1\nservers:\n  a: { url: "ftp://x/" }\n',
    /^f\.yaml:3:13: server "a": url: "ftp:\/\/x\/" does not fit\. Address, or unix:/,
  ],
  'an unknown revision': [
    'version: 1\nservers:\n  a: { command: x, spec: 2025-01-01 }\n',
    /spec: must be one of auto, each, 2024-11-05,/,
  ],
  'an unknown revision of several': [
    'version: 1\nservers:\n  a: { command: x, spec: [2025-11-25, 2025-01-01] }\n',
    /spec.*must be one of 2024-11-05,/,
  ],
  'no revision': ['version: 1\nservers:\n  a: { command: x, spec: [] }\n', /spec/],
  'a time without a unit': [
    'version: 1\nservers:\n  a: { command: x, timeouts: { check: "5" } }\n',
    /timeouts\.check: "5" does not fit/,
  ],
  'a time that is none': [
    'version: 1\nservers:\n  a: { command: x, timeouts: { check: 0 } }\n',
    /timeouts\.check: must be >= 1\.$/,
  ],
  'a grade that is none': [
    'version: 1\nservers:\n  a: { command: x, grade: G }\n',
    /grade: must be one of A, B, C, D, E, F\.$/,
  ],
  'a tag with a colon': ['version: 1\nservers:\n  a: { command: x, tags: ["a:b"] }\n', /tags\.0:/],
  'a package that is none': ['version: 1\nservers:\n  a: { npm: "-g x" }\n', /npm: "-g x" does not fit\. npm package:/],
  'a package from elsewhere': [
    'version: 1\nservers:\n  a: { npm: "git+https://example.com/x.git" }\n',
    /npm: ".*" does not fit/,
  ],
  'a value that is no text': [
    'version: 1\nservers:\n  a: { command: x, env: { A: [b] } }\n',
    /^f\.yaml:3:30: server "a": env\.A: must be string or number or boolean\.$/,
  ],
  'an empty value': ['version: 1\nservers:\n  a:\n    command: x\n    env:\n      A:\n', /env\.A: must be/],
  'a header that is none': [
    'version: 1\nservers:\n  a: { url: "http://x/", headers: { "A B": c } }\n',
    /server "a": headers: "A B" cannot be a name here/,
  ],
  'a name with blanks around': [
    'version: 1\nservers:\n  " a": { command: x }\n',
    /^f\.yaml:3:3: servers: " a" cannot be a name here/,
  ],
  'an empty policy': [
    'version: 1\nservers: {}\npolicies: { tags: { prod: {} } }\n',
    /policies\.tags\.prod: must NOT have fewer than 1 properties\.$/,
  ],
  'an include without files': ['version: 1\ninclude: [{ tags: [x] }]\n', /include\.0: needs "files"\.$/],
  'a list': ['- 1\n', /^f\.yaml:1:1: must be object\.$/],
};

/** What only the parser can tell. */
export const wrongBeyondSchema: Record<string, [text: string, message: RegExp]> = {
  'a name given twice': [
    'version: 1\nservers:\n  a: { command: x }\n  a: { command: y }\n',
    /^f\.yaml:4:3: Map keys must be unique$/,
  ],
  'no YAML': ['version: 1\nservers: [', /^f\.yaml:2:\d+: /],
  'aliases that grow': [
    `version: 1\nservers: {}\nx0: &x0 [a, a]\n${[...'1234567']
      .map(
        (n) =>
          `x${n}: &x${n} [${Array(9)
            .fill(`*x${Number(n) - 1}`)
            .join(', ')}]\n`,
      )
      .join('')}`,
    /alias/i,
  ],
  'a number that would change': [
    'version: 1\nservers:\n  a: { command: x, env: { V: 1.10 } }\n',
    /^f\.yaml:3: server "a": env\.V: 1\.10 would become 1\.1; put it in quotes\.$/,
  ],
  'a time that no timer holds': [
    'version: 1\nservers:\n  a: { command: x, timeouts: { check: 9999h } }\n',
    /^f\.yaml:3: server "a": timeouts\.check: "9999h" is longer or shorter/,
  ],
  'a port that nobody is told': [
    'version: 1\nservers:\n  a: { command: x, url: "http://127.0.0.1:{{port}}/" }\n',
    /^f\.yaml:3: server "a": url: the server does not get the value of \{\{port\}\}/,
  ],
  'a free port of a server that runs': [
    'version: 1\nservers:\n  a: { url: "http://127.0.0.1:{{port}}/" }\n',
    /does not get the value of/,
  ],
  'an included file that is not there': [
    'version: 1\ninclude: [no/such.json]\n',
    /^f\.yaml:2: there is no file no\/such\.json\.$/,
  ],
};
