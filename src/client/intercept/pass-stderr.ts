/**
 * Hands a server's stderr on. In the log of a CI system lines are kept from steering it, and so come as whole lines;
 * everywhere else the bytes pass as they are.
 */
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { withoutCommands } from '../../core/model/ci-logs.ts';

/** Longest line that is waited for. */
const longest = 64 * 1024;

/** @param env where CI systems say that they are there */
export function passStderr(from: Readable, to: Writable, env: NodeJS.ProcessEnv = process.env): void {
  if (!inCi(env)) {
    from.pipe(to, { end: false });
    return;
  }
  // A decoder of its own: the stream goes on giving bytes to those who record them.
  const decoder = new StringDecoder('utf8');
  let rest = '';
  from.on('data', (bytes: Buffer) => {
    rest += decoder.write(bytes);
    const end = rest.length > longest ? rest.length : Math.max(rest.lastIndexOf('\n'), rest.lastIndexOf('\r')) + 1;
    if (end === 0) return;
    to.write(withoutCommands(rest.slice(0, end)));
    rest = rest.slice(end);
  });
  from.on('end', () => {
    rest += decoder.end();
    if (rest !== '') to.write(withoutCommands(rest));
  });
}

function inCi(env: NodeJS.ProcessEnv): boolean {
  return ['CI', 'GITHUB_ACTIONS', 'GITLAB_CI', 'TF_BUILD'].some(
    (name) => (env[name] ?? '') !== '' && env[name] !== 'false',
  );
}
