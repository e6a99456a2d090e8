/**
 * What the target offers: walks its lists once per run, and chooses prompts and resources to work with. Tools are
 * chosen by choose-tools.ts.
 */
import { suggestedText } from '../json-schema/sample-texts.ts';
import type { Hints, PromptHint } from '../model/rules/hints.ts';
import { append, largest } from '../model/lists.ts';
import { sizeOf } from '../trace/value-size.ts';
import type { Answer, Peer } from './client/peer.ts';
import { filledWith, guessed, guessableTemplates, hintedResources, variablesOf } from './hinted.ts';
import { stopIfInterrupted, targetError } from '../model/errors.ts';
import { asObject, asText, isObject } from '../model/json.ts';

type Json = Record<string, unknown>;

export interface Listing {
  tools: Json[];
  prompts: Json[];
  resources: Json[];
  templates: Json[];
  /** Methods of lists that did not come to an end. */
  cut?: string[];
  /** Lists that were promised and did not come, as sentences; a server without prompts or resources may refuse those. */
  missing?: string[];
  /** What the user told of the target. */
  hints?: Hints;
}

/** What was left out, and what would have it called. */
export interface Skipped {
  what: string;
  why: string;
  allow?: string;
}

export type Choice =
  | 'any'
  | 'no-arguments'
  | 'with-arguments'
  | 'slow'
  | 'reports-progress'
  | 'asks-client'
  | 'logs'
  | 'announces'
  | 'unremarkable'
  | 'with-param-headers'
  | 'fails'
  | 'with-output-schema'
  | 'with-typed-arguments'
  | 'became-task';

/** List methods, the capability that promises them, and where a result holds the items. */
export const listMethods = [
  { method: 'tools/list', capability: 'tools', member: 'tools', into: 'tools' },
  { method: 'prompts/list', capability: 'prompts', member: 'prompts', into: 'prompts' },
  { method: 'resources/list', capability: 'resources', member: 'resources', into: 'resources' },
  { method: 'resources/templates/list', capability: 'resources', member: 'resourceTemplates', into: 'templates' },
] as const;

/** A list that is longer is endless for all that we know. */
const mostPages = 1000;
const mostEntries = 100_000;
/** What the entries may take in memory, in bytes. */
const mostMemory = 16 * 1024 * 1024;

/** What is told of a list of which the rest was not asked for. */
export const endlessPages = `the list had not ended after ${mostPages} pages, ${mostEntries} entries or ${mostMemory / 1024 / 1024} MiB; the rest was not asked for, and rules about pages are not exercised by it`;

export interface WalkOptions {
  /** Pages at most. */
  limit?: number;
  /** Told when the list is longer than what is looked at. */
  cut?: () => void;
  /** Changes to the _meta of each request. */
  meta?: Json;
  /** A cursor that comes again is followed once more, to see whether it leads round in circles. */
  followsRepeated?: boolean;
}

/** Fetches the pages of one list; stops at the last one, at a repeated cursor, at an error or at the limit. */
export async function walkList(peer: Peer, method: string, { limit = mostPages, cut, meta, followsRepeated }: WalkOptions = {}): Promise<Answer[]> {
  const answers: Answer[] = [];
  let entries = 0;
  let memory = 0;
  const seen = new Set<string>();
  let cursor: string | undefined;
  let repeated = false;
  for (let page = 0; page < limit; page += 1) {
    const answer = await peer.request(method, cursor === undefined ? undefined : { cursor }, meta === undefined ? {} : { meta }).answer;
    answers.push(answer);
    const next = answer.kind === 'response' ? (answer.message.result as Json | undefined)?.nextCursor : undefined;
    if (typeof next !== 'string' || !peer.alive) break;
    if (seen.has(next)) {
      if (repeated || followsRepeated !== true) break;
      repeated = true;
    }
    entries += answer.kind === 'response' ? entriesIn(answer.message.result) : 0;
    memory += sizeOf(answer).memory;
    if (page + 1 >= mostPages || entries >= mostEntries || memory >= mostMemory) {
      cut?.();
      break;
    }
    seen.add(next);
    cursor = next;
  }
  return answers;
}

