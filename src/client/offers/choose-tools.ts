/**
 * Which tools a step calls, and with which arguments. src/core/permission decides if a tool may be called at all; this
 * chooses among the permitted ones.
 */
import type { Hints, ToolHint } from '../../core/model/rules/hints.ts';
import { decideTool, type Permission } from '../../core/permission/decide.ts';
import { otherArguments } from '../../core/permission/other-values.ts';
import { generateValue } from '../../core/json-schema/generate-value.ts';
import { hasHeaderParameters } from '../../core/json-schema/header-parameters.ts';
import { nearMisses } from '../../core/json-schema/near-miss.ts';
import { fitOf, isMisfit } from '../../core/json-schema/schema-fit.ts';
import { usualPlaces, type Places } from '../../core/json-schema/places.ts';
import { hintedTrait, toolHint } from './hinted.ts';
import type { Choice, Listing, Skipped } from './survey.ts';
import { briefTime, reportedTimes, workMs } from './told-time.ts';
import { swapCase, typedProperties, wrongTypes } from './wrong-arguments.ts';
import { asText } from '../../core/model/json.ts';

type Json = Record<string, unknown>;

const traits: Partial<Record<Choice, RegExp>> = {
  slow: /slow|(?<![a-z])long|delay|sleep|wait/i,
  'reports-progress': /progress|slow|long-?running|long_running/i,
  'asks-client':
    /(?<![a-z])elicit|sampling|sample[-_ ]?(?:llm|model|message|client)|create[-_ ]?message|(?<![a-z])roots(?![a-z])|(?:^|[-_ ])ask[-_ ]|asks? (?:the |your )?(?:user|client|model|human)/i,
  logs: /(?<![a-z])logs?(?![a-z])|logging/i,
  announces: /list.?changed|notif|subscri|announce/i,
  fails: /fail|error|throw/i,
};

/** The user's consent, the places of paths, and whether a user waits for the whole check. */
export interface Consent {
  quick?: boolean;
  /** Tools that were asked to work for less than a second, and whether they did. */
  brief?: ReadonlyMap<string, boolean>;
  permission: Permission;
  places: Places;
}

export interface ToolChoice {
  name: string;
  arguments: Json;
}

interface ToolWish {
  choice: Choice;
  /** Maximum number. */
  most: number;
  /**
   * Values of execution.taskSupport (none counts as forbidden), the preferred ones first; left out: all but required.
   */
  taskSupport?: readonly string[];
  /** Requested duration of a tool, if it can be requested. */
  ms?(name: string): number | undefined;
}

/** The params of the calls that a step `callTool` makes of a target with these lists, in order. */
export function callsOf(step: Json, listing: Listing, consent: Consent): Json[] {
  const wish: ToolWish = {
    choice: step.callTool as Choice,
    most: Number(step.each ?? 1),
    ...(Array.isArray(step.taskSupport) ? { taskSupport: step.taskSupport as string[] } : {}),
    ms: timeFor(step, consent),
  };
  return chooseTools(listing, wish, consent).flatMap((tool): Json[] => {
    const name = step.swapCase === true ? swapCase(tool.name) : tool.name;
    if (name === undefined || (name !== tool.name && listing.tools.some((one) => one.name === name))) return [];
    const listed = listing.tools.find((one) => one.name === tool.name);
    if (typeof step.nearMisses === 'number')
      return nearMisses(listed?.inputSchema, step.nearMisses, consent.places).map(({ value }) => ({
        name,
        arguments: value,
      }));
    const task = 'task' in step ? { task: step.task } : {};
    if (typeof step.otherValues === 'number')
      return otherCalls(listing, listed, tool, step.otherValues).map((value) => ({ name, arguments: value, ...task }));
    const given = step.wrongTypes === true ? wrongTypes(listed?.inputSchema, tool.arguments) : tool.arguments;
    const sent = 'arguments' in step ? step.arguments : given;
    return [{ ...tool, name, arguments: sent, ...task }];
  });
}

