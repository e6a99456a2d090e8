/**
 * The use case `audit`: calls each permitted tool once with valid arguments and once with one invalid argument, and
 * reports the outcome.
 */
import type { Connection } from '../../run/connect/connection.ts';
import { nearMisses } from '../../../core/json-schema/near-miss.ts';
import { createJsonSchemas, type JsonSchemas } from '../../../core/json-schema/json-schemas.ts';
import { McpcError } from '../../../core/model/errors.ts';
import { append } from '../../../core/model/lists.ts';
import {
  auditClasses,
  type AuditClass,
  type AuditFinding,
  type AuditReport,
  type AuditResult,
} from '../../../core/model/reports/audit-report.ts';
import { surveyTarget, type Listing } from '../../../client/offers/survey.ts';
import { wordsOf, type ExerciseOptions } from '../options.ts';
import { beginning } from '../../language/expectation.ts';
import { listedTools, refuseUnlisted, toolListMissing, type ListedTool } from '../permitted.ts';
import { openSession, type ExerciseSession } from '../session.ts';
import { callTool, deathAfter, type ToolCall } from '../tool-call.ts';
import { brokenHint, hintToHold } from './annotations.ts';
import { findingsOf } from './judge-call.ts';
import { createViolationLog, type Span } from './violations.ts';

export interface AuditOptions extends ExerciseOptions {
  /** Called when a tool begins, with its number from 1. */
  onBegin?(name: string, number: number, total: number): void;
  /** Called when it is over; rules are judged at the end, so its violations are still missing. */
  onResult?(result: AuditResult): void;
}

/** @throws McpcError target when the server cannot be reached or does not speak MCP, interrupted before the first tool */
export async function audit(options: AuditOptions): Promise<AuditReport> {
  const began = performance.now();
  const log = createViolationLog();
  const spans = new Map<Connection, Span[]>();
  const session = await openSession(options, {
    async onEnded(connection, events) {
      await log.add(connection, events, spans.get(connection) ?? []);
      spans.delete(connection);
    },
  });
  try {
    const connection = await session.connection();
    const { peer, revision } = connection.opened!;
    const listing: Listing = {
      ...(await surveyTarget(peer)),
      ...(options.hints === undefined ? {} : { hints: options.hints }),
    };
    if (options.signal.aborted) throw new McpcError('interrupted', 'Interrupted before a tool was called.');
    refuseUnlisted(listing, session.consent.permission);
    const tools = listedTools(listing, session.consent);
    const schemas = createJsonSchemas(revision);
    const results: AuditResult[] = [];
    for (const [index, listed] of tools.entries()) {
      if (options.signal.aborted) break;
      options.onBegin?.(listed.name, index + 1, tools.length);
      const result = await auditTool(listed, { session, schemas, spans, signal: options.signal });
      if (result === undefined) break;
      results.push(result);
      options.onResult?.(result);
    }
    const missing = tools.length - results.length;
    await session.endAll();
    const { byTool, others } = log.found;
    for (const result of results) result.violations = byTool.get(result.tool) ?? [];
    return {
      ...frame(results),
      mcpc: options.toolVersion,
      server: session.redactor.text(wordsOf(options.target)),
      transport: options.target.kind,
      revision,
      tool_count: tools.length,
      violations: others,
      generated_at: new Date().toISOString(),
      duration_ms: Math.round(performance.now() - began),
      incomplete:
        [
          ...toolListMissing(listing),
          ...(missing === 0
            ? []
            : [
                `${options.signal.aborted ? 'interrupted' : 'the server could not be opened again'}; ${missing} of ${tools.length} tools were not called`,
              ]),
        ].join('; ') || null,
    };
  } finally {
    await session.close();
  }
}

/** Conclusions from the results. Pure. */
function frame(
  results: AuditResult[],
): Pick<AuditReport, 'format' | 'version' | 'tested' | 'score' | 'counts' | 'results'> {
  const counts = Object.fromEntries(
    auditClasses.map((one) => [one, results.filter(({ status }) => status === one).length]),
  ) as Record<AuditClass, number>;
  const tested = results.length - counts.skipped - counts.refused;
  return {
    format: 'mcpc-audit-report',
    version: 1,
    tested,
    score: tested === 0 ? 100 : Math.floor((100 * counts.healthy) / tested),
    counts,
    results,
  };
}

interface Auditing {
  session: ExerciseSession;
  schemas: JsonSchemas;
  spans: Map<Connection, Span[]>;
  signal: AbortSignal;
}

