/** Everything that is wrong with rule files, collected; each problem names the file and the place in it. */
import { McpcError } from '../model/errors.ts';

export interface RuleProblem {
  file: string;
  /** Place in the file, for example `expect.all[0].operator`; empty for the file as a whole. */
  path: string;
  message: string;
}

export class RuleFileError extends McpcError {
  readonly problems: readonly RuleProblem[];

  constructor(problems: readonly RuleProblem[]) {
    super('usage', problems.map(describeProblem).join('\n'), {
      remedy: 'docs/rules.md describes rule files; `mcpc rules lint` checks them.',
    });
    this.name = 'RuleFileError';
    this.problems = problems;
  }
}

export function describeProblem({ file, path, message }: RuleProblem): string {
  return path === '' ? `${file}: ${message}` : `${file}: ${path}: ${message}`;
}
