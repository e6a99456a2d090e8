/** What the reference client declares, and what it may do otherwise without breaking anything. */
import type { Json } from '../../src/core/faults/operators.ts';
import type { Revision } from '../../src/core/model/rules/requirement.ts';

export const liberties = [
  'declines',
  'string-ids',
  'lists-nothing',
  'pings-early',
  'gives-up',
  'in-parallel',
  'resumes-late',
  'lists-once',
  'opens-streams',
  'quits-after-refusals',
  'needs-two-starts',
  'registers-each-time',
  'never-registers',
  'confidential',
  'both-eras',
  'looks-for-old-servers',
] as const;

export type Variant = (typeof liberties)[number];

/** What a client may declare in a revision. */
export function everythingIn(revision: Revision): Json {
  return {
    roots: revision === '2026-07-28' ? {} : { listChanged: true },
    sampling: {},
    ...(revision >= '2025-11-25'
      ? { elicitation: { form: {}, url: {} } }
      : revision >= '2025-06-18'
        ? { elicitation: {} }
        : {}),
    ...(revision === '2026-07-28' ? { extensions: { 'io.modelcontextprotocol/tasks': {} } } : {}),
  };
}
