/**
 * Which folder of src may import which. A folder may import itself and those in its row; anything else is an
 * error, so a new folder needs a row. test/architecture.test.ts proves that this file catches what it forbids.
 */
const mayImport = {
  model: [],
  files: ['model'],
  spec: ['model'],
  trace: ['model', 'spec', 'files'],
  transport: ['model', 'trace'],
  facts: ['model', 'spec', 'trace'],
  rules: ['model', 'spec', 'trace', 'transport', 'facts'],
  mock: ['model', 'spec', 'trace', 'transport', 'facts', 'rules'],
  evaluate: ['model', 'spec', 'facts', 'rules'],
  probe: ['model', 'spec', 'trace', 'transport', 'facts', 'rules'],
  client: ['model', 'spec', 'trace', 'transport', 'facts', 'rules'],
  intercept: ['model', 'trace', 'transport'],
  suite: ['model'],
  fleet: ['model', 'files', 'score'],
  score: ['model'],
  report: ['model'],
  app: ['model', 'spec', 'trace', 'transport', 'facts', 'rules', 'mock', 'evaluate', 'probe', 'client', 'intercept', 'suite', 'fleet', 'score', 'files'],
  commands: ['model', 'spec', 'rules', 'transport', 'score', 'report', 'app', 'files'],
};

/** These work on values alone: no files, no sockets, no processes, no clock. */
const pure = ['facts', 'evaluate', 'score'];

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
      from: { path: '^src/', pathNot: `^src/((${folders.join('|')}|tools)/|cli\\.ts$)` },
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
    // Cycles of types alone are gone when the program runs.
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
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
