/**
 * Parts that the command line reads on demand are built into separate files: dist/on-demand. Code among it is CommonJS,
 * which loads at once. An esbuild plugin replaces the modules of the sources by ones that read these files.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { dialectEngine, metaSchemas, plainReading } from '../core/json-schema/meta-schemas.ts';
import type { DialectName } from '../core/json-schema/schema-copy.ts';
import { checkedDefinitions, looseSchema, validatorOptions } from '../suites/language/file/schema.ts';
import { frameDefinitions, frameOptions, frameSchema } from '../coprocess/frames/frame-schema.ts';
import { operators } from '../core/evaluate/operators/operators.ts';
import { optionSchema, ruleSchemaNames, ruleSchemas } from '../files/package/rule-schemas.ts';
import { withShortNames } from './build-commonjs.ts';
import { compressed } from './pack-files.ts';
import { precompileTemplates } from './precompile-templates.ts';

const sources = join(import.meta.dirname, '..');
const common: BuildOptions = {
  absWorkingDir: join(sources, '..'),
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
};

const smaller: BuildOptions = { minifyWhitespace: true, minifySyntax: true };

/**
 * Writes the files into a folder.
 * @returns the report of esbuild
 */
export async function buildOnDemand(folder: string): Promise<Metafile[]> {
  mkdirSync(folder, { recursive: true });
  const short = (name: string): void =>
    writeFileSync(join(folder, name), withShortNames(readFileSync(join(folder, name), 'utf8')));
  const engine = await build({
    ...common,
    ...smaller,
    entryPoints: [join(sources, 'core', 'json-schema', 'schema-engine.ts')],
    outfile: join(folder, 'schema-engine.cjs'),
  });
  const handlebars = await build({
    ...common,
    ...smaller,
    stdin: {
      contents: "module.exports = require('handlebars/dist/cjs/handlebars.js').default;",
      resolveDir: sources,
      sourcefile: 'handlebars.cjs',
    },
    outfile: join(folder, 'handlebars.cjs'),
  });
  for (const name of ['schema-engine.cjs', 'handlebars.cjs']) short(name);
  const compiled: [name: string, code: string][] = [
    ...(Object.keys(metaSchemas) as DialectName[]).map((dialect): [string, string] => [
      `meta-${dialect}`,
      metaSchemaCode(dialect),
    ]),
    ['frames', frameCode()],
    ...suiteParts.map((part): [string, string] => [`suite-${part}`, suiteCode(part)]),
  ];
  // Names in generated code are not read.
  const validators = await Promise.all(
    compiled.map(([name, contents]) =>
      build({
        ...common,
        minify: true,
        stdin: { contents, resolveDir: sources, sourcefile: `${name}.cjs` },
        outfile: join(folder, `${name}.cjs`),
      }),
    ),
  );
  const packed: [name: string, code: string][] = [
    ['rule-validators', ruleCode()],
    ...Object.entries(precompileTemplates(join(sources, '..', 'templates'))).map(([format, code]): [string, string] => [
      `templates-${format}`,
      code,
    ]),
  ];
  return [
    ...[engine, handlebars, ...validators].map(({ metafile }) => metafile!),
    ...(await Promise.all(packed.map(([name, code]) => packCode(folder, name, code)))),
  ];
}

/** A module that is the validator of schemas of a dialect. */
function metaSchemaCode(dialect: DialectName): string {
  const engine = dialectEngine(dialect, { ...plainReading, code: { source: true } });
  return standalone.default(engine, engine.getSchema(metaSchemas[dialect]));
}

/** Parts of suite files that are loaded together: a file of one form needs nothing of the other. */
const suiteParts = ['assert-file', 'native-file', 'lane-file', 'client-capabilities', 'steps'] as const;

/** A module with a validator for each definition of a part of the schema of suites. */
function suiteCode(part: (typeof suiteParts)[number]): string {
  const ajv = new Ajv2020({ ...validatorOptions, code: { source: true } }).addSchema(looseSchema(), 'suite');
  const definitions = checkedDefinitions.filter(
    (definition) => definition === part || (part === 'steps' && definition.startsWith('step-')),
  );
  return standalone.default(
    ajv,
    Object.fromEntries(definitions.map((definition) => [definition, `suite#/$defs/${definition}`])),
  );
}

