/**
 * Which folder of src may import which. A folder may import itself and those in its row; anything else is an
 * error, so a new folder needs a row. test/architecture.test.ts proves that this file catches what it forbids.
 */
const mayImport = {
  model: [],
  handlebars: [],
  permission: ['model'],
  files: ['model'],
  'json-schema': ['model', 'permission'],
  spec: ['model', 'json-schema'],
  trace: ['model', 'files', 'spec'],
  transport: ['model', 'trace'],
  config: ['model', 'spec', 'trace'],
  packages: ['model', 'trace', 'transport', 'files', 'config'],
  facts: ['model', 'json-schema', 'spec', 'trace'],
  faults: ['model', 'spec', 'facts'],
  rules: ['model', 'spec', 'trace', 'facts', 'faults'],
  mock: ['model', 'json-schema', 'spec', 'trace', 'transport', 'facts', 'rules'],
  evaluate: ['model', 'json-schema', 'spec', 'facts', 'rules'],
  probe: ['model', 'permission', 'json-schema', 'spec', 'trace', 'transport', 'facts', 'rules'],
  'fault-proxy': ['model', 'trace', 'transport', 'faults'],
  intercept: ['model', 'trace', 'transport'],
  suite: ['model', 'permission', 'json-schema', 'spec', 'facts', 'faults'],
  score: ['model'],
  report: ['model', 'handlebars'],
  target: ['model', 'files', 'config', 'packages', 'trace', 'transport', 'probe'],
  app: ['model', 'handlebars', 'permission', 'files', 'config', 'packages', 'json-schema', 'spec', 'trace', 'transport', 'facts', 'rules', 'evaluate', 'probe', 'intercept', 'suite', 'score', 'target'],
  authoring: ['model', 'permission', 'files', 'config', 'json-schema', 'spec', 'trace', 'facts', 'rules', 'evaluate', 'probe', 'suite', 'target', 'app'],
  exercise: ['model', 'permission', 'json-schema', 'trace', 'probe', 'suite', 'app', 'authoring'],
  fleet: ['model', 'files', 'config', 'packages', 'spec', 'trace', 'transport', 'score', 'target', 'app'],
  commands: ['model', 'files', 'config', 'packages', 'spec', 'faults', 'fault-proxy', 'rules', 'transport', 'score', 'report', 'target', 'app', 'authoring', 'exercise', 'fleet'],
};

/** These work on values alone: no files, no sockets, no processes, no clock. */
const pure = ['permission', 'facts', 'evaluate', 'score'];

const folders = Object.keys(mayImport);

module.exports = {
  forbidden: [
    ...folders.map((folder) => ({
      name: `${folder}-imports`,
      comment: `src/${folder} may import ${mayImport[folder].join(', ') || 'nothing'} of src`,
      severity: 'error',
      from: { path: `^src/${folder}/` },
      to: { path: '^(src|test)/', pathNot: `^src/(${[folder, ...mayImport[folder]].join('|')})/` },
    })),
    {
      name: 'folder-without-row',
      comment: 'a new folder of src needs a row in .dependency-cruiser.cjs',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/((${folders.join('|')}|tools)/|(start|cli)\\.ts$)` },
      to: {},
    },
    {
      name: 'pure-folders',
      comment: `${pure.join(', ')} use no module of Node`,
      severity: 'error',
      from: { path: `^src/(${pure.join('|')})/` },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'nobody-imports-tools',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/tools/' },
      to: { path: '^src/tools/' },
    },
    // Of types as well: two files that need each other's types are one piece, or a third one is missing below them.
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|coverage)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'], extensions: ['.ts', '.js', '.json', '.d.ts'] },
  },
};
