/** The report of a run, from how it was begun and what came of its servers. Values only. */
import type { FleetReport, FleetRunHeader, FleetServer } from '../../model/reports/fleet.ts';

/**
 * @param settled results by id
 * @param how why servers are missing, where it is known; milliseconds of the run; shards that it was joined from
 */
export function fleetReport(header: FleetRunHeader, settled: ReadonlyMap<string, FleetServer>, how: { stopped?: string | undefined; durationMs: number; shards?: string[] }): FleetReport {
  const servers = header.servers.flatMap(({ id }) => settled.get(id) ?? []);
  const missing = header.servers.length - servers.length;
  const shards = how.shards ?? (header.shard === undefined ? undefined : [header.shard]);
  return {
    format: 'mcpc-fleet-report',
    version: 1,
    tool: header.tool,
    ruleSet: header.ruleSet,
    rules: header.rules,
    ...(header.features === undefined ? {} : { features: header.features }),
    startedAt: header.startedAt,
    durationMs: Math.round(how.durationMs),
    incomplete: missing === 0 ? null : `${missing} of ${header.servers.length} servers ${missing === 1 ? 'was' : 'were'} not checked: ${how.stopped ?? 'the run was cut off'}`,
    ...(shards === undefined ? {} : { shards }),
    servers,
  };
}

/** A server that a run over a fleet has to answer for: not checked to the end, or breaking what no baseline knows of. */
export function isFailure(server: FleetServer): boolean {
  if (server.status !== 'checked' || server.reason !== null) return true;
  if (server.stale !== undefined && server.stale.length > 0) return true;
  return server.failures.some(({ severity, known }) => severity === 'error' && known !== true);
}
