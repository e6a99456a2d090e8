/**
 * What of the inside of a server stands in its text: stack traces, paths of its program, its environment. Only texts
 * of errors are searched for the first two, since a tool may well read out a log; and what was sent is no leak. Pure.
 */
import type { CallOutcome } from './tool-call.ts';

/** A variable that mcpc adds to the environment of a server on stdio: whoever tells its value tells the environment. */
export const canary = { name: 'MCPC_CANARY', value: 'mcpc-canary-4c1f09ab77d2' } as const;

const traces: readonly [what: string, pattern: RegExp][] = [
  ['a stack trace of JavaScript', /^\s+at (?:[^\n(]+ \()?(?:file:|node:|\/|[A-Za-z]:\\)[^\n]*:\d+:\d+\)?/m],
  ['a stack trace of Python', /Traceback \(most recent call last\)|^\s*File "[^"\n]+", line \d+, in /m],
  ['a stack trace of Java or .NET', /^\s+at [\w$.<>]+\([^)\n]*\.(?:java|kt|scala):\d+\)|^\s+at [\w.<>`]+\([^)\n]*\) in [^\n]+:line \d+/m],
  ['a stack trace of Go', /^goroutine \d+ \[|^panic: [^\n]*\n/m],
  ['a stack trace of Rust', /thread '[^'\n]*' panicked at /],
  ['a stack trace of Ruby or PHP', /^\s*(?:from )?\/[^\s:]+\.rb:\d+:in |^#\d+ \/[^\n]+\.php\(\d+\)/m],
];

const programPaths = /(?:[A-Za-z]:\\|\/)(?:[^\s'"`:()]+[/\\])?(?:node_modules|site-packages|dist-packages)[/\\][^\s'"`]+|(?:[A-Za-z]:\\|\/)[^\s'"`:()]+\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|php|cs):\d+/;

/** @param sent the arguments, as JSON @returns what leaked, as the begin of a sentence; undefined for nothing */
export function leakIn(outcome: CallOutcome, sent: string): string | undefined {
  if (outcome.kind !== 'result' && outcome.kind !== 'error') return undefined;
  const whole = outcome.kind === 'result' ? JSON.stringify(outcome.result) : `${outcome.message}\n${JSON.stringify(outcome.data ?? '')}`;
  if (whole.includes(canary.value)) return 'The answer holds a variable of the environment of the server';
  const isError = outcome.kind === 'error' || outcome.isError;
  if (!isError) return undefined;
  // Strings within JSON have their line feeds escaped.
  const text = (outcome.kind === 'result' ? outcome.text : whole).replaceAll('\\n', '\n');
  const found = traces.find(([, pattern]) => pattern.test(text));
  if (found !== undefined) return `The error holds ${found[0]}`;
  const path = programPaths.exec(text)?.[0];
  return path === undefined || sent.includes(path) ? undefined : 'The error holds a path of the program of the server';
}
