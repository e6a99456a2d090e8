/**
 * Effect of hints: which tools, prompts and resources are used and how, and further requests to the target in addition
 * to the stimuli of rules. Pure; sends nothing.
 */
import type { Hints, ToolHint } from '../../core/model/rules/hints.ts';
import type { Step } from '../../core/model/rules/rule.ts';
import { suggestion } from '../../core/model/suggestion.ts';
import { asText } from '../../core/model/json.ts';

type Json = Record<string, unknown>;

/** The lists of a target, as far as hints name things of them. */
interface Lists {
  tools: Json[];
  prompts: Json[];
  resources: Json[];
  templates: Json[];
}

export function toolHint(hints: Hints | undefined, name: string): ToolHint | undefined {
  return hints !== undefined && Object.hasOwn(hints.tools, name) ? hints.tools[name] : undefined;
}

/** True if a hint says that a tool has a trait, false if it has not; undefined without a hint. */
export function hintedTrait(hint: ToolHint | undefined, choice: string): boolean | undefined {
  switch (choice) {
    case 'slow':
      return hint?.slow;
    case 'reports-progress':
      return hint?.progress;
    case 'logs':
      return hint?.logs;
    case 'fails':
      return hint?.fails;
    case 'asks-client':
      return hint?.asks === undefined ? undefined : hint.asks.length > 0;
    case 'announces':
      if (hint?.changesResource !== undefined) return true;
      return hint?.changesLists === undefined ? undefined : hint.changesLists.length > 0;
    default:
      return undefined;
  }
}

/**
 * The accepted content for a form in the hints: that of the tool, else that for the key.
 * @param key under which a result of the method asked for input
 */
export function hintedAnswer(hints: Hints | undefined, method: string, { name }: Json, key: string): Json | undefined {
  const ofTool = method === 'tools/call' && typeof name === 'string' ? toolHint(hints, name)?.answers : undefined;
  for (const answers of [ofTool, hints?.answers])
    if (answers !== undefined && Object.hasOwn(answers, key)) return answers[key];
  return undefined;
}

/** Every text in answers of the hints, which may be private. */
export function textsOfAnswers(hints: Hints | undefined): string[] {
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === 'string') found.push(value);
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) walk(one);
  };
  walk(hints?.answers);
  for (const { answers } of Object.values(hints?.tools ?? {})) walk(answers);
  return found;
}

/** Resources to read, those of the hints and of hinted templates before the listed ones. */
export function hintedResources(hints: Hints | undefined, listed: readonly string[]): string[] {
  if (hints === undefined) return [...listed];
  const filled = Object.entries(hints.templates).flatMap(
    ([template, values]) => filledTemplate(template, values) ?? [],
  );
  return [...new Set([...hints.resources.read, ...filled, ...listed])].filter(
    (uri) => !hints.resources.never.includes(uri),
  );
}

