/**
 * Checks the subjects of the commits since this file was added: `area: imperative`, at most 72 characters, one change
 * a commit. Prints each subject that breaks the form, and exits 1. `.ci/run` calls it.
 */
import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const longest = 72;
const form = /^[a-z0-9][a-z0-9 ./-]{0,30}: [a-z]/;

/** What is wrong with a subject; undefined where nothing is. */
export function faultOf(subject: string): string | undefined {
  if (subject.length > longest) return `${subject.length} characters, of ${longest}`;
  if (!form.test(subject)) return 'not of the form "area: imperative"';
  return subject.includes(';') ? 'two changes in one commit' : undefined;
}

function git(...words: string[]): string[] {
  return execFileSync('git', words, { encoding: 'utf8' }).split('\n').filter(Boolean);
}

const own = fileURLToPath(import.meta.url);
if (process.argv[1] === own) {
  const [since] = git('log', '--diff-filter=A', '--format=%H', '--', relative(process.cwd(), own)).slice(-1);
  const subjects = since === undefined ? [] : git('log', '--no-merges', '--format=%s', `${since}..HEAD`);
  for (const subject of subjects) {
    const fault = faultOf(subject);
    if (fault === undefined) continue;
    console.error(`${subject}\n  ${fault}. CONTRIBUTING.md has the form.`);
    process.exitCode = 1;
  }
}
