/** Matchers about what a server offers, and about the conversation of a session so far. */
import { usageError } from '../../core/model/errors.ts';
import { isObject } from '../../core/model/json.ts';
import type { ReportVerdict, RunReport } from '../../core/model/reports/run-report.ts';
import { knownOf } from '../session/known.ts';
import type { Session } from '../session/session.ts';
import { missing, outcome, replyIn, sessionIn, textOf, titleOf, type MatcherResult } from './outcome.ts';
import { differsAt } from './subset.ts';

/** The server lists the tool. @param expected what its definition has, as `{ annotations: { readOnlyHint: true } }` */
export async function toHaveTool(
  received: unknown,
  name: string,
  expected: Readonly<Record<string, unknown>> = {},
): Promise<MatcherResult> {
  const session = sessionIn(received, 'toHaveTool');
  const { items, error } = await session.list('tools');
  const found = items.find((tool) => tool['name'] === name);
  const at = found === undefined ? '' : differsAt(found, expected);
  const what = `${session.name} to have the tool ${name}`;
  const more = Object.keys(expected).length === 0 ? '' : ` with ${textOf(expected)}`;
  const seen = (): string => {
    if (error !== undefined) return `tools/list is answered with error ${textOf(error.code)}: ${error.message}`;
    if (found !== undefined) return at === undefined ? 'it is listed' : `it differs at ${at}: ${textOf(found)}`;
    return missing(
      'tools',
      name,
      items.map((tool) => String(tool['name'])),
    );
  };
  const pass = found !== undefined && at === undefined;
  return { pass, message: () => `expected ${pass ? `not ${what}` : what}${more}; ${seen()}` };
}

/**
 * The structured content of a reply fits a schema: the output schema of the tool, as the server lists it, or the one
 * given.
 */
export async function toFitOutputSchema(received: unknown, schema?: unknown): Promise<MatcherResult> {
  const reply = replyIn(received, 'toFitOutputSchema');
  const wanted = schema ?? (await outputSchemaOf(reply));
  const content = reply.result?.['structuredContent'];
  const schemas = (await import('../../core/json-schema/json-schemas.ts')).createJsonSchemas('2025-11-25');
  const findings = content === undefined ? undefined : schemas.conformance(wanted, content);
  if (content !== undefined && findings === undefined)
    throw usageError(
      `The output schema of ${titleOf(reply)} cannot be judged.`,
      'Its dialect is not known, or it is too large.',
    );
  const [finding] = findings ?? [];
  const got =
    content === undefined
      ? 'there is no structured content'
      : finding === undefined
        ? 'it does'
        : `${finding.path === '' ? 'the value' : finding.path} ${finding.message}`;
  return outcome(content !== undefined && finding === undefined, {
    wanted: 'to fit the output schema',
    got,
    about: reply,
  });
}

async function outputSchemaOf(reply: ReturnType<typeof replyIn>): Promise<unknown> {
  const session = knownOf(reply)?.session;
  const name = reply.params?.['name'];
  const tool = (await session?.list('tools'))?.items.find((one) => one['name'] === name);
  const schema = tool?.['outputSchema'];
  if (!isObject(schema))
    throw usageError(
      `The server lists no output schema for ${titleOf(reply)}.`,
      'Give the tool one, or name the schema: toFitOutputSchema(schema).',
    );
  return schema;
}

/**
 * No matching rule is broken by the conversation so far.
 * @param patterns areas, ids of rules, or globs over them
 * @throws McpcError usage for a pattern without a matching rule, and if the conversation decides none of them
 */
export async function toObey(received: unknown, ...patterns: string[]): Promise<MatcherResult> {
  const session = sessionIn(received, 'toObey');
  const verdicts = await session.verdicts({ only: patterns });
  const decided = verdicts.filter(({ status }) => status === 'pass' || status === 'fail');
  if (decided.length === 0)
    throw usageError(
      `Nothing of what ${session.name} was asked so far shows whether it obeys ${patterns.join(', ')}.`,
      open(verdicts),
    );
  const broken = decided.filter(({ status, severity }) => status === 'fail' && severity !== 'info');
  const pass = broken.length === 0;
  return {
    pass,
    message: () =>
      pass
        ? `expected ${session.name} not to obey ${patterns.join(', ')}; ${decided.length} rules pass`
        : `expected ${session.name} to obey ${patterns.join(', ')}; it breaks ${broken.length} of ${decided.length} rules\n${shownVerdicts(broken, session)}`,
  };
}

/** The remedy for the first of them. */
function open(verdicts: readonly ReportVerdict[]): string {
  const remedy = verdicts.find((one) => one.remedy !== undefined)?.remedy;
  return remedy === undefined ? 'Ask the server something that the rules are about.' : `${remedy}.`;
}

/** No rule of severity `error` is broken: of a session so far, or in a report of `check` or `judge`. */
export async function toBeCompliant(received: unknown): Promise<MatcherResult> {
  const session = isReport(received) ? undefined : sessionIn(received, 'toBeCompliant');
  const report = session === undefined ? (received as RunReport) : await session.report();
  const broken = report.parts
    .flatMap(({ verdicts }) => verdicts)
    .filter(({ status, severity }) => (status === 'fail' || status === 'error') && severity === 'error');
  const pass = session === undefined ? report.compliant : broken.length === 0;
  const name = report.target.name;
  return {
    pass,
    message: () =>
      pass
        ? `expected ${name} not to be compliant; it breaks no requirement`
        : [
            `expected ${name} to be compliant; it breaks ${broken.length} requirements`,
            ...(report.incomplete === null ? [] : [`the run is incomplete: ${report.incomplete}`]),
            shownVerdicts(broken, session),
          ].join('\n'),
  };
}

function isReport(value: unknown): value is RunReport {
  return isObject(value) && value['format'] === 'mcpc-run-report';
}

const mostShown = 5;

function shownVerdicts(broken: readonly ReportVerdict[], session: Session | undefined): string {
  const events = new Map(session?.trace().events.map((event) => [event.seq, event]));
  const lines = broken.slice(0, mostShown).flatMap(({ rule, message, link, evidence }) => [
    `  ${rule}: ${message}`,
    ...(link === null ? [] : [`    ${link}`]),
    ...(evidence[0]?.events ?? []).slice(0, 4).flatMap((seq) => {
      const event = events.get(seq);
      if (event?.message === undefined) return [];
      return [`    ${event.from === 'client' ? '→' : '←'} ${textOf(event.message)}`];
    }),
  ]);
  return [...lines, ...(broken.length > mostShown ? [`  and ${broken.length - mostShown} more`] : [])].join('\n');
}
