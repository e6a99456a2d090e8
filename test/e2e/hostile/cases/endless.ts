/** Servers that never come to an end. */
import type { HostileCase } from '../case.ts';

const base = { part: 'endless', script: 'endless.mjs', flags: ['--only', 'pagination'], exit: 0, slow: true } as const;
const cut = [/had not ended after 1000 pages, 100000\s+entries or 16 MiB/];
/** The rule about the way through the pages, which is a SHOULD, is broken, and told so. */
const round = [/cursor-continuation/];

export const endlessCases: readonly HostileCase[] = [
  {
    ...base,
    id: 'endless-pages',
    transport: 'stdio',
    does: 'gives a new page and a new cursor for ever',
    says: cut,
    saysNot: round,
  },
  {
    ...base,
    id: 'endless-pages',
    transport: 'http',
    does: 'gives a new page and a new cursor for ever',
    says: cut,
    saysNot: round,
  },
  {
    ...base,
    id: 'large-pages',
    transport: 'stdio',
    does: 'gives pages of 2000 tools for ever',
    says: cut,
    saysNot: round,
  },
  {
    ...base,
    id: 'heavy-pages',
    transport: 'stdio',
    does: 'gives pages of one tool with a description of a megabyte for ever',
    says: cut,
    saysNot: round,
  },
  {
    ...base,
    id: 'same-page',
    transport: 'stdio',
    does: 'gives the same page and the same cursor for ever',
    says: round,
  },
  {
    ...base,
    id: 'same-page',
    transport: 'http',
    does: 'gives the same page and the same cursor for ever',
    says: round,
  },
  { ...base, id: 'circle-of-pages', transport: 'sse', does: 'leads round in a circle of five pages', says: round },
];
