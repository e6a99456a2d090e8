/**
 * A requirement that binds both parties is written once. A rule about the server may have a member `client`, from which
 * this makes the rule about the client, with exchanged parties. Its texts and examples are those of the rule with
 * the parties swapped, unless the file gives others.
 */
import type { MutationEntry } from '../model/rules/mutation.ts';
import type { Condition, Given, RuleExample, RuleFile } from '../model/rules/rule.ts';
import type { SubjectChoice } from '../model/rules/selection.ts';
import type { Filter } from '../model/rules/subject-kind.ts';
import { eraOf, isKnownRevision } from '../spec/revisions.ts';
import type { RuleSource } from './compile-rule.ts';

const other: Record<string, string> = { server: 'client', client: 'server' };

/** Facts of one party, and the same of the other. */
const mirrorFacts: Readonly<Record<string, string>> = {
  'session.serverCapabilities': 'session.clientCapabilities',
  'session.clientCapabilities': 'session.serverCapabilities',
};

/** Facts that name a party. */
const partyFacts = new Set(['subject.from', 'subject.methodSender', 'subject.streamClosedBy', 'subject.closedBy']);

/** The rule itself, and the one about the client where the file has one. */
export function withClientTwin(source: RuleSource): RuleSource[] {
  if (source.rule.uses !== undefined) return [source];
  const { client, ...rule } = source.rule;
  if (!client) return [source];
  const [area, slug] = source.id.split('/') as [string, string];
  // Nothing is sent for it.
  const { stimulus: _stimulus, isolated: _isolated, mutation, ...rest } = rule;
  const twin: RuleFile = {
    ...rest,
    role: 'client',
    ...(client.situation ? { situation: client.situation } : {}),
    ...mutationOf(client.mutation ?? [mutation ?? []].flat().flatMap(mirroredFault)),
    title: client.title ?? swapWords(rule.title),
    given: swapGiven(rule.given),
    ...(rule.applies ? { applies: swap(rule.applies) } : {}),
    ...(rule.when ? { when: swap(rule.when) } : {}),
    expect: swap(rule.expect),
    ...(rule.advice
      ? { advice: rule.advice.map((one) => ({ message: swapWords(one.message), when: swap(one.when) })) }
      : {}),
    message: client.message ?? swapWords(rule.message),
    fix: client.fix ?? swapWords(rule.fix),
    examples: client.examples ?? rule.examples.flatMap(mirrored),
  };
  return [
    { ...source, rule },
    { file: source.file, id: `${area}/client-${slug}`, rule: twin },
  ];
}

function mutationOf(mutation: MutationEntry | MutationEntry[]): Pick<RuleFile, 'mutation'> {
  return Array.isArray(mutation) && mutation.length === 0 ? {} : { mutation };
}

/** Methods of messages that both parties send, requests of the server among them, which clients answer. */
const sharedMethods = new Set([
  '*',
  'ping',
  'roots/list',
  'sampling/createMessage',
  'elicitation/create',
  'notifications/progress',
  'notifications/cancelled',
]);

/** A fault of messages that a client sends as well. */
function mirroredFault(entry: MutationEntry): MutationEntry[] {
  const { reply, result, error, notification, http } = entry.on;
  const methods = [reply ?? result ?? error ?? notification ?? []].flat();
  const isShared = methods.length > 0 && methods.every((method) => sharedMethods.has(method));
  return http !== undefined || !isShared || entry.status !== undefined || entry.copy !== undefined
    ? []
    : [{ ...entry, ...(entry.says === undefined ? {} : { says: swapWords(entry.says) }) }];
}

function swapGiven(given: Given): Given {
  if ('group' in given) return { group: { ...given.group, of: swapChoice(given.group.of) } };
  if ('pair' in given) {
    const { first, then, until, ...pair } = given.pair;
    return {
      pair: {
        ...pair,
        first: swapChoice(first),
        then: swapChoice(then),
        ...(until ? { until: swapChoice(until) } : {}),
      },
    };
  }
  return swapChoice(given);
}

/** The subject kind of lines of the server, and that of lines of the client. */
const mirrorKinds: Readonly<Record<string, string>> = { stdoutLine: 'stdinLine' };

function swapChoice(choice: SubjectChoice): SubjectChoice {
  return Object.fromEntries(
    Object.entries(choice).map(([kind, filter]) => [mirrorKinds[kind] ?? kind, swapFilter(filter)]),
  );
}

function swapFilter(filter: Filter): Filter {
  const isTask = filter.asTask === true;
  return Object.fromEntries(
    Object.entries(filter).map(([name, wanted]) => [
      name,
      partyFacts.has(`subject.${name}`)
        ? swapValue(wanted)
        : name === 'method' && isTask
          ? taskMethods(wanted)
          : wanted,
    ]),
  );
}

/** A server makes tasks of tool calls, a client of requests of the server. */
function taskMethods(wanted: unknown): unknown {
  return [wanted]
    .flat()
    .flatMap((method) => (method === 'tools/call' ? ['sampling/createMessage', 'elicitation/create'] : [method]));
}

function swap(condition: Condition): Condition {
  if ('all' in condition) return { all: condition.all.map(swap) };
  if ('any' in condition) return { any: condition.any.map(swap) };
  if ('not' in condition) return { not: swap(condition.not) };
  // Named conditions speak of sessions and of HTTP, where the parties stay who they are.
  if ('condition' in condition) return condition;
  const mirror = mirrorFacts[condition.fact];
  if (mirror !== undefined) return { ...condition, fact: mirror };
  if (!partyFacts.has(condition.fact)) return condition;
  return { ...condition, value: swapValue(condition.value) };
}

function swapValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(swapValue);
  return typeof value === 'string' ? (other[value] ?? value) : value;
}

/** In the texts of a rule the two words stand for the parties only. */
function swapWords(text: string): string {
  return text.replace(/\b([Ss]erver|[Cc]lient)(s?)\b/g, (_all, word: string, plural: string) => {
    const swapped = other[word.toLowerCase()]!;
    return (/[SC]/.test(word[0]!) ? swapped[0]!.toUpperCase() + swapped.slice(1) : swapped) + plural;
  });
}

/**
 * An example of messages only, mirrored; anything else has no mirror image. Nor has one in which nothing happens: the
 * handshake is the client's, so that something always does. Nor one of the stateless era, in which only clients ask and
 * only servers answer.
 */
function mirrored({
  notLive: _notLive,
  serverCapabilities,
  clientCapabilities,
  ...example
}: RuleExample): RuleExample[] {
  if (isKnownRevision(example.revision) && eraOf(example.revision) === 'stateless') return [];
  if (
    example.handshake === false ||
    (example.verdict !== 'pass' && example.verdict !== 'fail') ||
    !example.trace.every((line) => /^[<>]{1,2} ?[[{]/.test(line))
  )
    return [];
  return [
    {
      ...example,
      ...(serverCapabilities ? { clientCapabilities: serverCapabilities } : {}),
      ...(clientCapabilities ? { serverCapabilities: clientCapabilities } : {}),
      trace: example.trace.map((line) =>
        line.replace(/^[<>]+/, (sigil) => (sigil.startsWith('<') ? '>' : '<').repeat(sigil.length)),
      ),
    },
  ];
}
