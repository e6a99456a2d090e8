/** Which recorded turn a request of the client gets, and what the nearest one is where there is none. Pure. */
import { compile, type JSONValue } from 'json-p3';
import { usageError } from '../core/model/errors.ts';
import { canonical, isObject, type JsonObject } from '../core/model/json.ts';
import { closestName } from '../core/model/suggestion.ts';
import { aroundStandIns, standInBeginning } from '../core/trace/redaction/stand-ins.ts';
import type { Turn } from './recording.ts';

/** `params`: the same method and params. `method`: the same method. `order`: the next one of the recording, of the same method. */
export type MatchBy = 'params' | 'method' | 'order';

export interface MatchOptions {
  by: MatchBy;
  /** Equal requests are served as often as they were recorded. */
  strict: boolean;
  /** JSONPaths within params whose values do not count. */
  ignore: readonly string[];
}

export interface Miss {
  /** For a reader: what was asked, and the nearest request of the recording. */
  words: string;
  /** The method was recorded, with other params. */
  known: boolean;
}

export type Found = { turn: Turn } | { miss: Miss };

/** @throws McpcError usage for what is no JSONPath */
export function checkPaths(paths: readonly string[]): void {
  for (const path of paths)
    try {
      compile(path);
    } catch (error) {
      throw usageError(
        `--ignore ${path} is no JSONPath: ${(error as Error).message}`,
        "Paths start at the params, as in --ignore '$.arguments.time'.",
        error,
      );
    }
}

/** Handshakes differ in the client that does them. */
const byMethodAlone = new Set(['initialize', 'server/discover', 'ping']);
const longest = 160;

/** Requests of one connection of the replay: it begins with those of the recorded connection of its number. */
export function createMatcher(turns: readonly Turn[], connection: number, options: MatchOptions) {
  const paths = options.ignore.map((path) => compile(path));
  const keys = new Map<Turn, string>();
  const key = (turn: Turn): string => {
    const known = keys.get(turn) ?? paramsKey(turn.params, paths);
    keys.set(turn, known);
    return known;
  };
  const rank = (turn: Turn): number => (turn.deviating ? 2 : 0) + (turn.connection === connection ? 0 : 1);
  const asked = turns.filter(({ id }) => id !== undefined).toSorted((one, other) => rank(one) - rank(other));
  const notices = turns.filter((turn) => turn.id === undefined && turn.connection === connection && !turn.deviating);
  const given = new Map<string, number>();
  const spent = new Set<Turn>();

  /** Those with the same params; else those that differ only where the recording hides what was sent. */
  function alike(candidates: readonly Turn[], name: string): Turn[] {
    const same = candidates.filter((turn) => key(turn) === name);
    if (same.length > 0) return same;
    const asked = JSON.parse(name) as unknown;
    return candidates.filter((turn) => key(turn).includes(standInBeginning) && fits(JSON.parse(key(turn)), asked));
  }

  /** The candidates in turn, then the last one of the own connection again. */
  function inTurn(name: string, candidates: readonly Turn[], strict: boolean): Turn | undefined {
    const own = candidates.filter((turn) => rank(turn) === rank(candidates[0]!));
    const count = given.get(name) ?? 0;
    given.set(name, count + 1);
    return count < own.length || !strict ? own[Math.min(count, own.length - 1)] : undefined;
  }

  return {
    /** The turn of a request; a miss says what comes nearest. */
    request(method: string, params: unknown): Found {
      const ofMethod = asked.filter((turn) => turn.method === method);
      if (options.by === 'order' && !byMethodAlone.has(method)) return nextInOrder(method, params);
      const name = paramsKey(params, paths);
      const fitting =
        options.by === 'method' || byMethodAlone.has(method) ? preferAnswered(ofMethod) : alike(ofMethod, name);
      const strict = options.strict && !byMethodAlone.has(method);
      const turn = fitting.length === 0 ? undefined : inTurn(`${method} ${name}`, fitting, strict);
      if (turn !== undefined) return found(turn);
      return { miss: missOf(method, params, fitting.length > 0) };
    },
    /** The turn of a notification; undefined where none like it is left. */
    notice(method: string): Turn | undefined {
      const turn = notices.find((one) => one.method === method && !spent.has(one));
      if (turn !== undefined) spent.add(turn);
      return turn;
    },
    /** Recorded requests that nothing asked for. */
    unused: (): Turn[] => asked.filter((turn) => !spent.has(turn) && !turn.deviating && turn.connection === connection),
  };

  function found(turn: Turn): Found {
    spent.add(turn);
    return { turn };
  }

  function nextInOrder(method: string, params: unknown): Found {
    const next = asked.find((turn) => !spent.has(turn) && !turn.deviating && !byMethodAlone.has(turn.method));
    if (next !== undefined && next.method === method) return found(next);
    const words =
      next === undefined
        ? `${titleOf(method, params)} comes after the last request of the recording`
        : `the next request of the recording is ${titleOf(next.method, next.params)}, not ${titleOf(method, params)}`;
    return { miss: { words, known: next !== undefined } };
  }

  function missOf(method: string, params: unknown, all: boolean): Miss {
    const title = titleOf(method, params);
    if (all) return { words: `${title} was recorded less often than it is asked for`, known: true };
    const near = asked.filter((turn) => turn.method === method);
    if (near.length === 0) {
      const methods = [...new Set(asked.map((turn) => turn.method))];
      const closest = closestName(method, methods)?.name;
      return {
        words: `${title} is not in the recording, which has no ${method}${closest === undefined ? '' : `; nearest is ${closest}`}`,
        known: false,
      };
    }
    const [first] = near
      .map((turn) => ({ turn, differences: differencesOf(turn.params, params) }))
      .toSorted((one, other) => one.differences.length - other.differences.length);
    const differs = first!.differences.slice(0, 3).join(', ');
    return {
      words: `${title} is not in the recording; nearest is ${titleOf(method, first!.turn.params)}${differs === '' ? '' : `, which differs at ${differs}`}`,
      known: true,
    };
  }
}

