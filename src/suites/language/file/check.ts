/** Validates a document of a suite file against its schema; faults are reported with their place. */
import type { ErrorObject } from 'ajv';
import { suggestion } from '../../../core/model/suggestion.ts';
import { stepKinds } from '../steps/table.ts';
import type { Part } from '../part.ts';
import { validatorOf } from './validators.ts';
import type { Problem, YamlDocument } from '../yaml-source.ts';
import { asText, isObject } from '../../../core/model/json.ts';

/** Problems of the steps of a list, each held against the schema of its own kind. */
export function checkSteps(document: YamlDocument, list: Part, strict: boolean): Problem[] {
  return list.items().flatMap((step): Problem[] => {
    // A document that is not a mapping is reported with the file.
    if (!isObject(step.value)) return [];
    const named = stepKinds.filter(({ key }) => step.has(key));
    if (named.length !== 1) {
      const keys = Object.keys(step.value);
      const known = stepKinds.map(({ key }) => key);
      const empty = known.find((key) => keys.includes(key));
      const hint =
        empty !== undefined && named.length === 0
          ? `says nothing behind ${empty}; write ${empty}: true where it needs no more`
          : named.length > 1
            ? `names ${named.map(({ key }) => key).join(' and ')}; a step does one thing`
            : `does nothing: it needs one of ${known.join(', ')}.${suggestion(keys[0] ?? '', known)}`;
      return [{ ...step.place, text: `${step.path.join('.')}: the step ${hint}`, severity: 'error' }];
    }
    return [
      ...checkPart(document, step, `step-${named[0]!.key}`, strict),
      ...checkSteps(document, step.at('parallel'), strict),
      ...checkSteps(document, step.at('expect').at('unchanged'), strict),
    ];
  });
}

/**
 * Holds one part against a definition of the schema: wrong types are errors, unknown members warnings, or errors when
 * `strict`. An explicit null is the same as nothing.
 */
export function checkPart(document: YamlDocument, part: Part, definition: string, strict: boolean): Problem[] {
  const validate = validatorOf(definition);
  if (validate(part.value)) return [];
  const errors = validate.errors ?? [];
  // For a choice only the choice itself is reported, or the one value in it with the wrong type.
  const choices = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const isWithin = (error: ErrorObject, choice: ErrorObject): boolean =>
    error.instancePath.startsWith(`${choice.instancePath}/`);
  const culprits = new Map(choices.map((choice) => [choice, errors.filter((error) => isWithin(error, choice))]));
  const plain = (choice: ErrorObject): boolean =>
    culprits.get(choice)!.length === 1 && culprits.get(choice)![0]!.keyword === 'type';
  const reported = errors.filter(
    (error) =>
      !choices.some((choice) =>
        plain(choice)
          ? error.instancePath === choice.instancePath
          : error !== choice && (error.instancePath === choice.instancePath || isWithin(error, choice)),
      ),
  );
  return reported.flatMap((error) =>
    error.data === null && error.keyword === 'type' && error.instancePath !== ''
      ? []
      : [problemOf(error, document, part, strict)],
  );
}

function problemOf(error: ErrorObject, document: YamlDocument, within: Part, strict: boolean): Problem {
  const inner = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const path = [...within.path.map(asText), ...inner];
  const where = path.length === 0 ? '' : `${path.join('.')}: `;
  const { additionalProperty, allowedValues } = error.params as {
    additionalProperty?: string;
    allowedValues?: unknown[];
  };
  if (additionalProperty !== undefined) {
    const known = Object.keys((error.parentSchema as { properties?: object }).properties ?? {});
    return {
      ...document.placeOf([...path, additionalProperty]),
      text: `${where}unknown property "${additionalProperty}".${suggestion(additionalProperty, known)}`,
      severity: strict ? 'error' : 'warning',
    };
  }
  const message = allowedValues ? `must be one of ${allowedValues.map(asText).join(', ')}` : wanted(error);
  return { ...document.placeOf(path), text: `${where}${message}`, severity: 'error' };
}

function wanted({ keyword, params, message = 'is wrong', data }: ErrorObject): string {
  if (keyword === 'anyOf' || keyword === 'oneOf')
    return `does not fit: ${JSON.stringify(data, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value)).slice(0, 80)}`;
  if (keyword === 'const')
    return `must be ${JSON.stringify((params as { allowedValue: unknown }).allowedValue)}, not ${kindOf(data)}`;
  if (keyword !== 'type') return message;
  const type = [(params as { type: string | string[] }).type].flat();
  const name =
    type.includes('string') && type.length > 1
      ? 'a text'
      : ({
          object: 'a mapping',
          array: 'a list',
          boolean: 'true or false',
          integer: 'a whole number',
          number: 'a number',
          string: 'a text',
        }[type[0]!] ?? type[0]!);
  return `must be ${name}, not ${kindOf(data)}`;
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object'
    ? 'a mapping'
    : JSON.stringify(typeof value === 'bigint' ? String(value) : value).slice(0, 60);
}
