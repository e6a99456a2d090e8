/**
 * Cases that may share a server by default (`--session auto`): those that cannot interfere, since they only list, read,
 * get, complete, and call tools that declare that they only read.
 */
import type { Step, SuiteCase } from '../../language/model.ts';
import { asText } from '../../../core/model/json.ts';

export interface Sharing {
  /** True if the case shares its server with others. */
  shares(one: SuiteCase): Promise<boolean>;
  /** Its result, for the report; undefined if no case requested it. */
  told(): string | undefined;
}

const harmless: ReadonlySet<string> = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/get',
  'completion/complete',
  'ping',
  'tools/call',
]);
/** They judge notifications, whose cause is unknown on a shared connection. */
const ofNotifications: ReadonlySet<string> = new Set(['min_progress', 'progress']);

/** Names of servers that are the same for this purpose. */
export function sharingKey({ server, spec }: SuiteCase): string {
  return JSON.stringify(['auto', server, spec]);
}

/**
 * @param cases of the run, with the servers that they will have
 * @param readOnly tools of the server of a case that say `readOnlyHint: true`; asked once for each server
 */
export function createSharing(
  cases: readonly SuiteCase[],
  readOnly: (one: SuiteCase) => Promise<ReadonlySet<string>>,
): Sharing {
  const alike = new Map<string, number>();
  for (const one of cases) if (isHarmless(one)) alike.set(sharingKey(one), (alike.get(sharingKey(one)) ?? 0) + 1);
  const known = new Map<string, Promise<ReadonlySet<string>>>();
  const shared = new Map<string, boolean>();
  const servers = new Set<string>();

  async function decide(one: SuiteCase): Promise<boolean> {
    const key = sharingKey(one);
    if (!isHarmless(one) || (alike.get(key) ?? 0) < 2) return false;
    const called = toolsOf(one.steps);
    if (called.length === 0) return true;
    let tools = known.get(key);
    if (tools === undefined) known.set(key, (tools = readOnly(one)));
    const safe = await tools;
    return called.every((name) => safe.has(name));
  }

  return {
    async shares(one) {
      const found = await decide(one);
      shared.set(one.id, found);
      if (found) servers.add(sharingKey(one));
      return found;
    },
    told() {
      const count = [...shared.values()].filter(Boolean).length;
      return cases.length === 0
        ? undefined
        : `--session auto: ${count} of ${cases.length} cases shared ${servers.size} ${servers.size === 1 ? 'server' : 'servers'}.`;
    },
  };
}

/** By the file alone: the server decides if a tool only reads. */
function isHarmless({ server, steps, alone }: SuiteCase): boolean {
  return server !== undefined && server.features === undefined && alone !== true && steps.every(isHarmlessStep);
}

function isHarmlessStep({ act, demands, unchanged = [] }: Step): boolean {
  if (demands.some(({ expectation }) => expectation.files !== undefined || ofNotifications.has(expectation.name)))
    return false;
  if (!unchanged.every(isHarmlessStep)) return false;
  if (act.kind === 'parallel') return act.steps.every(isHarmlessStep);
  return (
    act.kind === 'handshake' || (act.kind === 'request' && harmless.has(act.method) && !hasPlaceholderName(act.params))
  );
}

/** A tool that a placeholder names is not known beforehand. */
function hasPlaceholderName(params: Record<string, unknown> | undefined): boolean {
  return asText(params?.['name'] ?? '').includes('{{');
}

function toolsOf(steps: readonly Step[]): string[] {
  return steps.flatMap(({ act, unchanged = [] }) => [
    ...(act.kind === 'parallel'
      ? toolsOf(act.steps)
      : act.kind === 'request' && act.method === 'tools/call'
        ? [asText(act.params?.['name'])]
        : []),
    ...toolsOf(unchanged),
  ]);
}
