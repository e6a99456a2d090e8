/**
 * Compiles an expanded message schema with ajv, either into functions for use at once or into the source of
 * a module that needs no ajv. Loaded only for builds and for a checkout that has not been built.
 */
import { Ajv2020, _ } from 'ajv/dist/2020.js';
import standaloneModule from 'ajv/dist/standalone/index.js';
import { compactCode } from './compact-code.ts';
import { messageFormats } from './message-formats.ts';
import type { MessageLayout } from './message-layout.ts';
import { expandMessageSchema, methodInfos, schemaId } from './message-schema.ts';
import type { CompiledValidator } from './message-validator.ts';

/** CommonJS default export, which Node and bundlers unwrap differently. */
const standaloneCode = ((standaloneModule as { default?: unknown }).default ?? standaloneModule) as (
  ajv: Ajv2020,
  refs: Record<string, string>,
) => string;

/** One validating function for each type of the layout. */
export function compileValidators(layout: MessageLayout): Record<string, CompiledValidator> {
  const ajv = createAjv(layout);
  const compiled: Record<string, CompiledValidator> = {};
  for (const name of layout.types.keys()) {
    compiled[name] = ajv.getSchema(definitionId(layout, name)) as CompiledValidator;
  }
  return compiled;
}

/**
 * Source of an ES module that exports `validators` (type name to function), `methods` and `source` (the
 * digest given). It imports the formats from `formatsModule` and nothing else of its own.
 */
export function validatorModuleSource(layout: MessageLayout, digest: string, formatsModule: string): string {
  const ajv = createAjv(layout, formatsModule);
  const names = [...layout.types.keys()];
  // Exported under a prefix, since some types are called like globals (Error).
  const code = compactCode(
    appendErrors(
      standaloneCode(ajv, Object.fromEntries(names.map((name) => [`$${name}`, definitionId(layout, name)]))),
    ),
  );
  const table = names.map((name) => `${JSON.stringify(name)}: $${name}`).join(', ');
  return [
    code,
    `export const validators = { ${table} };`,
    `export const methods = ${JSON.stringify(methodInfos(layout))};`,
    `export const source = ${JSON.stringify(digest)};`,
    '',
  ].join('\n');
}

/**
 * ajv gathers the errors of a definition with `concat`, which copies all earlier ones each time: a list of
 * 200 000 faulty elements would take hours. Appending in place takes time in proportion to the list.
 */
function appendErrors(code: string): string {
  return code.replaceAll(
    /vErrors\.concat\((\w+)\.errors\)/g,
    '($1.errors.forEach((error) => vErrors.push(error)), vErrors)',
  );
}

function definitionId(layout: MessageLayout, name: string): string {
  return `${schemaId(layout.revision)}#/$defs/${name}`;
}

function createAjv(layout: MessageLayout, formatsModule?: string): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    // "if" parts look at members without declaring them, and unions of scalars are plain type lists.
    strictTypes: false,
    strictRequired: false,
    strictTuples: false,
    allErrors: true,
    // Findings are worded elsewhere.
    messages: false,
    inlineRefs: false,
    // A member called like something every object inherits must not count as present.
    ownProperties: true,
    code:
      formatsModule === undefined
        ? { process: appendErrors }
        : { source: true, esm: true, formats: _`require(${formatsModule}).messageFormats` },
  });
  for (const [name, check] of Object.entries(messageFormats)) ajv.addFormat(name, check);
  ajv.addSchema(expandMessageSchema(layout));
  return ajv;
}
