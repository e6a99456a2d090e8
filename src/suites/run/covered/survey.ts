/** Asks the servers of suites for their lists, each once; what several offer counts together. */
import { append } from '../../../core/model/lists.ts';
import { surveyTarget } from '../../../client/offers/survey.ts';
import { createRedactor } from '../../../core/trace/redaction/redact.ts';
import { createConnection } from '../connect/connection.ts';
import { needEngines } from '../connect/engines.ts';
import { copyFixture } from '../connect/fixture.ts';
import { givenSecrets, serverTarget } from '../connect/server-target.ts';
import { withOverride } from '../connect/override.ts';
import type { RunSuiteOptions } from '../run-suite.ts';
import type { Offered } from './coverage.ts';

export interface Surveyed {
  offered: Offered;
  /** Why servers could not be asked. */
  failed: string[];
  clean(text: string): string;
}

/** Starts or reaches each server that the cases name, or what replaces it. @throws McpcError usage where no container can be run */
export async function surveyServers(
  options: Pick<
    RunSuiteOptions,
    | 'cases'
    | 'override'
    | 'docker'
    | 'engine'
    | 'fixture'
    | 'spec'
    | 'timeoutMs'
    | 'env'
    | 'toolVersion'
    | 'secrets'
    | 'signal'
  >,
): Promise<Surveyed> {
  const cases = options.cases.map((one) => withOverride(one, options));
  needEngines(cases, options.env);
  const servers = new Map(
    cases.flatMap(({ server }) => (server === undefined ? [] : [[JSON.stringify(server), server] as const])),
  );
  const plans = [...servers.values()].map((server) => serverTarget(server, undefined, options.env));
  const offered: Offered = { tools: [], prompts: [], resources: [], templates: [], completes: false };
  const failed: string[] = [];
  const target = options.override !== undefined && 'target' in options.override ? options.override.target : undefined;
  const redactor = createRedactor(
    givenSecrets(options.secrets, [
      ...(target === undefined ? [] : [{ target }]),
      ...plans.filter((plan) => 'target' in plan),
    ]),
  );
  for (const server of servers.values()) {
    if (options.signal.aborted) break;
    const copy = options.fixture === undefined ? undefined : await copyFixture(options.fixture);
    const connection = createConnection({ redactor, name: 'coverage' });
    const onAbort = (): void => connection.abandon();
    options.signal.addEventListener('abort', onAbort, { once: true });
    try {
      const words = await connection.open({
        server,
        fixture: copy?.path,
        override: target?.kind === 'stdio' ? undefined : target,
        spec: options.spec,
        askForStateless: options.spec === 'auto',
        budgetMs: options.timeoutMs,
        env: target?.kind === 'stdio' ? (target.env ?? options.env) : options.env,
        toolVersion: options.toolVersion,
      });
      if (words !== undefined) {
        failed.push(redactor.text(words.words));
        continue;
      }
      const { peer } = connection.opened!;
      const listing = await surveyTarget(peer);
      append(failed, listing.missing ?? []);
      for (const name of ['tools', 'prompts', 'resources', 'templates'] as const) append(offered[name], listing[name]);
      offered.completes ||= 'completions' in (peer.serverCapabilities ?? {});
    } finally {
      options.signal.removeEventListener('abort', onAbort);
      await connection.close();
      await copy?.remove();
    }
  }
  return { offered, failed, clean: (text) => redactor.text(text) };
}
