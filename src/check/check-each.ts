/**
 * The use case `check` for several revisions: a check with its own trace for each spoken revision, and one report with
 * a part for each.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { McpcError } from '../core/model/errors.ts';
import { joinRuns, type AskedRevision } from '../core/model/reports/run-parts.ts';
import type { RunReport } from '../core/model/reports/run-report.ts';
import type { Revision } from '../core/model/rules/requirement.ts';
import { NotSpoken } from '../client/target/answered-otherwise.ts';
import { eraOf, revisions } from '../core/spec/revisions.ts';
import type { CheckOptions } from './check-options.ts';
import { runCheck } from './check.ts';
import { traceOfRevision } from './trace-files.ts';

/** Time for a quick server to answer another first request. */
const graceMs = 2_000;

/**
 * Checks a target by one revision, or by several (`specs`). A revision that it does not speak is named in the report.
 * @throws McpcError as runCheck, where there is nothing at all to report
 */
export async function runChecks({ specs, ...options }: CheckOptions): Promise<RunReport> {
  if (specs === undefined) return runCheck(options);
  const run = new SeveralChecks({ ...options, run: randomBytes(8).toString('hex') });
  return specs === 'each' ? run.each() : run.list([...new Set(specs)]);
}

class SeveralChecks {
  private readonly options: CheckOptions;
  private readonly done: RunReport[] = [];
  private readonly unspoken: AskedRevision[] = [];
  /** Revisions with unknown support, and why. */
  private readonly unknown: { why: string; error: McpcError }[] = [];

  constructor(options: CheckOptions) {
    this.options = options;
  }

  /** The revision that `auto` finds, and every other spoken one, newest first. */
  async each(): Promise<RunReport> {
    const first = await runCheck({ ...this.options, spec: 'auto' });
    this.done.push(first);
    // A target that led no conversation, or wants credentials, will not do so in other words.
    if ((first.spoken ?? []).length === 0) return this.joined();
    const found = first.parts[0]!.revision;
    const refused = new Set((first.unspoken ?? []).map(({ revision }) => revision));
    await this.ask([...revisions].reverse().filter((revision) => revision !== found && !refused.has(revision)));
    return this.joined();
  }

  /** The named revisions, in the given order. */
  async list(named: readonly Revision[]): Promise<RunReport> {
    await this.ask(named);
    if (this.done.length > 0) return this.joined();
    if (this.unknown.length > 0) throw this.unknown[0]!.error;
    // The target speaks none of them: a check of a single revision reports the spoken ones.
    const held = named.find((revision) => eraOf(revision) === 'stateful') ?? named[0]!;
    this.done.push(await runCheck({ ...this.options, spec: held }));
    return this.joined();
  }

  private async ask(wanted: readonly Revision[]): Promise<void> {
    for (const [at, revision] of wanted.entries()) {
      const left = wanted.slice(at);
      if (this.options.signal?.aborted === true) {
        if (this.done.length === 0) throw new McpcError('interrupted', 'The check was interrupted.');
        this.cut = endedBefore(left);
        return;
      }
      this.tell(left);
      await this.checkOne(revision, left);
    }
  }

  /** Why the run is not whole, where it was ended. */
  private cut: string | undefined;

  private async checkOne(revision: Revision, left: readonly Revision[]): Promise<void> {
    const { traceFile, onPartial, signal } = this.options;
    const tookMs = this.done.at(-1)?.startUpMs;
    const trace = traceFile === undefined || this.done.length === 0 ? traceFile : traceOfRevision(traceFile, revision);
    try {
      this.done.push(
        await runCheck({
          ...this.options,
          spec: revision,
          onlyIfSpoken: tookMs === undefined ? {} : { deadlineMs: graceMs + 4 * tookMs },
          ...(trace === undefined ? {} : { traceFile: trace }),
          ...(onPartial === undefined ? {} : { onPartial: (partial) => onPartial(this.joined([partial])) }),
        }),
      );
    } catch (error) {
      if (error instanceof NotSpoken) {
        const { why, wire } = error;
        this.unspoken.push({ revision, era: eraOf(revision), why, events: [], wire });
        // It holds nothing but the question, which the report shows.
        if (trace !== undefined) rmSync(trace, { force: true });
        return;
      }
      if (signal?.aborted === true && this.done.length > 0) {
        this.cut = endedBefore(left);
        return;
      }
      if (!(error instanceof McpcError) || error.stage !== 'target') throw error;
      this.unknown.push({ why: `MCP ${revision} could not be asked for: ${error.message}`, error });
    }
  }

  /** The result so far, in case the check must be ended. */
  private tell(left: readonly Revision[]): void {
    const { onPartial } = this.options;
    if (onPartial !== undefined && this.done.length > 0) onPartial(this.joined([], endedBefore(left)));
  }

  private joined(more: RunReport[] = [], cut = this.cut): RunReport {
    const reasons = [
      ...this.unknown.map(({ why }) => (why.endsWith('.') ? why.slice(0, -1) : why)),
      ...(cut === undefined ? [] : [cut]),
    ];
    return joinRuns([...this.done, ...more], {
      unspoken: this.unspoken,
      ...(reasons.length === 0 ? {} : { incomplete: reasons.join('; ') }),
    });
  }
}

function endedBefore(left: readonly Revision[]): string {
  return `the check was ended before MCP ${left.join(' and ')} ${left.length === 1 ? 'was' : 'were'} checked`;
}
