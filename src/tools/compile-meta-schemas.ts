/**
 * Compiles the meta-schemas of JSON Schema ahead of time, one module for each dialect, and one over them that stands in for
 * src/json-schema/meta-validators.ts in dist/.
 */
import standalone from 'ajv/dist/standalone/index.js';
import type { Plugin } from 'esbuild';
import { dialectEngine, metaSchemas, plainReading } from '../json-schema/meta-schemas.ts';
import type { DialectName } from '../json-schema/schema-copy.ts';

/** What the modules of dialects are imported by, before the name of the dialect. */
const prefix = 'compiled-meta-schema:';

/** The text of a module whose default is the validator of schemas of a dialect. Deterministic. */
function compileMetaSchema(dialect: DialectName): string {
  const engine = dialectEngine(dialect, { ...plainReading, code: { source: true, esm: true } });
  return standalone.default(engine, engine.getSchema(metaSchemas[dialect]));
}

/** The text of a module that exports `metaValidatorOf`. */
function metaValidatorsModule(): string {
  const dialects = Object.keys(metaSchemas) as DialectName[];
  const imports = dialects.map((dialect, index) => `import of${index} from ${JSON.stringify(prefix + dialect)};\n`);
  return `${imports.join('')}const table = { ${dialects.map((dialect, index) => `${JSON.stringify(dialect)}: of${index}`).join(', ')} };\nexport function metaValidatorOf(dialect) { return table[dialect]; }\n`;
}

/** For esbuild: puts the compiled meta-schemas in place of the module that compiles them. */
export const compiledMetaSchemas: Plugin = {
  name: 'compiled-meta-schemas',
  setup({ onLoad, onResolve }) {
    const namespace = 'meta-schema';
    onLoad({ filter: /[\\/]json-schema[\\/]meta-validators\.ts$/ }, () => ({ contents: metaValidatorsModule(), loader: 'js' }));
    onResolve({ filter: /^compiled-meta-schema:/ }, ({ path }) => ({ path: path.slice(prefix.length), namespace }));
    onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: compileMetaSchema(path as DialectName), loader: 'js', resolveDir: import.meta.dirname }));
  },
};
