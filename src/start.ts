/** The way into the command line: what is loaded behind this is compiled once for many starts. Built as dist/start.js. */
import { keepCompiledCode } from './files/compile-cache.ts';

/** Runs a command line, without the two leading words of `process.argv`, and leaves the process. */
export async function start(argv: readonly string[]): Promise<never> {
  keepCompiledCode();
  const { main } = await import('./cli.ts');
  return main(argv);
}
