/**
 * Rules that stay undecided on the compliant reference server, with the reason, and where. A rule that is decided
 * at a place that the list names has to leave it.
 */
import type { TransportKind } from '../../src/server/session/host.ts';
import type { Revision } from '../../src/server/protocol/revisions.ts';

export interface Undecided {
  why: string;
  /** Rules, by id. */
  rules: readonly string[];
  /** Only in this revision; absent: in every revision of the rule. */
  at?: Revision;
  /** Only on these transports. */
  on?: readonly TransportKind[];
  /** Only on a server that also speaks the stateful era. */
  bothEras?: true;
  /** Only on a server that speaks no other era. */
  oneEra?: true;
}

/** Where a reference server is checked, and which revisions it speaks. */
export interface Served {
  transport: TransportKind;
  revision: Revision;
  speaks: 'all revisions' | 'only this one';
}

/** Whether an entry speaks of a check. */
export function concerns(entry: Undecided, { transport, revision, speaks }: Served): boolean {
  if (entry.bothEras && speaks !== 'all revisions') return false;
  if (entry.oneEra && speaks === 'all revisions') return false;
  return (entry.at === undefined || entry.at === revision) && (entry.on === undefined || entry.on.includes(transport));
}

export const undecidedHere: readonly Undecided[] = [
  {
    why: 'the reference server cancels none of its requests',
    rules: [
      'cancellation/notification-reason-type',
      'cancellation/notification-request-id',
      'cancellation/server-other-purposes',
    ],
  },
  { why: 'the reference server keeps listening streams open', rules: ['http/get-retry-before-close'] },
  {
    why: 'seen only when the check starts the server, for which there is a test of its own',
    rules: ['http/security-loopback-binding', 'subscriptions/teardown-shutdown-result'],
  },
  {
    why: 'the reference server declares each capability',
    at: '2026-07-28',
    rules: ['capabilities/server-unadvertised-method'],
  },
  {
    why: 'the reference server ends no subscription by itself but on stdio, when its input ends',
    at: '2026-07-28',
    on: ['http'],
    rules: ['subscriptions/listen-result-schema', 'subscriptions/teardown-server-result'],
  },
  {
    why: 'servers of this revision send no requests',
    at: '2026-07-28',
    rules: ['roots/capability-server-check', 'roots/security-server-unavailability'],
  },
  {
    why: 'over HTTP a request of this revision is cancelled by closing its reply, behind which nothing can be seen',
    at: '2026-07-28',
    on: ['http'],
    rules: [
      'cancellation/race-tolerance',
      'cancellation/receiver-response-suppression',
      'cancellation/receiver-work-stop',
    ],
  },
  { why: 'binds servers of both eras', at: '2026-07-28', oneEra: true, rules: ['versioning/era-dual-selection'] },
  {
    why: 'binds servers of this revision alone',
    at: '2026-07-28',
    bothEras: true,
    rules: [
      'http/post-removed-method-404',
      'http/removed-delete-405',
      'http/removed-get-405',
      'http/removed-last-event-id',
      'http/removed-session-id',
      'http/version-header-absence-rejection',
      'versioning/era-initialize-error-versions',
      'versioning/era-initialize-rejection',
    ],
  },
];