/** Requested durations of the tools that a step calls, by their names; undefined: a second. */
function timeFor(step: Json, { quick, brief }: Consent): (name: string) => number | undefined {
  const ms = isWaitedFor(step) ? briefTime(quick) : undefined;
  return (name) => {
    const known = brief?.get(name);
    if (known === false) return undefined;
    // A call that has to take a while is no trial of what the tool understands.
    return ms ?? (known === true ? workMs : undefined);
  };
}

/** True if nothing else happens during the call: a call to cancel, listen to or poll must take a while. */
export function isWaitedFor({ callTool, wait, task, meta, rounds }: Json): boolean {
  return (
    wait !== false &&
    task === undefined &&
    meta === undefined &&
    rounds === undefined &&
    callTool !== 'slow' &&
    callTool !== 'became-task'
  );
}

/** Arguments that fit as well, with another value for a switch or choice among them; none where the user said which to take. */
function otherCalls(
  { hints }: Listing,
  listed: Json | undefined,
  { name, arguments: given }: ToolChoice,
  most: number,
): Json[] {
  if (toolHint(hints, name)?.arguments !== undefined) return [];
  return otherArguments(listed?.inputSchema, given, most).filter((one) => !isMisfit(fitOf(listed?.inputSchema, one)));
}

/** The tools that fit best, with arguments made from their schemas. */
export function chooseTools(listing: Listing, wish: ToolWish, { permission, places }: Consent): ToolChoice[] {
  const { choice, most, ms } = wish;
  const hintOf = (tool: Json): ToolHint | undefined => toolHint(listing.hints, nameOf(tool));
  const supports = wish.taskSupport ?? ['forbidden', 'optional'];
  const wanted = (tool: Json): number => (wish.taskSupport ? supports.indexOf(supportOf(tool)) : 0);
  const callable = listing.tools.filter(
    (tool) => nameOf(tool) !== '' && supports.includes(supportOf(tool)) && decideTool(tool, permission).call,
  );
  // A name says more than a description, which may mention things only to deny them.
  const named = (tool: Json): number => (traits[choice]?.test(nameOf(tool)) === false ? 1 : 0);
  // The user's settings take precedence over guesses.
  const hinted = (tool: Json): boolean | undefined => hintedTrait(hintOf(tool), choice);
  const vouched = (tool: Json): boolean => traits[choice] === undefined && hintOf(tool)?.arguments !== undefined;
  const trusted = (tool: Json): number => (hinted(tool) === true || vouched(tool) ? 0 : 1);
  const found = callable
    .filter((tool) => isOf(tool, choice, hintOf(tool)))
    .sort((a, b) => trusted(a) - trusted(b) || wanted(a) - wanted(b) || named(a) - named(b) || rank(a) - rank(b));
  return found.slice(0, most).map((tool) => ({
    name: nameOf(tool),
    arguments: hintOf(tool)?.arguments ?? argumentsFor(tool, places, ms?.(nameOf(tool))),
  }));
}

/** True if a tool is of the kind, by the hints or by its name. */
function isOf(tool: Json, choice: Choice, hint: ToolHint | undefined): boolean {
  // Tools without a sign that they announce changes, take long or send requests to the client.
  if (choice === 'unremarkable')
    return (['announces', 'slow', 'asks-client'] as const).every((other) => !isOf(tool, other, hint));
  return hintedTrait(hint, choice) ?? fits(tool, choice);
}

function supportOf(tool: Json): string {
  return asText((tool.execution as Json | undefined)?.taskSupport ?? 'forbidden');
}

