/** Which rules of the specification the calls of each tool broke, and which something else. */
import { citedViolations } from '../../run/traffic/conformance.ts';
import type { Connection } from '../../run/connect/connection.ts';
import type { SuiteViolation } from '../../../core/model/reports/suite-report.ts';
import { append } from '../../../core/model/lists.ts';
import type { TraceEvent } from '../../../core/model/trace.ts';

/** The events of a tool on its connection, the last included. */
export interface Span {
  tool: string;
  from: number;
  to: number;
}

export interface FoundViolations {
  byTool: Map<string, SuiteViolation[]>;
  /** Violations outside of calls. */
  others: SuiteViolation[];
}

export interface ViolationLog {
  readonly found: FoundViolations;
  /** Judges the events of a connection that has ended. */
  add(connection: Connection, events: Iterable<TraceEvent>, spans: readonly Span[]): Promise<void>;
}

/** A rule is reported once for each tool, with the tool of its first evidence. */
export function createViolationLog(): ViolationLog {
  const byTool = new Map<string, SuiteViolation[]>();
  const others: SuiteViolation[] = [];
  return {
    found: { byTool, others },
    async add({ recorder }, events, spans) {
      const { header } = recorder;
      if (header === undefined) return;
      for (const { evidence, ...violation } of await citedViolations(header, events, true)) {
        const own = spans.filter((span) => evidence.some((seq) => seq >= span.from && seq <= span.to));
        const owners = new Set(own.map(({ tool }) => tool));
        if (owners.size === 0)
          append(
            others,
            [violation].filter(({ rule }) => others.every((one) => one.rule !== rule)),
          );
        for (const tool of owners) {
          const list = byTool.get(tool) ?? [];
          if (list.every(({ rule }) => rule !== violation.rule)) byTool.set(tool, [...list, violation]);
        }
      }
    },
  };
}
