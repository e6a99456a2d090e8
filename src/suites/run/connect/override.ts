/** Replacement for the servers that the files name. Pure. */
import type { Target } from '../../../client/target/target.ts';
import type { ServerBlock, SuiteCase } from '../../language/model.ts';
import { serverTarget } from './server-target.ts';

/** `words` replace command and arguments of servers on stdio; a target replaces any server. */
export type ServerOverride = { words: readonly string[] } | { target: Target };

/** The case with the server that takes the place of its own. */
export function withOverride(
  one: SuiteCase,
  {
    override,
    docker,
    engine,
  }: { override?: ServerOverride | undefined; docker?: string | undefined; engine?: ServerBlock['engine'] },
): SuiteCase {
  if (one.server === undefined) return one;
  const server: ServerBlock = { ...one.server };
  const isStdio = server.transport === '' || server.transport.toLowerCase() === 'stdio';
  if (override !== undefined && 'words' in override && isStdio) {
    server.command = override.words[0]!;
    server.args = override.words.slice(1);
  }
  // A command takes the place of whatever the file names; the environment of the file goes with it.
  if (override !== undefined && 'target' in override && override.target.kind === 'stdio') {
    const { command, args, cwd } = override.target;
    return { ...one, server: { ...server, transport: '', command, args, ...(cwd === undefined ? {} : { cwd }) } };
  }
  if (docker !== undefined && isStdio) server.docker ??= docker;
  if (engine !== undefined && server.docker !== undefined) server.engine = engine;
  return { ...one, server };
}

/** The one server of all cases, or what replaces it; undefined where they have several or none. */
export function oneTarget({
  cases,
  override,
  docker,
  engine,
  fixture,
  env,
}: {
  cases: readonly SuiteCase[];
  override?: ServerOverride | undefined;
  docker?: string | undefined;
  engine?: ServerBlock['engine'];
  fixture?: string | undefined;
  env: NodeJS.ProcessEnv;
}): Target | undefined {
  if (override !== undefined && 'target' in override) return override.target;
  const servers = new Map(
    cases.flatMap((one) => {
      const { server } = withOverride(one, { override, docker, engine });
      return server === undefined ? [] : [[JSON.stringify(server), server] as const];
    }),
  );
  const [only] = servers.values();
  const plan = only === undefined || servers.size > 1 ? undefined : serverTarget(only, fixture, env);
  return plan === undefined || 'words' in plan ? undefined : plan.target;
}
