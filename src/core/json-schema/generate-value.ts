/**
 * Makes a value that fits a JSON Schema, for tool arguments and elicited content: required members only, the
 * plainest value for each. It never runs a server's patterns and never follows references out of the schema. Where
 * a schema is beyond it, it gives the best that it found; what it gives is the same each time.
 */
import { carefulFirst, carefulSwitch, carefulWord, isAmount } from '../permission/careful-arguments.ts';
import { usualPlaces, type Places } from './places.ts';
import { plainForms } from './plain-forms.ts';
import { cautiousTexts, textsFor } from './sample-texts.ts';
import { fitOf, isMisfit, type Work } from './schema-fit.ts';
import { asText } from '../model/json.ts';

type Json = Record<string, unknown>;

/** The schema as a whole, and how much is left: values to make, and parts to hold them against. */
interface Making {
  root: unknown;
  left: number;
  work: Work;
  places: Places;
}

const deepest = 12;
const mostValues = 1000;
const mostParts = 20_000;
const mostItems = 50;

/**
 * @param name what the value is for, such as the name of the argument; names like `url` or `path` say what makes sense
 * @param places where paths lie
 */
export function generateValue(schema: unknown, name = '', places: Places = usualPlaces): unknown {
  return make(schema, name, 0, { root: schema, left: mostValues, work: { left: mostParts }, places });
}

function make(schema: unknown, name: string, depth: number, making: Making): unknown {
  making.left -= 1;
  if (typeof schema !== 'object' || schema === null) return 'text';
  if (depth > deepest || making.left < 0) return null;
  let best: { value: unknown } | undefined;
  for (const form of plainForms(schema as Json, making.root)) {
    for (const value of candidates(form, name, depth, making)) {
      // Where it is not sure, it is a pattern or a format, which the candidate was made for.
      if (!isMisfit(fitOf(schema, value, making.root, making.work))) return value;
      best ??= { value };
    }
    if (making.left < 0) break;
  }
  return best === undefined ? null : best.value;
}

/** Values for a schema without references and combinations, the best first. */
function* candidates(form: Json, name: string, depth: number, making: Making): Generator<unknown> {
  if ('const' in form) yield form.const;
  if (!Array.isArray(form.enum)) for (const type of typesOf(form)) yield* carefulValues(type, form, name, making);
  if ('default' in form && !isRisky(form, name)) yield form.default;
  if (Array.isArray(form.examples)) yield* (form.examples as unknown[]).slice(0, 20);
  if (Array.isArray(form.enum)) {
    yield* carefulFirst(name, (form.enum as unknown[]).filter((one) => one !== null).slice(0, 200));
    yield null;
    return;
  }
  for (const type of typesOf(form)) yield* valuesOf(type, form, name, depth, making);
}

/**
 * Harmless values, where the name shows them: they precede a default or an example of the server. A schema that allows
 * none of them leaves nothing open.
 */
function* carefulValues(type: unknown, form: Json, name: string, { places }: Making): Generator<unknown> {
  const wanted = carefulSwitch(name);
  if (type === 'boolean' && wanted !== undefined) yield wanted;
  if ((type === 'number' || type === 'integer') && isAmount(name)) yield* amounts(form, type === 'integer');
  if (type === 'string') {
    const word = carefulWord(name);
    if (word !== undefined && form.pattern === undefined && form.format === undefined) yield word ? 'true' : 'no';
    yield* cautiousTexts(form, name, places);
  }
}

/** A default that is one of several choices, and not the most harmless. */
function isRisky(form: Json, name: string): boolean {
  return (
    Array.isArray(form.enum) && carefulFirst(name, [form.default, ...(form.enum as unknown[])])[0] !== form.default
  );
}

