/** The keys of `mcpc watch`: each is reported when pressed; `p` takes a pattern until Enter. */

export type Key = { kind: 'all' | 'failed' | 'update' | 'end' | 'interrupt' } | { kind: 'filter'; pattern: string };

const kinds: Readonly<Record<string, 'all' | 'failed' | 'update' | 'end'>> = {
  a: 'all',
  f: 'failed',
  u: 'update',
  q: 'end',
};

export const keyHelp = 'Keys: a all, f failed, p filter by name, u update snapshots, q end.';

/** Reads keys from stdin until the returned function is called. @param echo shows what is typed, on a terminal */
export function readKeys(
  input: NodeJS.ReadStream,
  echo: (text: string) => void,
  report: (key: Key) => void,
): () => void {
  let typed: string | undefined;

  function take(key: string): void {
    if (key === '\u0003') report({ kind: 'interrupt' });
    else if (typed !== undefined) type(key);
    else if (key === 'p') {
      typed = '';
      echo('Name or pattern, empty for all: ');
    } else if (Object.hasOwn(kinds, key)) report({ kind: kinds[key]! });
  }

  function type(key: string): void {
    if (key === '\r' || key === '\n') {
      echo('\n');
      const pattern = typed!;
      typed = undefined;
      report({ kind: 'filter', pattern });
    } else if (key === '\u007f' || key === '\b') {
      if (typed !== '') echo('\b \b');
      typed = Array.from(typed!).slice(0, -1).join('');
    } else if (key >= ' ') {
      typed += key;
      echo(key);
    }
  }

  const onData = (chunk: string): void => {
    for (const key of chunk) take(key);
  };
  const isTerminal = input.isTTY === true;
  if (isTerminal) input.setRawMode(true);
  input.setEncoding('utf8');
  input.on('data', onData);
  // Without a keyboard only changed files start a run.
  input.on('error', () => {});
  return () => {
    input.off('data', onData);
    if (isTerminal) input.setRawMode(false);
    input.pause();
  };
}
