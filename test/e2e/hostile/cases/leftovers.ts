/** Servers that leave processes behind, or do not want to end. */
import type { HostileCase } from '../case.ts';

const common = { part: 'leftovers', script: 'leftovers.mjs', flags: ['--spec', '2025-11-25', '--only', 'ping'], whole: { exit: 1 } } as const;
const named = [/Left behind by the target, and ended \(\d+\)/, /left-by-the-server|comes again|-e /];
const nothingNamed = [/Left behind/];

export const leftoverCases: readonly HostileCase[] = [
  { ...common, id: 'ignores-signals', transport: 'stdio', does: 'ignores the end of stdin and every signal that can be ignored', exit: 0, says: [/compliant/i], saysNot: nothingNamed },
  { ...common, id: 'ignores-signals', transport: 'http', does: 'ignores every signal that can be ignored', exit: 0, says: [/compliant/i], saysNot: nothingNamed },
  { ...common, id: 'ignores-signals', transport: 'sse', does: 'ignores every signal that can be ignored', exit: 0, says: [/compliant/i], saysNot: nothingNamed },
  { ...common, id: 'starts-a-daemon', transport: 'stdio', does: 'starts a process in a session of its own', exit: 0, says: named },
  { ...common, id: 'starts-a-daemon', transport: 'http', does: 'starts a process in a session of its own', exit: 0, says: named },
  { ...common, id: 'starts-a-daemon', transport: 'sse', does: 'starts a process in a session of its own', exit: 0, says: named },
  { ...common, id: 'starts-a-deaf-daemon', transport: 'stdio', does: 'starts a process in a session of its own that ignores signals', exit: 0, says: named },
  { ...common, id: 'daemon-by-two-forks', transport: 'stdio', does: 'starts a process whose parent is gone', exit: 0, says: named },
  { ...common, id: 'child-holds-pipes', transport: 'stdio', does: 'starts a process that holds its stdin and stdout open and ignores signals', exit: 0, says: [/compliant/i], saysNot: nothingNamed },
  { ...common, id: 'daemon-holds-pipes', transport: 'stdio', does: 'starts a process in a session of its own that holds its stdin and stdout open', exit: 0, says: named },
  { ...common, id: 'daemon-when-asked-to-end', transport: 'stdio', does: 'starts a process in a session of its own when it gets SIGTERM', exit: 0, says: named },
  { ...common, id: 'daemon-at-each-call', transport: 'http', does: 'starts a process in a session of its own at each request', exit: 0, says: named },
  { ...common, id: 'daemon-that-comes-again', transport: 'stdio', does: 'starts a process that starts itself again whenever it gets SIGTERM', exit: 0, says: named },
  { ...common, id: 'daemon-and-gone', transport: 'stdio', does: 'starts a process in a session of its own and ends before the handshake', exit: 3, says: [/ended|exited/i], whole: { exit: 3 } },
];
