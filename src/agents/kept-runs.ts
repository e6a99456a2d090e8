/** The last reports of a server for agents, to be asked about by their ids; gone when it ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunReport } from '../core/model/reports/run-report.ts';
import { Refused } from './access.ts';

const most = 20;

export class KeptRuns {
  /** Where traces, and files that are written on the way, stand. */
  readonly folder = mkdtempSync(join(tmpdir(), 'mcpc-agents-'));
  private readonly reports = new Map<string, RunReport>();
  private count = 0;

  /** @returns the id of the next run */
  nextId(): string {
    this.count += 1;
    return `run-${this.count}`;
  }

  keep(id: string, report: RunReport): void {
    this.reports.set(id, report);
    for (const old of this.reports.keys()) {
      if (this.reports.size <= most) break;
      this.reports.delete(old);
      rmSync(this.traceOf(old), { force: true });
    }
  }

  /** @throws Refused for an id that is not kept */
  report(id: string): RunReport {
    const found = this.reports.get(id);
    if (found === undefined)
      throw new Refused(
        `There is no run ${JSON.stringify(id)}. ${this.reports.size === 0 ? 'Run check_server or judge_capture first.' : `Kept: ${this.ids().join(', ')}.`}`,
      );
    return found;
  }

  /** Newest first. */
  ids(): string[] {
    return [...this.reports.keys()].reverse();
  }

  traceOf(id: string): string {
    return join(this.folder, `${id}.jsonl`);
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
