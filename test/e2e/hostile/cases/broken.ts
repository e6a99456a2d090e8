/** Servers that break down: never compliant, and named by what came in place of answers. */
import type { HostileCase } from '../case.ts';

type Plain = Pick<HostileCase, 'id' | 'does' | 'says'> & Partial<HostileCase>;

const script = 'broken.mjs';
const saysNot = [/^COMPLIANT/m, /grade [A-F]/] as const;

const on = (transport: HostileCase['transport'], cases: readonly Plain[]): HostileCase[] =>
  cases.map((one) => ({ part: 'broken', transport, script, exit: 1, saysNot, ...one }));

const notAnswered = (what: string): RegExp[] => [
  /^INCOMPLETE/m,
  new RegExp(`INCOMPLETE: .*\\d+ of \\d+ requests? (?:was|were) not answered by the server: ${what}`, 's'),
];

export const brokenCases: readonly HostileCase[] = [
  ...on('stdio', [
    {
      id: 'exits-in-mid-call',
      does: 'ends without a word whenever a tool is called',
      says: notAnswered('the process ended'),
      slow: true,
    },
    {
      id: 'exits-on-second-call',
      does: 'ends at the second call of a tool',
      says: notAnswered('the process ended'),
      slow: true,
    },
    {
      id: 'serves-three-requests',
      does: 'ends after three requests, again and again',
      says: [/^INCOMPLETE/m, /the\s+process\s+of\s+the\s+server\s+ended\s+by\s+itself\s+\d+ times/],
      saysNot: [...saysNot, /✗/],
      slow: true,
    },
    {
      id: 'aborts-in-mid-answer',
      does: 'aborts within the line of an answer',
      says: notAnswered('the process ended'),
      saysNot: [...saysNot, /✗/],
      slow: true,
    },
    {
      id: 'closes-stdout',
      does: 'closes its stdout whenever a tool is called, and lives on',
      says: notAnswered('the process\\s+ended'),
      slow: true,
    },
    {
      id: 'line-over-limit',
      does: 'answers calls with one line of 20 MB',
      says: notAnswered('a\\s+reply over the\\s+limit'),
      slow: true,
    },
  ]),
  ...on('http', [
    {
      id: 'always-502',
      does: 'answers every request with 502',
      exit: 3,
      says: [/HTTP status 502/],
      saysNot: [/COMPLIANT/],
    },
    {
      id: '502-after-ten',
      does: 'answers with 502 from the eleventh request on',
      says: notAnswered('502'),
      slow: true,
    },
    {
      id: '500-on-calls',
      does: 'answers each call of a tool with 500 and no message',
      says: notAnswered('500'),
      slow: true,
    },
    { id: '504-now-and-then', does: 'answers one request in ten with 504', says: notAnswered('504'), slow: true },
    {
      id: '429-for-ever',
      does: 'answers with 429 and asks to be left alone for an hour',
      says: [...notAnswered('429'), /left\s+alone\s+for\s+3600\s+s/],
      slow: true,
    },
    {
      id: '429-with-error-body',
      does: 'answers with 429 and a JSON-RPC error, for ever',
      says: [...notAnswered('429'), /left\s+alone\s+for\s+9999\s+s/],
      slow: true,
    },
    {
      id: '429-with-retry-after',
      does: 'answers with 429 whoever is too fast, and says how long to wait',
      exit: 0,
      says: [/^The server is busy \(HTTP 429\): waiting 1 s as it asks/m, /^COMPLIANT/m],
      saysNot: [/INCOMPLETE/],
      slow: true,
    },
    {
      id: '429-without-retry-after',
      does: 'answers with 429 whoever is too fast',
      exit: 0,
      says: [/^The server is busy \(HTTP 429\): waiting 1 s, then/m, /^COMPLIANT/m],
      saysNot: [/INCOMPLETE/],
      slow: true,
    },
    {
      id: '503-with-date',
      does: 'answers with 503 for two seconds, and says until when',
      exit: 0,
      says: [/^The server is busy \(HTTP 503\): waiting/m, /^COMPLIANT/m],
      saysNot: [/INCOMPLETE/],
      slow: true,
    },
    {
      id: '502-on-notifications',
      does: 'answers each notification with 502',
      says: notAnswered('502\\s+to\\s+a\\s+notification'),
      saysNot: [...saysNot, /✗/],
      slow: true,
    },
    {
      id: '502-on-streams',
      does: 'answers each GET with 502',
      says: notAnswered('502\\s+to\\s+GET'),
      saysNot: [...saysNot, /✗/],
      slow: true,
    },
    {
      id: '500-on-session-ends',
      does: 'answers each DELETE with 500',
      says: notAnswered('500\\s+to\\s+DELETE'),
      saysNot: [...saysNot, /✗/],
      slow: true,
    },
    {
      id: '429-on-everything',
      does: 'answers with 429 whoever is too fast, also with GET, DELETE, notifications and what is wrong',
      exit: 0,
      says: [/^The server is busy \(HTTP 429\): waiting 1 s as it asks/m, /^COMPLIANT/m],
      saysNot: [/INCOMPLETE/],
      slow: true,
    },
    {
      id: '503-on-first-notification',
      does: 'has no time for the end of the handshake at first, and serves nothing before',
      exit: 0,
      says: [/^The server is busy \(HTTP 503\)/m, /^COMPLIANT/m],
      saysNot: [/INCOMPLETE/],
      slow: true,
    },
    {
      id: 'sessions-of-eight',
      does: 'ends each session after eight requests, as it may',
      exit: 0,
      says: [/^COMPLIANT/m],
      saysNot: [/INCOMPLETE/],
      slow: true,
    },
    {
      id: 'sessions-end-at-random',
      does: 'ends sessions at random, as it may',
      exit: 0,
      says: [/^COMPLIANT/m],
      saysNot: [/INCOMPLETE/],
      slow: true,
    },
    {
      id: 'sessions-never-live',
      does: 'knows none of the sessions that it gives out',
      says: notAnswered('404\\s+in\\s+a\\s+session'),
      slow: true,
    },
    {
      id: 'cuts-bodies',
      does: 'ends the connection within the body of each answer to a call',
      says: notAnswered('a\\s+reply that\\s+was\\s+cut\\s+off'),
      slow: true,
    },
    {
      id: 'body-over-limit',
      does: 'answers calls with a body without end',
      says: notAnswered('a\\s+reply over the\\s+limit'),
      slow: true,
    },
    {
      id: 'resets',
      does: 'resets the connection whenever its tools are listed',
      says: notAnswered('the\\s+connection\\s+was\\s+lost'),
      slow: true,
    },
    {
      id: 'truncates-streams',
      does: 'drops event streams within an event',
      says: notAnswered('a\\s+reply that\\s+was\\s+cut\\s+off'),
      saysNot: [...saysNot, /✗/],
      slow: true,
    },
    {
      id: 'cuts-streams',
      does: 'drops event streams between two events',
      says: notAnswered('a\\s+reply that\\s+was\\s+cut\\s+off'),
      saysNot: [...saysNot, /✗/],
      slow: true,
    },
    {
      id: 'ends-streams-early',
      does: 'ends event streams in order and without the answer',
      exit: 0,
      says: [/! http\/sse-response-delivery +SHOULD/],
      saysNot: [/INCOMPLETE/],
      slow: true,
    },
    {
      id: 'leaves-events-open',
      does: 'ends event streams in order and without the empty line behind the answer',
      says: [/^INCOMPLETE/m, /! http\/sse-response-delivery +SHOULD/],
      slow: true,
    },
    {
      id: 'html-gateway',
      does: 'becomes a gateway that answers everything with a page and status 200',
      says: [/NOT COMPLIANT/, /http\/post-response-type/],
      saysNot: [/^COMPLIANT/m],
      slow: true,
    },
    {
      id: 'html-gateway-at-once',
      does: 'answers everything with a page and status 200',
      says: [/speaks\s+HTTP,\s+but\s+not\s+MCP/, /NOT COMPLIANT/, /http\/post-response-type/],
    },
    {
      id: 'process-dies-on-calls',
      does: 'ends its process whenever a tool is called',
      says: notAnswered('the\\s+connection\\s+was\\s+lost'),
      slow: true,
    },
  ]),
  ...on('sse', [
    {
      id: 'sse-502-on-posts',
      does: 'answers POSTs that list its tools with 502',
      says: notAnswered('502'),
      slow: true,
    },
    {
      id: 'sse-stream-dies',
      does: 'drops the event stream at each call of a tool',
      says: notAnswered('the\\s+event\\s+stream\\s+was\\s+lost'),
      slow: true,
    },
    {
      id: 'sse-stream-cut-in-event',
      does: 'drops the event stream within the event of an answer',
      says: notAnswered('the\\s+event\\s+stream\\s+was\\s+lost'),
      slow: true,
    },
  ]),
];
