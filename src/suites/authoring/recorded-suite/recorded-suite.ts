/**
 * Writes a suite from a recording: a case for each conversation, with its requests in order and captures of values that
 * a later request used, and cases for the lists. It reaches no server.
 */
import { fileURLToPath } from 'node:url';
import { homedir, hostname, tmpdir } from 'node:os';
import { preparePatterns } from '../../language/expectations/patterns.ts';
import { openTrace, type WireChoice } from '../../../check/capture/open-capture.ts';
import { usageError } from '../../../core/model/errors.ts';
import { asText, isObject, type JsonObject } from '../../../core/model/json.ts';
import { append } from '../../../core/model/lists.ts';
import type { TraceHeader } from '../../../core/model/trace.ts';
import { mayLeakSecrets } from '../../../core/permission/decide.ts';
import type { Target } from '../../../client/target/target.ts';
import { createRedactor } from '../../../core/trace/redaction/redact.ts';
import { commentText } from '../../../check/authoring/listed-text.ts';
import { expectedOf, type Expected } from '../starter-suite/expected.ts';
import { atLeast, listCases, type ListCase } from '../starter-suite/lists.ts';
import type { Outcome } from '../starter-suite/observe.ts';
import { serverBlock } from '../starter-suite/server-block.ts';
import { mostComment, suiteFileText, type WrittenCase } from '../suite-text.ts';
import { conversationsIn, type Conversation } from './conversations.ts';
import { listingsOf } from './listings.ts';
import {
  madeByServer,
  stepsOf,
  valuesOfRun,
  type RecordedConversation,
  type RecordedStep,
  shortMadeByServer,
  withOtherNumbers,
} from './observations.ts';
import { holdsStandIn, readingStep } from './secrets.ts';

export interface RecordedSuiteOptions {
  file: string;
  choice: WireChoice;
  /** The server of the suite; that of the recording, if known, when absent. */
  target?: Target;
}

export interface RecordedSuite {
  text: string;
  cases: number;
  steps: number;
  /** Requests without a step. */
  left: number;
  /** Places that say TODO. */
  open: number;
  /** Notes for the reader of the recording. */
  notes: string[];
}

/** Steps of a case, and conversations, beyond which nothing is written. */
const mostSteps = 500;
const mostConversations = 200;
/** A case has the usual time unless the conversation took a good part of it. */
const usualMs = 10_000;

/** @throws McpcError usage for what cannot be read, or holds nothing that a suite could ask */
export async function writeRecordedSuite({ file, choice, target }: RecordedSuiteOptions): Promise<RecordedSuite> {
  await preparePatterns();
  const trace = await openTrace(file, choice);
  const { conversations, left } = await conversationsIn(trace.events);
  const servers = serversOf(conversations, target ?? targetOf(trace.header));
  const [listed] = listingsOf(conversations);
  const tools = new Map(listed.tools.map((tool) => [asText(tool['name']), tool]));
  const read = conversations.map((one) => stepsOf(one, servers.nameOf(one), tools));
  const [made, shortMade] = [madeByServer(read), shortMadeByServer(read)];
  const outcomes = new Map<string, Outcome[]>();
  for (const { key, outcome } of read.flatMap(({ steps }) => steps))
    outcomes.set(key, [...(outcomes.get(key) ?? []), outcome]);
  const reported = new Set<string>();
  const cases: WrittenCase[] = [];
  const variables = new Map<string, string>();
  let steps = 0;
  for (const { name, list } of servers.all)
    append(
      cases,
      listCasesOf(list).map((one) =>
        caseOf(
          servers.all.length > 1 ? `${one.name} (${name})` : one.name,
          servers.named(name),
          [{ ...one.step, ...one.members }],
          one.comments,
        ),
      ),
    );
  for (const one of read) {
    const fresh = one.steps.filter(({ key }) => !reported.has(key));
    if (fresh.length === 0 || steps >= mostSteps * mostConversations) continue;
    for (const [placeholder, variable] of one.variables) variables.set(placeholder, variable);
    const written = conversationCase(
      one,
      { outcomes, shortMade, ofRun: valuesOfRun(one, made) },
      servers.named(servers.nameOf(one.conversation)),
    );
    for (const { key } of one.steps) reported.add(key);
    steps += written.steps;
    cases.push(written.value);
  }
  if (cases.length === 0)
    throw usageError(
      `${file}: there is nothing in it that a suite could ask again.`,
      'Name a recording with lists, tool calls, prompts or resources that were answered.',
    );
  const unsaid = read.reduce((sum, one) => sum + one.left, left);
  const comments = [
    `Written from the recording ${file}: the same requests in the same order, what changes something included.`,
    'Change what is wrong, fill in what says TODO, delete the rest. docs/suites.md describes every member.',
    ...(variables.size === 0
      ? []
      : [
          `Set these in the environment; the recording does not contain them: ${[...new Set(variables.values())].join(', ')}.`,
        ]),
    ...servers.notes,
  ];
  const text = suiteFileText({
    comments,
    members: { servers: withVariables(servers.blocks, [...variables.values()]) },
    cases,
  });
  return {
    text,
    cases: cases.length,
    steps,
    left: unsaid,
    open: [...comments, ...cases.flatMap((one) => one.comments)].filter((line) => line.includes('TODO:')).length,
    notes: trace.notes(),
  };
}

