/**
 * What becomes of a requirement that nothing decided. What the server does not declare does not apply to it; a rule
 * that forbids doing it undeclared has passed where there was occasion for it; of everything else the report says
 * what would decide it.
 */
import type { RuleOutcome } from '../../core/evaluate/rule-tally.ts';
import { selectorsOf } from '../../core/facts/selections/selections.ts';
import type { CompiledRule, Optional } from '../../core/model/rules/rule.ts';
import { isQuick } from '../../client/schedule/plan/quick.ts';
import { leavesOf } from '../../core/rules/shared-definitions.ts';
import { eraOf, isKnownRevision } from '../../core/spec/revisions.ts';
import type { Occasions } from '../judge/occasions.ts';

export interface Surroundings {
  revision: string;
  occasions: Occasions;
  /** The check was ours and came to its end: what did not happen was not done. */
  whole: boolean;
  /** Only what one connection decides without waiting was asked. */
  quick: boolean;
  /** The check was ours; else it is a capture, which nobody can add to. */
  live: boolean;
  /** Tools that were left out: what they do is not known. */
  notCalled: number;
  /** No tool was left out, and none was without use: what no call brought about was not done. */
  eachCalled: boolean;
}

export type OpenRow = { status: 'not-applicable' | 'pass'; why: string } | { status: 'not-exercised'; remedy: string };

/** Capabilities by area, and the revision that begot them. */
const capabilityOf: Readonly<Record<string, { name: string; since: string }>> = {
  prompts: { name: 'prompts', since: '2024-11-05' },
  resources: { name: 'resources', since: '2024-11-05' },
  tools: { name: 'tools', since: '2024-11-05' },
  logging: { name: 'logging', since: '2024-11-05' },
  completion: { name: 'completions', since: '2025-03-26' },
  tasks: { name: 'tasks', since: '2025-11-25' },
};

/** What a server asks the client for, by area. */
const askedFor: Readonly<Record<string, { method: string; words: string }>> = {
  sampling: { method: 'sampling/createMessage', words: 'sampling' },
  elicitation: { method: 'elicitation/create', words: 'input' },
  roots: { method: 'roots/list', words: 'its roots' },
};

/** An outcome that nothing decided. */
export function openRow({ rule }: RuleOutcome, around: Surroundings): OpenRow {
  const { occasions, whole, revision } = around;
  const isServers = rule.role === 'server' && isKnownRevision(revision) && eraOf(revision) === 'stateful';
  if (isServers && rule.applies === undefined && occasions.handshake.length > 0) {
    const forbidden = forbiddenUndeclared(rule);
    const capability = neededBy(rule, revision);
    if (forbidden !== undefined) {
      if (occasions.declared.has(forbidden))
        return { status: 'not-applicable', why: `the server declares ${forbidden}` };
      if (whole && occasions.served > 0)
        return { status: 'pass', why: `Not declared, and not done while ${occasions.served} requests were served.` };
    } else if (capability !== undefined && !occasions.declared.has(capability))
      return { status: 'not-applicable', why: `the server does not declare ${capability}` };
  }
  if (whole && around.eachCalled) {
    const never = isServers ? neverDone(rule, occasions) : undefined;
    if (never !== undefined) return { status: 'not-applicable', why: never };
    if (rule.role === 'server' && rule.optional !== undefined && wasLookedFor(rule.optional.in, occasions))
      return { status: 'not-applicable', why: rule.optional.why };
  }
  return {
    status: 'not-exercised',
    remedy:
      around.quick && !isQuick(rule)
        ? 'it needs connections or waits of its own: check without --profile quick'
        : remedyFor(rule, around),
  };
}

/** The capability without which the rule has nothing to say; undefined where there is none. */
function neededBy(rule: CompiledRule, revision: string): string | undefined {
  const own = rule.kind === 'task' ? capabilityOf.tasks : capabilityOf[rule.area];
  if (own === undefined || revision < own.since) return undefined;
  if (own.name !== 'resources') return own.name;
  const methods = [rule.filter.method].flat();
  return methods.some(
    (method) =>
      method === 'notifications/resources/updated' ||
      method === 'resources/subscribe' ||
      method === 'resources/unsubscribe',
  )
    ? 'resources.subscribe'
    : 'resources';
}

/** The capability without which the server may not send what the rule is about; undefined for rules about anything else. */
function forbiddenUndeclared({ expect, kind, filter }: CompiledRule): string | undefined {
  if (kind !== 'message' || filter.from !== 'server') return undefined;
  const path = leavesOf(expect, '').find(({ leaf }) => leaf.fact === 'session.serverCapabilities')?.leaf.path;
  return path?.startsWith('$.') === true ? path.slice(2) : undefined;
}

/** Whether all was seen in which something would have shown that a server may leave out. */
function wasLookedFor(place: Optional['in'], { handshake, served, templates, left }: Occasions): boolean {
  if (handshake.length === 0) return false;
  if (place === 'handshake') return true;
  return (
    served > 0 &&
    (place === 'templates'
      ? !templates
      : place === 'prompts'
        ? !left.prompts
        : place === 'resources'
          ? !left.resources
          : true)
  );
}

