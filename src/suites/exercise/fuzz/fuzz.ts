/**
 * The use case `fuzz`: calls each permitted tool with unexpected arguments, tests general properties of the answers,
 * and shrinks failing arguments.
 */
import pLimit from 'p-limit';
import { wireEntry } from '../../../check/reporting/wire-log.ts';
import { withCopy, withPlaceholder } from '../../run/connect/fixture.ts';
import { usualPlaces } from '../../../core/json-schema/places.ts';
import { createJsonSchemas, type JsonSchemas } from '../../../core/json-schema/json-schemas.ts';
import { McpcError, usageError } from '../../../core/model/errors.ts';
import type { Era } from '../../../core/model/rules/requirement.ts';
import type { FuzzedTool, FuzzFailure, FuzzReport } from '../../../core/model/reports/fuzz-report.ts';
import { surveyTarget, type Listing } from '../../../client/offers/survey.ts';
import { defaultTiming } from '../../../client/target/timing.ts';
import { wordsOf, type ExerciseOptions } from '../options.ts';
import { beginning } from '../../language/expectation.ts';
import { listedTools, refuseUnlisted, toolListMissing, type ListedTool } from '../permitted.ts';
import { openSession, type ExerciseSession } from '../session.ts';
import { fuzzInputs, type FuzzInput } from './cases.ts';
import { judgedRun, type JudgedRun, type TimeLimit } from './judge-run.ts';
import { shrunk } from './shrink.ts';

export interface FuzzOptions extends ExerciseOptions {
  runs: number;
  seed: number;
  /** Names of the tools to call; all that may be when empty. */
  only: readonly string[];
  /** Calls that are made in place of those of a seed. */
  replay?: readonly { tool: string; given: unknown }[];
  /** Tools at a time, each with a connection of its own. */
  jobs: number;
  /** Of the whole run, in milliseconds. */
  maxMs?: number;
  onBegin?(name: string, number: number, total: number): void;
  onRun?(name: string, run: number, runs: number): void;
  /** Called in the order of the list. */
  onTool?(tool: FuzzedTool): void;
}

/** Runs of one tool that end the server, or time out, before the rest is left: each costs a start or a deadline. */
const mostDeaths = 10;
const mostTimeouts = 3;
/** Candidates of a shrink; fewer where each may cost a deadline. */
const mostTries = 80;
const mostSilentTries = 28;
/** A server may die a while after its answer. That is waited for where a death is to be confirmed or its end proved. */
const lingerMs = 500;
/** Characters of a text of a server that a report holds. */
const longestText = 8192;
const keep = { last: 60, limits: { maxEvents: 1_000_000, maxBytes: 256 * 1024 * 1024 } };

/** @throws McpcError usage for a tool that is not listed, target when the server cannot be reached, interrupted before the first tool */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const began = performance.now();
  const overdue = (): boolean => options.maxMs !== undefined && performance.now() - began >= options.maxMs;
  const session = await openSession(options, keep);
  let listing: Listing;
  let revision: string;
  let era: Era;
  try {
    const connection = await session.connection();
    ({ revision, era } = connection.opened!);
    listing = {
      ...(await surveyTarget(connection.opened!.peer)),
      ...(options.hints === undefined ? {} : { hints: options.hints }),
    };
  } finally {
    await session.close();
  }
  if (options.signal.aborted) throw new McpcError('interrupted', 'Interrupted before a tool was called.');
  // Paths are the same in all runs with a seed.
  refuseUnlisted(listing, session.consent.permission);
  const all = listedTools(listing, { permission: session.consent.permission, places: usualPlaces });
  const wanted = options.replay === undefined ? options.only : [...new Set(options.replay.map(({ tool }) => tool))];
  const unknown = wanted.filter((name) => all.every((one) => one.name !== name));
  if (unknown.length > 0)
    throw usageError(
      `The server lists no tool "${unknown.join('", "')}".`,
      `Its tools: ${all
        .slice(0, 30)
        .map(({ name }) => name)
        .join(', ')}.`,
    );
  const chosen = all
    .map((listed, index) => ({ listed, index }))
    .filter(({ listed }) => (options.replay === undefined && wanted.length === 0) || wanted.includes(listed.name));
  const schemas = createJsonSchemas(revision);
  const turn = pLimit(options.jobs);
  const running = chosen.map(({ listed, index }, number) =>
    turn(async () => {
      if (options.signal.aborted || overdue()) return undefined;
      options.onBegin?.(listed.name, number + 1, chosen.length);
      return fuzzTool(listed, index, { ...options, era, schemas, overdue });
    }),
  );
  const tools: FuzzedTool[] = [];
  for (const next of running) {
    const tool = await next;
    if (tool === undefined) continue;
    tools.push(tool);
    options.onTool?.(tool);
  }
  const missing = chosen.length - tools.length;
  const cut = options.signal.aborted
    ? 'interrupted'
    : overdue() && (missing > 0 || tools.some(({ stopped }) => stopped === timeIsUp))
      ? timeIsUp
      : missing > 0
        ? 'the server could not be opened again'
        : undefined;
  const called = tools.filter(({ skipped }) => skipped === undefined);
  const sum = (of: (tool: FuzzedTool) => number): number => called.reduce((total, tool) => total + of(tool), 0);
  return {
    format: 'mcpc-fuzz-report',
    version: 1,
    mcpc: options.toolVersion,
    server: session.redactor.text(wordsOf(options.target)),
    transport: options.target.kind,
    revision,
    seed: options.seed,
    runs_per_tool: options.runs,
    tools,
    summary: {
      tools: called.length,
      runs: sum(({ runs }) => runs),
      passed: sum(({ passed }) => passed),
      failed: sum(({ runs, passed }) => runs - passed),
      failures: sum(({ failures }) => failures.length),
    },
    generated_at: new Date().toISOString(),
    duration_ms: Math.round(performance.now() - began),
    incomplete:
      [
        ...toolListMissing(listing),
        ...(cut === undefined
          ? []
          : [`${cut}${missing === 0 ? '' : `; ${missing} of ${chosen.length} tools were not called`}`]),
      ].join('; ') || null,
  };
}