function typesOf(form: Json): unknown[] {
  if (Array.isArray(form.type))
    return [...(form.type as unknown[])].sort((a, b) => Number(a === 'null') - Number(b === 'null'));
  if (typeof form.type === 'string') return [form.type];
  const telling: [string, readonly string[]][] = [
    ['object', ['properties', 'required', 'additionalProperties', 'minProperties']],
    ['array', ['items', 'prefixItems', 'minItems', 'uniqueItems']],
    ['number', ['minimum', 'maximum', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum']],
  ];
  const reported = telling.find(([, keywords]) => keywords.some((keyword) => keyword in form))?.[0];
  return reported === undefined ? ['string', 'object', 'number', 'boolean', 'array', 'null'] : [reported];
}

function* valuesOf(type: unknown, form: Json, name: string, depth: number, making: Making): Generator<unknown> {
  switch (type) {
    case 'object':
      yield* objects(form, depth, making);
      return;
    case 'array':
      yield list(form, name, depth, making);
      return;
    case 'integer':
    case 'number':
      yield* numbers(form, type === 'integer');
      return;
    case 'boolean':
      yield true;
      yield false;
      return;
    case 'null':
      yield null;
      return;
    default:
      yield* textsFor(form, name, making.places);
  }
}

function* objects(form: Json, depth: number, making: Making): Generator<Json> {
  const properties = (typeof form.properties === 'object' && form.properties !== null ? form.properties : {}) as Json;
  const dependent = (
    typeof form.dependentRequired === 'object' && form.dependentRequired !== null ? form.dependentRequired : {}
  ) as Json;
  const names = new Set(Array.isArray(form.required) ? (form.required as unknown[]).map(asText) : []);
  for (const name of names)
    for (const other of Array.isArray(dependent[name]) ? (dependent[name] as unknown[]) : []) names.add(asText(other));
  const least = typeof form.minProperties === 'number' ? Math.min(form.minProperties, mostItems) : 0;
  for (const name of Object.keys(properties)) if (names.size < least) names.add(name);
  for (let count = 1; names.size < least; count += 1) names.add(`member${count}`);
  const schemaOf = (name: string): unknown =>
    Object.hasOwn(properties, name) ? properties[name] : (form.additionalProperties ?? {});
  const made = new Map<string, unknown>(
    [...names].map((name) => [name, make(schemaOf(name), name, depth + 1, making)]),
  );
  // Without a trial run the server may start the real one.
  const switches = Object.keys(properties)
    .slice(0, mostItems)
    .filter((name) => !made.has(name) && isSwitch(properties[name], name, making.root));
  if (switches.length > 0)
    yield Object.fromEntries([
      ...made,
      ...switches.map((name) => [name, make(properties[name], name, depth + 1, making)] as const),
    ]);
  yield Object.fromEntries(made);
  // Conditions may ask for more than what is required of all.
  for (const name of Object.keys(properties))
    if (!made.has(name) && making.left > 0) made.set(name, make(properties[name], name, depth + 1, making));
  if (made.size > names.size) yield Object.fromEntries(made);
}

/** An optional boolean member with a harmless value that its name shows. */
function isSwitch(schema: unknown, name: string, root: unknown): boolean {
  if (carefulSwitch(name) === undefined || typeof schema !== 'object' || schema === null) return false;
  return plainForms(schema as Json, root).some(
    ({ type }) => type === 'boolean' || (Array.isArray(type) && (type as unknown[]).includes('boolean')),
  );
}

function list(form: Json, name: string, depth: number, making: Making): unknown[] {
  const length = typeof form.minItems === 'number' ? Math.min(form.minItems, mostItems) : 0;
  const leading = Array.isArray(form.prefixItems)
    ? (form.prefixItems as unknown[])
    : Array.isArray(form.items)
      ? (form.items as unknown[])
      : [];
  const rest = (Array.isArray(form.items) ? form.additionalItems : form.items) ?? {};
  const values: unknown[] = [];
  for (let index = 0; index < length; index += 1) {
    const schema = leading[index] ?? rest;
    const seen = new Set(form.uniqueItems === true ? values.map((one) => JSON.stringify(one)) : []);
    values.push(unlike(seen, make(schema, name, depth + 1, making), schema, making));
  }
  return values;
}

/** The value, or one like it that was not there before. */
function unlike(seen: ReadonlySet<string>, value: unknown, schema: unknown, { root, work }: Making): unknown {
  if (!seen.has(JSON.stringify(value))) return value;
  for (const other of variations(value, schema, root)) {
    if (!seen.has(JSON.stringify(other)) && !isMisfit(fitOf(schema, other, root, work))) return other;
  }
  return value;
}

function* variations(value: unknown, schema: unknown, root: unknown): Generator<unknown> {
  const form = typeof schema === 'object' && schema !== null ? plainForms(schema as Json, root)[0] : undefined;
  if (Array.isArray(form?.enum)) yield* form.enum as unknown[];
  const step = typeof form?.multipleOf === 'number' && form.multipleOf > 0 ? form.multipleOf : 1;
  for (let count = 1; count <= mostItems; count += 1) {
    if (typeof value === 'number') yield value + count * step;
    if (typeof value === 'number') yield value - count * step;
    if (typeof value === 'string') yield `${value}${count}`;
    if (typeof value === 'string' && form?.format === undefined) yield `${count}${value}`.slice(0, value.length);
    if (typeof value === 'boolean') yield !value;
    if (Array.isArray(value))
      yield [...(value as unknown[]), ...Array.from({ length: count }, () => (value as unknown[])[0] ?? count)];
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      yield* changed(value as Json, count, form, root);
  }
  yield* ['text', 1, true, false, null];
}

/** The object with one of its members varied, or one more member. */
function* changed(value: Json, count: number, form: Json | undefined, root: unknown): Generator<Json> {
  const properties = (form?.properties ?? {}) as Json;
  for (const [name, one] of Object.entries(value)) {
    if (typeof one === 'string') yield { ...value, [name]: `${one}${count}` };
    if (typeof one === 'number') yield { ...value, [name]: one + count };
    if (typeof one === 'boolean') yield { ...value, [name]: !one };
    if (typeof one === 'string' && Object.hasOwn(properties, name)) {
      const choices = plainForms((properties[name] ?? {}) as Json, root)[0]?.enum;
      if (Array.isArray(choices)) for (const choice of choices as unknown[]) yield { ...value, [name]: choice };
    }
  }
  yield { ...value, [`member${count}`]: count };
}

/** Nothing, or as little as the schema allows. */
function amounts(form: Json, whole: boolean): number[] {
  return [
    0,
    ...numbers(form, whole)
      .filter((one) => one >= 0)
      .sort((a, b) => a - b),
  ];
}

/** Numbers worth trying, from the bounds and the step; the caller takes the first that fits. */
function numbers(form: Json, whole: boolean): number[] {
  const bound = (keyword: string): number | undefined =>
    typeof form[keyword] === 'number' ? (form[keyword] as number) : undefined;
  const [above, below] = [bound('exclusiveMinimum'), bound('exclusiveMaximum')];
  const least = Math.max(bound('minimum') ?? -Infinity, above ?? -Infinity);
  const most = Math.min(bound('maximum') ?? Infinity, below ?? Infinity);
  const step = bound('multipleOf');
  const finite = [least, most].filter(Number.isFinite);
  const between = Number.isFinite(least) && Number.isFinite(most) ? [(least + most) / 2] : [];
  const tried = [
    1,
    ...finite.flatMap((one) => [one, Math.ceil(one), Math.floor(one), one + 1, one - 1]),
    ...between,
    0,
  ];
  const steps =
    step === undefined || step <= 0
      ? []
      : tried.flatMap((one) =>
          [Math.ceil(one / step), Math.floor(one / step) + 1].flatMap((times) => multiples(times, step)),
        );
  const all = [...tried, ...steps, ...(step === undefined ? [] : [step])].filter(
    (one) => Number.isFinite(one) && (!whole || Number.isInteger(one)),
  );
  const inside = (one: number): boolean => one >= least && one <= most && one !== above && one !== below;
  return [
    ...all.filter((one) => inside(one) && (step === undefined || Number.isInteger(one / step))),
    ...all.filter(inside),
    ...all,
  ].slice(0, 60);
}

/** The product, as the decimal number that was meant: three times 0.1 is 0.3. */
function multiples(times: number, step: number): number[] {
  const product = times * step;
  return [Number(product.toPrecision(12)), product];
}
