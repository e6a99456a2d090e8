/** Servers that end or never speak: the simplest ways of wasting a checker's time. */
import type { HostileCase } from '../case.ts';

const script = 'plain.mjs';

export const plainCases: readonly HostileCase[] = [
  {
    id: 'ends-at-once',
    part: 'deadlines',
    does: 'ends with code 3 before it has read anything',
    transport: 'stdio',
    script,
    exit: 3,
    says: [/ended|exited/i],
  },
  {
    id: 'listens-and-hangs-up',
    part: 'network',
    does: 'takes each connection and closes it without a byte',
    transport: 'http',
    script,
    exit: 3,
    says: [/127\.0\.0\.1/],
  },
];
