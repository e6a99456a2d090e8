/**
 * An odd server on stdio.
 *
 *   node odd-server.mjs <habit>
 */
import { createInterface } from 'node:readline';
import { connect, startDelay } from './odd-behaviour.mjs';

const habit = process.argv[2] ?? 'none';
const receive = connect(habit);

function send(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

function take(line) {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    send({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'That is no JSON.' } });
    return;
  }
  for (const one of Array.isArray(message) ? message : [message]) void receive(one, send);
}

if (habit === 'banner') process.stdout.write('*** odd-server 1.0 is ready ***\n');
await new Promise((resolve) => setTimeout(resolve, startDelay(habit)));
createInterface({ input: process.stdin, terminal: false })
  .on('line', take)
  .on('close', () => {
    // What still runs is given up with the process.
    if (habit === 'ignores-end-of-input') setInterval(() => {}, 1000);
    else process.exit(0);
  });