/** Handshakes that failed are the exception. */
function preferAnswered(turns: readonly Turn[]): Turn[] {
  const fine = turns.filter(({ reply, deviating }) => reply !== undefined && 'result' in reply.message && !deviating);
  return fine.length > 0 ? fine : [...turns];
}

/** Params without what differs each time they are sent. */
function paramsKey(params: unknown, paths: readonly ReturnType<typeof compile>[]): string {
  const { _meta, ...rest } = isObject(params) ? params : {};
  // No arguments, and none named, are one request to a server.
  if (isObject(rest['arguments']) && Object.keys(rest['arguments']).length === 0) delete rest['arguments'];
  if (paths.length === 0) return canonical(rest);
  const copy = JSON.parse(canonical(rest)) as JsonObject;
  for (const path of paths) for (const node of path.query(copy as JSONValue).nodes) remove(copy, node.location);
  return canonical(copy);
}

/** True if the text has what stands around the stand-ins of the recorded one, in this order. */
function fitsText(recorded: string, asked: string): boolean {
  const parts = aroundStandIns(recorded);
  if (parts.length === 1) return recorded === asked;
  const last = parts.pop()!;
  let from = 0;
  for (const [index, part] of parts.entries()) {
    const at = asked.indexOf(part, from);
    if (at === -1 || (index === 0 && at !== 0)) return false;
    from = at + part.length;
  }
  return asked.length - last.length >= from && asked.endsWith(last);
}

/** True if the values are equal but for texts that the recording has a stand-in for. */
function fits(recorded: unknown, asked: unknown): boolean {
  if (typeof recorded === 'string') return typeof asked === 'string' && fitsText(recorded, asked);
  if (Array.isArray(recorded) && Array.isArray(asked))
    return recorded.length === asked.length && recorded.every((one, index) => fits(one, asked[index]));
  if (!isObject(recorded) || !isObject(asked)) return canonical(recorded) === canonical(asked);
  const names = Object.keys(recorded);
  return (
    names.length === Object.keys(asked).length &&
    names.every((name) => Object.hasOwn(asked, name) && fits(recorded[name], asked[name]))
  );
}

function remove(value: unknown, location: readonly (string | number)[]): void {
  const holder = location.slice(0, -1).reduce<unknown>((at, name) => (at as Record<string, unknown>)?.[name], value);
  const name = location.at(-1);
  if (name === undefined || typeof holder !== 'object' || holder === null) return;
  // Places in lists stay, so that the others keep theirs.
  if (Array.isArray(holder)) holder[Number(name)] = null;
  else delete (holder as JsonObject)[String(name)];
}

/** Places where two params differ, as `$.arguments.a (recorded 1, asked 2)`. */
function differencesOf(recorded: unknown, asked: unknown): string[] {
  const found: string[] = [];
  const walk = (one: unknown, other: unknown, path: string): void => {
    if (canonical(one) === canonical(other)) return;
    if (isObject(one) && isObject(other)) {
      for (const name of new Set([...Object.keys(one), ...Object.keys(other)]))
        if (!(path === '$' && name === '_meta')) walk(one[name], other[name], `${path}.${name}`);
      return;
    }
    found.push(`${path} (recorded ${short(one)}, asked ${short(other)})`);
  };
  walk(isObject(recorded) ? recorded : {}, isObject(asked) ? asked : {}, '$');
  return found;
}

/** A request for a reader: method, and params where it has any. */
export function titleOf(method: string, params: unknown): string {
  const { _meta, ...rest } = isObject(params) ? params : {};
  return Object.keys(rest).length === 0 ? method : `${method} ${short(rest)}`;
}

function short(value: unknown): string {
  const text = value === undefined ? 'nothing' : canonical(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
