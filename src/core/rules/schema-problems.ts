/** Turns what Ajv says of a file into what its author needs: the place, what is wrong there, and the words that fit, the nearest first. */
import type { ErrorObject } from 'ajv';
import { distance } from 'fastest-levenshtein';
import { smallest } from '../model/lists.ts';
import { suggestion } from '../model/suggestion.ts';
import type { RuleProblem } from './rule-problem.ts';

type Json = Record<string, unknown>;

/** Maximum number of problems reported for one file; a file with more is of another kind. */
const maxReported = 100;

/** All problems of a file, each once. @param errors of a validator with `allErrors` and `verbose` */
export function schemaProblems(file: string, errors: readonly ErrorObject[]): RuleProblem[] {
  const reported = new Map<string, RuleProblem>();
  for (const error of tellingErrors(errors)) {
    const problem = { file, path: placeOf(error), message: messageOf(error) };
    reported.set(`${problem.path}: ${problem.message}`, problem);
  }
  return [...reported.values()].slice(0, maxReported);
}

/**
 * The errors that help. Where one of several forms had to fit, all that Ajv says of the other forms is left out.
 * Which form is meant shows in its members, else in which form something deeper is wrong, else in the number of errors.
 */
function tellingErrors(all: readonly ErrorObject[]): ErrorObject[] {
  let errors = all.filter((error) => error.keyword !== 'if');
  for (const choice of all.filter((error) => error.keyword === 'oneOf')) {
    const place = choice.instancePath;
    const isForm = (error: ErrorObject): boolean =>
      error.instancePath === place && error.schemaPath.startsWith(`${choice.schemaPath}/`);
    const form = (error: ErrorObject): string => error.schemaPath.slice(choice.schemaPath.length + 1).split('/')[0]!;
    const meant = meantForm(choice);
    if (meant === 'none') {
      // That no form is meant is said once, by the choice itself; what is deeper was read as something that it is not.
      errors = errors.filter(
        (error) => error === choice || (!isForm(error) && !error.instancePath.startsWith(`${place}/`)),
      );
      continue;
    }
    if (meant !== undefined) {
      errors = errors.filter((error) => error !== choice && (!isForm(error) || form(error) === String(meant)));
      continue;
    }
    const deeper = errors.some((error) => error.instancePath.startsWith(`${place}/`));
    const counts = new Map<string, number>();
    for (const error of errors.filter(isForm)) counts.set(form(error), (counts.get(form(error)) ?? 0) + 1);
    const [fewest] = [...counts].sort(([, a], [, b]) => a - b);
    if (!deeper && fewest === undefined) continue;
    errors = errors.filter((error) => error !== choice && (!isForm(error) || (!deeper && form(error) === fewest![0])));
  }
  return errors;
}

/**
 * For forms that are objects, each with its own member: the position of the one that an object names; `none` when it
 * names none.
 */
function meantForm({ schema, data }: ErrorObject): number | 'none' | undefined {
  const names = formNames(schema);
  if (names.length < 2 || typeof data !== 'object' || data === null || Array.isArray(data)) return undefined;
  const meant = names.find(([name]) => name in data);
  return meant ? meant[1] : 'none';
}

/** The member that names each form, with the position of the form. */
function formNames(forms: unknown): [name: string, position: number][] {
  if (!Array.isArray(forms)) return [];
  return forms.flatMap(({ required, properties }: Json, position): [string, number][] =>
    Array.isArray(required) && properties !== undefined ? [[String(required[0]), position]] : [],
  );
}

function messageOf({ keyword, message, params, parentSchema, schema, data }: ErrorObject): string {
  const { additionalProperty, allowedValues } = params as { additionalProperty?: string; allowedValues?: unknown[] };
  if (additionalProperty !== undefined) {
    const known = Object.keys((parentSchema?.properties ?? {}) as Json);
    return `is unknown here.${suggestion(additionalProperty, known)} ${known.length === 0 ? 'There are none.' : `Known: ${nearestFirst(additionalProperty, known).join(', ')}.`}`;
  }
  if (allowedValues !== undefined) {
    const texts = allowedValues.map(String);
    return `must be one of ${(typeof data === 'string' ? nearestFirst(data, texts) : texts).join(', ')}`;
  }
  if (keyword === 'const') return `must be ${JSON.stringify((params as { allowedValue: unknown }).allowedValue)}`;
  if (keyword === 'oneOf') {
    const names = formNames(schema).map(([name]) => name);
    const given = typeof data === 'object' && data !== null ? Object.keys(data) : [];
    // The member most similar to an existing one, or the first.
    const [odd = ''] = given.toSorted((a, b) => nearness(a, names) - nearness(b, names));
    if (meantForm({ schema, data } as ErrorObject) === 'none')
      return `names none of what can stand here${odd === '' ? ':' : `.${suggestion(odd, names)} Known:`} ${nearestFirst(odd, names).join(', ')}`;
  }
  return message ?? 'is wrong';
}

function nearness(name: string, known: readonly string[]): number {
  return smallest(known.map((one) => distance(name, one)));
}

function nearestFirst(name: string, known: readonly string[]): string[] {
  return known.toSorted((a, b) => distance(name, a) - distance(name, b));
}

/** Where it is wrong; of a member too many, the member itself. */
function placeOf({ instancePath, params }: ErrorObject): string {
  const { additionalProperty } = params as { additionalProperty?: string };
  return dotted(
    additionalProperty === undefined
      ? instancePath
      : `${instancePath}/${additionalProperty.replaceAll('~', '~0').replaceAll('/', '~1')}`,
  );
}

function dotted(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
}
