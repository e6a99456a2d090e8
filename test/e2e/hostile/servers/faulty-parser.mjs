/**
 * Loaded before mcpc (NODE_OPTIONS): a text with one of the words below keeps the thread that parses it busy for ever,
 * or makes it fill its memory, as a fault of mcpc would that a hostile server has found.
 * MCPC_TEST_TOLD names a file that is made when that begins.
 */
import { writeFileSync } from 'node:fs';

const parse = JSON.parse;
const kept = [];

JSON.parse = (text, ...rest) => {
  if (typeof text === 'string' && text.includes('mcpc-reads-this-for-ever')) {
    if (process.env.MCPC_TEST_TOLD) writeFileSync(process.env.MCPC_TEST_TOLD, '');
    for (;;);
  }
  // The same to whoever waits for the thread, and nothing to the machine.
  if (typeof text === 'string' && text.includes('mcpc-waits-on-this-for-ever'))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  // Large arrays of numbers fill it soonest.
  // oxlint-disable-next-line unicorn/no-new-array -- an array made otherwise takes three times as long
  if (typeof text === 'string' && text.includes('mcpc-keeps-all-of-this'))
    for (;;) kept.push(Array.from({ length: 1_000_000 }, () => 0.5));
  return parse(text, ...rest);
};
