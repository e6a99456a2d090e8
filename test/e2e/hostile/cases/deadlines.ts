/** Servers that waste time: those that hang, are slow, or keep mcpc busy. */
import type { HostileCase } from '../case.ts';

const common = { part: 'deadlines', script: 'deadlines.mjs' } as const;
const short = ['--spec', '2025-11-25', '--timeout', '1s', '--start-timeout', '8s'] as const;
const inARow = [/INCOMPLETE/i, /did not answer 5 requests in a row/];
/** A fault of mcpc itself, of the kind that hostile servers look for: a text that it never gets done with. */
const faulty = { NODE_OPTIONS: `--import ${new URL('../servers/faulty-parser.mjs', import.meta.url).href}` };

export const deadlineCases: readonly HostileCase[] = [
  ...(['stdio', 'http', 'sse'] as const).map((transport): HostileCase => ({ ...common, id: 'silent-after-handshake', transport, does: 'answers nothing but the handshake', flags: short, exit: 1, says: inARow, slow: true })),
  { ...common, id: 'noise-after-handshake', transport: 'stdio', does: 'answers everything but the handshake with text that is no message', flags: short, exit: 1, says: inARow, slow: true },
  { ...common, id: 'asks-and-never-answers', transport: 'stdio', does: 'asks the client without end and answers nothing', flags: short, exit: 1, says: inARow, slow: true },
  { ...common, id: 'silent-after-first-session', transport: 'http', does: 'answers the first two handshakes and no further one', flags: short, exit: 1, says: [/INCOMPLETE/i, /did not answer 5 handshakes\s+in a row/], slow: true },
  { ...common, id: 'never-answers-initialize', transport: 'stdio', does: 'does not answer the handshake', flags: ['--start-timeout', '2s'], exit: 3, says: [/initialize/], slow: true },
  { ...common, id: 'hangs-in-every-tool', transport: 'stdio', does: 'has eight tools, none of which ever answers', flags: [...short, '--only', 'tools', '--verbose'], exit: 0, whole: { exit: 1 }, says: [/did not answer in time/], saysNot: [/(read_\d)( .*)? \1( .*)? \1/], slow: true },
  { ...common, id: 'slow-in-every-tool', transport: 'stdio', does: 'has a tool that takes long in every call', flags: ['--spec', '2025-11-25', '--timeout', '3s', '--only', 'tools', '--verbose', '-j', '1'], exit: 0, whole: { exit: 1 }, says: [/slow in each of 2 calls/], slow: true },
  { ...common, id: 'body-drop-by-drop', transport: 'http', does: 'sends every answer byte by byte and never to its end', flags: short, exit: 1, says: [/INCOMPLETE/i], slow: true },
  { ...common, id: 'stream-drop-by-drop', transport: 'http', does: 'answers with event streams of comments that never end', flags: [...short, '--check-timeout', '20s'], exit: 1, says: [/INCOMPLETE/i], slow: true },
  { ...common, id: 'keeps-busy', transport: 'stdio', does: 'answers a ping with a text that mcpc never gets done with', env: faulty, flags: ['--check-timeout', '15s', '--spec', '2025-11-25'], exit: 1, says: [/INCOMPLETE/i, /took longer than 15000 ms/], slow: true },
  { ...common, id: 'keeps-busy', transport: 'http', does: 'answers a ping with a text that mcpc never gets done with', env: faulty, flags: ['--check-timeout', '15s', '--spec', '2025-11-25'], exit: 1, says: [/INCOMPLETE/i, /took longer than 15000 ms/], slow: true },
  { ...common, id: 'keeps-busy-at-once', transport: 'stdio', does: 'answers the handshake with a text that mcpc never gets done with', env: faulty, flags: ['--check-timeout', '2s'], exit: 3, says: [/took longer than 2000 ms/], slow: true },
];
