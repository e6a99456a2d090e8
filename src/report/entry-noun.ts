/** The word for the entries of a fleet: servers, clients, or both. */
import type { FleetServer } from '../core/model/reports/fleet.ts';

export type Noun = [one: string, many: string];

export function nounOf(servers: readonly FleetServer[]): Noun {
  const clients = servers.filter(({ kind }) => kind === 'client').length;
  if (clients === 0) return ['server', 'servers'];
  return clients === servers.length ? ['client', 'clients'] : ['server or client', 'servers and clients'];
}
