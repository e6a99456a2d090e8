/**
 * What the target offers: walks its lists once per run, and chooses tools, prompts and resources to work with.
 * Tools that may do damage are left alone unless the user allows them.
 */
import { generateValue } from '../json-schema/generate-value.ts';
import { suggestedText } from '../json-schema/sample-texts.ts';
import type { Hints, PromptHint, ToolHint } from '../model/hints.ts';
import { append } from '../model/lists.ts';
import type { Answer, Peer } from './client/peer.ts';
import { hintedResources, hintedTrait, sparedByHint, toolHint } from './hinted.ts';
import { typedProperties } from './steps/wrong-arguments.ts';

type Json = Record<string, unknown>;

export interface Listing {
  tools: Json[];
  prompts: Json[];
  resources: Json[];
  templates: Json[];
  /** What the user told of the target. */
  hints?: Hints;
}

export interface Skipped {
  what: string;
  why: string;
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
  | 'fails'
  | 'with-output-schema'
  | 'with-typed-arguments';

/** List methods, the capability that promises them, and where a result holds the items. */
export const listMethods = [
  { method: 'tools/list', capability: 'tools', member: 'tools', into: 'tools' },
  { method: 'prompts/list', capability: 'prompts', member: 'prompts', into: 'prompts' },
  { method: 'resources/list', capability: 'resources', member: 'resources', into: 'resources' },
  { method: 'resources/templates/list', capability: 'resources', member: 'resourceTemplates', into: 'templates' },
] as const;

const mostPages = 100;

/** Fetches the pages of one list; stops at the last one, at a repeated cursor, at an error or at the limit. */
export async function walkList(peer: Peer, method: string, limit = mostPages): Promise<Answer[]> {
  const answers: Answer[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < limit; page += 1) {
    const answer = await peer.request(method, cursor === undefined ? undefined : { cursor }).answer;
    answers.push(answer);
    const next = answer.kind === 'response' ? (answer.message.result as Json | undefined)?.nextCursor : undefined;
    // A cursor that comes again leads round in circles; the trace already shows that.
    if (typeof next !== 'string' || !peer.alive) break;
    if (seen.has(next)) break;
    seen.add(next);
    cursor = next;
  }
  return answers;
}

/** Walks every list that the server's capabilities promise. */
export async function surveyTarget(peer: Peer): Promise<Listing> {
  const listing: Listing = { tools: [], prompts: [], resources: [], templates: [] };
  for (const { method, capability, member, into } of listMethods) {
    if (!peer.serverCapabilities || !(capability in peer.serverCapabilities) || !peer.alive) continue;
    for (const answer of await walkList(peer, method)) {
      const items = answer.kind === 'response' ? (answer.message.result as Json | undefined)?.[member] : undefined;
      if (Array.isArray(items)) append(listing[into], items.filter((item): item is Json => typeof item === 'object' && item !== null));
    }
  }
  return listing;
}

const damaging = /delet|remov|drop|destroy|kill|shutdown|restart|reset|purge|wipe|write|move|rename|exec|shell|command|run[_-]|send|post|publish|deploy|install|pay|transfer|toggle|simulat/i;
const traits: Partial<Record<Choice, RegExp>> = {
  slow: /slow|(?<![a-z])long|delay|sleep|wait/i,
  'reports-progress': /progress|slow|long-?running|long_running/i,
  'asks-client':
    /(?<![a-z])elicit|sampling|sample[-_ ]?(?:llm|model|message|client)|create[-_ ]?message|(?<![a-z])roots(?![a-z])|(?:^|[-_ ])ask[-_ ]|asks? (?:the |your )?(?:user|client|model|human)/i,
  logs: /(?<![a-z])logs?(?![a-z])|logging/i,
  announces: /list.?changed|notif|subscri|announce/i,
  fails: /fail|error|throw/i,
};

function nameOf(item: Json): string {
  return typeof item.name === 'string' ? item.name : '';
}

function requiredOf(tool: Json): unknown[] {
  const required = (tool.inputSchema as Json | undefined)?.required;
  return Array.isArray(required) ? required : [];
}

/** Why a tool is not called without the user's consent; undefined when it may be. */
export function reasonToSpare(tool: Json): string | undefined {
  const hints = (tool.annotations ?? {}) as Json;
  if (hints.readOnlyHint === true) return undefined;
  if (hints.destructiveHint === true) return 'its annotations say that it is destructive';
  if (hints.destructiveHint === false) return undefined;
  return damaging.test(nameOf(tool)) ? 'its name sounds as if it changed something, and no annotation says otherwise' : undefined;
}

export interface ToolChoice {
  name: string;
  arguments: Json;
}

export interface ToolWish {
  choice: Choice;
  /** How many at most; beyond the first only those whose annotations or name tell that they do no harm. */
  most: number;
  /** Values of execution.taskSupport (none counts as forbidden), those that are wanted most first; left out: all but required. */
  taskSupport?: readonly string[];
}

/** The tools that fit best, with arguments made from their schemas. */
export function chooseTools(listing: Listing, wish: ToolWish, allowDestructive: boolean, skip: (skipped: Skipped) => void): ToolChoice[] {
  const { choice, most } = wish;
  const hintOf = (tool: Json): ToolHint | undefined => toolHint(listing.hints, nameOf(tool));
  const supports = wish.taskSupport ?? ['forbidden', 'optional'];
  const supportOf = (tool: Json): string => String((tool.execution as Json | undefined)?.taskSupport ?? 'forbidden');
  const wanted = (tool: Json): number => (wish.taskSupport ? supports.indexOf(supportOf(tool)) : 0);
  const callable = listing.tools.filter((tool) => {
    if (nameOf(tool) === '') return false;
    if (!supports.includes(supportOf(tool))) return false;
    const told = hintOf(tool)?.call;
    const why = told === 'never' ? sparedByHint : allowDestructive || told === 'allowed' ? undefined : reasonToSpare(tool);
    if (why !== undefined) skip({ what: `tool ${nameOf(tool)}`, why });
    return why === undefined;
  });
  // A name says more than a description, which may mention things only to deny them.
  const named = (tool: Json): number => (traits[choice]?.test(nameOf(tool)) === false ? 1 : 0);
  // What the user says goes before what can be guessed.
  const hinted = (tool: Json): boolean | undefined => hintedTrait(hintOf(tool), choice);
  const vouched = (tool: Json): boolean => traits[choice] === undefined && hintOf(tool)?.arguments !== undefined;
  const trusted = (tool: Json): number => (hinted(tool) === true || vouched(tool) ? 0 : 1);
  const found = callable.filter((tool) => hinted(tool) ?? fits(tool, choice)).sort((a, b) => trusted(a) - trusted(b) || wanted(a) - wanted(b) || named(a) - named(b) || rank(a) - rank(b));
  const harmless = (tool: Json): boolean => allowDestructive || hinted(tool) === true || hintOf(tool)?.call === 'allowed' || isHarmless(tool, choice);
  const chosen = most === 1 ? found.slice(0, 1) : found.filter(harmless).slice(0, most);
  return chosen.map((tool) => ({ name: nameOf(tool), arguments: hintOf(tool)?.arguments ?? argumentsFor(tool) }));
}

const telling = /^(get|list|read|show|search|find|describe|echo|ping|view|about|count|lookup)([^a-z]|$)/i;
const confidential = /env|secret|token|credential|password|passwd/i;

/** Names of tools that are there to show how a client is asked. */
const asking = /(?<![a-z])(?:elicit|sampling|ask[-_ ]?(?:user|model|llm|client|human))|sample[-_ ]?(?:llm|model)/i;
/** What such tools change may be wanted, as long as they say that they destroy nothing. */
const mayAdd = new Set<Choice>(['announces', 'asks-client']);

/** Whether a tool may be called for no other reason than to see what it does. */
function isHarmless(tool: Json, choice: Choice): boolean {
  const hints = (tool.annotations ?? {}) as Json;
  if (confidential.test(nameOf(tool))) return false;
  if (hints.readOnlyHint === true || (mayAdd.has(choice) && hints.destructiveHint === false)) return true;
  return hints.readOnlyHint === undefined && (telling.test(nameOf(tool)) || (choice === 'asks-client' && asking.test(nameOf(tool))));
}

function fits(tool: Json, choice: Choice): boolean {
  if (choice === 'any') return true;
  if (choice === 'no-arguments') return requiredOf(tool).length === 0;
  if (choice === 'with-arguments') return requiredOf(tool).length > 0;
  if (choice === 'with-output-schema') return typeof tool.outputSchema === 'object';
  if (choice === 'with-typed-arguments') return typedProperties(tool.inputSchema).length > 0;
  const pattern = traits[choice]!;
  return pattern.test(nameOf(tool)) || (typeof tool.description === 'string' && choice !== 'fails' && pattern.test(tool.description.slice(0, 300)));
}

/** Plain tools first: read-only, few arguments, names that promise no work. */
function rank(tool: Json): number {
  const hints = (tool.annotations ?? {}) as Json;
  const plain = /echo|ping|hello|add|sum|get|list|read/i.test(nameOf(tool)) ? 0 : 4;
  return (hints.readOnlyHint === true ? 0 : 2) + plain + requiredOf(tool).length + (hints.openWorldHint === true ? 3 : 0);
}

/** A number of steps, within what the schema allows. */
function atMost(value: number, { maximum }: Json): number {
  return typeof maximum === 'number' ? Math.min(value, maximum) : value;
}

/** Arguments made from the schema of a tool. */
export function argumentsFor(tool: Json): Json {
  const schema = (tool.inputSchema ?? {}) as Json;
  const made = generateValue({ type: 'object', ...schema });
  const values = (typeof made === 'object' && made !== null ? made : {}) as Json;
  // Tools that take their time take little of ours.
  for (const [name, property] of Object.entries((schema.properties ?? {}) as Json)) {
    const type = (property as Json | null)?.type;
    if (type !== 'number' && type !== 'integer') continue;
    if (/^(ms|.*millis.*|.*Ms)$/.test(name)) values[name] = 800;
    else if (/duration|seconds|delay|timeout|wait/i.test(name)) values[name] = 1;
    // Small steps: a call that is cancelled at the first one has most of its work before it.
    else if (/steps|iterations/i.test(name)) values[name] = atMost(10, property as Json);
    else if (/count/i.test(name)) values[name] = atMost(3, property as Json);
  }
  return values;
}

/** A value for an argument of a prompt, of which only the name is known. */
export function promptValue(name: string): string {
  return suggestedText(name) ?? '1';
}

/** Prompts, at most so many, each with a value for every argument that it requires. */
export function choosePrompts(listing: Listing, choice: Choice, most: number): Json[] {
  const withArguments = (prompt: Json): boolean => Array.isArray(prompt.arguments) && prompt.arguments.length > 0;
  const { hints } = listing;
  const hintOf = (prompt: Json): PromptHint | undefined => (hints !== undefined && Object.hasOwn(hints.prompts, nameOf(prompt)) ? hints.prompts[nameOf(prompt)] : undefined);
  const found = listing.prompts.filter((prompt) => nameOf(prompt) !== '' && hintOf(prompt)?.call !== 'never' && (choice === 'with-arguments' ? withArguments(prompt) : choice === 'no-arguments' ? !withArguments(prompt) : true));
  return found.slice(0, most).map((prompt) => {
    const given = hintOf(prompt)?.arguments;
    if (given !== undefined) return { name: prompt.name, arguments: given };
    const required = ((prompt.arguments ?? []) as Json[]).filter((one) => one?.required === true);
    return { name: prompt.name, ...(required.length > 0 ? { arguments: Object.fromEntries(required.map((one) => [String(one.name), promptValue(String(one.name))])) } : {}) };
  });
}

export function chooseResources(listing: Listing, most: number): Json[] {
  const listed = listing.resources.map(({ uri }) => uri).filter((uri) => typeof uri === 'string');
  return hintedResources(listing.hints, listed).slice(0, most).map((uri) => ({ uri }));
}

/** What a tool is taken for by its name and description. */
export function traitsOf(tool: Json): ReadonlySet<Choice> {
  return new Set((Object.keys(traits) as Choice[]).filter((choice) => fits(tool, choice)));
}