/** A module with a validator for each frame of the coprocess protocol. */
function frameCode(): string {
  const ajv = new Ajv2020({ ...frameOptions, code: { source: true } }).addSchema(frameSchema, 'frames');
  return standalone.default(
    ajv,
    Object.fromEntries(frameDefinitions.map((name) => [name, `frames#/$defs/${name.replaceAll('/', '~1')}`])),
  );
}

/** A module with a validator for each schema of rule files. */
function ruleCode(): string {
  const options = new Map(operators.map((one) => [one.name, one.option]));
  const ajv = ruleSchemas(join(sources, '..', 'rules'), options, { code: { source: true } });
  const names = [...Object.values(ruleSchemaNames), ...[...options.keys()].map(optionSchema)];
  return standalone.default(ajv, Object.fromEntries(names.map((name) => [name, name])));
}

/** Writes generated code packed: most of it is text, such as schemas that errors quote, and templates. */
async function packCode(folder: string, name: string, contents: string): Promise<Metafile> {
  const { outputFiles, metafile } = await build({
    ...common,
    minify: true,
    write: false,
    stdin: { contents, resolveDir: sources, sourcefile: `${name}.cjs` },
  });
  writeFileSync(join(folder, `${name}.cjs.br`), compressed(outputFiles![0]!.contents));
  return metafile!;
}

const head = `import { packageRoot } from ${JSON.stringify(join(sources, 'files', 'package', 'package-root.ts'))};\nimport { join } from 'node:path';\n`;
const fileNamed = (name: string): string => `join(packageRoot(), 'dist', 'on-demand', ${name})`;

/** Code of a function `load` that runs a packed file. */
const loadPacked = `${head}import { readFileSync } from 'node:fs';
import { compileFunction } from 'node:vm';
import { brotliDecompressSync } from 'node:zlib';
const load = (name) => {
  const module = { exports: {} };
  const code = brotliDecompressSync(readFileSync(${fileNamed("name + '.cjs.br'")})).toString('utf8');
  compileFunction(code, ['module', 'exports'])(module, module.exports);
  return module.exports;
};`;

/** For esbuild: modules that read the files of `dist/on-demand`. */
export const onDemand: Plugin = {
  name: 'on-demand',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]json-schema[\\/]on-demand\.ts$/ }, () => ({
      contents: `${head}import { createRequire } from 'node:module';
const load = createRequire(import.meta.url);
export const schemaEngine = () => load(${fileNamed("'schema-engine.cjs'")});
export const metaValidator = (dialect) => load(${fileNamed("'meta-' + dialect + '.cjs'")});`,
      loader: 'js',
      resolveDir: sources,
    }));
    onLoad({ filter: /[\\/]handlebars[\\/]library\.ts$/ }, () => ({
      contents: `${head}import { createRequire } from 'node:module';
const load = createRequire(import.meta.url);
export const handlebarsLibrary = () => load(${fileNamed("'handlebars.cjs'")});`,
      loader: 'js',
      resolveDir: sources,
    }));
    onLoad({ filter: /[\\/]suites[\\/]language[\\/]file[\\/]validators\.ts$/ }, () => ({
      contents: `${head}import { createRequire } from 'node:module';
const load = createRequire(import.meta.url);
export const validatorOf = (definition) => load(${fileNamed("'suite-' + (definition.startsWith('step-') ? 'steps' : definition) + '.cjs'")})[definition];`,
      loader: 'js',
      resolveDir: sources,
    }));
    onLoad({ filter: /[\\/]coprocess[\\/]frames[\\/]frame-validators\.ts$/ }, () => ({
      contents: `${head}import { createRequire } from 'node:module';
const load = createRequire(import.meta.url);
let frames;
export const frameValidator = (definition) => (frames ??= load(${fileNamed("'frames.cjs'")}))[definition];`,
      loader: 'js',
      resolveDir: sources,
    }));
    onLoad({ filter: /[\\/]files[\\/]package[\\/]rule-validators\.ts$/ }, () => ({
      contents: `${loadPacked}
let compiled;
export const ruleValidators = () => (name) => (compiled ??= load('rule-validators'))[name];`,
      loader: 'js',
      resolveDir: sources,
    }));
    onLoad({ filter: /[\\/]report[\\/]handlebars[\\/]precompiled\.ts$/ }, () => ({
      contents: `${loadPacked}
export const precompiledTemplates = (format) => load('templates-' + format);`,
      loader: 'js',
      resolveDir: sources,
    }));
  },
};
