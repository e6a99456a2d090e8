/** Remedies for a requirement that a run did not reach: a flag, or an entry in a file of hints. */
import type { CompiledRule } from '../../../core/model/rules/rule.ts';
import type { FailedList } from '../said/failed-lists.ts';

/** The missing thing, and its remedy; neither has a full stop. */
export interface Remedy {
  why: string;
  how: string;
}

export interface Reach {
  /** The check was ours; else it is a capture, which cannot be extended. */
  live: boolean;
  /** Tools that were left out and that a flag has called. */
  leftOut: readonly string[];
}

const hint = (why: string, what: string): Remedy => ({ why, how: `${what} in a hints file` });

/** By area; effects of tools are in `byTools`. */
const byArea: Readonly<Record<string, Remedy>> = {
  sampling: hint('no tool asked the client for sampling', 'name a tool that does under "asks"'),
  elicitation: hint('no tool asked the client for input', 'name a tool that does under "asks"'),
  mrtr: hint('no request was answered by one for input', 'name a tool that asks for input under "asks"'),
  roots: hint('no tool asked the client for its roots', 'name a tool that does under "asks"'),
  progress: hint('no call reported progress', 'name a tool that does under "progress"'),
  cancellation: hint('no call took long enough to be cancelled', 'name a tool that does under "slow"'),
  logging: hint('no log message was sent', 'name a tool that logs under "logs"'),
  pagination: { why: 'no list had a second page', how: 'check the server with more entries than one page has' },
  prompts: hint('no prompt gave content of the kind', 'give arguments for one that does under "prompts"'),
  resources: hint('no resource of the kind was read', 'name one under "resources"'),
  completion: hint('no completion had values', 'name one that has under "completions"'),
  tasks: hint('no task of the kind was made', 'give arguments under "tools" for a tool that runs as a task'),
  'ext-tasks': hint('no task of the kind was made', 'give arguments under "tools" for a tool that runs as a task'),
  tools: hint('no tool gave a result of the kind', 'give arguments for one that does under "tools"'),
  authorization: {
    why: 'the server was not seen to require authorization',
    how: 'give one with --token, --oauth or --test-as',
  },
};

/** Areas in which more called tools may decide more. */
const byTools = new Set([
  'sampling',
  'elicitation',
  'mrtr',
  'roots',
  'progress',
  'cancellation',
  'logging',
  'tasks',
  'ext-tasks',
  'tools',
]);

const listChanged = hint('no call changed the list', 'name a tool that does under "changes-lists"');
const resourceChanged = hint(
  'no call changed a resource that was subscribed to',
  'name a tool that does under "changes-resource"',
);

export const withoutQuick: Remedy = {
  why: 'it needs connections or waits of its own',
  how: 'check without --profile quick',
};

/** The server was seen to require authorization. */
export const withFlow: Remedy = {
  why: 'the server requires authorization, and the given token does not decide it',
  how: 'let the check get tokens itself, with --oauth or --test-as',
};

/** Why the rule is undecided if the list that it needs was declared and never returned. */
export function whereListFailed({ area }: CompiledRule, failed: readonly FailedList[]): Remedy | undefined {
  if (!Object.hasOwn(byArea, area)) return undefined;
  const needed = area === 'prompts' || area === 'resources' ? `${area}/list` : 'tools/list';
  const list = failed.find(({ method }) => method === needed);
  return (
    list && {
      why: `each ${needed} was answered by an error (${list.code} ${list.message})`,
      how: `make the server answer ${needed}`,
    }
  );
}

/** The remedy for the rule; undefined if none is known. */
export function remedyFor({ area, kind, filter }: CompiledRule, { live, leftOut }: Reach): Remedy | undefined {
  if (!live) return { why: 'nothing of the kind was recorded', how: 'check the server itself, or record more of it' };
  const asks = kind === 'serverRequest' && !Object.hasOwn(byArea, area) ? byArea.elicitation : undefined;
  const changes =
    kind === 'pagination' && area !== 'pagination'
      ? listChanged
      : 'subscription' in filter || filter.method === 'notifications/resources/updated'
        ? resourceChanged
        : undefined;
  const own = changes ?? asks ?? (Object.hasOwn(byArea, area) ? byArea[area] : undefined);
  if (own === undefined) return undefined;
  const isOfTools = changes !== undefined || asks !== undefined || byTools.has(area);
  return isOfTools && leftOut.length > 0 ? { why: own.why, how: allowing(leftOut) } : own;
}

/** Maximum number of names; for more tools one flag covers all. */
const mostNames = 3;

/** The flags that have the tools called. */
function allowing(tools: readonly string[]): string {
  const flags =
    tools.length <= mostNames && tools.every((tool) => /^[\w.:/-]+$/.test(tool))
      ? tools.map((tool) => `--allow-tool ${tool}`).join(' ')
      : '--allow-tool NAME for each that may be called';
  return `allow the ${tools.length === 1 ? 'tool' : `${tools.length} tools`} left out for safety: ${flags}`;
}