function fits(tool: Json, choice: Choice): boolean {
  // Tools with a task on a connection: the step leaves no others in the listing.
  if (choice === 'any' || choice === 'became-task') return true;
  if (choice === 'no-arguments') return requiredOf(tool).length === 0;
  if (choice === 'with-arguments') return requiredOf(tool).length > 0;
  if (choice === 'with-output-schema') return typeof tool.outputSchema === 'object';
  if (choice === 'with-param-headers') return hasHeaderParameters(tool.inputSchema);
  if (choice === 'with-typed-arguments') return typedProperties(tool.inputSchema).length > 0;
  // A tool that must run as a task takes time, whatever its name.
  if (choice === 'slow' && supportOf(tool) === 'required') return true;
  const pattern = traits[choice]!;
  return (
    pattern.test(nameOf(tool)) ||
    (typeof tool.description === 'string' && choice !== 'fails' && pattern.test(tool.description.slice(0, 300)))
  );
}

/** Plain tools first: read-only, few arguments, names that promise no work. */
function rank(tool: Json): number {
  const hints = (tool.annotations ?? {}) as Json;
  const plain = /echo|ping|hello|add|sum|get|list|read/i.test(nameOf(tool)) ? 0 : 4;
  return (
    (hints.readOnlyHint === true ? 0 : 2) + plain + requiredOf(tool).length + (hints.openWorldHint === true ? 3 : 0)
  );
}

/**
 * Arguments made from the schema of a tool, the harmless ones if there is a choice.
 * @param ms requested duration, if it can be requested; absent: a second
 */
export function argumentsFor(tool: Json, places: Places = usualPlaces, ms?: number): Json {
  const schema = (tool.inputSchema ?? {}) as Json;
  const made = generateValue({ type: 'object', ...schema }, '', places);
  const values = (typeof made === 'object' && made !== null ? made : {}) as Json;
  // Tools that take their time take little of ours.
  return { ...values, ...reportedTimes(schema, ms) };
}

/** A slow tool that may be called, with the resource that shows its work by the hints. */
export function toolSeenAtWork(listing: Listing, consent: Consent): { tool: ToolChoice; uri: string } | undefined {
  const seenIn = (name: unknown): string | undefined => {
    const uri = toolHint(listing.hints, asText(name))?.seenIn;
    return uri === undefined || listing.hints?.resources.never.includes(uri) ? undefined : uri;
  };
  const [tool] = chooseTools(
    { ...listing, tools: listing.tools.filter(({ name }) => seenIn(name) !== undefined) },
    { choice: 'slow', most: 1 },
    consent,
  );
  const uri = seenIn(tool?.name);
  return tool === undefined || uri === undefined ? undefined : { tool, uri };
}

/** Kind of a tool by its name and description. */
export function traitsOf(tool: Json): ReadonlySet<Choice> {
  return new Set((Object.keys(traits) as Choice[]).filter((choice) => fits(tool, choice)));
}

/** Consent of the user as far as flags and hints give it. */
export function permissionOf({
  allowDestructive = false,
  allowTools,
  denyTools,
  hints,
}: {
  allowDestructive?: boolean;
  allowTools?: readonly string[];
  denyTools?: readonly string[];
  hints?: Hints;
}): Permission {
  return {
    allowDestructive,
    allowTools: allowTools ?? [],
    denyTools: denyTools ?? [],
    ...(hints === undefined ? {} : { hints: hints.tools }),
  };
}

function nameOf(item: Json): string {
  return typeof item.name === 'string' ? item.name : '';
}

function requiredOf(tool: Json): unknown[] {
  const required = (tool.inputSchema as Json | undefined)?.required;
  return Array.isArray(required) ? required : [];
}

/** Tools that are named in a report; a server may list any number. */
const mostNamed = 500;

/** The tools that may not be called, with the reason and what would have them called. */
export function leftOut(tools: readonly Record<string, unknown>[], permission: Permission): Skipped[] {
  const out = tools.flatMap((tool): Skipped[] => {
    const { call, why, remedy } = decideTool(tool, permission);
    return call ? [] : [{ what: `tool ${asText(tool.name)}`, why, allow: remedy }];
  });
  return out.length <= mostNamed
    ? out
    : [
        ...out.slice(0, mostNamed),
        { what: `${out.length - mostNamed} more tools`, why: 'they are left out for reasons like these' },
      ];
}
