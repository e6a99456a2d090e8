/** Servers whose texts and messages are made to cost more work for each byte, the more there are. */
import type { HostileCase } from '../case.ts';

const does: Record<string, string> = {
  'work-letters': 'describes a tool with 4 MB of one letter',
  'work-letters-and-equals': 'describes a tool with 4 MB of letters and an equals sign',
  'work-schemes': 'describes a tool with 4 MB of characters that begin addresses',
  'work-addresses': 'describes a tool with 4 MB of addresses without an end',
  'work-tokens': 'describes a tool with 4 MB of beginnings of web tokens',
  'work-escapes': 'describes a tool with 4 MB of escapes of escapes',
  'work-json-in-text': 'answers with a text of JSON, 200,000 lists deep',
  'work-text-in-text': 'answers with JSON in a text in JSON, again and again',
  'work-progress': 'reports progress 30,000 times on each call',
};

const one = (id: string, transport: HostileCase['transport'], more: Partial<HostileCase> = {}): HostileCase => ({
  id: transport === 'stdio' ? id : `${id}-${transport}`,
  part: 'work',
  does: does[id] ?? '',
  transport,
  script: 'work.mjs',
  flags: ['--env', 'PLANTED=k7Wm2Rt9Xb4Nc6Hd8'],
  exit: 1,
  says: [/score/],
  saysNot: [/mcpc itself failed/],
  slow: true,
  ...more,
});

export const workCases: readonly HostileCase[] = [
  ...Object.keys(does).map((id) => one(id, 'stdio')),
  one('work-raw-line', 'stdio', { does: 'prints a line of 4 MB that is no JSON', exit: 1 }),
  one('work-log-line', 'stdio', { does: 'logs a line of 8 MB' }),
  ...(['http', 'sse'] as const).flatMap((transport) =>
    ['work-letters-and-equals', 'work-tokens'].map((id) => one(id, transport)),
  ),
];
