/**
 * Requirements that apply only to servers that do something of their own accord: ask the client, report progress, list
 * on several pages. If a server was not seen to do it, it is unknown if they apply. What it declares is another matter:
 * that it says it does.
 */
import { selectorsOf } from '../../../core/facts/selections/selections.ts';
import type { CompiledRule } from '../../../core/model/rules/rule.ts';
import type { Filter } from '../../../core/model/rules/subject-kind.ts';
import { allowed } from '../../../core/model/rules/subject-kind.ts';
import type { Occasions } from '../said/occasions.ts';

/** Actions of a server, for areas without a capability, and the message that shows them. */
const unannounced: Readonly<Record<string, { onlyIf: string; method?: string }>> = {
  sampling: { onlyIf: 'a tool asks the client for sampling', method: 'sampling/createMessage' },
  elicitation: { onlyIf: 'a tool asks the client for input', method: 'elicitation/create' },
  roots: { onlyIf: 'a tool asks the client for its roots', method: 'roots/list' },
  mrtr: { onlyIf: 'a request is answered by one for input' },
  progress: { onlyIf: 'a call reports progress', method: 'notifications/progress' },
  cancellation: { onlyIf: 'a call takes long enough to be cancelled' },
  pagination: { onlyIf: 'a list has a second page' },
};

/** Notifications that a capability announces, and that capability. */
const announced: Readonly<Record<string, string>> = {
  'notifications/message': 'logging',
  'notifications/tools/list_changed': 'tools.listChanged',
  'notifications/prompts/list_changed': 'prompts.listChanged',
  'notifications/resources/list_changed': 'resources.listChanged',
  'notifications/resources/updated': 'resources.subscribe',
  'notifications/tasks/status': 'tasks',
};

/** Why a rule may not apply to a target, for all that was seen: what it would have to do, or what it left out. */
export type ApplyingIf = { onlyIf: string } | { why: string };

/**
 * Actions of the target that make the rule apply, in words without a full stop; undefined for a rule that always
 * applies.
 *
 * @param selected how many subjects the rule was about, decided or not
 */
export function conditionOf(
  rule: CompiledRule,
  { declared, listsNone, asked, told: reported, paged }: Occasions,
  selected: number,
): ApplyingIf | undefined {
  if (rule.role === 'client') {
    if (rule.onlyIf !== undefined) return { onlyIf: rule.onlyIf };
    return selected === 0 && isSentByClient(rule) ? { onlyIf: 'the client sends such messages' } : undefined;
  }
  const { area, filter } = rule;
  const own = Object.hasOwn(unannounced, area) ? unannounced[area] : undefined;
  const seen =
    own?.method === undefined ? paged && area === 'pagination' : asked.has(own.method) || reported.has(own.method);
  if (own !== undefined && !seen) return own;
  if (rule.optional !== undefined) return { why: rule.optional.why };
  const onlyIf = rule.onlyIf ?? own?.onlyIf ?? sendingOf(rule, declared);
  if (onlyIf !== undefined) return { onlyIf };
  if ((area === 'tasks' && !declared.has('tasks')) || (area === 'ext-tasks' && !declared.has('extensions')))
    return { onlyIf: 'a call runs as a task' };
  if (area === 'subscriptions' && !subscribable.some((capability) => declared.has(capability)))
    return { onlyIf: 'the server declares something that can be subscribed to' };
  const list = usedLists.find(({ methods }) => methods.some((method) => allowed(filter.method).includes(method)));
  return list !== undefined && listsNone.has(list.of)
    ? { onlyIf: `the server lists a ${list.of.slice(0, -1)}` }
    : undefined;
}

const subscribable = ['tools.listChanged', 'prompts.listChanged', 'resources.listChanged', 'resources.subscribe'];

/** Methods whose results hold nothing to judge where the server lists nothing. */
const usedLists = [
  { methods: ['tools/call', 'tools/list'], of: 'tools' },
  { methods: ['prompts/get', 'prompts/list'], of: 'prompts' },
  { methods: ['resources/read', 'resources/list'], of: 'resources' },
] as const;

/** Messages that a server must send on its own; undefined for other rules. */
function sendingOf(rule: CompiledRule, declared: ReadonlySet<string>): string | undefined {
  if (rule.kind === 'serverRequest') return 'the server asks the client for something';
  for (const { kind, filter } of [rule, ...(rule.selection === undefined ? [] : selectorsOf(rule.selection))]) {
    if (filter.from !== 'server') continue;
    if (kind === 'exchange' || kind === 'task') return 'the server sends requests of its own';
    if (kind !== 'message') continue;
    const shape = 'shape' in filter ? allowed(filter.shape) : [];
    if (shape.length === 1 && shape[0] === 'request') return 'the server sends requests of its own';
    const methods = methodsOf(filter);
    if (methods.some((method) => declared.has(announced[method] ?? ''))) return undefined;
    if (methods.length > 0) return `the server sends ${methods.slice(0, 2).join(' or ')}`;
    if (filter.isMethodNotification === true || (shape.length === 1 && shape[0] === 'notification'))
      return 'the server sends notifications';
  }
  return undefined;
}

function methodsOf(filter: Filter): string[] {
  return 'method' in filter ? allowed(filter.method).filter((one) => typeof one === 'string') : [];
}

/** True if the rule is about messages, requests or POSTs of the client. */
function isSentByClient({ kind, filter }: CompiledRule): boolean {
  return filter.from === 'client' || kind === 'http' || kind === 'stream';
}
