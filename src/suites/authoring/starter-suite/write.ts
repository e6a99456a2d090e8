/** Writes cases of a starter suite as YAML in the form of mcpc, with comments that say what was guessed. Pure. */
import { commentText } from '../../../check/authoring/listed-text.ts';
import { mostComment, suiteFileText } from '../suite-text.ts';

type Json = Record<string, unknown>;

export interface StarterCase {
  name: string;
  step: Json;
  members: Json;
  comments: readonly string[];
  /** JSON paths that snapshots leave out. */
  volatile?: readonly string[];
  skip?: string;
}

export interface SuiteHead {
  /** For the reader, a line each. */
  comments: readonly string[];
  /** Member `servers` of the file. */
  server: Json;
}

/** @returns the text of a suite file that `mcpc run` takes */
export function suiteText({ comments, server }: SuiteHead, cases: readonly StarterCase[]): string {
  const written = cases.map(({ name, step, members, comments: reported, volatile = [], skip }) => ({
    value: {
      name: commentText(name, mostComment),
      ...(skip === undefined ? {} : { skip: commentText(skip, mostComment) }),
      ...(volatile.length === 0 ? {} : { volatile }),
      steps: [{ ...step, ...members }],
    },
    comments: reported,
  }));
  return suiteFileText({ comments, members: { servers: { server } }, cases: written });
}
