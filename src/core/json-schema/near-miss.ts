/**
 * Values that miss a JSON Schema by one thing: a required member left out, another type, outside of the allowed
 * values or bounds. Each certainly breaks the schema; where that is not certain, there is none.
 */
import { isAmount, isSafetySwitch } from '../permission/careful-arguments.ts';
import { generateValue } from './generate-value.ts';
import { usualPlaces, type Places } from './places.ts';
import { plainForms } from './plain-forms.ts';
import { fitOf, isMisfit } from './schema-fit.ts';
import { asText } from '../model/json.ts';

type Json = Record<string, unknown>;

export interface NearMiss {
  value: unknown;
  /** Its fault, such as `$.count is above 10`. */
  what: string;
}

const mostText = 5000;
/**
 * Maximum number of attempts, in members of all values together, which are copied each time: an object of 100,000 has
 * as many near misses.
 */
const mostCopied = 400_000;

/**
 * Near misses of an object schema, the most important first: one kind after another, and of each kind the required
 * members first. A protective switch stays unchanged, and amounts stay within their bounds: a server that overlooks the
 * fault does no more than with a valid call.
 * @param places locations of paths
 */
export function nearMisses(schema: unknown, most = 6, places: Places = usualPlaces): NearMiss[] {
  const valid = generateValue(schema, '', places);
  if (
    typeof schema !== 'object' ||
    schema === null ||
    typeof valid !== 'object' ||
    valid === null ||
    Array.isArray(valid)
  )
    return [];
  const kinds: NearMiss[][] = [];
  const seen = new Set<string>();
  // For huge objects those that leave out a member, and a few others.
  let tries = Math.max(6, Math.floor(mostCopied / (1 + Object.keys(valid).length)));
  for (const { kind, value } of candidates(schema as Json, valid as Json, schema)) {
    if ((tries -= 1) < 0) break;
    // No more of a kind than there may be in all.
    if ((kinds[kind]?.length ?? 0) >= most) continue;
    const text = JSON.stringify(value);
    const fit = fitOf(schema, value);
    if (seen.has(text) || !isMisfit(fit)) continue;
    seen.add(text);
    (kinds[kind] ??= []).push({ value, what: `${fit.path} ${fit.what}` });
  }
  const misses: NearMiss[] = [];
  const filled = kinds.filter((one) => one !== undefined);
  for (let round = 0; misses.length < most && filled.some((one) => round < one.length); round += 1) {
    for (const one of filled) if (round < one.length && misses.length < most) misses.push(one[round]!);
  }
  return misses;
}

/** The params of prompts/get with one required argument left out each. @param prompt its entry in the list */
export function promptNearMisses(prompt: Json | undefined, valid: Json): Json[] {
  const declared = Array.isArray(prompt?.arguments) ? (prompt.arguments as unknown[]) : [];
  const values = Object.entries((valid.arguments ?? {}) as Json);
  return declared
    .filter((one): one is Json => typeof one === 'object' && one !== null && (one as Json).required === true)
    .map(({ name }) => ({ ...valid, arguments: Object.fromEntries(values.filter(([other]) => other !== name)) }));
}

interface Candidate {
  /** 0 missing, 1 type, 2 allowed values, 3 bounds, 4 size. */
  kind: number;
  value: Json;
}

const depthLimit = 2;

function* candidates(schema: Json, valid: Json, root: unknown, depth = 0): Generator<Candidate> {
  const [form] = plainForms(schema, root);
  const properties = (typeof form?.properties === 'object' && form.properties !== null ? form.properties : {}) as Json;
  const required = Array.isArray(form?.required) ? (form.required as unknown[]).map(asText) : [];
  for (const name of required) {
    // Some generators of schemas list members as required that the server fills in by itself.
    if (
      !Object.hasOwn(valid, name) ||
      isSafetySwitch(name, typeIn(properties[name])) ||
      'default' in ((properties[name] ?? {}) as Json)
    )
      continue;
    const { [name]: _left, ...rest } = valid;
    yield { kind: 0, value: rest };
  }
  const names = [...new Set([...required, ...Object.keys(properties)])];
  for (const name of names) {
    if (!Object.hasOwn(properties, name) || isSafetySwitch(name, typeIn(properties[name]))) continue;
    for (const { kind, value } of wrongValues(properties[name], root))
      if (kind !== 3 || !isAmount(name)) yield { kind, value: { ...valid, [name]: value } };
    const inner = valid[name];
    if (depth >= depthLimit || typeof inner !== 'object' || inner === null || Array.isArray(inner)) continue;
    for (const { kind, value } of candidates(properties[name] as Json, inner as Json, root, depth + 1))
      yield { kind, value: { ...valid, [name]: value } };
  }
}

function typeIn(schema: unknown): unknown {
  return (schema as Json | null | undefined)?.type;
}

/** Wrong values for one member; whether they are wrong for certain is checked by the caller. */
function* wrongValues(schema: unknown, root: unknown): Generator<{ kind: number; value: unknown }> {
  if (typeof schema !== 'object' || schema === null) return;
  const forms = plainForms(schema as Json, root);
  const types = new Set(forms.flatMap((form) => (Array.isArray(form.type) ? (form.type as unknown[]) : [form.type])));
  // Nothing that lenient servers turn into the right type: the text "5" is a number to many.
  for (const value of [{ mcpc: true }, ['mcpc'], 'mcpc']) {
    if (typeof value === 'string' && types.has('string')) continue;
    yield { kind: 1, value };
  }
  for (const form of forms) {
    if (Array.isArray(form.enum) || 'const' in form) yield { kind: 2, value: 'mcpc-not-allowed' };
    yield* beyondBounds(form, root);
  }
}

function* beyondBounds(form: Json, root: unknown): Generator<{ kind: number; value: unknown }> {
  const bound = (keyword: string): number | undefined =>
    typeof form[keyword] === 'number' ? (form[keyword] as number) : undefined;
  const step = Math.max(1, bound('multipleOf') ?? 1);
  const [most, least] = [bound('maximum') ?? bound('exclusiveMaximum'), bound('minimum') ?? bound('exclusiveMinimum')];
  // Far beyond safe integers one more is the same number.
  if (most !== undefined && Math.abs(most) < Number.MAX_SAFE_INTEGER) yield { kind: 3, value: most + step };
  if (least !== undefined && Math.abs(least) < Number.MAX_SAFE_INTEGER) yield { kind: 3, value: least - step };
  const [short, long] = [bound('minLength'), bound('maxLength')];
  if (long !== undefined && long < mostText) yield { kind: 4, value: 'x'.repeat(long + 1) };
  if (short !== undefined && short > 0 && short < mostText) yield { kind: 4, value: 'x'.repeat(short - 1) };
  const [few, many] = [bound('minItems'), bound('maxItems')];
  const { $defs, definitions } = root as Json;
  const defined = { $defs, definitions };
  if (few !== undefined && few > 0 && few < 100)
    yield { kind: 4, value: generateValue({ ...form, ...defined, minItems: few - 1 }) };
  if (many !== undefined && many < 100)
    yield { kind: 4, value: generateValue({ ...form, ...defined, minItems: many + 1, maxItems: many + 1 }) };
}
