/** Reads WWW-Authenticate headers (RFC 9110, 11.6.1): schemes with their parameters. It makes no judgement. */
import type { HeaderMap } from '../../model/trace.ts';

export interface Challenge {
  /** Lower case. */
  scheme: string;
  /** Names in lower case; of a repeated one the first. */
  parameters: Record<string, string>;
}

const longest = 8192;
const token = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y;
/** Also values without quotes that need some, such as addresses: it is clear what is meant. */
const value = /\s{0,32}=\s{0,32}(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/y;
const credentials = /[ \t]{1,32}[A-Za-z0-9\-._~+/]+=*(?=\s{0,32}(?:,|$))/y;
const gap = /[\s,]*/y;

/** All challenges of a reply, in order. Text that is no challenge is passed over. */
export function challengesIn(headers: HeaderMap | undefined): Challenge[] {
  const given = headers?.['www-authenticate'];
  return (given === undefined ? [] : [given].flat()).flatMap((one) => parse(one.slice(0, longest)));
}

/** The challenge that asks for a bearer token, if there is one. */
export function bearerChallenge(challenges: readonly Challenge[]): Challenge | undefined {
  return challenges.find(({ scheme }) => scheme === 'bearer');
}

function parse(text: string): Challenge[] {
  const found: Challenge[] = [];
  let at = 0;
  const take = (form: RegExp): RegExpExecArray | null => {
    form.lastIndex = at;
    const match = form.exec(text);
    if (match) at = form.lastIndex;
    return match;
  };
  while (at < text.length) {
    take(gap);
    const name = take(token)?.[0].toLowerCase();
    if (name === undefined) {
      at += 1;
      continue;
    }
    const assigned = take(value);
    if (!assigned) {
      found.push({ scheme: name, parameters: {} });
      take(credentials);
      continue;
    }
    const current = found.at(-1);
    if (current && !Object.hasOwn(current.parameters, name))
      current.parameters[name] = assigned[2] ?? (assigned[1] ?? '').replace(/\\(.)/g, '$1');
  }
  return found;
}
