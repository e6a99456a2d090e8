/** The way into the command line: what is loaded behind this is compiled once for many starts. Built as dist/start.js. */
import { keepCompiledCode } from './files/output/compile-cache.ts';

/** Runs a command line, without the two leading words of `process.argv`, and leaves the process. */
export async function start(argv: readonly string[]): Promise<never> {
  keepCompiledCode();
  if (isCheck(argv)) (await import('./check/check-thread/own-thread.ts')).startAhead();
  const { main } = await import('./cli.ts');
  return main(argv);
}

/** True if a check is to be run, at first sight: its thread loads together with the command line. */
function isCheck([command, ...words]: readonly string[]): boolean {
  return command === 'check' && words.length > 0 && !['--help', '-h', '--plan'].some((flag) => words.includes(flag));
}
