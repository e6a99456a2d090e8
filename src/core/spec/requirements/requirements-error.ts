/** The error of requirement files: every problem found, each with its file and line. */
import { McpcError } from '../../model/errors.ts';
import { append } from '../../model/lists.ts';

export interface RequirementProblem {
  /** The file as it was named by the caller. */
  file: string;
  /** From 1; 0 where the file as a whole is meant. */
  line: number;
  message: string;
}

/** Thrown once for all files that were read together, so that a user fixes everything at once. */
export class RequirementsError extends McpcError {
  readonly problems: readonly RequirementProblem[];

  constructor(problems: readonly RequirementProblem[]) {
    const lines = problems.map(({ file, line, message }) =>
      line === 0 ? `${file}: ${message}` : `${file}:${line}: ${message}`,
    );
    super('usage', lines.join('\n'), {
      remedy: 'The form of these files is described in docs/requirements-format.md.',
    });
    this.name = 'RequirementsError';
    this.problems = problems;
  }
}

/** Runs each task, and throws the problems of all that failed with a RequirementsError as one. */
export function collectProblems<T>(tasks: readonly (() => T)[]): T[] {
  const problems: RequirementProblem[] = [];
  const results: T[] = [];
  for (const task of tasks) {
    try {
      results.push(task());
    } catch (error) {
      if (!(error instanceof RequirementsError)) throw error;
      append(problems, error.problems);
    }
  }
  if (problems.length > 0) throw new RequirementsError(problems);
  return results;
}
