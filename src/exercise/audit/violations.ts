/** Which rules of the specification the calls of each tool broke, and which something else. */
import { citedViolations } from '../../app/suite/traffic/conformance.ts';
import type { Connection } from '../../app/suite/connect/connection.ts';
import type { SuiteViolation } from '../../model/reports/suite-report.ts';
import { append } from '../../model/lists.ts';
import type { ExerciseSession } from '../session.ts';

/** The events of a tool on a connection, the last included. */
export interface Span {
  tool: string;
  connection: Connection;
  from: number;
  to: number;
}

export interface FoundViolations {
  byTool: Map<string, SuiteViolation[]>;
  /** What was broken outside of calls. */
  others: SuiteViolation[];
}

/** A rule is told once for each tool, with the tool that the first of its evidence belongs to. */
export async function violationsByTool(session: ExerciseSession, spans: readonly Span[]): Promise<FoundViolations> {
  const byTool = new Map<string, SuiteViolation[]>();
  const others: SuiteViolation[] = [];
  for (const connection of session.connections()) {
    const { header } = connection.recorder;
    if (header === undefined) continue;
    for (const { evidence, ...violation } of await citedViolations(header, session.eventsOf(connection), true)) {
      const own = spans.filter((span) => span.connection === connection && evidence.some((seq) => seq >= span.from && seq <= span.to));
      const owners = new Set(own.map(({ tool }) => tool));
      if (owners.size === 0) append(others, [violation].filter(({ rule }) => others.every((one) => one.rule !== rule)));
      for (const tool of owners) {
        const list = byTool.get(tool) ?? [];
        if (list.every(({ rule }) => rule !== violation.rule)) byTool.set(tool, [...list, violation]);
      }
    }
  }
  return { byTool, others };
}