/** Content of the lists; if the client declared more than suites do, only that they are not empty. */
function listCasesOf(list: readonly Conversation[]): ListCase[] {
  const beyond = beyondSuites(list[0]!.declared);
  const cases = listCases(listingsOf(list), clean);
  if (beyond.length === 0) return cases;
  return cases.map((one) => ({
    ...one,
    members: { expect: atLeast(one.member, 1) },
    comments: [
      `Volatile: the recorded client declared ${beyond.map(clean).join(', ')}, which suites do not; the list may depend on it.`,
    ],
  }));
}

/** Capabilities that the client of a suite cannot declare. */
function beyondSuites(declared: JsonObject): string[] {
  return Object.entries(declared).flatMap(([name, value]) => {
    const plain = { roots: ['listChanged'], sampling: ['tools'], elicitation: ['form', 'url'] }[name];
    return plain === undefined
      ? [name]
      : Object.keys(isObject(value) ? value : {})
          .filter((inner) => !(plain as string[]).includes(inner))
          .map((inner) => `${name}.${inner}`);
  });
}

const redactor = createRedactor();

/** Redaction changes it. */
function clean(text: string): string {
  return holdsStandIn(text) ? '…' : redactor.text(text);
}

function caseOf(
  name: string,
  server: string | undefined,
  steps: JsonObject[],
  comments: readonly string[],
  more: JsonObject = {},
): WrittenCase {
  return {
    value: { name: commentText(name, mostComment), server, ...more, steps },
    comments,
  };
}

function conversationCase(
  { conversation, steps, captures, variables }: RecordedConversation,
  {
    outcomes,
    shortMade,
    ofRun,
  }: {
    outcomes: ReadonlyMap<string, Outcome[]>;
    shortMade: ReturnType<typeof shortMadeByServer>;
    ofRun(value: unknown): boolean;
  },
  server: string | undefined,
): { value: WrittenCase; steps: number } {
  const places = [homedir(), tmpdir(), hostname(), process.cwd(), process.execPath].filter((place) => place.length > 3);
  const comments: string[] = [];
  const volatile = new Set<string>();
  const written: JsonObject[] = [...variables].map(([placeholder, variable]) => readingStep(placeholder, variable));
  const seen = new Set<string>();
  for (const [index, step] of steps.entries()) {
    const captured = captures.of(index);
    // A request repeated with nothing in between has further observations; it needs no step.
    if (seen.has(step.key) && Object.keys(captured).length === 0) continue;
    if (written.length >= mostSteps) break;
    seen.add(step.key);
    const {
      members,
      comments: reported,
      volatile: paths = [],
    } = expectedOfStep(step, withOtherNumbers(step, outcomes.get(step.key)!, shortMade), { clean, places, ofRun });
    append(
      comments,
      reported.map((line) => `${asText(Object.values(step.step)[0])}: ${line}`),
    );
    for (const path of paths) if (clean(path) === path) volatile.add(path);
    written.push({ ...step.step, ...(Object.keys(captured).length === 0 ? {} : { capture: captured }), ...members });
  }
  const about = [...new Set(steps.map((step) => step.about))];
  const tookMs = steps.reduce((sum, { tookMs: one }) => sum + one, 0);
  const name = `${conversation.session}: ${about.slice(0, 4).map(clean).join(', ')}${about.length > 4 ? ` and ${about.length - 4} more` : ''}`;
  const more = {
    ...(tookMs * 3 > usualMs ? { timeout: `${Math.ceil((tookMs * 3 + 2 * usualMs) / 1000)}s` } : {}),
    ...(volatile.size === 0 ? {} : { volatile: [...volatile] }),
  };
  return { value: caseOf(name, server, written, comments, more), steps: written.length };
}

function expectedOfStep(
  step: RecordedStep,
  all: readonly Outcome[],
  writing: Parameters<typeof expectedOf>[2],
): Expected {
  const { outcome } = step;
  const kindOf = (one: Outcome): string => (one.kind === 'result' ? `result ${one.isError}` : one.kind);
  // Requests with a result in one place and an error in another are different.
  const alike = all.every((one) => kindOf(one) === kindOf(outcome)) ? all : [outcome];
  if (step.method === 'tools/call' && outcome.kind === 'result' && !outcome.isError && mayLeakSecrets(step.about))
    return {
      members: { expect: { not_error: true } },
      comments: ['its name suggests that it returns secrets or the environment: its answer is not written.'],
    };
  const refused = outcome.kind === 'error' || (outcome.kind === 'result' && outcome.isError);
  const expected = expectedOf(
    { file: 'tools', name: step.about, ...step, ...(refused ? { wrong: true } : {}) },
    alike,
    writing,
  );
  const { expect } = expected.members as { expect?: JsonObject };
  return expect !== undefined && Object.keys(expect).length === 0 ? { ...expected, members: {} } : expected;
}

