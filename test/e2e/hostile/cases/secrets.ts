/** Servers that print, log and answer what they were given in confidence. */
import type { HostileCase } from '../case.ts';

const planted = 'k7Wm2Rt9Xb4Nc6Hd8';
const hex = Buffer.from(planted).toString('hex');
const flags = ['--env', `PLANTED_KEY=${planted}`, '--verbose'];
const base64 = ['', 'a', 'ab'].map((before) => Buffer.from(`${before}${planted}`).toString('base64').slice(4, 22));
/** None of it in any form in which a server says it. */
const saysNot = [
  new RegExp(planted, 'i'),
  new RegExp(hex, 'i'),
  ...base64.map((one) => new RegExp(one.replace(/[+/]/g, '.'))),
  /%6b%37%57/i,
];
const tells: Record<string, string> = {
  plain: 'tells the values of its environment in descriptions, results, names of members and its log',
  capitals: 'tells them in capitals and in small letters',
  base64: 'tells them in base64, in each of the three alignments',
  base64url: 'tells them in base64 for addresses',
  hex: 'tells them in hexadecimal',
  percent: 'tells them in percent-escapes',
  split: 'tells each in two parts, in two texts of a result and two lines of its log',
  fault: 'breaks rules with messages that are full of them',
};

export const secretCases: readonly HostileCase[] = [
  ...Object.entries(tells).map(
    ([id, does]): HostileCase => ({
      id: `secrets-${id}`,
      part: 'secrets',
      does,
      transport: 'stdio',
      script: 'secrets.mjs',
      flags,
      exit: 1,
      says: [/score/],
      saysNot,
      slow: true,
    }),
  ),
  {
    id: 'secrets-noise',
    part: 'secrets',
    does: 'prints them on stdout before it speaks',
    transport: 'stdio',
    script: 'secrets.mjs',
    flags,
    exit: 1,
    says: [/score/],
    saysNot,
    slow: true,
  },
  {
    id: 'secrets-crash',
    part: 'secrets',
    does: 'prints them and ends',
    transport: 'stdio',
    script: 'secrets.mjs',
    flags,
    exit: 3,
    says: [/could not be checked/],
    saysNot,
  },
  ...(['http', 'sse'] as const).map(
    (transport): HostileCase => ({
      id: `secrets-all-${transport}`,
      part: 'secrets',
      does: 'tells headers and environment in every form',
      transport,
      script: 'secrets.mjs',
      flags: [...flags, '--header', `X-Api-Key: ${planted}`, '--header', `Cookie: sid=${planted}`],
      exit: 1,
      says: [/score/],
      saysNot,
      slow: true,
    }),
  ),
];