/** Entries of a page, whatever its list is called. */
function entriesIn(result: unknown): number {
  return largest([0, ...Object.values((result ?? {}) as Json).map((value) => (Array.isArray(value) ? value.length : 0))]);
}

/** Walks every list that the server's capabilities promise, or the one that is named. */
export async function surveyTarget(peer: Peer, only?: string): Promise<Listing> {
  const listing: Listing = { tools: [], prompts: [], resources: [], templates: [] };
  for (const { method, capability, member, into } of listMethods) {
    if (only !== undefined && method !== only) continue;
    if (!peer.serverCapabilities || !(capability in peer.serverCapabilities)) continue;
    const miss = (why: string): void => void (listing.missing = [...(listing.missing ?? []), `${method} ${why}`]);
    if (!peer.alive) {
      miss('was not asked for, since the connection was lost');
      continue;
    }
    const cut = (): void => void (listing.cut = [...(listing.cut ?? []), method]);
    for (const answer of await walkList(peer, method, { cut })) {
      const items = answer.kind === 'response' ? (answer.message.result as Json | undefined)?.[member] : undefined;
      if (Array.isArray(items)) append(listing[into], items.filter((item): item is Json => typeof item === 'object' && item !== null));
      else if (answer.kind !== 'response' || method === 'tools/list') miss(whyNoList(answer));
    }
  }
  return listing;
}

/** @throws McpcError target where lists did not come, for those who would take them for all that the server has; interrupted once the signal was given */
export function needLists({ missing }: Listing, signal?: AbortSignal): void {
  stopIfInterrupted(signal);
  if (missing !== undefined) throw targetError(`What the server offers is not known: ${missing.join('; ')}.`, 'Run "mcpc check" on it to see what it answers.');
}

function whyNoList(answer: Answer): string {
  switch (answer.kind) {
    case 'timeout':
      return 'was not answered in time';
    case 'closed':
      return 'was not answered: the connection was lost';
    case 'refused':
      return `was answered with HTTP status ${answer.status} and no response`;
    case 'response':
      return 'error' in answer.message ? `was answered with error ${asText(asObject(answer.message.error)?.code)}` : 'was answered without a list';
  }
}

function nameOf(item: Json): string {
  return typeof item.name === 'string' ? item.name : '';
}

/** A value for an argument of a prompt, of which only the name is known. */
export function promptValue(name: string): string {
  return suggestedText(name) ?? '1';
}

/** Values that the server completed an argument of a prompt or a variable of a template with, by `completedKey`. */
export type Completed = Map<string, string>;

/** @param owner name of the prompt, or the template itself */
function completedKey(owner: unknown, argument: unknown): string {
  return JSON.stringify([owner, argument]);
}

/** Prompts or templates whose arguments are completed, and arguments of each. */
const mostCompleted = 6;
const mostArguments = 3;

/** What a server is asked to complete: a prompt or a template, with the names of its arguments. */
interface Completable {
  owner: string;
  ref: Json;
  names: string[];
}

/**
 * Asks for values of the arguments that prompts require, or of the variables of templates, where the server declares
 * completions: they are better than what could be guessed. Where nothing completes the empty text, the guess is asked about.
 */
export async function completeValues(peer: Peer, listing: Listing, what: 'prompts' | 'templates', into: Completed): Promise<void> {
  if (peer.serverCapabilities?.completions === undefined) return;
  for (const { owner, ref, names } of what === 'prompts' ? completablePrompts(listing) : completableTemplates(listing)) {
    const chosen: [string, string][] = [];
    for (const name of names) {
      if (!peer.alive) return;
      // Arguments that are known already were sent from 2025-06-18 on.
      const context = chosen.length > 0 && (peer.negotiated ?? '') >= '2025-06-18' ? { context: { arguments: Object.fromEntries(chosen) } } : {};
      let value: string | undefined;
      for (const begun of ['', promptValue(name)]) value ??= firstValue(await peer.request('completion/complete', { ref, argument: { name, value: begun }, ...context }).answer);
      if (value === undefined) break;
      chosen.push([name, value]);
      into.set(completedKey(owner, name), value);
    }
  }
}

