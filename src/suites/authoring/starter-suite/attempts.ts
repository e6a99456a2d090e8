/**
 * Attempts of a starter suite on a server: one valid request for each listed item, one more for each optional argument,
 * and requests that violate an argument's schema in one place. Which tools may be called is decided by
 * src/core/permission, as everywhere; the others are kept with the reason.
 */
import type { Hints } from '../../../core/model/rules/hints.ts';
import { generateValue } from '../../../core/json-schema/generate-value.ts';
import { nearMisses } from '../../../core/json-schema/near-miss.ts';
import { asText, isObject } from '../../../core/model/json.ts';
import { decideTool } from '../../../core/permission/decide.ts';
import { argumentsFor, type Consent } from '../../../client/offers/choose-tools.ts';
import { choosePrompts, chooseResources } from '../../../client/offers/choose-offered.ts';
import type { Listing } from '../../../client/offers/survey.ts';
import type { View } from '../../language/model.ts';
import { variablesIn } from '../../../core/spec/uri-template.ts';

type Json = Record<string, unknown>;

/** The files of a starter suite, without their extension; `lists` holds what lists say, the others what is tried. */
export const starterFiles = ['lists', 'tools', 'prompts', 'resources'] as const;

export type StarterFile = (typeof starterFiles)[number];

export interface Attempt {
  file: Exclude<StarterFile, 'lists'>;
  name: string;
  /** The step of the case, without what is expected. */
  step: Json;
  method: string;
  params: Json;
  view: View;
  /** The tool has an outputSchema. */
  typed?: true;
  /** The arguments are invalid: a refusal is expected. */
  wrong?: true;
  /** The answer holds `{{fixture}}` itself, which a run would fill in. */
  literal?: true;
  /** Why it is not carried out. */
  skip?: string;
}

/** Optional arguments that get a case of their own, of each tool. */
const mostOptional = 4;
/** Near misses of each tool: missing, of another type, outside of the values, out of bounds. */
const mostMisses = 4;
const mostResources = 20;

/**
 * Everything that is tried, in the order in which the server lists it.
 * @param capabilities what the server declares
 */
export function attemptsOf(listing: Listing, capabilities: Json, consent: Consent): Attempt[] {
  const attempts = [
    ...listing.tools.flatMap((tool) => toolAttempts(tool, listing.hints, consent)),
    ...promptAttempts(listing),
    ...('completions' in capabilities ? completionAttempts(listing) : []),
    ...resourceAttempts(listing),
  ];
  const times = new Map<string, number>();
  return attempts.map((attempt) => {
    const count = (times.get(attempt.name) ?? 0) + 1;
    times.set(attempt.name, count);
    return count === 1 ? attempt : { ...attempt, name: `${attempt.name} (${count})` };
  });
}

function toolAttempts(tool: Json, hints: Hints | undefined, { permission, places }: Consent): Attempt[] {
  const { name, inputSchema } = tool;
  if (typeof name !== 'string' || name === '') return [];
  const hinted = hints !== undefined && Object.hasOwn(hints.tools, name) ? hints.tools[name] : undefined;
  const valid = hinted?.arguments ?? argumentsFor(tool, places);
  const { call, why } = decideTool(tool, permission);
  const attempt = (title: string, given: unknown): Attempt => ({
    file: 'tools',
    name: `${name} ${title}`,
    step: { call: name, ...(isObject(given) && Object.keys(given).length === 0 ? {} : { with: given }) },
    method: 'tools/call',
    params: { name, arguments: given },
    view: 'tool',
    ...(isObject(tool['outputSchema']) ? { typed: true } : {}),
    ...(call ? {} : { skip: `${why}; it was not called` }),
  });
  if (!call) return [attempt('answers', valid)];
  return [
    attempt('answers', valid),
    ...optionalArguments(inputSchema, valid, places).map(([argument, value]) =>
      attempt(`takes ${argument}`, { ...valid, [argument]: value }),
    ),
    ...nearMisses(inputSchema, mostMisses, places).map(
      ({ value, what }): Attempt => ({ ...attempt(`refuses arguments: ${what}`, value), wrong: true }),
    ),
  ];
}

/** Arguments that the valid call leaves out, each with a value that its schema allows. */
function optionalArguments(schema: unknown, valid: Json, places: Consent['places']): [string, unknown][] {
  if (!isObject(schema) || !isObject(schema['properties'])) return [];
  const left = Object.keys(schema['properties']).filter((name) => !Object.hasOwn(valid, name));
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  const all = generateValue({ ...schema, type: 'object', required: [...required, ...left] }, '', places);
  return left
    .slice(0, mostOptional)
    .flatMap((name): [string, unknown][] => (isObject(all) && all[name] !== undefined ? [[name, all[name]]] : []));
}

function promptAttempts(listing: Listing): Attempt[] {
  return choosePrompts(listing, 'any', listing.prompts.length).map((params) => {
    const name = asText(params['name']);
    const given = isObject(params['arguments']) ? { with: params['arguments'] } : {};
    return {
      file: 'prompts',
      name: `${name} is given`,
      step: { get: name, ...given },
      method: 'prompts/get',
      params,
      view: 'prompt',
    };
  });
}

/** Completions of the arguments of prompts and of the variables of templates, with nothing typed yet. */
function completionAttempts({ prompts, templates }: Listing): Attempt[] {
  const ofPrompts = prompts.flatMap(({ name, arguments: declared }) =>
    (Array.isArray(declared) ? declared : [])
      .filter(isObject)
      .flatMap((argument) =>
        typeof name === 'string' && typeof argument['name'] === 'string'
          ? [{ owner: { prompt: name }, ref: { type: 'ref/prompt', name }, argument: argument['name'] }]
          : [],
      ),
  );
  const ofTemplates = templates.flatMap(({ uriTemplate }) =>
    typeof uriTemplate !== 'string'
      ? []
      : variablesIn(uriTemplate).map((argument) => ({
          owner: { resource: uriTemplate },
          ref: { type: 'ref/resource', uri: uriTemplate },
          argument,
        })),
  );
  return [...ofPrompts, ...ofTemplates].map(({ owner, ref, argument }) => ({
    file: 'prompts',
    name: `${argument} of ${Object.values(owner)[0]!} is completed`,
    step: { complete: { ...owner, argument, value: '' } },
    method: 'completion/complete',
    params: { ref, argument: { name: argument, value: '' } },
    view: 'json',
  }));
}

function resourceAttempts(listing: Listing): Attempt[] {
  return chooseResources(listing, mostResources).map((params) => {
    const uri = asText(params['uri']);
    return {
      file: 'resources',
      name: `${uri} can be read`,
      step: { read: uri },
      method: 'resources/read',
      params,
      view: 'resource',
    };
  });
}
