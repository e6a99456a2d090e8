/** Everything that is wrong with rule files, collected, with the line of each problem. */
import { findNodeAtLocation, parseTree, type Node } from 'jsonc-parser';
import { McpcError } from '../../core/model/errors.ts';
import { describeProblem, type RuleProblem } from '../../core/rules/rule-problem.ts';
import { readMaybePacked } from './packed-files.ts';

export class RuleFileError extends McpcError {
  readonly problems: readonly RuleProblem[];

  constructor(unplaced: readonly RuleProblem[]) {
    const problems = withLines(unplaced);
    super('usage', problems.map(describeProblem).join('\n'), {
      remedy: 'docs/rules.md describes rule files; `mcpc rules lint` checks them.',
    });
    this.name = 'RuleFileError';
    this.problems = problems;
  }
}

/** The problems with the line of each; what lacks the place itself gets the line of what it would stand in. */
export function withLines(problems: readonly RuleProblem[]): RuleProblem[] {
  const files = new Map<string, { text: string; root: Node } | undefined>();
  return problems.map((problem) => {
    if (!files.has(problem.file)) files.set(problem.file, readTree(problem.file));
    const read = files.get(problem.file);
    if (!read || problem.path === '' || problem.line !== undefined) return problem;
    return { ...problem, line: lineAt(read.text, nodeAt(read.root, problem.path).offset) };
  });
}

function readTree(file: string): { text: string; root: Node } | undefined {
  try {
    const text = readMaybePacked(file);
    const root = parseTree(text);
    return root && { text, root };
  } catch {
    return undefined;
  }
}

/** Names with dots in them are found by trying how much of the place they take. */
function nodeAt(root: Node, path: string): Node {
  let node = root;
  let rest = path;
  while (rest !== '') {
    const next = partsAhead(rest).find(([part]) => findNodeAtLocation(node, [part]) !== undefined);
    if (!next) return node;
    node = findNodeAtLocation(node, [next[0]])!;
    rest = next[1];
  }
  return node;
}

/** Each way to take a name or a position from the front, the shortest first. */
function partsAhead(path: string): [part: string | number, rest: string][] {
  const position = /^\[(\d+)\]\.?/.exec(path);
  if (position) return [[Number(position[1]), path.slice(position[0].length)]];
  const ends = [...path.matchAll(/\.|(?=\[)|$/g)].map((match) => match.index);
  return ends
    .filter((end) => end > 0)
    .map((end) => [path.slice(0, end), path.slice(path[end] === '.' ? end + 1 : end)]);
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