/** Why a rule about what servers do of their own accord has nothing to judge; every tool was called. */
function neverDone(rule: CompiledRule, { asked, told, paged }: Occasions): string | undefined {
  const { area, kind, filter } = rule;
  const wanted = Object.hasOwn(askedFor, area) ? askedFor[area] : undefined;
  if (wanted !== undefined && !asked.has(wanted.method)) return `no tool asked the client for ${wanted.words}`;
  if (area === 'pagination' && !paged) return 'no list had a second page';
  const isAboutServers = kind === 'message' && filter.from === 'server';
  if (kind === 'task' && filter.from === 'server' && !asked.has('tasks/get'))
    return 'the server asked about no task of the client';
  if (asked.size === 0) {
    if (kind === 'serverRequest') return 'the server asked the client for nothing';
    if (isAboutServers && filter.shape === 'request') return 'the server sent no request of its own';
    if (kind === 'message' && filter.method === 'notifications/cancelled')
      return 'the server sent no request that it could cancel';
  }
  if (
    isAboutServers &&
    optional.has(area) &&
    told.size === 0 &&
    (filter.isMethodNotification === true || filter.shape === 'notification')
  )
    return 'the server sent no notification';
  const methods = optional.has(area) ? sentMethods(rule) : [];
  if (methods.length > 0 && !methods.some((method) => asked.has(method) || told.has(method)))
    return `the server sent no ${methods.join(' or ')}`;
  return isAboutServers && optional.has(area) && asked.size + told.size === 0
    ? 'the server sent nothing of the kind, and need not'
    : undefined;
}

/** Methods of what the server has to send for the rule to have anything to judge; none where it judges other things as well. */
function sentMethods({ area, kind, filter, selection }: CompiledRule): string[] {
  const [of] = selection ? selectorsOf(selection) : [{ kind, filter }];
  if (area === 'progress' && of?.kind === 'exchange' && of.filter.from === 'client') return ['notifications/progress'];
  if (of?.kind === 'followUp' && of.filter.answersCancelled === true) return ['notifications/cancelled'];
  if (of === undefined || (of.kind !== 'message' && of.kind !== 'exchange') || of.filter.from !== 'server') return [];
  return [of.filter.method].flat().filter((method) => typeof method === 'string');
}

/** Areas about the form of what a server may send or leave, which no capability announces. */
const optional = new Set(['jsonrpc', 'meta', 'icons', 'ping', 'progress', 'cancellation', 'tasks', 'elicitation']);

const remedies: Readonly<Record<string, string>> = {
  sampling: 'no tool asked the client for sampling: name one under "asks" in a file of hints',
  elicitation: 'no tool asked the client for input: name one under "asks" in a file of hints',
  roots: 'no tool asked the client for its roots: name one under "asks" in a file of hints',
  progress: 'no call reported progress: name a tool that does under "progress" in a file of hints',
  cancellation: 'no call took long enough to be cancelled: name a tool that does under "slow" in a file of hints',
  logging: 'no log message was sent: name a tool that logs under "logs" in a file of hints',
  pagination: 'no list had a second page: check the server with more entries than one page has',
  prompts: 'no prompt gave content of the kind: give arguments for one that does under "prompts" in a file of hints',
  resources:
    'no resource of the kind was read or changed: name addresses under "resources", or a tool under "changes", in a file of hints',
  completion: 'no completion had values: name one under "completions" in a file of hints',
  tasks: 'no task of the kind was made: allow a tool that runs as a task, or give it arguments in a file of hints',
  'ext-tasks':
    'no call was answered with a task of the kind: allow a tool that runs as one, or give it arguments in a file of hints',
  tools: 'no tool gave a result of the kind: give arguments for one that does under "tools" in a file of hints',
  authorization: 'the server was not seen to want or refuse a token: give one with --token',
};

const noListChanged = 'no call changed the list: name a tool that does under "changes-lists" in a file of hints';
const noResourceChanged =
  'no call changed a resource that was subscribed to: name a tool that does under "changes-resource" in a file of hints';

/** What would decide the rule, in a sentence without its full stop. */
function remedyFor({ area, kind, filter }: CompiledRule, { live, notCalled }: Surroundings): string {
  if (!live) return 'nothing of the kind was recorded: check the server itself, or record more of it';
  const asks = kind === 'serverRequest' && !Object.hasOwn(remedies, area) ? remedies.elicitation : undefined;
  const changes =
    kind === 'pagination' && area !== 'pagination'
      ? noListChanged
      : 'subscription' in filter
        ? noResourceChanged
        : undefined;
  const own = changes ?? asks ?? (Object.hasOwn(remedies, area) ? remedies[area] : undefined);
  if (own === undefined) return 'the server did nothing of the kind in this run; one in which it does decides';
  return notCalled === 0
    ? own
    : `${own}; or allow the ${notCalled === 1 ? 'tool that was' : `${notCalled} tools that were`} left out`;
}
