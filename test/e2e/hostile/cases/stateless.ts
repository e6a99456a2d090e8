/** Servers of 2026-07-28 that use what that revision has: input requests, states, subscriptions. */
import type { HostileCase } from '../case.ts';

const base = { script: 'stateless.mjs', flags: ['--spec', '2026-07-28'], exit: 0, slow: true } as const;
const sound = [/No MUST-level violations|No\s+requirement of MCP 2026-07-28 violated/];
const each = (one: Omit<HostileCase, 'transport'>): HostileCase[] =>
  (['stdio', 'http'] as const).map((transport) => ({ ...one, transport }));

export const statelessCases: readonly HostileCase[] = [
  ...each({
    ...base,
    part: 'endless',
    id: 'asks-for-ever',
    does: 'answers each call by asking for input, however often it gets it',
    says: [...sound, /asked for input 8 times was left/],
  }),
  ...each({
    ...base,
    part: 'deadlines',
    id: 'never-acknowledges',
    does: 'opens subscriptions and says nothing on them',
    exit: 1,
    says: [/✗ subscriptions\/acknowledgement-first-message/, /1\s+requirement of MCP 2026-07-28 violated/],
  }),
  ...each({
    ...base,
    part: 'deadlines',
    id: 'slow-after-input',
    does: 'takes twenty seconds once it has the input that it asked for',
    says: [...sound, /did not answer in time/],
  }),
  ...each({
    ...base,
    part: 'odd',
    id: 'tools-with-every-call',
    does: 'has one more tool after each call, and announces it',
    says: sound,
  }),
  ...each({
    ...base,
    part: 'memory',
    id: 'heavy-state',
    does: 'asks for input with a requestState of two million characters',
    says: [...sound, /more than 1000000 characters was not\s+sent back/],
  }),
  {
    ...base,
    part: 'memory',
    id: 'floods-subscriptions',
    transport: 'stdio',
    does: 'tells of changes on a subscription without end, cancelled or not',
    exit: 1,
    says: [/INCOMPLETE/, /a limit was\s+reached/],
  },
  {
    ...base,
    part: 'memory',
    id: 'floods-subscriptions',
    transport: 'http',
    does: 'tells of changes on a subscription without end',
    says: [...sound, /ended after 10000 messages/],
  },
  {
    ...base,
    part: 'broken',
    id: 'drops-subscriptions',
    transport: 'http',
    does: 'breaks off the stream of each subscription behind its acknowledgement',
    exit: 1,
    says: [/INCOMPLETE/, /a reply that\s+was cut off/],
  },
];
