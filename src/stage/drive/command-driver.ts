/** A client that is one command: it gets the address, reads its environment where it can, and does what it does. */
import { startClient } from './client-process.ts';
import type { ClientDriver } from './driver.ts';
import { filledIn } from './task.ts';

/** @param words the command line; `{{url}}`, or `{{command}}` and `{{config}}`, stand for the server */
export function commandDriver(words: readonly string[], cwd?: string): ClientDriver {
  return {
    begin: ({ places, last, env, record, print, gone }) =>
      startClient({ words: filledIn(words, places, last), cwd, env }, record, print, gone),
    // What it makes of its environment shows in what it does.
    lacks: () => undefined,
    parallel: true,
  };
}
