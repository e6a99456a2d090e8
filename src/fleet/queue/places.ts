/** Where a server is reached, as far as servers get into each other's way: one host, one port. Values only. */
import type { FleetEntry } from '../../check/settings/fleet-entry.ts';

export interface Places {
  /** `host:port` of a server that runs already: what must not be asked too much at once. */
  host?: string;
  /** Port that the server is started on: two of them at once would clash. */
  port?: string;
}

/** @param env where the variables of an address are looked up; what is not set stays as it is written */
export function placesOf({ reach }: FleetEntry, env: Record<string, string | undefined>): Places {
  if (reach.url === undefined) return {};
  const authority = /^[a-z]+:\/\/(?:[^/?#@]*@)?([^/?#]+)/i.exec(expand(reach.url, env))?.[1];
  if (authority === undefined) return {};
  if (reach.kind === 'url') return { host: authority.toLowerCase() };
  const port = /:(\d+)$/.exec(authority)?.[1];
  return port === undefined ? {} : { port };
}

function expand(text: string, env: Record<string, string | undefined>): string {
  return text.replace(
    /\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}/g,
    (whole, name: string, fallback: string | undefined) => {
      const set = env[name];
      return (set === '' ? undefined : set) ?? fallback ?? set ?? whole;
    },
  );
}
