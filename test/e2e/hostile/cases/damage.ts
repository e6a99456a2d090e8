/** Servers whose tools would do damage, and servers whose text would steer the log of a CI system. */
import type { HostileCase } from '../case.ts';

type Plain = Pick<HostileCase, 'id' | 'does'> & Partial<HostileCase>;

const script = 'damage.mjs';

const of = (
  part: HostileCase['part'],
  transport: HostileCase['transport'],
  given: Partial<HostileCase>,
  cases: readonly Plain[],
): HostileCase[] =>
  cases.map((one) => ({
    part,
    transport,
    script,
    exit: 0,
    whole: { exit: 1 },
    says: [],
    slow: true,
    ...given,
    ...one,
  }));

/** The servers tell on stderr, which --verbose shows, when a call would have done damage. */
const harmless = { flags: ['--verbose', '--only', 'tools'], saysNot: [/DAMAGE/] } as const;

export const damageCases: readonly HostileCase[] = [
  ...of('damage', 'stdio', harmless, [
    {
      id: 'damage-lying-hint',
      does: 'says readOnlyHint: true of a tool that deletes everything',
      says: [/delete_everything: its name says "delete", so that/, /--allow-tool delete_everything/],
    },
    {
      id: 'damage-plain-names',
      does: 'has tools without annotations that terminate, wire, erase and reboot',
      says: [/4 tools: terminate_instances, wireTransfer, erase-disk,\s+rebootAll/],
    },
    {
      id: 'damage-hidden-in-description',
      does: 'names a tool get_job that deletes the job, as its description says',
      says: [/get_job: its description says that it changes\s+something \("deletes"\)/],
    },
    {
      id: 'damage-wanted-consent',
      does: 'acts unless dry_run is true and confirm and force are false',
      says: [/find_rows, \d+ times?:\s.*"dry_run":\s?true/s],
    },
    { id: 'damage-paths', does: 'suggests /etc/passwd to a tool that takes a path', says: [/read_file, \d+ times?/] },
    {
      id: 'damage-in-upper-case',
      does: 'writes the name of a deleting tool in upper case',
      says: [/DELETE_ROWS: its name says "delete"/],
    },
  ]),
  ...of('damage', 'http', harmless, [
    {
      id: 'damage-half-annotated',
      does: 'annotates its tools with destructiveHint: false alone, and with readOnlyHint: false alone',
      says: [
        /get_rows: its annotations do not say that it only reads/,
        /list_rows: its annotations say that it is destructive/,
      ],
    },
    { id: 'damage-amounts', does: 'spends what a tool is told to', says: [/get_quote, \d+ times?:\s.*"amount":0/s] },
  ]),
  ...of('damage', 'sse', harmless, [
    {
      id: 'damage-unclear-name',
      does: 'has tools whose names tell nothing, and which do damage',
      says: [/2 tools: frobnicate, x: neither its name/],
    },
    {
      id: 'damage-addresses',
      does: 'suggests an address in production to a tool that fetches',
      says: [/fetch_page, \d+ times?/],
    },
    {
      id: 'damage-denied',
      does: 'has a reading tool that the user denied',
      flags: [...harmless.flags, '--deny-tool', 'get_b*'],
      says: [/get_budget: it is denied \(--deny-tool\)/],
    },
  ]),
];

/** What a CI system would take for a command. */
const quiet = { saysNot: [/^[^\S\r\n]*::/m, /##\[/, /section_start:/] } as const;

export const textCases: readonly HostileCase[] = [
  ...of('text', 'stdio', { ...quiet, flags: ['--verbose', '--only', 'ping,tools'] }, [
    { id: 'text-in-stderr', does: 'writes commands of GitHub and GitLab on stderr', says: [/pwned/] },
    {
      id: 'text-in-error',
      does: 'ends at once with such commands on stderr',
      exit: 3,
      whole: { exit: 3 },
      says: [/pwned/],
    },
    { id: 'text-in-messages', does: 'has such commands in its answers', exit: 1, says: [/pwned/] },
  ]),
  // Escapes of terminals, and marks that turn the direction of what follows.
  {
    id: 'markup-everywhere',
    part: 'text',
    does: 'puts escapes of terminals, marks of direction, markup and formulas into every text',
    transport: 'stdio',
    script: 'markup.mjs',
    flags: ['--verbose'],
    exit: 1,
    says: [/NOT COMPLIANT/, /pwned/],
    saysNot: [...quiet.saysNot, /\p{Cc}(?<![\n\r\t])/u, /[\u202a-\u202e\u2066-\u2069]/],
    slow: true,
  },
  ...of('text', 'http', { ...quiet, flags: ['--verbose', '--only', 'ping,tools'] }, [
    { id: 'text-in-name', does: 'is called like such a command', says: [/pwned/] },
  ]),
  ...of('text', 'sse', { ...quiet, flags: ['--verbose', '--only', 'tools'] }, [
    { id: 'text-in-tool-names', does: 'has tools with such names, long enough to be wrapped', says: [/pwned/] },
  ]),
];
