/** Servers that answer calls and lists with what an HTTP client may stumble over, or what an object or a text may. */
import type { HostileCase } from '../case.ts';

/** They take requests of foreign origins, so that none of them is compliant. */
const common = {
  part: 'network',
  transport: 'http',
  script: 'wire.mjs',
  flags: ['--timeout', '2s', '--check-timeout', '120s'],
  exit: 1,
  says: [/NOT COMPLIANT/],
  slow: true,
} as const;
const cutOff = [
  /NOT COMPLIANT/,
  /requests were not answered by the server: a\s+reply\s+that\s+was\s+cut\s+off/,
] as const;

export const wireCases: readonly HostileCase[] = [
  { ...common, id: 'length-too-small', does: 'says that its bodies are shorter than they are' },
  { ...common, id: 'length-too-large', does: 'says that its bodies are longer than they are', says: cutOff },
  {
    ...common,
    id: 'length-negative',
    does: 'says that its bodies have less than nothing',
    says: [/NOT COMPLIANT/, /not answered by the server: the\s+connection\s+was\s+lost/],
  },
  { ...common, id: 'chunk-of-terabytes', does: 'announces chunks of 64 petabytes' },
  { ...common, id: 'floods-trailers', does: 'sends 20,000 trailers behind its bodies', says: cutOff },
  { ...common, id: 'interim-replies-first', does: 'sends a thousand replies of status 103 before each' },
  { ...common, id: 'cookies-by-hundreds', does: 'sets 300 cookies with each reply, in odd case' },
  { ...common, id: 'switches-on-calls', does: 'answers calls and lists with 101' },
  {
    ...common,
    id: 'keys-of-prototypes',
    does: 'has members __proto__, constructor, toString and then in each object of its results',
    says: [/NOT COMPLIANT/, /tools\/list-item-schema/],
    saysNot: [/polluted.*Cannot|TypeError/],
  },
  { ...common, id: 'halves-of-characters', does: 'has a tool whose name and answers are halves of characters' },
  {
    ...common,
    id: 'retry-without-bounds',
    does: 'has event ids with NUL, and asks to be tried again at once, never and before now',
  },
];
