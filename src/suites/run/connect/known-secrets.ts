/** Values that cases give to their servers and that must not appear in a report. It starts nothing. */
import type { ServerBlock, SuiteCase } from '../../language/model.ts';
import type { ServerOverride } from './override.ts';
import { givenSecrets, serverTarget, type GivenSecrets } from './server-target.ts';

export interface SecretsOptions {
  /** Replacement for the servers of the files. */
  override?: ServerOverride;
  /** Values of flags. */
  secrets: readonly string[];
  env: NodeJS.ProcessEnv;
}

/** Secret values given to the servers, and unset variables. */
export function secretsOf(
  cases: readonly SuiteCase[],
  options: SecretsOptions,
): { known: GivenSecrets; notices: string[] } {
  const { override } = options;
  const notices = new Set<string>();
  const plans = new Map<ServerBlock, ReturnType<typeof serverTarget>>();
  for (const { server, file, place, skip } of cases) {
    if (server === undefined || skip !== undefined) continue;
    // Cases of a file often have one server, as they have one block.
    let plan = plans.get(server);
    if (plan === undefined) plans.set(server, (plan = serverTarget(server, undefined, options.env)));
    if ('words' in plan) continue;
    for (const name of plan.unset)
      notices.add(`${file}:${place.line}: the environment variable ${name} is not set; its value is empty.`);
  }
  const replaced = override !== undefined && 'target' in override ? [{ target: override.target }] : [];
  return {
    known: givenSecrets(options.secrets, [...replaced, ...[...plans.values()].filter((plan) => 'target' in plan)]),
    notices: [...notices],
  };
}
