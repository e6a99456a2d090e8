/**
 * Initial hints: connects to a target, reads its lists, and writes as commented YAML what a check would use and how,
 * with TODO for anything unknown. It calls no tool.
 */
import { Document, isMap, isScalar, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import type { CheckOptions } from '../check-options.ts';
import { withTarget } from '../with-target.ts';
import { headerParameters } from '../../core/json-schema/header-parameters.ts';
import { suggestedText } from '../../core/json-schema/sample-texts.ts';
import { decideTool, noPermission } from '../../core/permission/decide.ts';
import { argumentsFor, traitsOf } from '../../client/offers/choose-tools.ts';
import { promptValue } from '../../client/offers/choose-offered.ts';
import { needLists, surveyTarget, type Listing } from '../../client/offers/survey.ts';
import { variablesIn } from '../../core/spec/uri-template.ts';
import { commentText } from './listed-text.ts';
import { asText, withTexts } from '../../core/model/json.ts';

type Json = Record<string, unknown>;

export type StarterOptions = Pick<
  CheckOptions,
  'target' | 'name' | 'serve' | 'fallback' | 'secrets' | 'spec' | 'timing' | 'toolVersion' | 'signal' | 'onStderr'
>;

export interface StarterHints {
  yaml: string;
  /** Number of places marked as TODO. */
  open: number;
}

/** @throws McpcError target when it cannot be reached or does not speak MCP */
export async function writeStarterHints(options: StarterOptions): Promise<StarterHints> {
  return withTarget(options, async ({ peer, revision, target }, redactor) => {
    const listing = await surveyTarget(peer);
    needLists(listing, options.signal);
    // Names of lists and schemas may hold secrets as any text of a server may.
    return starterHints(
      withTexts(listing, (text) => redactor.text(text)) as Listing,
      redactor.text(options.name),
      `${revision} over ${target.kind}`,
    );
  });
}

/** The same from lists that are known already. */
export function starterHints(listing: Listing, name: string, spoken: string): StarterHints {
  const document = new Document(new YAMLMap());
  document.commentBefore = [
    ` Hints about ${commentText(name)}, which speaks ${commentText(spoken)}.`,
    ' Each line is what mcpc would do anyway; change what is wrong, fill in what says TODO, delete the rest.',
    ' docs/hints.md describes every member. Use it with: mcpc check --hints hints.yaml …',
  ].join('\n');
  const open = { count: 0 };
  const sections: [string, YAMLMap][] = [
    ['tools', toolSection(listing.tools, open)],
    ['prompts', promptSection(listing.prompts, open)],
    ['templates', templateSection(listing.templates, open)],
  ];
  for (const [title, section] of sections)
    if (section.items.length > 0) (document.contents as YAMLMap).add(new Pair(new Scalar(title), section));
  const resources = resourceSection(listing.resources);
  if (resources) (document.contents as YAMLMap).add(new Pair(new Scalar('resources'), resources));
  const root = document.contents as YAMLMap;
  for (const [index, pair] of root.items.entries()) if (index > 0 && isScalar(pair.key)) pair.key.spaceBefore = true;
  return { yaml: document.toString({ lineWidth: 0 }), open: open.count };
}

interface Open {
  count: number;
}

function named(items: readonly Json[], key: string): [string, Json][] {
  const seen = new Set<string>();
  return items.flatMap((item): [string, Json][] => {
    const name = item[key];
    if (typeof name !== 'string' || name === '' || seen.has(name)) return [];
    seen.add(name);
    return [[name, item]];
  });
}

function toolSection(tools: readonly Json[], open: Open): YAMLMap {
  const section = new YAMLMap();
  for (const [name, tool] of named(tools, 'name')) {
    const hint = new YAMLMap();
    const key = new Scalar(name);
    const reported = [
      typeof tool.description === 'string' ? commentText(tool.description) : '',
      headerText(tool),
    ].filter((line) => line !== '');
    if (reported.length > 0) key.commentBefore = reported.map((line) => ` ${line}`).join('\n');
    hint.add(new Pair(new Scalar('arguments'), argumentMap(tool, open)));
    const { call, why } = decideTool(tool, noPermission);
    if (!call) {
      open.count += 1;
      const never = new Scalar('never');
      never.comment = ` TODO: ${commentText(why)}; "allowed" if it may be called`;
      hint.add(new Pair(new Scalar('call'), never));
    }
    for (const [member, value, guess] of traitMembers(tool)) {
      const node = value instanceof YAMLSeq ? value : new Scalar(value);
      const label = new Scalar(member);
      label.commentBefore = ` ${guess}`;
      hint.add(new Pair(label, node));
    }
    section.add(new Pair(key, hint));
  }
  return section;
}

/** Which arguments a client repeats as headers over HTTP in 2026-07-28. */
function headerText({ inputSchema }: Json): string {
  const headers = headerParameters(inputSchema)
    .slice(0, mostHeaders)
    .map(({ header, path }) => `${path.join('.')} as Mcp-Param-${header}`);
  return headers.length === 0
    ? ''
    : commentText(`Arguments that travel as headers as well: ${headers.join(', ')}`, 300);
}

const mostHeaders = 10;

function traitMembers(tool: Json): [string, boolean | YAMLSeq, string][] {
  const traits = traitsOf(tool);
  const guess = 'a guess by its name or description';
  const asks = [
    /sampl/i.test(textOf(tool)) ? 'sampling' : '',
    /elicit|ask[-_ ]?(?:the )?user/i.test(textOf(tool)) ? 'elicitation' : '',
    /roots/i.test(textOf(tool)) ? 'roots' : '',
  ].filter((one) => one !== '');
  return [
    ...(traits.has('slow')
      ? [
          ['slow', true, `${guess}; { seen-in: ADDRESS } names a resource that shows how far it is`] as [
            string,
            boolean,
            string,
          ],
        ]
      : []),
    ...(traits.has('reports-progress') ? [['progress', true, guess] as [string, boolean, string]] : []),
    ...(traits.has('logs') ? [['logs', true, guess] as [string, boolean, string]] : []),
    ...(traits.has('fails') ? [['fails', true, guess] as [string, boolean, string]] : []),
    ...(traits.has('asks-client') && asks.length > 0
      ? [['asks', sequence(asks), guess] as [string, YAMLSeq, string]]
      : []),
  ];
}

function textOf({ name, description }: Json): string {
  return `${asText(name)} ${typeof description === 'string' ? description.slice(0, 300) : ''}`;
}

function sequence(values: readonly string[]): YAMLSeq {
  const list = new YAMLSeq();
  list.flow = true;
  list.items = values.map((value) => new Scalar(value));
  return list;
}

/** The arguments that would be sent; what was made up for want of anything better says so. */
function argumentMap(tool: Json, open: Open): unknown {
  const values = argumentsFor(tool);
  const schema = (typeof tool.inputSchema === 'object' && tool.inputSchema !== null ? tool.inputSchema : {}) as Json;
  const properties = (
    typeof schema.properties === 'object' && schema.properties !== null ? schema.properties : {}
  ) as Json;
  const node = new Document(values).contents;
  if (!isMap(node)) return node;
  if (node.items.length === 0) node.flow = true;
  for (const pair of node.items) {
    const name = asText(isScalar(pair.key) ? pair.key.value : pair.key);
    const property = (properties[name] ?? {}) as Json;
    const described = typeof property.description === 'string' ? commentText(property.description) : '';
    const madeUp = isMadeUp(property, name, values[name]);
    if (madeUp) open.count += 1;
    const reported = [madeUp ? 'TODO: made up' : '', described].filter((one) => one !== '').join('; ');
    if (reported !== '' && isScalar(pair.key)) pair.key.commentBefore = ` ${reported}`;
  }
  return node;
}

/** A text or a number for which neither the schema nor the name says what makes sense. */
function isMadeUp(property: Json, name: string, value: unknown): boolean {
  if (typeof property !== 'object' || property === null) return true;
  if (['const', 'enum', 'default', 'examples', 'format'].some((keyword) => keyword in property)) return false;
  if (typeof value === 'string') return suggestedText(name) === undefined;
  return typeof value === 'number' && !('minimum' in property || 'maximum' in property);
}

function promptSection(prompts: readonly Json[], open: Open): YAMLMap {
  const section = new YAMLMap();
  for (const [name, prompt] of named(prompts, 'name')) {
    const declared = (Array.isArray(prompt.arguments) ? (prompt.arguments as unknown[]) : []).filter(
      (one): one is Json => typeof one === 'object' && one !== null && typeof (one as Json).name === 'string',
    );
    const required = declared.filter((one) => one.required === true);
    if (required.length === 0) continue;
    const values = new YAMLMap();
    for (const one of required) {
      const argument = asText(one.name);
      const madeUp = suggestedText(argument) === undefined;
      if (madeUp) open.count += 1;
      const key = new Scalar(argument);
      const reported = [
        madeUp ? 'TODO: made up' : '',
        typeof one.description === 'string' ? commentText(one.description) : '',
      ]
        .filter((part) => part !== '')
        .join('; ');
      if (reported !== '') key.commentBefore = ` ${reported}`;
      values.add(new Pair(key, new Scalar(promptValue(argument))));
    }
    const hint = new YAMLMap();
    hint.add(new Pair(new Scalar('arguments'), values));
    section.add(new Pair(new Scalar(name), hint));
  }
  return section;
}

function templateSection(templates: readonly Json[], open: Open): YAMLMap {
  const section = new YAMLMap();
  for (const [template] of named(templates, 'uriTemplate')) {
    const variables = variablesIn(template);
    if (variables.length === 0) continue;
    const values = new YAMLMap();
    for (const variable of variables) {
      open.count += 1;
      const key = new Scalar(variable);
      key.commentBefore = ' TODO: a value for which there is a resource';
      values.add(new Pair(key, new Scalar('1')));
    }
    section.add(new Pair(new Scalar(template), values));
  }
  return section;
}

const mostAddresses = 5;

function resourceSection(resources: readonly Json[]): YAMLMap | undefined {
  const listed = named(resources, 'uri').map(([uri]) => uri);
  if (listed.length === 0) return undefined;
  const section = new YAMLMap();
  const list = new YAMLSeq();
  list.items = listed.slice(0, mostAddresses).map((uri) => new Scalar(uri));
  if (listed.length > mostAddresses) list.comment = ` and ${listed.length - mostAddresses} more that are listed`;
  section.add(new Pair(new Scalar('read'), list));
  return section;
}
