/** Holds a document of a suite file against its schema; what is wrong is told with its place. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { suggestion } from '../../model/suggestion.ts';
import { suiteSchema } from './schema.ts';
import type { Problem, YamlDocument } from './yaml-source.ts';

export type FileForm = 'assert-file';

let ajv: Ajv2020 | undefined;

function validatorOf(form: FileForm): ValidateFunction {
  // Types of several kinds are what text is made of; strict mode would refuse them.
  ajv ??= new Ajv2020({ allErrors: true, strict: false, verbose: true }).addSchema(suiteSchema(), 'suite');
  return ajv.getSchema(`suite#/$defs/${form}`)!;
}

/**
 * Problems of a document: wrong types are errors, unknown members warnings, or errors when `strict`.
 * An explicit null is the same as nothing.
 */
export function checkDocument(document: YamlDocument, form: FileForm, strict: boolean): Problem[] {
  const validate = validatorOf(form);
  if (validate(document.value)) return [];
  return (validate.errors ?? []).flatMap((error) => (error.data === null && error.keyword === 'type' && error.instancePath !== '' ? [] : [told(error, document, strict)]));
}

function told(error: ErrorObject, document: YamlDocument, strict: boolean): Problem {
  const path = error.instancePath.split('/').slice(1).map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const where = path.length === 0 ? '' : `${path.join('.')}: `;
  const { additionalProperty, allowedValues } = error.params as { additionalProperty?: string; allowedValues?: unknown[] };
  if (additionalProperty !== undefined) {
    const known = Object.keys((error.parentSchema as { properties?: object }).properties ?? {});
    return {
      ...document.placeOf([...path, additionalProperty]),
      text: `${where}unknown member "${additionalProperty}".${suggestion(additionalProperty, known)}`,
      severity: strict ? 'error' : 'warning',
    };
  }
  const message = allowedValues ? `must be one of ${allowedValues.join(', ')}` : wanted(error);
  return { ...document.placeOf(path), text: `${where}${message}`, severity: 'error' };
}

function wanted({ keyword, params, message = 'is wrong', data }: ErrorObject): string {
  if (keyword !== 'type') return message;
  const type = [(params as { type: string | string[] }).type].flat();
  const name = type.includes('string') && type.length > 1 ? 'a text' : { object: 'a mapping', array: 'a list', boolean: 'true or false', integer: 'a whole number', number: 'a number', string: 'a text' }[type[0]!] ?? type[0]!;
  return `must be ${name}, not ${kindOf(data)}`;
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a mapping' : JSON.stringify(typeof value === 'bigint' ? String(value) : value).slice(0, 60);
}
