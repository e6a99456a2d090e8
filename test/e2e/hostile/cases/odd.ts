/** Servers of an odd kind: legal JSON that nobody would write, and answers, streams and headers that lead nowhere. */
import type { HostileCase } from '../case.ts';

const common = { part: 'odd', script: 'odd.mjs', slow: true } as const;
const flags = ['--timeout', '2s', '--start-timeout', '10s', '--check-timeout', '120s'] as const;
const judged = { ...common, flags, exit: 1, says: [/NOT COMPLIANT/] } as const;
const unreachable = { ...common, flags, exit: 3, says: [/could not be checked/] } as const;
const givenUp = {
  ...judged,
  says: [/did not answer 5 requests in a row|answered no request\s+but the handshake/],
} as const;

export const oddCases: readonly HostileCase[] = [
  {
    ...judged,
    transport: 'stdio',
    id: 'names-of-objects',
    does: 'names tools, arguments and results __proto__, constructor and toString',
  },
  { ...judged, transport: 'stdio', id: 'schema-doubles', does: 'has a schema that doubles at each of 40 levels' },
  { ...judged, transport: 'stdio', id: 'schema-of-itself', does: 'has a schema that consists of itself' },
  {
    ...judged,
    transport: 'stdio',
    id: 'schema-elsewhere',
    does: 'has a schema that refers to files and to another server',
  },
  {
    ...judged,
    transport: 'stdio',
    id: 'schema-slow-pattern',
    does: 'has patterns that take exponential time to match',
  },
  {
    ...judged,
    transport: 'stdio',
    id: 'schema-large-pattern',
    does: 'has a pattern of 14,000 instructions for a text of 440 kB',
  },
  {
    ...judged,
    transport: 'stdio',
    id: 'schema-many-patterns',
    does: 'has a schema whose patterns become 150 million instructions',
  },
  {
    ...judged,
    transport: 'stdio',
    id: 'schema-endless-values',
    does: 'has a schema that only values of 10^12 characters and items fit',
  },
  { ...judged, transport: 'stdio', id: 'schema-deep', does: 'has a schema of 230 levels' },
  { ...judged, transport: 'stdio', id: 'schema-wide', does: 'has a schema of 4000 alternatives' },
  { ...judged, transport: 'stdio', id: 'many-tools', alone: true, does: 'has 15,000 tools of a hundred names' },
  {
    ...common,
    transport: 'stdio',
    id: 'giant-names',
    alone: true,
    does: 'has a name and a version of 3 MB each, and a tool with a name of 1 MB',
    flags,
    exit: 1,
    says: [/COMPLIANT|INCOMPLETE/],
    mostMb: 600,
  },
  {
    ...judged,
    transport: 'stdio',
    id: 'capabilities-of-no-kind',
    does: 'declares a list as its capabilities and a number as its name',
  },
  { ...judged, transport: 'stdio', id: 'version-of-no-kind', does: 'negotiates an object' },
  { ...judged, transport: 'stdio', id: 'echoes-requests', does: 'sends each request back, as a request of its own' },
  {
    ...judged,
    transport: 'stdio',
    id: 'answers-a-thousandfold',
    alone: true,
    does: 'answers each request a thousand times',
  },
  {
    ...givenUp,
    transport: 'stdio',
    id: 'answers-of-others',
    does: 'answers each request under the id of the next one',
  },
  {
    ...judged,
    transport: 'stdio',
    id: 'ids-out-of-range',
    does: 'answers under ids that no number can hold, and under two at once',
  },
  {
    ...judged,
    says: [/NOT COMPLIANT/, /stdio\/stdout-purity/, /INCOMPLETE: .*read\s+as\s+messages\s+all\s+the\s+same/s],
    transport: 'stdio',
    id: 'marks-and-nuls',
    does: 'puts byte order marks, NULs and stray line ends around its messages',
  },
  { ...givenUp, transport: 'stdio', id: 'sixteen-bits', does: 'changes to UTF-16 after the handshake' },
  {
    ...judged,
    transport: 'stdio',
    id: 'samples-in-twos',
    alone: true,
    does: 'asks for two samples for each that it gets',
  },
  {
    ...judged,
    transport: 'stdio',
    id: 'changes-its-lists',
    alone: true,
    does: 'says 500 times after each message that its tools have changed',
  },
  {
    ...judged,
    transport: 'stdio',
    id: 'floods-stderr',
    alone: true,
    does: 'writes to stderr without an end, and without a line end',
  },
  { ...unreachable, transport: 'stdio', id: 'never-reads', does: 'never reads its stdin' },
  {
    ...judged,
    transport: 'stdio',
    id: 'starts-hundreds',
    alone: true,
    does: 'starts thirty processes at a call, half of them in sessions of their own',
  },
  { ...unreachable, transport: 'http', id: 'session-of-a-megabyte', does: 'gives session ids of 60 kB' },
  { ...judged, transport: 'http', id: 'session-each-time', does: 'gives a new session id with each answer' },
  {
    ...judged,
    transport: 'http',
    id: 'resumes-for-ever',
    does: 'ends each stream with an event id and no answer, also when it is resumed',
  },
  {
    ...unreachable,
    says: [/could not be checked/, /the body does not decode/],
    transport: 'http',
    id: 'codings-of-codings',
    does: 'says that its bodies are packed 500 times',
  },
  { ...judged, transport: 'http', id: 'never-lets-go', does: 'answers no GET and no DELETE' },
  { ...unreachable, transport: 'http', id: 'challenges-without-end', does: 'wants authorization in 200 ways' },
  { ...unreachable, transport: 'http', id: 'two-lengths', does: 'gives replies two lengths and a chunked body' },
  { ...judged, transport: 'http', id: 'answers-unasked', does: 'sends a second reply after each' },
  {
    ...judged,
    says: [
      /NOT COMPLIANT/,
      /sse-legacy\/endpoint-event/,
      /holds\s+no\s+address\s+that\s+can\s+be\s+posted\s+to/,
      /javascript:x/,
    ],
    transport: 'sse',
    id: 'endpoint-of-no-kind',
    does: 'names an endpoint of 1 MB that is no address',
  },
  { ...judged, transport: 'sse', id: 'endpoints-without-end', does: 'names a new endpoint every few milliseconds' },
];
