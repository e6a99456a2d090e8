/** The report of a run, from how it was begun and what came of its servers. Values only. */
import type { FleetReport, FleetRunHeader, FleetServer, FleetUnspoken } from '../../core/model/reports/fleet.ts';

/**
 * @param settled results by id
 * @param how reasons for missing servers, milliseconds of the run, and names of joined shards
 */
export function fleetReport(
  header: FleetRunHeader,
  settled: ReadonlyMap<string, FleetServer>,
  how: { stopped?: string | undefined; durationMs: number; shards?: string[] },
): FleetReport {
  const found = header.servers.flatMap(({ id }) => settled.get(id) ?? []);
  const missing = header.servers.length - found.length;
  const { servers, unspoken } = bySpeech(found);
  const shards = how.shards ?? (header.shard === undefined ? undefined : [header.shard]);
  return {
    format: 'mcpc-fleet-report',
    version: 1,
    tool: header.tool,
    ruleSet: header.ruleSet,
    rules: header.rules,
    features: header.features,
    startedAt: header.startedAt,
    durationMs: Math.round(how.durationMs),
    incomplete:
      missing === 0
        ? null
        : `${missing} of ${header.servers.length} servers ${missing === 1 ? 'was' : 'were'} not checked: ${how.stopped ?? 'the run was cut off'}`,
    shards,
    servers,
    ...(unspoken.length === 0 ? {} : { unspoken }),
  };
}

/**
 * Revisions that a server does not speak are no lines of their own. A server that speaks no revision of the file had no
 * conversation.
 */
function bySpeech(found: readonly FleetServer[]): { servers: FleetServer[]; unspoken: FleetUnspoken[] } {
  const silent = new Map<string, FleetServer[]>();
  for (const server of found)
    if (server.unspoken === true && server.base !== undefined)
      silent.set(server.base.id, [...(silent.get(server.base.id) ?? []), server]);
  const servers = found.flatMap((server): FleetServer[] => {
    const { base, unspoken, ...line } = server;
    if (unspoken !== true || base === undefined) return [server];
    const all = silent.get(base.id)!;
    if (all.length < base.revisions || all[0] !== server) return [];
    const reason = `the server speaks none of the revisions that it was asked for: ${all.map(({ revision, reason: why }) => `MCP ${revision}: ${why}`).join('; ')}`;
    return [
      {
        ...line,
        id: base.id,
        name: base.name,
        status: 'unreachable',
        revision: null,
        reason,
        durationMs: all.reduce((sum, { durationMs }) => sum + durationMs, 0),
      },
    ];
  });
  const unspoken = found.flatMap(({ base, unspoken: no, id, name, revision, reason }): FleetUnspoken[] =>
    no === true && base !== undefined && revision !== null
      ? [{ id, name, server: base.id, revision, why: reason ?? '' }]
      : [],
  );
  return { servers, unspoken };
}

/** A server that a run over a fleet has to answer for: not checked to the end, or breaking what no baseline knows of. */
export function isFailure(server: FleetServer): boolean {
  if (server.unspoken === true) return false;
  if (server.status !== 'checked' || server.reason !== null) return true;
  if (server.stale !== undefined && server.stale.length > 0) return true;
  return server.failures.some(({ severity, known }) => severity === 'error' && known !== true);
}
