/**
 * Starts the reference server inside the own process. For the command line see main.ts.
 */
import type { ServeInMemory } from '../../client/transport/process/memory-server.ts';
import type { Behaviour, BehaviourChange } from '../../server/session/behaviour.ts';
import { withChanges } from '../../server/session/behaviour.ts';
import type { GuardKind } from '../../server/session/guard.ts';
import { Host } from '../../server/session/host.ts';
import type { Revision } from '../../server/protocol/revisions.ts';
import { allRevisions } from '../../server/protocol/revisions.ts';
import { mutations } from './mutations/catalogue.ts';
import { variants } from './variants/variants.ts';
import { serveStdio } from '../../server/transports/stdio.ts';
import { ssePath, serveLegacySse } from '../../server/transports/legacy-sse.ts';
import { endpointPath, serveStreamableHttp } from '../../server/transports/streamable-http.ts';

export interface ReferenceOptions {
  /** Id of a mutation of the catalogue. */
  mutation?: string;
  /** Id of a variant of the catalogue. */
  variant?: string;
  /** A change of behaviour that is in no catalogue, laid over the others. */
  change?: BehaviourChange;
  /** Revisions to speak; by default all five, or what the mutation needs. */
  revisions?: readonly Revision[];
  /** Adds the offers that the official conformance suite expects of a server. */
  fixtures?: boolean;
  /** Over Streamable HTTP: how it is guarded, if at all; the good token is goodToken of core/guard.ts. */
  guard?: GuardKind;
}

export interface HttpReferenceOptions extends ReferenceOptions {
  transport: 'http' | 'sse';
  /** 0, the default, takes a free port. */
  port?: number;
  host?: string;
}

/** @throws Error for an id that is in no catalogue */
export function makeHost(options: ReferenceOptions): Host {
  const mutation = find(mutations, options.mutation, 'mutation');
  const variant = find(variants, options.variant, 'variant');
  const behaviour: Behaviour = withChanges(variant?.change ?? {}, mutation?.change ?? {}, options.change ?? {});
  const host = new Host(behaviour, options.revisions ?? mutation?.serve ?? allRevisions);
  host.fixtures = options.fixtures === true;
  host.guard = options.guard ?? mutation?.guard ?? variant?.guard;
  return host;
}

function find<T extends { id: string }>(catalogue: readonly T[], id: string | undefined, what: string): T | undefined {
  if (id === undefined) return undefined;
  const found = catalogue.find((entry) => entry.id === id);
  if (found === undefined) throw new Error(`There is no ${what} named ${id}.`);
  return found;
}

/** A running server; `close` ends it with all its connections. */
export interface RunningReference {
  url: string;
  close(): Promise<void>;
}

/**
 * Starts a server over HTTP on a loopback port.
 * @throws Error for unknown ids and for a port that cannot be bound
 */
export async function startReferenceServer(options: HttpReferenceOptions): Promise<RunningReference> {
  const host = makeHost(options);
  const serve = options.transport === 'http' ? serveStreamableHttp : serveLegacySse;
  const running = await serve(host, { host: options.host, port: options.port });
  return {
    url: running.origin + (options.transport === 'http' ? endpointPath : ssePath),
    close: () => running.close(),
  };
}

/** The server as a command on stdio would be, on pipes in memory: each connection has a server of its own. */
export function serveInMemory(options: ReferenceOptions): ServeInMemory {
  return ({ stdin, stdout, stderr, exit }) => {
    const host = makeHost(options);
    host.exit = (code) => exit(code);
    void serveStdio(host, { input: stdin, output: stdout, error: stderr }).then(
      () => host.keeps('exit-with-stdin') && exit(0),
      // Its stdin was destroyed with it.
      () => exit(1),
    );
    return () => exit(0);
  };
}
