/**
 * Servers that end or never speak.
 *
 *   node plain.mjs <id> [port]
 */
import { createServer } from 'node:net';

const [id, port] = process.argv.slice(2);

const behaviours = {
  'ends-at-once': () => process.exit(3),
  'listens-and-hangs-up': () => createServer((socket) => socket.destroy()).listen(Number(port), '127.0.0.1'),
};

behaviours[id]();
