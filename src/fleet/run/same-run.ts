/** Decides if two runs are compatible: to resume, to join, to reuse. Values only. */
import type { FleetRunHeader } from '../../core/model/reports/fleet.ts';

/** Differences between runs that should use the same rules, each in a few words; empty without any. */
export function ruleDifferences(one: FleetRunHeader, other: FleetRunHeader): string[] {
  const found: string[] = [];
  const profiles = [one, other].map(({ ruleSet }) => ruleSet.profile ?? 'full');
  if (profiles[0] !== profiles[1]) found.push(`the profile (${profiles.join(' and ')})`);
  // Of another profile the digest is another one for that alone.
  else if (one.ruleSet.digest !== other.ruleSet.digest)
    found.push(`the rule set (${setName(one)} and ${setName(other)})`);
  if (listOf(one.selection.only) !== listOf(other.selection.only))
    found.push(
      `the rules that are taken (${listOf(one.selection.only) || 'all'} and ${listOf(other.selection.only) || 'all'})`,
    );
  if (listOf(one.selection.skip) !== listOf(other.selection.skip))
    found.push(
      `the rules that are left out (${listOf(one.selection.skip) || 'none'} and ${listOf(other.selection.skip) || 'none'})`,
    );
  if (one.selection.level !== other.selection.level)
    found.push(`the weakest level (${one.selection.level ?? 'may'} and ${other.selection.level ?? 'may'})`);
  return found;
}

function setName({ ruleSet, tool }: FleetRunHeader): string {
  return `${ruleSet.set === undefined ? '' : `${ruleSet.set}, `}${ruleSet.digest} of mcpc ${tool.version}`;
}

function listOf(patterns: readonly string[]): string {
  return [...patterns].sort().join(', ');
}

export interface ServerDifferences {
  /** Names of servers that only the one or only the other run has. */
  missing: string[];
  added: string[];
  /** Names of servers whose entry is another one. */
  changed: string[];
}

export function serverDifferences(old: FleetRunHeader, now: FleetRunHeader): ServerDifferences {
  const before = new Map(old.servers.map((server) => [server.id, server]));
  const after = new Map(now.servers.map((server) => [server.id, server]));
  return {
    missing: old.servers.filter(({ id }) => !after.has(id)).map(({ name }) => name),
    added: now.servers.filter(({ id }) => !before.has(id)).map(({ name }) => name),
    changed: now.servers
      .filter(({ id, digest }) => before.has(id) && before.get(id)!.digest !== digest)
      .map(({ name }) => name),
  };
}
