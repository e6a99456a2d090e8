/** Runs the live probe with one rule against the puppet of one of its examples, and judges what was recorded. */
import { testTokenPrefix } from '../../src/core/model/made-up-tokens.ts';
import type { FeatureOutcome } from '../../src/core/evaluate/feature-outcome.ts';
import type { RuleOutcome } from '../../src/core/evaluate/rule-tally.ts';
import { isRecord, parseJson, type Json } from '../../src/testkit/mock/json.ts';
import { connectionHeader } from '../../src/testkit/mock/puppets/http-listener.ts';
import { startPuppet } from '../../src/testkit/mock/puppets/puppet.ts';
import type { Part } from '../../src/testkit/mock/script/reading.ts';
import type { Hints } from '../../src/core/model/rules/hints.ts';
import type { CompiledRule, RuleExample } from '../../src/core/model/rules/rule.ts';
import type { Trace } from '../../src/core/model/trace.ts';
import { noPermission } from '../../src/core/permission/decide.ts';
import { createPeerHub } from '../../src/client/peer/open-peer.ts';
import type { Peer } from '../../src/client/peer/peer.ts';
import { detect } from '../../src/client/reach/detect.ts';
import { isOpening } from '../../src/client/schedule/plan/openings.ts';
import { planLockedProbes, planProbes } from '../../src/client/schedule/plan/planner.ts';
import { runProbes } from '../../src/client/schedule/run-probes.ts';
import { traitsOfSteps } from '../../src/client/steps/table.ts';
import type { Target } from '../../src/client/target/target.ts';
import type { Timing } from '../../src/client/target/timing.ts';
import { parseNotation, type NotationAct } from '../../src/core/trace/notation.ts';
import { createRecorder } from '../../src/core/trace/recorder.ts';
import { createRedactor } from '../../src/core/trace/redaction/redact.ts';
import { judgeAny, type ExampleSetting } from './rules.ts';
import type { StdioPuppets } from './stdio-puppets.ts';
import { namedTestTokens } from './test-tokens.ts';

/** Scripts have tools that change something, which a user would have to allow. */
const scriptPermission = { ...noPermission, allowTools: ['announce', 'write'] };

export interface LiveRun {
  trace: Trace;
  outcome: RuleOutcome | FeatureOutcome | undefined;
  /** Why the target could not be checked at all. */
  unreachable?: string;
}

/** Plays the example with short deadlines; should the verdict be another than `expected`, with patient ones. */
export async function runExample(
  rule: CompiledRule,
  example: RuleExample,
  setting: ExampleSetting,
  puppets: StdioPuppets,
): Promise<LiveRun> {
  const plan = planProbes([rule], setting.transport, setting.revision);
  // Detection has a connection of its own when all probes do; it is a copy of the first one.
  // A chain that opens with an unknown version is one of the further connections of the script.
  const [head, next] = plan.chains[0] ?? [];
  const isOdd = head !== undefined && next !== undefined && isOpening(head.steps);
  const detection: Part[] = plan.shared.length > 0 ? [] : isOdd ? ['first', 'further'] : ['first'];
  const timing = watchesWork([rule]) ? { ...timingFor(example), answerMs: 8_000 } : timingFor(example);
  const quick = await play(rule, example, setting, puppets, { timing, detection });
  // A target that cannot be checked may well show why, but it never passes.
  if (quick.outcome?.status === example.verdict && (quick.unreachable === undefined || example.verdict !== 'pass'))
    return quick;
  if (quick.unreachable !== undefined && detection.length > 0) {
    // The script spoils detection, and is played to the probe alone.
    return play(rule, example, setting, puppets, { timing, detection: ['plain'] });
  }
  return play(rule, example, setting, puppets, { timing: patient(timing), detection });
}

/** Deadlines are short only where the script lets them pass, since a loaded machine must not change verdicts. */
function timingFor(example: RuleExample): Timing {
  const acts = parseNotation(example.trace);
  const has = (test: (act: NotationAct) => boolean): boolean => acts.some(test);
  const silent = withheld(acts);
  const withholds = silent.length > 0 || has((act) => act.act === 'timeout' && act.what === 'answer');
  const streams = has((act) => act.act === 'timeout' && act.what === 'stream');
  const resumes = has((act) => act.act === 'client-http' && act.headers['last-event-id'] !== undefined);
  const stays = has((act) => act.act === 'timeout' && act.what === 'exit');
  return {
    startMs: silent.includes('initialize') || silent.includes('server/discover') || streams ? 1_500 : 20_000,
    answerMs: withholds ? 300 : resumes ? 1_000 : 8_000,
    lateMs: 120,
    streamEndMs: streams ? 250 : 3_000,
    exitMs: stays ? 300 : 3_000,
    closeMs: 100,
  };
}

/** Requests of the client that no message, event or status of the script answers. */
function withheld(acts: readonly NotationAct[]): string[] {
  const answered = new Set<string>();
  const asked: { method: string; key: string; at: number }[] = [];
  let connection = 0;
  const keyOf = (id: unknown): string => `${connection} ${JSON.stringify(id)}`;
  acts.forEach((act, at) => {
    if (act.act === 'session') connection += 1;
    if (act.act === 'client-message') {
      for (const one of messagesIn(act.message)) {
        if ('method' in one && 'id' in one) asked.push({ method: String(one.method), key: keyOf(one.id), at });
      }
    }
    const text = act.act === 'server-event' ? act.data : act.act === 'server-status' ? act.body : undefined;
    const sent =
      act.act === 'server-message' ? messagesIn(act.message) : text === undefined ? [] : messagesIn(parseJson(text));
    for (const one of sent) if (!('method' in one)) answered.add(keyOf(one.id));
  });
  const refused = (at: number): boolean => {
    const next = acts[at + 1];
    return next?.act === 'server-status' && next.status >= 300;
  };
  return asked.filter(({ key, at }) => !answered.has(key) && !refused(at)).map(({ method }) => method);
}