interface RunOptions extends FuzzOptions {
  /** Of the server: each connection but the first is spared the question. */
  era: Era;
  schemas: JsonSchemas;
  /** True if the time is up. */
  overdue(): boolean;
}

const timeIsUp = 'the time is up (--max-time)';

/** All runs of one tool, on connections of its own. */
async function fuzzTool(listed: ListedTool, index: number, options: RunOptions): Promise<FuzzedTool> {
  const { schemas, overdue } = options;
  const began = performance.now();
  const { tool, name, skip } = listed;
  const fuzzed: FuzzedTool = { tool: name, runs: 0, passed: 0, failures: [], duration_ms: 0 };
  if (skip !== undefined) return { ...fuzzed, skipped: skip };
  const session = await openSession(options, keep);
  const clean = (text: string): string => beginning(session.redactor.text(text), longestText);
  const inputs = inputsOf(listed, index, session, options);
  const total = Array.isArray(inputs) ? inputs.length : options.runs;
  let deaths = 0;
  let timeouts = 0;
  let slowest = 0;
  let previous: FuzzInput | undefined;
  try {
    for (const { label, given } of inputs) {
      const why = options.signal.aborted
        ? 'interrupted'
        : overdue()
          ? timeIsUp
          : deaths >= mostDeaths
            ? `it ended the server ${deaths} times`
            : timeouts >= mostTimeouts
              ? `it did not answer ${timeouts} times`
              : undefined;
      if (why !== undefined) {
        fuzzed.stopped = `${why}; ${total - fuzzed.runs} runs were left out`;
        if (why === timeIsUp) fuzzed.stopped = timeIsUp;
        break;
      }
      const before = previous;
      previous = { label, given };
      const run = await tryOn(session, tool, given, schemas, options.replay === undefined ? {} : { lingerMs });
      if (options.signal.aborted || run.undecided) continue;
      fuzzed.runs += 1;
      options.onRun?.(name, fuzzed.runs, total);
      const { failure } = run;
      if (failure === undefined) {
        fuzzed.passed += 1;
        slowest = Math.max(slowest, run.call.durationMs);
        continue;
      }
      if (failure.status === 'crash') deaths += 1;
      if (failure.status === 'timeout') timeouts += 1;
      const known = fuzzed.failures.find(({ status }) => status === failure.status);
      if (known !== undefined) {
        known.times += 1;
        continue;
      }
      const failed = await reported({ label, given, run, tool, session, slowest, previous: before, options, clean });
      if (failed !== undefined)
        fuzzed.failures.push({
          ...failed,
          arguments: withPlaceholder(failed.arguments, session.fixture),
          first_arguments: withPlaceholder(failed.first_arguments, session.fixture),
        });
      else {
        fuzzed.runs -= 1;
        if (failure.status === 'crash') deaths -= 1;
        else timeouts -= 1;
      }
    }
  } catch (error) {
    if (!(error instanceof McpcError) || (error.stage !== 'target' && error.stage !== 'interrupted')) throw error;
    fuzzed.stopped = options.signal.aborted
      ? 'interrupted'
      : clean(`the server could not be opened again: ${error.message}`);
  } finally {
    await session.close();
  }
  return { ...fuzzed, tool: session.redactor.text(name), duration_ms: Math.round(performance.now() - began) };
}