interface Servers {
  all: { name: string; list: Conversation[] }[];
  blocks: JsonObject;
  notes: string[];
  nameOf(one: Conversation): string;
  /** The name where a case has to say it. */
  named(name: string): string | undefined;
}

/** One server for each set of features that the client declared: what a server offers may depend on it. */
function serversOf(conversations: readonly Conversation[], target: Target | undefined): Servers {
  const byFeatures = new Map<string, { name: string; list: Conversation[]; features: JsonObject | undefined }>();
  const names = new Map<Conversation, string>();
  for (const one of conversations) {
    if (one.exchanges.length === 0) continue;
    const key = JSON.stringify([
      ...['roots', 'sampling', 'elicitation'].filter((name) => name in one.declared),
      has(one.declared['sampling'], 'tools'),
      has(one.declared['elicitation'], 'url'),
    ]);
    let found = byFeatures.get(key);
    if (found === undefined)
      byFeatures.set(
        key,
        (found = {
          name: byFeatures.size === 0 ? 'server' : `server${byFeatures.size + 1}`,
          list: [],
          features: undefined,
        }),
      );
    found.list.push(one);
    names.set(one, found.name);
  }
  for (const found of byFeatures.values()) found.features = featuresOf(found.list);
  const { server, notes } =
    target === undefined
      ? {
          server: { command: 'TODO' },
          notes: ['TODO: name the command or the url of the server, or give it at each run: mcpc run FILE -- COMMAND.'],
        }
      : serverBlock(target, clean);
  const all = [...byFeatures.values()];
  return {
    all,
    blocks: Object.fromEntries(
      all.map(({ name, features }) => [
        name,
        { ...server, ...(features === undefined ? {} : { client_capabilities: features }) },
      ]),
    ),
    notes,
    named: (name) => (all.length > 1 ? name : undefined),
    nameOf: (one) => names.get(one) ?? 'server',
  };
}

/** Capabilities and answers of the client, as in the recording. */
function featuresOf(list: readonly Conversation[]): JsonObject | undefined {
  const declared = list[0]!.declared;
  const reply = (method: string): JsonObject | undefined =>
    list.map(({ replies }) => replies.get(method)).find((one) => one !== undefined);
  const features: JsonObject = {};
  if ('roots' in declared) {
    const roots = reply('roots/list')?.['roots'];
    features['roots'] = (Array.isArray(roots) ? roots : [])
      .filter(isObject)
      .flatMap(({ uri }) => (typeof uri === 'string' && uri.startsWith('file:///') ? [pathOf(uri)] : []));
  }
  if ('sampling' in declared) {
    const { content, model, stopReason } = reply('sampling/createMessage') ?? {};
    const block: unknown = Array.isArray(content) ? content[0] : content;
    const uses = reply('sampling/createMessage tools')?.['content'];
    const tools = (Array.isArray(uses) ? uses : [])
      .filter(isObject)
      .flatMap(({ type, name, input }) =>
        type === 'tool_use' && typeof name === 'string' ? [{ name, ...(isObject(input) ? { input } : {}) }] : [],
      );
    features['sampling'] = {
      text: isObject(block) && typeof block['text'] === 'string' ? block['text'] : 'a sample',
      ...(typeof model === 'string' ? { model } : {}),
      ...(typeof stopReason === 'string' ? { stop_reason: stopReason } : {}),
      ...(has(declared['sampling'], 'tools') ? { tools } : {}),
    };
  }
  if ('elicitation' in declared) {
    const { action, content } = reply('elicitation/create') ?? {};
    const form =
      action === 'decline' || action === 'cancel'
        ? { action }
        : { action: 'accept', content: isObject(content) ? content : {} };
    const inUrl = reply('elicitation/create url')?.['action'];
    features['elicitation'] = {
      ...form,
      ...(has(declared['elicitation'], 'url')
        ? { url: { action: inUrl === 'accept' || inUrl === 'cancel' ? inUrl : 'decline' } }
        : {}),
    };
  }
  return Object.keys(features).length === 0 ? undefined : features;
}

function has(value: unknown, name: string): boolean {
  return isObject(value) && name in value;
}

function pathOf(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    return uri;
  }
}

/** The server of a recording, as far as known. */
function targetOf({ target, transport }: TraceHeader): Target | undefined {
  const { command, url } = target ?? {};
  if (Array.isArray(command) && command.length > 0 && command.every((word) => typeof word === 'string'))
    return { kind: 'stdio', command: command[0]!, args: command.slice(1) };
  return typeof url === 'string' && transport !== 'stdio' ? { kind: transport, url, headers: [] } : undefined;
}

/** Named in the environment of a server, the values are known as secrets, and stand in no report. */
function withVariables(blocks: JsonObject, variables: readonly string[]): JsonObject {
  if (variables.length === 0) return blocks;
  const env = Object.fromEntries([...new Set(variables)].map((name) => [name, `\${${name}}`]));
  return Object.fromEntries(
    Object.entries(blocks).map(([name, block]) => [
      name,
      'command' in (block as JsonObject)
        ? { ...(block as JsonObject), env: { ...((block as JsonObject)['env'] as object | undefined), ...env } }
        : block,
    ]),
  );
}
