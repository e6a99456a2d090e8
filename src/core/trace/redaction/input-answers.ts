/**
 * Answers of users and models to input requests of a server (2026-07-28: basic/patterns/mrtr), and the accompanying
 * state: replaced by digests, which are equal for equal values. What the protocol chooses stays, and so does what the
 * server itself offered as a choice, so that whether an answer fits is still seen.
 */
import { BoundedSet } from '../../model/bounded.ts';
import { isObject } from '../../model/json.ts';
import { forgedState } from '../../model/made-up-tokens.ts';
import { isStandIn } from './stand-ins.ts';
import type { JsonPath } from './json-strings.ts';
import type { Masker } from './mask.ts';
import { structuralMembers } from './secret-names.ts';

export interface InputAnswers {
  /** Looks at the whole message that strings are going to come from, or a list of them. */
  begin(message: unknown): void;
  /** @returns what is put in place of a string; undefined where it is none of these, and is to be treated as any other */
  replace(value: string, path: JsonPath): string | undefined;
}

type Kind = 'elicitation' | 'sampling' | 'roots' | 'other';

export interface Choice {
  /** Whose answers are replaced: all, or these texts alone. */
  answers: 'all' | ReadonlySet<string>;
}

/** Choices of servers that are remembered, and their greatest length. */
const keptChoices = 2000;
const longestChoice = 200;
/** Members of sampled content that say something of the user. */
const tellingMembers = new Set(['text', 'input', 'structuredContent']);

export function createInputAnswers(
  { digest, mask }: Pick<Masker, 'digest' | 'mask'>,
  { answers }: Choice,
): InputAnswers {
  const offered = new BoundedSet<string>(keptChoices);
  /** Answers in the current message, by place in a batch and key. */
  let kinds = new Map<string, Kind>();

  function hidden(value: string): string {
    if (value === '' || isStandIn(value)) return value;
    return answers === 'all' || answers.has(value) ? digest(value) : value;
  }

  function answer(value: string, path: JsonPath, from: number): string | undefined {
    const last = path.at(-1);
    switch (kinds.get(placeOf(from === 3 ? path[0] : '', path[from])) ?? 'other') {
      case 'elicitation':
        if (path[from + 1] === 'content') return offered.has(value) ? value : hidden(value);
        break;
      case 'sampling':
        if (path[from + 1] !== 'content') break;
        if (path.some((member, at) => at > from && tellingMembers.has(String(member)))) return hidden(value);
        if (last === 'data' || last === 'blob') return hidden(value) === value ? value : mask(value);
        break;
      case 'roots':
        if (last === 'uri') return hiddenAddress(value);
        if (last === 'name') return hidden(value);
        break;
      default:
        return typeof last === 'string' && structuralMembers.has(last) ? value : hidden(value);
    }
    return undefined;
  }

  /** Its scheme is judged. */
  function hiddenAddress(uri: string): string {
    const at = uri.indexOf('://');
    const end = at === -1 ? 0 : at + (uri[at + 3] === '/' ? 4 : 3);
    return uri.slice(0, end) + hidden(uri.slice(end));
  }

  function learnChoice(value: string): void {
    if (value.length <= longestChoice) offered.add(value);
  }

  return {
    begin(message) {
      if (kinds.size > 0) kinds = new Map();
      for (const [at, one] of Array.isArray(message) ? message.entries() : [['', message] as const]) {
        const params: unknown = isObject(one) ? one['params'] : undefined;
        const given: unknown = isObject(params) ? params['inputResponses'] : undefined;
        if (!isObject(given)) continue;
        for (const [key, value] of Object.entries(given)) kinds.set(placeOf(at, key), kindOf(value));
      }
    },
    replace(value, path) {
      const start = typeof path[0] === 'number' ? 1 : 0;
      const part = path[start];
      const member = path[start + 1];
      if (member === 'requestState' && path.length === start + 2 && (part === 'params' || part === 'result')) {
        // An answer of the checker is recognised by its beginning.
        return value === '' || isStandIn(value) || value.startsWith(forgedState) ? value : digest(value);
      }
      if (part === 'params' && member === 'inputResponses') return answer(value, path, start + 2);
      if (
        part === 'result' &&
        member === 'inputRequests' &&
        (path.at(-2) === 'enum' || path.at(-1) === 'const' || path.at(-1) === 'default')
      )
        learnChoice(value);
      return undefined;
    },
  };
}

function placeOf(inBatch: string | number | undefined, key: string | number | undefined): string {
  return `${inBatch} ${key}`;
}

function kindOf(answer: unknown): Kind {
  if (!isObject(answer)) return 'other';
  if ('action' in answer) return 'elicitation';
  if ('roots' in answer) return 'roots';
  return 'model' in answer || 'role' in answer ? 'sampling' : 'other';
}
