/**
 * Outcome of an undecided requirement. Undeclared capabilities do not apply; a rule that forbids their use has passed
 * if there was occasion for it. For everything else the report shows if it applies, and what would decide it.
 */
import type { RuleOutcome } from '../../../core/evaluate/rule-tally.ts';
import { selectorsOf } from '../../../core/facts/selections/selections.ts';
import type { OpenKind } from '../../../core/model/reports/verdict.ts';
import type { CompiledRule, Optional } from '../../../core/model/rules/rule.ts';
import { allowed } from '../../../core/model/rules/subject-kind.ts';
import { isQuick } from '../../../client/schedule/plan/quick.ts';
import { leavesOf } from '../../../core/rules/shared-definitions.ts';
import { eraOf, isKnownRevision } from '../../../core/spec/revisions.ts';
import type { Occasions } from '../said/occasions.ts';
import { isUnknown, refusalWords } from '../said/refusals.ts';
import { declaringOf, hasOwnStart, missingAct } from './client-acts.ts';
import { conditionOf } from './conditions.ts';
import { remedyFor, whereListFailed, withFlow, withoutQuick, type Remedy } from './remedies.ts';

export interface Surroundings {
  revision: string;
  occasions: Occasions;
  /** The check was ours and came to its end: what did not happen was not done. */
  whole: boolean;
  /** Only what one connection decides without waiting was asked. */
  quick: boolean;
  /** The check was ours; else it is a capture, which cannot be extended. */
  live: boolean;
  /** mcpc played the server, and the client was started by it. */
  staged: boolean;
  /** The client was refused without a token, and did nothing to get one. */
  loginless: boolean;
  /** Tools that were left out, though a flag has them called: what they do is not known. */
  leftOut: readonly string[];
  /** No tool was left out, and none was without use: what no call brought about was not done. */
  eachCalled: boolean;
}

export type OpenRow =
  | { status: 'not-applicable' | 'pass'; why: string }
  | { status: 'not-exercised'; open: OpenKind; why: string; remedy?: string | undefined };

/** Capability of each area and the revision that introduced it. */
const capabilityOf: Readonly<Record<string, { name: string; since: string }>> = {
  prompts: { name: 'prompts', since: '2024-11-05' },
  resources: { name: 'resources', since: '2024-11-05' },
  tools: { name: 'tools', since: '2024-11-05' },
  logging: { name: 'logging', since: '2024-11-05' },
  completion: { name: 'completions', since: '2025-03-26' },
  tasks: { name: 'tasks', since: '2025-11-25' },
};

/** Requests of a server to the client, by area. */
const askedFor: Readonly<Record<string, { method: string; words: string }>> = {
  sampling: { method: 'sampling/createMessage', words: 'sampling' },
  elicitation: { method: 'elicitation/create', words: 'input' },
  roots: { method: 'roots/list', words: 'its roots' },
};

/** An outcome that nothing decided. */
export function openRow({ rule, selected, answers }: RuleOutcome, around: Surroundings): OpenRow {
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
  if (around.quick && !isInQuick(rule, around)) return notReached(withoutQuick);
  const failed = whereListFailed(rule, occasions.failedLists);
  if (failed !== undefined) return notReached(failed);
  if (around.loginless && rule.role === 'client' && rule.area === 'authorization' && selected === 0)
    return conditional('applies only if the client logs in where a server asks for a token');
  const declaring = around.staged && selected === 0 ? declaringOf(rule) : undefined;
  const condition = declaring === undefined ? conditionOf(rule, occasions, selected) : { onlyIf: declaring };
  const remedy = around.staged ? missingAct(rule) : remedyFor(rule, around);
  const refused = selected > 0 || around.staged ? undefined : refusalOf(rule, occasions);
  if (refused?.isUnknown === true)
    return conditional(`applies only if the server has ${refused.method}; ${refused.words}`);
  if (condition !== undefined)
    return conditional(
      `${'onlyIf' in condition ? `applies only if ${condition.onlyIf}` : condition.why}${answersSeen(answers)}`,
      remedy?.how,
    );
  if (refused !== undefined) return notReached({ why: refused.words, how: remedy?.how });
  if (selected > 0 && rule.area === 'authorization' && around.live && !around.staged) return notReached(withFlow);
  // What was seen was done: a remedy that speaks of its absence is for rules without a subject.
  const isOfKind = around.live && !around.staged && byKind.has(rule.area);
  if (selected > 0 && (remedy === undefined || answers.length > 0 || !isOfKind))
    return notReached({ why: `${whyUnused(selected)}${answersSeen(answers)}`, how: remedy?.how });
  return notReached(remedy ?? { why: 'the run did not come to it' });
}

function isInQuick(rule: CompiledRule, { staged }: Surroundings): boolean {
  return staged ? rule.situation === undefined || !hasOwnStart(rule.situation) : isQuick(rule);
}

/** Areas whose remedies say of results that none was of the kind, which holds of those that were seen. */
const byKind = new Set(['tools', 'prompts', 'resources', 'completion', 'tasks', 'ext-tasks']);

/** How the target answered what was asked and decides nothing. */
function answersSeen(answers: readonly string[]): string {
  return answers.map((one) => `; ${one}`).join('');
}

/** Why a rule about results had nothing to judge: its requests were sent and got errors only. */
function refusalOf(
  { kind, filter, selection, role }: CompiledRule,
  { refused }: Occasions,
): { method: string; words: string; isUnknown: boolean } | undefined {
  if (role !== 'server') return undefined;
  const of = selection ? selectorsOf(selection)[0] : { kind, filter };
  if (of?.kind !== 'exchange' || of.filter.from === 'server') return undefined;
  const [method, other] = 'method' in of.filter ? allowed(of.filter.method) : [];
  const refusal = typeof method === 'string' && other === undefined ? refused.get(method) : undefined;
  return refusal === undefined
    ? undefined
    : { method: method as string, words: refusalWords(method as string, refusal), isUnknown: isUnknown(refusal) };
}

/** @param selected how often the subject of the rule was seen, at least once */
function whyUnused(selected: number): string {
  return selected === 1
    ? 'the one case that was looked at does not decide it'
    : `none of the ${selected} cases that were looked at decides it`;
}

function conditional(why: string, remedy?: string): OpenRow {
  return { status: 'not-exercised', open: 'conditional', why, remedy };
}

function notReached({ why, how }: Partial<Remedy> & Pick<Remedy, 'why'>): OpenRow {
  return { status: 'not-exercised', open: 'not-reached', why, remedy: how };
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

/** True if everything was seen that could show optional content of a server. */
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
function neverDone(rule: CompiledRule, { asked, told: reported, paged }: Occasions): string | undefined {
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
    reported.size === 0 &&
    (filter.isMethodNotification === true || filter.shape === 'notification')
  )
    return 'the server sent no notification';
  const methods = optional.has(area) ? sentMethods(rule) : [];
  if (methods.length > 0 && !methods.some((method) => asked.has(method) || reported.has(method)))
    return `the server sent no ${methods.join(' or ')}`;
  return isAboutServers && optional.has(area) && asked.size + reported.size === 0
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
