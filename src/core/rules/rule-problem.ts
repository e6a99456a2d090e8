/** One thing that is wrong with a rule file, with the file and the place in it. */
export interface RuleProblem {
  file: string;
  /** Place in the file, for example `expect.all[0].operator`; empty for the file as a whole. */
  path: string;
  message: string;
  /** Line of the place, from 1; absent when the file cannot be read. */
  line?: number;
}

export function describeProblem({ file, path, message, line }: RuleProblem): string {
  const where = line === undefined ? file : `${file}:${line}`;
  return path === '' ? `${where}: ${message}` : `${where}: ${path}: ${message}`;
}