/** Characters of a text of a server that a report holds. */
const longestText = 8192;

/** @returns undefined when the audit was interrupted, or the server cannot be opened any more */
async function auditTool(listed: ListedTool, auditing: Auditing): Promise<AuditResult | undefined> {
  const { session, signal } = auditing;
  const clean = (text: string): string => beginning(session.redactor.text(text), longestText);
  const { tool, name, skip, valid } = listed;
  const whole = (text: string): string => session.redactor.text(text);
  const about = {
    tool: whole(name),
    ...(typeof tool['description'] === 'string' ? { description: whole(tool['description']) } : {}),
  };
  if (skip !== undefined)
    return {
      ...about,
      status: 'skipped',
      detail: `Not called: ${skip}.`,
      is_error: false,
      has_content: false,
      duration_ms: 0,
      findings: [],
      violations: [],
    };
  try {
    const findings: AuditFinding[] = [];
    const usual = await callOnce(listed, valid, undefined, auditing, findings);
    const [miss] = nearMisses(tool['inputSchema'], 1, session.consent.places);
    if (miss !== undefined && !signal.aborted) await callOnce(listed, miss.value, miss.what, auditing, findings);
    const works =
      usual.outcome.kind === 'result' &&
      !usual.outcome.isError &&
      findings.every(({ class: kind }) => kind !== 'crash' && kind !== 'timeout');
    if (works && hintToHold(tool) !== undefined && !signal.aborted) {
      const broken = await brokenHint(listed, session);
      if (broken !== undefined)
        findings.push({
          class: 'annotation',
          call: 'valid',
          detail: clean(broken),
          arguments: clean(JSON.stringify(valid)),
        });
    }
    if (signal.aborted) return undefined;
    const sorted = findings.toSorted(
      (one, other) => auditClasses.indexOf(one.class) - auditClasses.indexOf(other.class),
    );
    const [worst] = sorted;
    const status = worst?.class ?? 'healthy';
    const { outcome } = usual;
    // As a copy: a part of a text would keep the whole of it in memory.
    return structuredClone({
      ...about,
      status,
      ...(status === 'crash' ? { error_code: 'E201' } : status === 'timeout' ? { error_code: 'E202' } : {}),
      detail:
        worst?.detail ??
        (outcome.kind === 'result' && outcome.isError
          ? `Answers with an error of the tool: ${clean(outcome.text)}`
          : ''),
      is_error: outcome.kind === 'result' && outcome.isError,
      has_content:
        outcome.kind === 'result' && Array.isArray(outcome.result['content']) && outcome.result['content'].length > 0,
      duration_ms: usual.durationMs,
      findings: sorted,
      violations: [],
    });
  } catch (error) {
    if (error instanceof McpcError && (error.stage === 'target' || error.stage === 'interrupted')) return undefined;
    throw error;
  }
}

/** Makes a call, sees whether the server outlives it, and adds what it shows. */
async function callOnce(
  listed: ListedTool,
  given: unknown,
  miss: string | undefined,
  { session, schemas, spans, signal }: Auditing,
  findings: AuditFinding[],
): Promise<ToolCall> {
  const clean = (text: string): string => beginning(session.redactor.text(text), longestText);
  const connection = await session.connection();
  const call = await callTool(connection, listed.name, given);
  const found = findingsOf({ tool: listed.tool, outcome: call.outcome, given, miss }, schemas, clean);
  const answered = call.outcome.kind === 'result' || call.outcome.kind === 'error';
  const death = answered ? await deathAfter(connection) : undefined;
  if (death !== undefined)
    found.push({
      class: 'crash',
      call: miss === undefined ? 'valid' : 'near-miss',
      detail: clean(death.words),
      arguments: clean(JSON.stringify(given)),
    });
  if (!spans.has(connection)) spans.set(connection, []);
  spans.get(connection)!.push({ tool: listed.name, from: call.from, to: connection.recorder.count });
  // A call before this one may have been the death of it.
  if (
    call.outcome.kind === 'ended' &&
    !signal.aborted &&
    (await callTool(await session.fresh(), listed.name, given)).outcome.kind !== 'ended'
  ) {
    found[0]!.detail += ' In a fresh session the call did not do that: an earlier one may be at fault.';
  }
  // A tool that hangs in one call may hang in all later ones.
  if (!answered) await connection.close();
  append(findings, found);
  return call;
}