function completablePrompts(listing: Listing): Completable[] {
  return choosePrompts(listing, 'with-arguments', listing.prompts.length)
    .filter(({ name, arguments: given }) => given !== undefined && promptHint(listing, asText(name))?.arguments === undefined)
    .slice(0, mostCompleted)
    .map(({ name, arguments: given }) => ({ owner: asText(name), ref: { type: 'ref/prompt', name }, names: Object.keys(given as Json).slice(0, mostArguments) }));
}

function completableTemplates(listing: Listing): Completable[] {
  return guessableTemplates(listing.hints, templatesOf(listing))
    .map((template) => ({ owner: template, ref: { type: 'ref/resource', uri: template }, names: variablesOf(template) }))
    .filter(({ names }) => names.length > 0 && names.length <= mostArguments)
    .slice(0, mostCompleted);
}

/** The first text among the values of a completion. */
function firstValue(answer: Answer): string | undefined {
  const completion = answer.kind === 'response' ? asObject(asObject(answer.message.result)?.completion) : undefined;
  const [first] = Array.isArray(completion?.values) ? (completion.values as unknown[]) : [];
  return typeof first === 'string' && first !== '' && first.length <= longestValue ? first : undefined;
}

/** A value that is longer is no argument to try. */
const longestValue = 200;

function promptHint({ hints }: Listing, name: string): PromptHint | undefined {
  return hints !== undefined && Object.hasOwn(hints.prompts, name) ? hints.prompts[name] : undefined;
}

function templatesOf({ templates }: Listing): string[] {
  return templates.map(({ uriTemplate }) => uriTemplate).filter((one) => typeof one === 'string');
}

/** Prompts, at most so many, each with a value for every argument that it requires. */
export function choosePrompts(listing: Listing, choice: Choice, most: number, completed?: Completed): Json[] {
  const withArguments = (prompt: Json): boolean => Array.isArray(prompt.arguments) && prompt.arguments.length > 0;
  const hintOf = (prompt: Json): PromptHint | undefined => promptHint(listing, nameOf(prompt));
  const valueFor = (prompt: Json, name: string): string => completed?.get(completedKey(prompt.name, name)) ?? promptValue(name);
  const found = listing.prompts.filter((prompt) => nameOf(prompt) !== '' && hintOf(prompt)?.call !== 'never' && (choice === 'with-arguments' ? withArguments(prompt) : choice === 'no-arguments' ? !withArguments(prompt) : true));
  return found.slice(0, most).map((prompt) => {
    const given = hintOf(prompt)?.arguments;
    if (given !== undefined) return { name: prompt.name, arguments: given };
    const required = (Array.isArray(prompt.arguments) ? prompt.arguments : []).filter(isObject).filter((one) => one.required === true);
    return { name: prompt.name, ...(required.length > 0 ? { arguments: Object.fromEntries(required.map((one) => [asText(one.name), valueFor(prompt, asText(one.name))])) } : {}) };
  });
}

export function chooseResources(listing: Listing, most: number): Json[] {
  const listed = listing.resources.map(({ uri }) => uri).filter((uri) => typeof uri === 'string');
  return hintedResources(listing.hints, listed).slice(0, most).map((uri) => ({ uri }));
}

/**
 * Resources behind templates. Values that the server completed lead to one; by others the address may lead to none.
 * @param guess whether the latter are wanted as well
 */
export function templateResources(listing: Listing, most: number, completed: Completed, guess: boolean): Json[] {
  const templates = guessableTemplates(listing.hints, templatesOf(listing));
  const known = (template: string) => (name: string): string | undefined => completed.get(completedKey(template, name));
  const filled = templates.flatMap((template) => filledWith(template, known(template)) ?? (guess ? (filledWith(template, (name) => known(template)(name) ?? guessed) ?? []) : []));
  return filled.filter((uri) => listing.hints?.resources.never.includes(uri) !== true).slice(0, most).map((uri) => ({ uri }));
}
