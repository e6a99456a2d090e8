/** Signs of the inside of a server in a text: stack traces and paths of its program. Pure. */
const traces: readonly [what: string, pattern: RegExp][] = [
  ['a stack trace of JavaScript', /^[ \t]{1,200}at (?:[^\n(]+ \()?(?:file:|node:|\/|[A-Za-z]:\\)[^\n]*:\d+:\d+\)?/m],
  ['a stack trace of Python', /Traceback \(most recent call last\)|^[ \t]{0,200}File "[^"\n]+", line \d+, in /m],
  [
    'a stack trace of Java or .NET',
    /^[ \t]{1,200}at [\w$.<>]+\([^)\n]*\.(?:java|kt|scala):\d+\)|^[ \t]{1,200}at [\w.<>`]+\([^)\n]*\) in [^\n]+:line \d+/m,
  ],
  ['a stack trace of Go', /^goroutine \d+ \[|^panic: [^\n]*\n/m],
  ['a stack trace of Rust', /thread '[^'\n]*' panicked at /],
  ['a stack trace of Ruby or PHP', /^[ \t]{0,200}(?:from )?\/[^\s:]+\.rb:\d+:in |^#\d+ \/[^\n]+\.php\(\d+\)/m],
];

const programPaths =
  /(?:[A-Za-z]:\\|\/)(?:[^\s'"`:()]{1,500}[/\\])?(?:node_modules|site-packages|dist-packages)[/\\][^\s'"`]{1,500}|(?:[A-Za-z]:\\|\/)[^\s'"`:()]{1,500}\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|php|cs):\d+/;

/** Length of the text that is searched: an answer may have megabytes. */
const mostText = 100_000;

/**
 * @param sent texts that do not count, such as the arguments
 * @returns its content; undefined for nothing
 */
export function internalsIn(text: string, sent = ''): string | undefined {
  // Strings within JSON have their line feeds escaped.
  const plain = text.slice(0, mostText).replaceAll('\\n', '\n');
  const found = traces.find(([, pattern]) => pattern.test(plain));
  if (found !== undefined) return found[0];
  const path = programPaths.exec(plain)?.[0];
  return path === undefined || sent.includes(path) ? undefined : 'a path of the program of the server';
}
