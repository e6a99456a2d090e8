/** The steps of the native form, and what an `expect` of either form says beyond one answer. */
import { isObject } from '../../../core/model/json.ts';
import { append } from '../../../core/model/lists.ts';
import { demandsOf } from '../blocks/block.ts';
import type { CapturePath, Demand, Step } from '../model.ts';
import { stepKinds } from '../steps/table.ts';
import type { StepContext, StepKind } from '../steps/step-kind.ts';
import { timeoutOf } from '../duration-part.ts';
import type { Part } from '../part.ts';
import type { Problem } from '../yaml-source.ts';

/** The steps of a list; the schema has reported other entries. */
export function stepsOf(part: Part, phase: Step['phase'], problems: Problem[]): Step[] {
  return part
    .items()
    .flatMap((item) => stepOf(item, { phase, problems, steps: (inner) => stepsOf(inner, phase, problems) }) ?? []);
}

function stepOf(part: Part, context: StepContext): Step | undefined {
  const kind = stepKinds.find(({ key }) => part.has(key));
  // The schema has reported that it is missing.
  if (kind === undefined) return undefined;
  const { act, title } = kind.read(part.at(kind.key), part, context);
  const demands = kind.expects === undefined ? [] : demandsOf(part.at('expect'), kind.expects, () => 'values');
  if (kind.expects === 'answer' && part.has('expect_error'))
    append(
      demands,
      demandsOf(part, 'answer', () => 'values').filter(({ expectation }) => expectation.name === 'expect_error'),
    );
  const counted = demands.some(
    ({ expectation }) => expectation.name === 'progress' || expectation.name === 'min_progress',
  );
  return {
    id: part.path.filter((name) => name !== 'cases').join('.'),
    phase: context.phase,
    title,
    act: act.kind === 'request' && counted ? { ...act, progress: true } : act,
    capture: Object.fromEntries(
      part
        .at('capture')
        .members()
        .map(([name, path]) => [name, captureOf(path)]),
    ),
    demands: ordered(demands),
    place: part.place,
    native: true,
    ...(impliesResult(part, kind) ? { implied: true as const } : {}),
    ...aroundOf(part.at('expect'), context.phase, context.problems),
  };
}

/** Properties that each step may have. */
const common = new Set(['name', 'expect_error', 'capture']);

/** An empty `expect`, or an unknown property, is not a step that only requires a result. */
function impliesResult(part: Part, { key, members = {}, expects }: StepKind): boolean {
  if (expects !== 'answer' || !isObject(part.value)) return expects === undefined;
  return Object.keys(part.value).every((name) => name === key || common.has(name) || Object.hasOwn(members, name));
}

function captureOf(path: Part): CapturePath {
  return path.has('matches')
    ? {
        matches: path.at('matches').text() ?? '',
        ...(path.at('as').value === 'number' ? { as: 'number' as const } : {}),
      }
    : (path.text() ?? '');
}

/** Parts of an `expect` about more than one answer. */
export function aroundOf(
  expected: Part,
  phase: Step['phase'],
  problems: Problem[],
): Pick<Step, 'eventuallyMs' | 'unchanged' | 'again'> {
  const eventuallyMs = timeoutOf(expected.at('eventually'), problems);
  const unchanged = stepsOf(expected.at('unchanged'), phase, problems);
  return {
    eventuallyMs,
    ...(unchanged.length === 0 ? {} : { unchanged }),
    ...(expected.at('idempotent').value === true ? { again: true as const } : {}),
  };
}

/** The expected error goes first: without it nothing else can be judged. */
function ordered(demands: readonly Demand[]): Demand[] {
  return demands.toSorted(
    (one, other) => Number(other.expectation.name === 'expect_error') - Number(one.expectation.name === 'expect_error'),
  );
}
