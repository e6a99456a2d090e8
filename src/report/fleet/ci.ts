/** JUnit and SARIF of a fleet, server by server, so that only one report is in memory. */
import type { FleetReport, FleetServer } from '../../core/model/reports/fleet.ts';
import { append } from '../../core/model/lists.ts';
import { ofPart } from '../../core/model/reports/run-parts.ts';
import type { RunReport } from '../../core/model/reports/run-report.ts';
import { ciViewsOf } from '../check/ci-views.ts';
import type { CiViews, JunitCase } from '../check/ci-views.ts';
import { escapeJson, sarifText } from '../handlebars/helpers.ts';
import { renderTemplate } from '../handlebars/templates.ts';
import { oneLine } from '../text.ts';
import { viewOf } from '../check/view-model.ts';
import type { VerdictView } from '../verdict-view.ts';
import { nameOf, statusWords } from './server-view.ts';
import { standInReport } from './stand-in.ts';

export interface CiSources {
  report: FleetReport;
  reportOf(server: FleetServer): RunReport | null;
}

interface ServerCi {
  server: FleetServer;
  name: string;
  views: CiViews | null;
}

/** Null views for a server without any verdict. */
function* servers({ report, reportOf }: CiSources): Generator<ServerCi> {
  for (const server of report.servers) {
    const own = server.verdicts === null ? null : ofPart(reportOf(server) ?? standInReport(report, server));
    // Paths in a run directory are meaningful; paths of the report's machine may not be.
    const views =
      own === null ? null : ciViewsOf({ ...own, trace: server.trace }, viewOf({ ...own, trace: server.trace }));
    yield { server, name: `${nameOf(server.name)}${server.kind === 'client' ? ' (client)' : ''}`, views };
  }
}

/** Why a server has no verdict or an incomplete one; null for a complete check. */
function uncheckedOf({ status, reason }: FleetServer): string | null {
  if (status === 'checked') return reason === null ? null : `INCOMPLETE: ${oneLine(reason)}`;
  return `${statusWords[status].heading}${reason === null ? '' : `: ${oneLine(reason)}`}`;
}

/** A suite for each server, a case for each rule that applies to it; one case in error where there is no verdict. */
export function* renderFleetJunit(sources: CiSources, templatesDir?: string): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<!-- written by mcpc -->\n<testsuites name="mcpc fleet" time="${(sources.report.durationMs / 1000).toFixed(3)}">\n`;
  const timestamp = oneLine(sources.report.startedAt);
  for (const { server, name, views } of servers(sources)) {
    const cases = (views?.junit.suites ?? [])
      .flatMap((suite) => suite.cases)
      .filter((one) => one.verdict.status !== 'not-applicable');
    const unchecked = uncheckedOf(server);
    const count = (fits: (one: JunitCase) => boolean): number => cases.filter(fits).length;
    yield renderTemplate(
      'fleet-junit',
      {
        name,
        timestamp,
        seconds: (server.durationMs / 1000).toFixed(3),
        tests: cases.length + (unchecked === null ? 0 : 1),
        failures: count((one) => one.failure),
        errors: count((one) => one.error) + (unchecked === null ? 0 : 1),
        skipped: count((one) => one.skipped !== null),
        unchecked,
        cases: cases.map((one) => ({
          ...one,
          verdict: { ...one.verdict, area: `${name}.${one.verdict.area}`, wire: [], telling: [] },
        })),
      },
      templatesDir,
    );
  }
  yield '</testsuites>\n';
}

/**
 * One run with the failures of all servers: viewers take few runs in a file. Rules stand behind the results, since
 * which ones there are is known only then.
 */
export function* renderFleetSarif(sources: CiSources, templatesDir?: string): Generator<string> {
  const { report } = sources;
  const rules = new Map<string, { place: number; text: string }>();
  const notifications: string[] = [];
  let successful = report.incomplete === null;
  yield '{\n"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",\n"version": "2.1.0",\n"runs": [{\n"columnKind": "utf16CodeUnits",\n"results": [';
  let first = true;
  for (const { server, name, views } of servers(sources)) {
    const unchecked = uncheckedOf(server);
    if (unchecked !== null)
      notifications.push(`{"level":"error","message":{"text":${sarifText(`${name}: ${unchecked}`)}}}`);
    if (views === null) continue;
    successful &&= server.status !== 'checked' || server.reason === null;
    successful &&= views.sarif.notifications.every(({ level }) => level !== 'error');
    const fresh = views.sarif.results
      .map(({ verdict }) => views.sarif.rules.find((rule) => rule.verdict.rule === verdict.rule)!)
      .filter(({ verdict }) => !rules.has(verdict.rule));
    const made = parse(
      renderTemplate(
        'fleet-sarif',
        {
          name,
          id: oneLine(server.id),
          artifact: views.sarif.artifact,
          report: server.report,
          rules: fresh,
          results: views.sarif.results.map((result) => ({
            ...result,
            fingerprint: `${oneLine(server.id)}:${result.verdict.rule}`,
          })),
          notifications: views.sarif.notifications.filter(({ level }) => level === 'error'),
        },
        templatesDir,
      ),
    );
    fresh.forEach(({ verdict }: { verdict: VerdictView }, index) =>
      rules.set(verdict.rule, { place: rules.size, text: escapeJson(made.rules[index]) }),
    );
    append(notifications, made.notifications.map(escapeJson));
    for (const result of made.results) {
      yield `${first ? '' : ','}\n${escapeJson({ ...result, ruleIndex: rules.get(result.ruleId)!.place })}`;
      first = false;
    }
  }
  const { name, version } = report.tool;
  yield `],\n"tool": {"driver": {"name": ${escapeJson(oneLine(name))}, "version": ${escapeJson(oneLine(version))}, "properties": {"ruleSetDigest": ${escapeJson(report.ruleSet.digest)}${report.ruleSet.profile === undefined ? '' : `, "profile": ${escapeJson(report.ruleSet.profile)}`}}, "rules": [\n${[...rules.values()].map(({ text }) => text).join(',\n')}]}},\n`;
  yield `"invocations": [{"executionSuccessful": ${successful}, "startTimeUtc": ${escapeJson(oneLine(report.startedAt))}, "toolExecutionNotifications": [${notifications.join(',\n')}]}],\n`;
  yield `"properties": {"servers": ${report.servers.length}}\n}]\n}\n`;
}

interface SarifPart {
  rules: object[];
  results: ({ ruleId: string } & object)[];
  notifications: object[];
}

/** Read back, which proves that the template made JSON. */
function parse(text: string): SarifPart {
  return JSON.parse(text) as SarifPart;
}
