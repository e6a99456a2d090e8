/**
 * For cases that fail since a position in a file holds nothing (`--fix`): looks for one nearby with which the case
 * passes. It changes no file.
 */
import { isObject } from '../../../core/model/json.ts';
import type { SuiteReport } from '../../../core/model/reports/suite-report.ts';
import type { Step, SuiteCase } from '../../language/model.ts';
import { runSuite } from '../run-suite.ts';
import type { RunSuiteOptions } from '../run-suite.ts';

export interface Position {
  line: number;
  column: number;
}

export interface Suggestion {
  name: string;
  file: string;
  /** Of the step. */
  line: number;
  was: Position;
  /** Undefined when no position nearby passes. */
  is: Position | undefined;
}

/** Messages of language servers about an empty position. */
const misplaced = /no identifier found|column is beyond end of line/;
const columnsAround = 5;
const linesAround = 3;

/** Positions to try, the nearest first: on the line itself, then on those around it. Never below 1. */
export function positionsAround({ line, column }: Position): Position[] {
  const offsets = (most: number): number[] =>
    Array.from({ length: most }, (_, index) => [index + 1, -index - 1]).flat();
  const same = offsets(columnsAround).map((by) => ({ line, column: column + by }));
  const others = offsets(linesAround).flatMap((by) =>
    [0, ...offsets(columnsAround)].map((across) => ({ line: line + by, column: column + across })),
  );
  return [...same, ...others].filter((one) => one.line >= 1 && one.column >= 1);
}

/** @param onCase called before the positions of a case are tried */
export async function suggestPositions(
  report: SuiteReport,
  options: RunSuiteOptions,
  onCase: (name: string) => void,
): Promise<Suggestion[]> {
  const byId = new Map(options.cases.map((one) => [one.id, one]));
  const found: Suggestion[] = [];
  for (const { id, status, detail } of report.cases) {
    const one = byId.get(id);
    const at = one === undefined || status !== 'fail' || !misplaced.test(detail) ? undefined : positionIn(one);
    if (one === undefined || at === undefined || options.signal.aborted) continue;
    onCase(one.name);
    found.push({
      name: one.name,
      file: one.file,
      line: at.step.place.line,
      was: at.position,
      is: await firstThatPasses(one, at, options),
    });
  }
  return found;
}

interface Found {
  step: Step;
  position: Position;
}

/** The step under test, else one before it, whose arguments are a position. */
function positionIn({ steps }: SuiteCase): Found | undefined {
  const all = steps.flatMap((step): Found[] => {
    const given =
      step.act.kind === 'request' && step.act.method === 'tools/call' ? step.act.params?.['arguments'] : undefined;
    if (!isObject(given) || !Number.isInteger(given['line']) || !Number.isInteger(given['column'])) return [];
    return [{ step, position: { line: given['line'] as number, column: given['column'] as number } }];
  });
  return all.find(({ step }) => step.phase === 'main') ?? all[0];
}

async function firstThatPasses(
  one: SuiteCase,
  { step, position }: Found,
  options: RunSuiteOptions,
): Promise<Position | undefined> {
  const { trace: _trace, onCase: _case, onBegin: _begin, onSeen: _seen, ...rest } = options;
  for (const next of positionsAround(position)) {
    if (options.signal.aborted) return undefined;
    const moved: SuiteCase = {
      ...one,
      steps: one.steps.map((other) => (other === step ? withPosition(other, next) : other)),
    };
    const { counts } = await runSuite({
      ...rest,
      cases: [moved],
      trials: 1,
      conformance: { asked: 'off', usual: 'off' },
    });
    if (counts.passed === 1) return next;
  }
  return undefined;
}

function withPosition(step: Step, position: Position): Step {
  const { act } = step;
  if (act.kind !== 'request') return step;
  return {
    ...step,
    act: { ...act, params: { ...act.params, arguments: { ...(act.params!['arguments'] as object), ...position } } },
  };
}
