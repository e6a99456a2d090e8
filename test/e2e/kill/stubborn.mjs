/**
 * The example server, unwilling to end: it ignores every signal that can be ignored and the end of stdin, and has a
 * child that does the same, and one in a session of its own.
 *
 *   node stubborn.mjs EXAMPLE_SERVER stdio
 *   node stubborn.mjs EXAMPLE_SERVER http --port PORT
 */
import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'];
// What a shell ignores is ignored by what takes its place.
const deaf = `trap '' TERM INT HUP; exec sleep 3600`;
for (const detached of [false, true]) spawn('sh', ['-c', deaf], { stdio: 'ignore', detached }).unref();

process.exit = () => {};
const [, , example, ...words] = process.argv;
process.argv = [process.argv[0], example, ...words];
await import(pathToFileURL(example).href);
for (const signal of signals) {
  process.removeAllListeners(signal);
  process.on(signal, () => {});
}
setInterval(() => {}, 1000);
