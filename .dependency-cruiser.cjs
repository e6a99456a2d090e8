/**
 * Which wing of src may import which: itself and those in its row; anything else is an error, so a new wing needs a row.
 * test/architecture.test.ts proves that this file catches what it forbids.
 */
const mayImport = {
  core: [],
  files: ['core'],
  client: ['core', 'files'],
  report: ['core'],
  // Of the server only its test authorization server.
  check: ['core', 'files', 'client', 'report', 'server'],
  suites: ['core', 'files', 'client', 'report', 'check', 'sdk'],
  fleet: ['core', 'files', 'client', 'report', 'check', 'suites', 'stage'],
  drift: ['core', 'files', 'client', 'report', 'check'],
  // One live server that a program talks to.
  live: ['core', 'files', 'client', 'check', 'suites'],
  coprocess: ['core', 'files', 'client', 'check', 'suites', 'live'],
  // An MCP server for coding agents; it runs the other commands as processes of their own.
  agents: ['core', 'files', 'check', 'report'],
  // What programs import: the use cases as functions, matchers and runners.
  api: ['core', 'files', 'client', 'check', 'suites', 'live', 'replay', 'stage'],
  // A recording as the server, and its requests sent to a live one.
  replay: ['core', 'files', 'client', 'report', 'check', 'suites', 'live'],
  // The other side of the coprocess protocol; it may need nothing of ours.
  sdk: [],
  // A complete MCP server: the example server, the peer of client checks. It knows nothing of the checker but its bytes.
  server: ['core', 'client'],
  // The other side of a check: mcpc is the server, and judges the client.
  stage: ['core', 'files', 'client', 'report', 'check', 'server'],
  // Puppets, faults and the example server. Its commands are entry points of the build; the product imports none of it.
  testkit: ['core', 'files', 'client', 'check', 'server'],
};

/** The order within a wing where sub-folders build on each other; a wing without an entry has no rule but the ban on circles. */
const core = {
  model: [],
  permission: ['model'],
  'json-schema': ['model', 'permission'],
  spec: ['model', 'json-schema'],
  trace: ['model', 'spec'],
  facts: ['model', 'json-schema', 'spec', 'trace'],
  faults: ['model', 'spec', 'facts'],
  rules: ['model', 'spec', 'trace', 'facts', 'faults'],
  evaluate: ['model', 'json-schema', 'spec', 'facts', 'rules'],
  score: ['model'],
  drift: ['model'],
};

/** What core may use of Node: computation only, no files, sockets, processes or clock. */
const computation = ['node:crypto', 'node:zlib', 'node:util'];

const wings = Object.keys(mayImport);

module.exports = {
  forbidden: [
    ...wings.map((wing) => ({
      name: `${wing}-imports`,
      comment: `src/${wing} may import ${mayImport[wing].join(', ') || 'nothing'} of src`,
      severity: 'error',
      from: { path: `^src/${wing}/` },
      to: { path: '^(src|test)/', pathNot: `^src/(${[wing, ...mayImport[wing]].join('|')})/` },
    })),
    ...Object.entries(core).map(([folder, allowed]) => ({
      name: `core-${folder}-imports`,
      comment: `src/core/${folder} may import ${allowed.join(', ') || 'nothing'} of src/core`,
      severity: 'error',
      from: { path: `^src/core/${folder}/` },
      to: { path: '^src/core/', pathNot: `^src/core/(${[folder, ...allowed].join('|')})/` },
    })),
    {
      name: 'folder-without-row',
      comment: 'a new wing of src, or folder of src/core, needs a row in .dependency-cruiser.cjs',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: `^src/(core/(${Object.keys(core).join('|')})/|(${wings.filter((wing) => wing !== 'core').join('|')}|tools)/|(start|cli)\\.ts$)`,
      },
      to: {},
    },
    {
      name: 'pure-core',
      comment: `src/core works on values alone; of Node it uses ${computation.join(' and ')}`,
      severity: 'error',
      from: { path: '^src/core/' },
      to: { dependencyTypes: ['core'], pathNot: `^(node:)?(${computation.map((name) => name.slice(5)).join('|')})$` },
    },
    {
      name: 'facts-of-rules-imports',
      comment: 'rules/<area>/<slug>.facts.ts is a feature: it may import what features of src/core/facts do',
      severity: 'error',
      from: { path: '^rules/' },
      to: { path: '^(src|test|rules)/', pathNot: '^src/core/(model|json-schema|spec|facts/(?!registry/|fold/))' },
    },
    {
      name: 'nobody-imports-tools',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/tools/' },
      to: { path: '^src/tools/' },
    },
    // Of types as well: two files that need each other's types are one piece, or a third one is missing below them.
    // A session, its host, its tasks and their seams need each other's types.
    { name: 'no-cycles', severity: 'error', from: { pathNot: '^src/server/session/' }, to: { circular: true } },
    {
      name: 'no-folder-cycles',
      comment: 'folders that import each other are one piece: move a file down, or the piece that both need below them',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|coverage)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.json', '.d.ts'],
    },
  },
};