function messagesIn(value: unknown): Json[] {
  return [value].flat().filter(isRecord);
}

function patient(timing: Timing): Timing {
  return {
    startMs: Math.max(timing.startMs, 3_000),
    answerMs: Math.max(timing.answerMs, 2_000),
    lateMs: 500,
    streamEndMs: Math.max(timing.streamEndMs, 1_500),
    exitMs: Math.max(timing.exitMs, 1_500),
    closeMs: 300,
  };
}

async function play(
  rule: CompiledRule,
  example: RuleExample,
  setting: ExampleSetting,
  puppets: StdioPuppets,
  { timing, detection }: { timing: Timing; detection: Part[] },
): Promise<LiveRun> {
  const partOf = (number: number): Part =>
    detection[number - 1] ?? (number === detection.length + 1 ? 'first' : 'further');
  const run = await probePuppet([rule], example, setting, puppets, { timing, partOf });
  return { ...run, outcome: await judgeAny(rule, run.trace) };
}

/**
 * Probes the puppet of an example for the rules.
 * @param how `partOf` says what each connection plays, the first one being number 1
 */
export async function probePuppet(
  rules: readonly CompiledRule[],
  example: RuleExample,
  setting: ExampleSetting,
  puppets: StdioPuppets,
  { timing, partOf }: { timing: Timing; partOf(connection: number): Part },
): Promise<Omit<LiveRun, 'outcome'>> {
  const { transport, revision, era } = setting;
  const recorder = createRecorder({ keep: true, redactor: createRedactor() });
  let connections = 0;
  const puppet =
    transport === 'stdio' ? undefined : await startPuppet(example, setting, { partOf: (name) => partOf(Number(name)) });
  const onStdio = puppet ? undefined : puppets.puppet(example, setting);
  const target: Target = puppet
    ? {
        kind: transport as 'http' | 'sse',
        url: puppet.url,
        headers: tokenFor(example),
        ...(example.trace.some((line) => line.includes(testTokenPrefix)) ? { testTokens: namedTestTokens } : {}),
      }
    : { kind: 'stdio', command: 'puppet', args: [] };
  const hub = createPeerHub(recorder.sink, (listener) => recorder.subscribe(listener));
  const peers = new Set<Peer>();
  const open: Parameters<typeof detect>[0]['open'] = async (wanted, wantedEra, wantedRevision) => {
    connections += 1;
    const number = connections;
    const own: Target =
      wanted.kind === 'stdio'
        ? onStdio!(partOf(number))
        : { ...wanted, headers: [...wanted.headers, [connectionHeader, String(number)]] };
    const peer = await hub.open({
      target: own,
      timing,
      era: wantedEra,
      revision: wantedRevision,
      permission: scriptPermission,
      toolVersion: '0.0.0',
    });
    peers.add(peer);
    return peer;
  };
  let unreachable: string | undefined;
  try {
    const found = await detect({ target, spec: revision, fallback: false, open });
    const plan = (found.locked === undefined ? planProbes : planLockedProbes)(rules, transport, revision);
    const result = await runProbes({
      plan,
      first: found.peer,
      open: () => open(found.target, era, revision),
      sink: recorder.sink,
      timing,
      jobs: 1,
      permission: scriptPermission,
      ...hintsFor(example, rules),
      closeAll: async () => {
        await Promise.all([...peers].map((one) => one.close()));
      },
      recordListening: (session) => {
        const addresses = parseNotation(example.trace).flatMap((act) => (act.act === 'listening' ? act.addresses : []));
        if (addresses.length > 0) recorder.sink({ session, from: 'harness', kind: 'listening', detail: addresses });
      },
    });
    unreachable = result.incomplete;
  } catch (error) {
    unreachable = error instanceof Error ? error.message : String(error);
  } finally {
    await puppet?.close();
  }
  const trace: Trace = {
    header: { format: 'mcpc-trace', version: 1, origin: 'live', transport, revision, era },
    events: [...recorder.events],
    footer: recorder.finish({ complete: true }),
  };
  return { trace, ...(unreachable === undefined ? {} : { unreachable }) };
}

/** A call that is cancelled is never answered, and others take as long as they are watched. */
function watchesWork(rules: readonly CompiledRule[]): boolean {
  return rules.some(({ stimulus }) => stimulus !== undefined && traitsOfSteps(stimulus).needsQuiet === true);
}

/** Where a script is of work that shows in a resource, which resource that is: no list tells it. */
function hintsFor({ trace }: RuleExample, rules: readonly CompiledRule[]): { hints?: Hints } {
  if (!watchesWork(rules)) return {};
  const params = parseNotation(trace)
    .flatMap((act) => (act.act === 'client-message' ? messagesIn(act.message).map((message) => message.params) : []))
    .filter(isRecord);
  const seenIn = params.find(({ uri }) => typeof uri === 'string')?.uri;
  const tool = params.find(({ name }) => typeof name === 'string')?.name;
  return {
    hints: {
      file: 'hints.yaml',
      tools: { [String(tool)]: { slow: true, seenIn: String(seenIn) } },
      prompts: {},
      resources: { read: [], never: [] },
      templates: {},
      completions: [],
    },
  };
}

/** The script's client has a token where a line of the script shows it. */
function tokenFor({ trace }: RuleExample): [string, string][] {
  return trace.some((line) => line.includes('"Bearer example-token"'))
    ? [['Authorization', 'Bearer example-token']]
    : [];
}
