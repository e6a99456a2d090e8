/** Converted files as one: each server once, and cases that name theirs where there are several. Pure. */
import type { WrittenCase } from '../suite-text.ts';

type Json = Record<string, unknown>;

/** Result of one file. */
export interface ConvertedUnit {
  source: string;
  /** The tool whose file it was. */
  of: 'mcp-assert' | 'mcp-jest';
  servers: Readonly<Record<string, Json>>;
  /** Time for each of its cases, where the file says so. */
  timeout?: string;
  cases: readonly WrittenCase[];
}

export interface JoinedSuite {
  members: Json;
  cases: WrittenCase[];
}

/** @param units one or more */
export function joinUnits(units: readonly ConvertedUnit[]): JoinedSuite {
  const names = new Map<string, string>();
  const servers: Record<string, Json> = {};
  const nameOf = (server: Json): string => {
    const key = JSON.stringify(server);
    const known = names.get(key);
    if (known !== undefined) return known;
    const name = names.size === 0 ? 'server' : `server${names.size + 1}`;
    names.set(key, name);
    servers[name] = server;
    return name;
  };
  const timeouts = new Set(units.map(({ timeout }) => timeout));
  const shared = timeouts.size === 1 ? units[0]?.timeout : undefined;
  const placed = units.flatMap(({ servers: own, cases, timeout }) => {
    const renamed = new Map(Object.entries(own).map(([name, server]) => [name, nameOf(server)]));
    const [first] = renamed.values();
    return cases.map(({ value: { name, server, ...rest }, comments }) => ({
      comments,
      name,
      server: typeof server === 'string' ? renamed.get(server) : first,
      rest: { ...(timeout === undefined || timeout === shared ? {} : { timeout }), ...rest },
    }));
  });
  const several = names.size > 1;
  return {
    members: { servers, ...(shared === undefined ? {} : { defaults: { timeout: shared } }) },
    cases: placed.map(({ comments, name, server, rest }) => ({
      comments,
      value: { name, ...(several && server !== undefined ? { server } : {}), ...rest },
    })),
  };
}