/** The address that a template makes of the values; undefined when it needs others, or has more than plain variables. */
export function filledTemplate(template: string, values: Readonly<Record<string, string>>): string | undefined {
  let whole = true;
  const filled = template.replace(/\{([^{}]*)\}/g, (_all, inside: string) => {
    const [, operator = '', name = ''] = /^([+#]?)([A-Za-z0-9_.%]+)$/.exec(inside) ?? [];
    if (!Object.hasOwn(values, name)) whole = false;
    const value = values[name] ?? '';
    if (operator === '') return encodeURIComponent(value);
    return `${operator === '#' ? '#' : ''}${encodeURI(value)}`;
  });
  return whole ? filled : undefined;
}

/** Replacement for each variable of a template without values: many resources can be counted from it. */
export const guessed = '1';

/**
 * Templates without hints whose address is neither one of the web nor of the files of a machine: there mcpc must not
 * guess.
 */
export function guessableTemplates(hints: Hints | undefined, templates: readonly string[]): string[] {
  return templates.filter((template) => isOwnScheme(template) && !Object.hasOwn(hints?.templates ?? {}, template));
}

/** The names of the plain variables of a template. */
export function variablesOf(template: string): string[] {
  return [...template.matchAll(/\{[+#]?([A-Za-z0-9_.%]+)\}/g)].map(([, name = '']) => name);
}

/** The address that a template makes of the values; undefined where it has no variables, or one without a value. */
export function filledWith(template: string, valueOf: (name: string) => string | undefined): string | undefined {
  const values = variablesOf(template).flatMap((name) => {
    const value = valueOf(name);
    return value === undefined ? [] : [[name, value]];
  });
  return values.length === 0
    ? undefined
    : filledTemplate(template, Object.fromEntries(values) as Record<string, string>);
}

/** An address of a scheme that is neither that of the web nor that of files, and whose scheme is no variable. */
function isOwnScheme(template: string): boolean {
  const [scheme = '', rest] = template.split(':', 2);
  return (
    rest !== undefined &&
    !scheme.includes('{') &&
    !['http', 'https', 'ws', 'wss', 'ftp', 'file'].includes(scheme.toLowerCase())
  );
}

/** Further requests that hints suggest, independent of rules; undefined without such hints. */
export function hintedSteps(hints: Hints): Step[] | undefined {
  const completions: Step[] = hints.completions.map(({ prompt, template, argument, value }) => ({
    request: 'completion/complete',
    params: {
      ref: prompt === undefined ? { type: 'ref/resource', uri: template } : { type: 'ref/prompt', name: prompt },
      argument: { name: argument, value },
    },
  }));
  const changed = Object.values(hints.tools).flatMap(({ changesResource }) => changesResource ?? []);
  const called = Object.values(hints.tools).filter(
    (hint) => hint.arguments !== undefined && hint.call !== 'never',
  ).length;
  const steps: Step[] = [
    ...(called > 0 ? [{ ifDeclared: 'tools', then: [{ callTool: 'any', each: Math.min(50, called) }] }] : []),
    ...(completions.length > 0 ? [{ ifDeclared: 'completions', then: completions }] : []),
    ...(changed.length > 0
      ? [
          {
            ifDeclared: 'resources.subscribe',
            then: changed.map((uri) => ({ request: 'resources/subscribe', params: { uri } })),
          },
        ]
      : []),
    ...(changed.length > 0 ? [{ ifDeclared: 'tools', then: [{ callTool: 'announces', each: 4 }, 'sentinel'] }] : []),
    ...(hintedResources(hints, []).length > 0
      ? [
          {
            ifDeclared: 'resources',
            then: [{ readResource: 'any', each: Math.min(50, hintedResources(hints, []).length + 1) }],
          },
        ]
      : []),
  ] as Step[];
  return steps.length === 0 ? undefined : ['survey', ...steps];
}

/** One sentence for each hint about something that the target does not list, with the name that was perhaps meant. */
export function unknownHintNames(hints: Hints, listing: Lists): string[] {
  const names = (items: readonly Json[], key: string): string[] =>
    items.map((item) => item[key]).filter((name) => typeof name === 'string');
  const known = {
    tool: names(listing.tools, 'name'),
    prompt: names(listing.prompts, 'name'),
    template: names(listing.templates, 'uriTemplate'),
    resource: names(listing.resources, 'uri'),
  };
  const stray = (kind: keyof typeof known, named: readonly string[]): string[] =>
    [...new Set(named)]
      .filter((name) => !known[kind].includes(name))
      .map((name) => `${hints.file}: the server lists no ${kind} "${name}".${suggestion(name, known[kind])}`);
  const completed = {
    prompt: hints.completions.flatMap(({ prompt }) => prompt ?? []),
    template: hints.completions.flatMap(({ template }) => template ?? []),
  };
  const argumentsOf = Object.entries(hints.tools).flatMap(([name, { arguments: given }]) =>
    strayArguments(
      hints.file,
      listing.tools.find((tool) => tool.name === name),
      given,
    ),
  );
  return [
    ...stray('tool', Object.keys(hints.tools)),
    ...argumentsOf,
    ...stray('prompt', [...Object.keys(hints.prompts), ...completed.prompt]),
    ...stray('template', [...Object.keys(hints.templates), ...completed.template]),
    ...stray('resource', hints.resources.never),
    ...Object.entries(hints.templates).flatMap(([template, values]) =>
      filledTemplate(template, values) === undefined
        ? [
            `${hints.file}: the template "${template}" cannot be filled in with ${Object.keys(values).join(', ') || 'nothing'}.`,
          ]
        : [],
    ),
  ];
}

function strayArguments(file: string, tool: Json | undefined, given: Json | undefined): string[] {
  const schema = (tool?.inputSchema ?? {}) as Json;
  const known =
    typeof schema.properties === 'object' && schema.properties !== null ? Object.keys(schema.properties) : [];
  // A schema without a list of properties takes anything.
  if (tool === undefined || known.length === 0) return [];
  return Object.keys(given ?? {})
    .filter((name) => !known.includes(name))
    .map((name) => `${file}: the tool "${asText(tool.name)}" has no argument "${name}".${suggestion(name, known)}`);
}
