/** Starts the server of a column over HTTP, for as long as its cases run. */
import { McpcError } from '../../../core/model/errors.ts';
import type { SuiteReport } from '../../../core/model/reports/suite-report.ts';
import { defaultTiming } from '../../../client/target/timing.ts';
import type { MatrixServer } from '../../language/file/matrix-part.ts';
import { planServe } from '../../../check/target/serve-command.ts';
import { startServed } from '../../../check/target/serve.ts';
import { expandVariables } from '../connect/server-target.ts';
import type { NodeVersion } from './node-versions.ts';

/** The output of the process is not kept. */
const ignored = (): number => 0;

/**
 * A server that does not start fails the cases of its column, which cannot reach it; the notices have the reason.
 * @param work action while the server runs, at this address
 * @throws McpcError usage for an address without the port of the command
 */
export async function withServed(
  { serve = [], block }: MatrixServer,
  { env, node, signal }: { env: NodeJS.ProcessEnv; node?: NodeVersion; signal: AbortSignal },
  work: (url: string) => Promise<SuiteReport>,
): Promise<SuiteReport> {
  const plain = Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const given = Object.fromEntries(
    Object.entries(block.env).map(([name, value]) => [name, expandVariables(value, env)]),
  );
  const words = node !== undefined && serve[0] === 'node' ? [node.program, ...serve.slice(1)] : serve;
  const plan = await planServe(words, block.url!, {
    env: plain,
    given,
    cwd: block.cwd,
  });
  let why: string | undefined;
  const served = await startServed(
    plan.serve,
    { kind: 'http', url: plan.url, headers: [] },
    ignored,
    defaultTiming,
    signal,
  ).catch((error: unknown) => {
    if (!(error instanceof McpcError) || error.stage !== 'target') throw error;
    why = error.message;
  });
  try {
    const report = await work(plan.url);
    return why === undefined ? report : { ...report, notices: [...report.notices, why] };
  } finally {
    await served?.stop();
  }
}