/** Paths in arguments lie in the copy of the files, or else at a place that is the same in all runs with a seed. */
function inputsOf(
  { tool, name, valid }: ListedTool,
  index: number,
  { fixture, consent }: ExerciseSession,
  { replay, runs, seed, hints }: FuzzOptions,
): Iterable<FuzzInput> {
  if (replay !== undefined)
    return replay
      .filter((one) => one.tool === name)
      .map(({ given }, at) => ({ label: `replay ${at + 1}`, given: withCopy(given, fixture) }));
  const own =
    fixture === undefined
      ? valid
      : listedTools({ tools: [tool], prompts: [], resources: [], templates: [], hints }, consent)[0]!.valid;
  return fuzzInputs(tool['inputSchema'], own, { runs, seed: (seed + index) % 2 ** 31 });
}

async function tryOn(
  session: ExerciseSession,
  tool: Record<string, unknown>,
  given: unknown,
  schemas: JsonSchemas,
  timeLimit?: TimeLimit,
): Promise<JudgedRun> {
  const connection = await session.connection();
  const run = await judgedRun(connection, tool, given, schemas, timeLimit);
  // A tool that hangs in one call may hang in all later ones.
  if (run.lost) await connection.close();
  return run;
}

interface Found {
  label: string;
  given: unknown;
  run: JudgedRun;
  tool: Record<string, unknown>;
  session: ExerciseSession;
  /** The slowest answer of the tool that was right, in milliseconds. */
  slowest: number;
  /** Earlier calls. */
  previous: FuzzInput | undefined;
  options: RunOptions;
  clean(text: string): string;
}

/** Shrinks a failure, and makes it once more on a fresh connection. @returns undefined for a silence that did not come again */
async function reported(found: Found): Promise<FuzzFailure | undefined> {
  const { tool, session, slowest, options, clean, run, previous } = found;
  const { status } = run.failure!;
  const answerMs = options.timing?.answerMs ?? defaultTiming.answerMs;
  // While it shrinks, silence is waited for less; what is left is made with the whole deadline.
  const shortMs = status === 'timeout' ? Math.min(answerMs, Math.max(500, slowest * 10)) : answerMs;
  const alone = async (given: unknown): Promise<{ again: JudgedRun; wire: FuzzFailure['wire'] } | undefined> => {
    if (options.signal.aborted) return undefined;
    const connection = await session.fresh();
    const again = await judgedRun(connection, tool, given, options.schemas, status === 'crash' ? { lingerMs } : {});
    const wire = session
      .eventsOf(connection)
      .filter(
        ({ seq, kind }) =>
          seq >= again.call.from &&
          seq <= again.call.to &&
          (kind === 'message' || kind === 'unparsable' || kind === 'exit' || kind === 'closed' || kind === 'timeout'),
      )
      .map(wireEntry);
    if (again.lost) await connection.close();
    return again.failure?.status === status ? { again, wire } : undefined;
  };
  // The death of a server may be the work of the call before.
  const suspects = [
    { label: found.label, given: found.given },
    ...(status === 'crash' && previous !== undefined ? [previous] : []),
  ];
  for (const { label, given } of suspects) {
    const first = await alone(given);
    if (first === undefined) continue;
    const fails = async (candidate: unknown): Promise<boolean> =>
      !options.signal.aborted &&
      (await tryOn(session, tool, candidate, options.schemas, { deadlineMs: shortMs })).failure?.status === status;
    const smallest =
      options.replay === undefined
        ? await shrunk(given, status === 'timeout' ? mostSilentTries : mostTries, fails)
        : given;
    const last = smallest === given ? undefined : await alone(smallest);
    const { again, wire } = last ?? first;
    // As a copy: a part of a text would keep the whole of it in memory.
    return structuredClone({
      label,
      status,
      detail: clean(again.failure!.detail),
      duration_ms: again.call.durationMs,
      arguments: last === undefined ? given : smallest,
      first_arguments: given,
      times: 1,
      reproduced: true,
      wire,
    });
  }
  // A machine that was busy for a while is no fault of the tool.
  if (run.failure!.silent === true) return undefined;
  const detail = clean(`${run.failure!.detail} It did not happen again on a fresh connection.`);
  return {
    label: found.label,
    status,
    detail,
    duration_ms: run.call.durationMs,
    arguments: found.given,
    first_arguments: found.given,
    times: 1,
    reproduced: false,
    wire: [],
  };
}
