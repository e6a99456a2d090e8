/** Holds the requests of suites against what a server lists: what of it is covered, and what to write next. Pure. */
import { nearMisses } from '../../../core/json-schema/near-miss.ts';
import { fitOf, isMisfit } from '../../../core/json-schema/schema-fit.ts';
import { asText, isObject, withTexts } from '../../../core/model/json.ts';
import type { CoverageReport, KindCoverage, ToolCoverage } from '../../../core/model/reports/coverage-report.ts';
import { templateFits, variablesIn } from '../../../core/spec/uri-template.ts';
import type { Use, Uses } from './uses.ts';

type Json = Record<string, unknown>;

/** The lists of a server, or of several. */
export interface Offered {
  tools: Json[];
  prompts: Json[];
  resources: Json[];
  templates: Json[];
  /** It declares completions. */
  completes: boolean;
}

/** @param clean takes secrets out */
export function coverageOf(
  { requests, client }: Uses,
  offered: Offered,
  counted: CoverageReport['counted'],
  clean: (text: string) => string,
): CoverageReport {
  const of = (method: string): Use[] => requests.filter((one) => one.method === method);
  const calls = of('tools/call');
  const reads = [...of('resources/read'), ...of('resources/subscribe')].map(({ params }) => asText(params['uri']));
  const tools = kind(
    textsOf(offered.tools, 'name'),
    calls.map(({ params }) => asText(params['name'])),
    clean,
  );
  const details = offered.tools
    .flatMap((tool) => (typeof tool['name'] === 'string' ? [toolCoverage(tool, tool['name'], calls, clean)] : []))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const wanted = offered.completes ? completionsOf(offered) : [];
  const coverage: Omit<CoverageReport, 'next'> = {
    format: 'mcpc-coverage-report',
    version: 1,
    total: tools.total,
    covered: tools.covered,
    percentage: tools.percentage,
    covered_tools: tools.uses.map(({ name, count }) => ({ name, assertions: count })),
    uncovered_tools: tools.missing,
    counted,
    prompts: kind(
      textsOf(offered.prompts, 'name'),
      of('prompts/get').map(({ params }) => asText(params['name'])),
      clean,
    ),
    resources: kind(textsOf(offered.resources, 'uri'), reads, clean),
    templates: kind(
      textsOf(offered.templates, 'uriTemplate'),
      reads.flatMap((uri) =>
        textsOf(offered.templates, 'uriTemplate').filter((template) => templateFits(template, uri)),
      ),
      clean,
    ),
    completions: kind(
      wanted,
      of('completion/complete').map(({ params }) => completionName(params)),
      clean,
    ),
    tools: details,
    client,
  };
  return withTexts({ ...coverage, next: nextOf(coverage) }, clean) as CoverageReport;
}

/** Arguments that can be completed, as `argument of prompt`. */
function completionsOf({ prompts, templates }: Offered): string[] {
  return [
    ...prompts.flatMap(({ name, arguments: declared }) =>
      (Array.isArray(declared) ? declared : [])
        .filter(isObject)
        .map((one) => `${asText(one['name'])} of ${asText(name)}`),
    ),
    ...textsOf(templates, 'uriTemplate').flatMap((template) =>
      variablesIn(template).map((one) => `${one} of ${template}`),
    ),
  ];
}

/**
 * Target of a completion, in the words of the report.
 * @param params of completion/complete
 */
export function completionName({ ref, argument }: Json): string {
  const owner = isObject(ref) ? (ref['name'] ?? ref['uri']) : '';
  return `${isObject(argument) ? asText(argument['name']) : ''} of ${asText(owner)}`;
}

function textsOf(items: readonly Json[], key: string): string[] {
  return [...new Set(items.map((item) => item[key]).filter((value) => typeof value === 'string'))];
}

function kind(names: readonly string[], used: readonly string[], clean: (text: string) => string): KindCoverage {
  const times = new Map<string, number>();
  for (const name of used) times.set(name, (times.get(name) ?? 0) + 1);
  const sorted = [...new Set(names)].toSorted();
  const covered = sorted.filter((name) => times.has(name));
  return {
    total: sorted.length,
    covered: covered.length,
    percentage: sorted.length === 0 ? 100 : Math.floor((100 * covered.length) / sorted.length),
    uses: covered.map((name) => ({ name: clean(name), count: times.get(name)! })),
    missing: sorted.filter((name) => !times.has(name)).map(clean),
  };
}

function toolCoverage(
  { inputSchema }: Json,
  name: string,
  calls: readonly Use[],
  clean: (text: string) => string,
): ToolCoverage {
  const own = calls.filter(({ params }) => params['name'] === name);
  const given = own.map(({ params }) => (isObject(params['arguments']) ? params['arguments'] : {}));
  const schema = isObject(inputSchema) ? inputSchema : {};
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []);
  const optional = Object.keys(properties).filter((one) => !required.has(one));
  const values = Object.entries(properties).flatMap(([argument, part]) =>
    isObject(part) && Array.isArray(part['enum'])
      ? (part['enum'] as unknown[]).map((value) => ({ argument, value }))
      : [],
  );
  const split = <T>(all: readonly T[], isCovered: (one: T) => boolean, words: (one: T) => string) => ({
    covered: all.filter(isCovered).map((one) => clean(words(one))),
    missing: all.filter((one) => !isCovered(one)).map((one) => clean(words(one))),
  });
  const unfit = ({ params, open }: Use): boolean => !open && isMisfit(fitOf(schema, params['arguments'] ?? {}));
  return {
    name: clean(name),
    arguments: split(optional, (one) => given.some((all) => Object.hasOwn(all, one)), String),
    values: split(
      values,
      ({ argument, value }) => given.some((all) => JSON.stringify(all[argument]) === JSON.stringify(value)),
      ({ argument, value }) => `${argument}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ),
    refusal: own.some((one) => one.outcome === 'error' && unfit(one))
      ? true
      : nearMisses(schema, 1).length > 0
        ? false
        : null,
    error: own.some((one) => one.outcome === 'error' && !unfit(one)),
  };
}

/** Gaps as sentences: whole items first, then parts of covered ones. */
function nextOf({
  uncovered_tools: uncovered,
  prompts,
  resources,
  templates,
  completions,
  tools,
}: Omit<CoverageReport, 'next'>): string[] {
  const known = tools.filter(({ name }) => !uncovered.includes(name));
  return [
    ...uncovered.map((name) => `call the tool ${name}`),
    ...prompts.missing.map((name) => `get the prompt ${name}`),
    ...resources.missing.map((uri) => `read the resource ${uri}`),
    ...templates.missing.map((template) => `read a resource of the template ${template}`),
    ...known
      .filter(({ refusal }) => refusal === false)
      .map(({ name }) => `call ${name} with arguments that do not fit its schema, and expect a refusal`),
    ...known.flatMap(({ name, arguments: { missing } }) =>
      missing.map((argument) => `call ${name} with its optional argument ${argument}`),
    ),
    ...known.flatMap(({ name, values: { missing } }) => missing.map((value) => `call ${name} with ${value}`)),
    ...completions.missing.map((name) => `complete ${name}`),
  ];
}
