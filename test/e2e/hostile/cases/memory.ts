/** Servers whose bytes become much more in the memory of whoever reads them. */
import type { HostileCase } from '../case.ts';

const base = { part: 'memory', script: 'memory.mjs' } as const;
/** Rules of one area keep the floods short; what is tried is the reading. */
const pages = { flags: ['--only', 'pagination'], exit: 1 } as const;
const pings = { flags: ['--only', 'ping'], exit: 0 } as const;

const tooMany = [/JSON of more than 250000\s+values/, /INCOMPLETE|NOTHING DECIDED/];
const capped = [/beyond the 3000th on one\s+connection/];
/** A check by all rules, which decides in spite of it. */
const asksOn = { exit: 1, says: [...capped, /NOT COMPLIANT/], saysNot: [/INCOMPLETE/], slow: true } as const;

export const memoryCases: readonly HostileCase[] = [
  ...(['stdio', 'http', 'sse'] as const).map(
    (transport): HostileCase => ({
      ...base,
      ...pages,
      id: 'many-objects',
      transport,
      does: 'answers with 7 MB of `{},`',
      says: tooMany,
      slow: true,
    }),
  ),
  {
    ...base,
    ...pages,
    id: 'many-numbers',
    transport: 'stdio',
    does: 'answers with a list of three million numbers',
    says: tooMany,
    slow: true,
  },
  {
    ...base,
    ...pages,
    id: 'many-lists',
    transport: 'http',
    does: 'answers with two million empty lists',
    says: tooMany,
    slow: true,
  },
  {
    ...base,
    ...pages,
    id: 'many-names',
    transport: 'sse',
    does: 'answers with an object of 600,000 members',
    says: tooMany,
    slow: true,
  },
  {
    ...base,
    ...pages,
    id: 'deep-lists',
    transport: 'http',
    does: 'answers with lists that nest three million deep',
    says: [/nested deeper than 500\s+levels/, /INCOMPLETE/],
    slow: true,
  },
  {
    ...base,
    ...pages,
    id: 'fifty-megabytes',
    transport: 'stdio',
    does: 'answers with one line of 50 MB',
    says: [/longer than 8388608\s+bytes/, /INCOMPLETE/],
    slow: true,
  },
  {
    ...base,
    ...pages,
    id: 'fifty-megabytes',
    transport: 'http',
    does: 'answers with one body of 50 MB',
    says: [/longer than 8388608\s+bytes/, /INCOMPLETE/],
    slow: true,
  },
  {
    ...base,
    ...pings,
    exit: 1,
    id: 'gzip-bombs',
    transport: 'http',
    does: 'answers with bodies that gunzip to 300 MB each',
    says: [/longer than 8388608\s+bytes/, /INCOMPLETE/],
    slow: true,
  },
  {
    ...base,
    ...pings,
    exit: 1,
    id: 'brotli-bombs',
    transport: 'http',
    does: 'answers with brotli bodies that unpack to 300 MB each',
    says: [/longer than 8388608\s+bytes/, /INCOMPLETE/],
    slow: true,
  },
  {
    ...base,
    ...pings,
    id: 'empty-lines-few',
    transport: 'stdio',
    does: 'writes 50,000 empty lines',
    says: [/COMPLIANT/],
    slow: true,
  },
  {
    ...base,
    ...pings,
    id: 'tiny-events-few',
    transport: 'http',
    does: 'sends 50,000 events without a word on the listening stream',
    says: [/COMPLIANT/],
    slow: true,
  },
  // On each connection of a check by all rules, that is more than a trace holds.
  {
    ...base,
    ...pings,
    whole: { exit: 1, says: [/INCOMPLETE/, /limit/] },
    id: 'tiny-events-few',
    transport: 'sse',
    does: 'sends 50,000 events without a word on its stream',
    says: [/COMPLIANT/],
    slow: true,
  },
  ...(['stdio', 'http'] as const).map(
    (transport): HostileCase => ({
      ...base,
      ...asksOn,
      id: 'endless-questions',
      transport,
      does: 'asks the client a million times on each connection',
    }),
  ),
  {
    ...base,
    ...asksOn,
    id: 'many-questions-on-each',
    transport: 'sse',
    does: 'asks the client 30,000 times on each connection',
  },
  {
    ...base,
    ...pings,
    whole: { exit: 1 },
    id: 'many-questions',
    transport: 'stdio',
    does: 'asks the client 5000 times',
    says: capped,
    slow: true,
  },
  {
    ...base,
    ...pings,
    whole: { exit: 1 },
    id: 'many-questions',
    transport: 'sse',
    does: 'asks the client 5000 times',
    says: capped,
    slow: true,
  },
  {
    ...base,
    ...pages,
    exit: 0,
    id: 'one-byte-chunks',
    transport: 'http',
    does: 'sends bodies of 200 kB in chunks of one byte',
    says: [/COMPLIANT/],
    slow: true,
  },
];
