/**
 * Reads trajectory assertions from a YAML file: a `trajectory` list, as suite files have it. Every mistake is reported
 * with its line; nothing is ignored silently.
 */
import { LineCounter, parseDocument, type Document } from 'yaml';
import { usageError } from '../../core/model/errors.ts';
import { trajectoryTypes } from './trajectory.ts';
import type { TrajectoryAssertion } from './trajectory.ts';

/**
 * @param text the file's content
 * @param file its name, for errors
 * @throws McpcError usage naming file and line
 */
export function parseTrajectory(text: string, file: string): TrajectoryAssertion[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [broken] = document.errors;
  if (broken)
    throw usageError(`${file}:${lines.linePos(broken.pos[0]).line}: ${broken.message.split('\n')[0]}`, 'Fix the YAML.');
  const content = document.toJS() as { trajectory?: unknown } | null;
  if (!Array.isArray(content?.trajectory))
    throw usageError(
      `${file}: there is no list "trajectory" in it.`,
      'Write trajectory: and below it entries such as - { type: presence, tools: [search] }.',
    );
  return content.trajectory.map((entry, index) => {
    const problem = problemOf(entry);
    if (problem !== undefined)
      throw usageError(
        `${file}:${lineOf(document, lines, index)}: trajectory[${index}] ${problem}`,
        'See the section on trajectories in docs/intercept.md.',
      );
    return entry as TrajectoryAssertion;
  });
}

function problemOf(entry: unknown): string | undefined {
  if (!isRecord(entry)) return 'is no mapping';
  const { type } = entry;
  if (typeof type !== 'string' || !(trajectoryTypes as readonly string[]).includes(type))
    return `has the unknown type ${JSON.stringify(type)}; use ${trajectoryTypes.join(', ')}`;
  if (type !== 'args_contain' && type !== 'at_most') {
    if (!isTexts(entry['tools'])) return 'needs "tools", a list of names';
    return type !== 'never_before' || (entry['tools'] as unknown[]).length === 2
      ? undefined
      : 'needs two "tools": the one that may not come before the other';
  }
  if (typeof entry['tool'] !== 'string') return 'needs "tool", a name';
  if (type === 'at_most')
    return Number.isInteger(entry['count']) && (entry['count'] as number) >= 0
      ? undefined
      : 'needs "count", a whole number from 0';
  if (!isRecord(entry['args'])) return 'needs "args", a mapping';
  const { occurrence } = entry;
  return occurrence === undefined || (Number.isInteger(occurrence) && (occurrence as number) > 0)
    ? undefined
    : 'has an "occurrence" that is no whole number from 1';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function lineOf(document: Document, lines: LineCounter, index: number): number {
  const node = document.getIn(['trajectory', index], true) as { range?: [number, number, number] } | undefined;
  return node?.range ? lines.linePos(node.range[0]).line : 1;
}
