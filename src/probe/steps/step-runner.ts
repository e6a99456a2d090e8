/**
 * Carries out the steps of a stimulus on a peer. The set of steps is closed (rules/language/stimulus.schema.json);
 * each waits for what it is due, never for a fixed time, and a step that has nothing to work with is left out.
 */
import { resolvePath } from '../../facts/core/json-path.ts';
import { promptNearMisses } from '../../json-schema/near-miss.ts';
import type { Step } from '../../model/rule.ts';
import type { TraceEvent } from '../../model/trace.ts';
import { callsOf } from '../choose-tools.ts';
import type { HeaderChanges } from '../client/channel.ts';
import type { Manner } from '../client/client-behavior.ts';
import type { Answer, HandshakeOptions, Peer } from '../client/peer.ts';
import { choosePrompts, chooseResources, listMethods, walkList, type Choice, type Listing } from '../survey.ts';
import { fetchAuthorizationMetadata } from './authorization-metadata.ts';
import { awaitStreamEnd, openStream, resume, sendHttp } from './http-steps.ts';
import { askSentinel, exchangeOf, type Scope, type StepSurroundings } from './step-scope.ts';
import { noteDuration } from './slow-uses.ts';
import { pollTask } from './task-steps.ts';

type Json = Record<string, unknown>;

/** Runs the steps; ends early when the connection is gone. */
export async function runSteps(steps: readonly Step[], peer: Peer, around: StepSurroundings): Promise<void> {
  await runAll(steps, { peer, pending: new Map(), exchanges: new Map() }, around);
}

async function runAll(steps: readonly Step[], scope: Scope, around: StepSurroundings): Promise<void> {
  for (const step of steps) {
    const needsPeer = step !== 'closeStdin' && !(around.oneAtATime() && typeof step === 'object' && 'newSession' in step);
    if (!scope.peer.alive && needsPeer) return;
    await (typeof step === 'string' ? runWord(step, scope, around) : runStep(step, scope, around));
  }
}

async function runWord(word: string, { peer, exchanges }: Scope, around: StepSurroundings): Promise<void> {
  const { transport, waiter } = peer;
  switch (word) {
    case 'handshake':
      await peer.handshake();
      return;
    case 'linger':
      // Over HTTP a server can say nothing before it is asked.
      if (transport !== 'http') await waiter.wait((event) => event.from === 'server' && event.kind === 'message', around.timing.lateMs);
      return;
    case 'survey':
      await around.listing(peer);
      return;
    case 'sentinel':
      await askSentinel(peer);
      return;
    case 'deleteSession': {
      if (peer.sessionId === undefined) return;
      const exchange = peer.channel.exchange({ method: 'DELETE', headers: peer.headersFor(undefined, { 'content-type': null }) });
      if (exchange) exchanges.set('deleteSession', exchange);
      await exchange?.response;
      return;
    }
    case 'closeStdin':
      peer.channel.closeStdin();
      return;
    case 'authorizationMetadata':
      await fetchAuthorizationMetadata(peer, around);
      return;
    case 'listening':
      around.recordListening(peer.session);
      return;
    default:
      throw new Error(`unknown step "${word}"`);
  }
}

async function runStep(step: Json, scope: Scope, around: StepSurroundings): Promise<void> {
  const { peer } = scope;
  if ('handshake' in step) await peer.handshake(step.handshake as HandshakeOptions);
  else if ('request' in step) await sendRequest(String(step.request), step.params, step, scope);
  else if ('notify' in step) await sendNotification(step, scope);
  else if ('message' in step) await sendAsIs(JSON.stringify(step.message), step.message, step, scope);
  else if ('raw' in step) await sendAsIs(String(step.raw), undefined, step, scope);
  else if ('batch' in step) await sendBatch(step, scope);
  else if ('joined' in step) await sendFramed(step.joined as Json[], 'joined', scope);
  else if ('split' in step) await sendFramed([step.split as Json], 'split', scope);
  else if ('answers' in step) peer.answerIn(step.answers as Manner);
  else if ('await' in step) await scope.pending.get(String(step.await))?.answer;
  else if ('awaitLate' in step) await awaitLate(String(step.awaitLate), scope, around);
  else if ('awaitProgress' in step) await awaitProgress(String(step.awaitProgress), scope, around);
  else if ('awaitNotification' in step) await awaitNotification(step.awaitNotification, scope, around);
  else if ('awaitStreamEnd' in step) await awaitStreamEnd(String(step.awaitStreamEnd), scope, around);
  else if ('cancel' in step) await cancel(step, scope);
  else if ('http' in step) await sendHttp(step, scope, around);
  else if ('openStream' in step) await openStream(String(step.openStream), scope, around);
  else if ('drop' in step) exchangeOf(scope, String(step.drop))?.abort('dropped on purpose');
  else if ('resume' in step) await resume(String(step.resume), scope, around);
  else if ('awaitExit' in step) await awaitExit(scope, around);
  else if ('paginate' in step) await walkList(peer, String(step.paginate), Number(step.limit ?? 100));
  else if ('pollTask' in step) await pollTask(step, scope, around);
  else if ('callTool' in step) await callTool(step, scope, around);
  else if ('getPrompt' in step) await getPrompt(step, scope, around);
  else if ('readResource' in step) await useChosen('resources/read', chooseResources(await around.listing(peer), Number(step.each ?? 1)), step, scope, around);
  else await runNested(step, scope, around);
}

async function runNested(step: Json, scope: Scope, around: StepSurroundings): Promise<void> {
  if ('forEachList' in step) {
    for (const { method, capability } of listMethods) {
      if (!scope.peer.serverCapabilities || !(capability in scope.peer.serverCapabilities)) continue;
      const text = JSON.stringify(step.forEachList).replaceAll('{{method}}', method);
      await runAll(JSON.parse(text) as Step[], scope, around);
    }
  } else if ('ifDeclared' in step) {
    const name = String(step.ifDeclared);
    const wanted = !name.startsWith('!');
    const declared = resolvePath(scope.peer.serverCapabilities ?? {}, `$.${name.replace(/^!/, '')}`) !== undefined;
    if (declared === wanted) await runAll(step.then as Step[], scope, around);
  } else if ('ifChallenged' in step) {
    if (scope.peer.challenge) await runAll(step.ifChallenged as Step[], scope, around);
  } else if ('parallel' in step) {
    const branches = step.parallel as Step[][];
    const apart = branches.every(([first]) => typeof first === 'object' && 'newSession' in first);
    if (apart && around.oneAtATime()) for (const branch of branches) await runAll(branch, scope, around);
    else await Promise.all(branches.map((branch) => runAll(branch, scope, around)));
  } else if ('repeat' in step) {
    for (let round = 0; round < Number(step.repeat); round += 1) await runAll(step.steps as Step[], scope, around);
  } else if ('newSession' in step) {
    if (around.oneAtATime()) await scope.peer.close();
    const peer = await around.open();
    try {
      await runAll(step.newSession as Step[], { peer, pending: new Map(), exchanges: new Map() }, around);
    } finally {
      await peer.close();
    }
  } else throw new Error(`unknown step ${JSON.stringify(step).slice(0, 100)}`);
}

/**
 * A value in which `{ "$from": name, "path": … }` stands for a part of a named request's answer (with
 * `append` for a text behind it), and
 * `{ "$object": [[name, value], …] }` for an object whose member names are not known before.
 */
async function filledIn(value: unknown, scope: Scope): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((one) => filledIn(one, scope)));
  if (typeof value !== 'object' || value === null) return value;
  const source = value as Json;
  if (typeof source.$from === 'string') {
    const answer = await scope.pending.get(source.$from)?.answer;
    if (answer?.kind !== 'response') throw new NothingToUse();
    const found = resolvePath(answer.message, String(source.path ?? '$'));
    if (found === undefined) throw new NothingToUse();
    return typeof source.append === 'string' ? `${String(found)}${source.append}` : found;
  }
  if (Array.isArray(source.$object)) return Object.fromEntries((await filledIn(source.$object, scope)) as [string, unknown][]);
  const entries = await Promise.all(Object.entries(source).map(async ([name, one]) => [name, await filledIn(one, scope)] as const));
  return Object.fromEntries(entries);
}

/** A step refers to something that the target did not give; it is left out. */
class NothingToUse extends Error {}

/** @returns the answer, if it was waited for */
async function sendRequest(method: string, rawParams: unknown, step: Json, scope: Scope): Promise<Answer | undefined> {
  let params: unknown;
  try {
    params = await filledIn(rawParams, scope);
  } catch (error) {
    if (error instanceof NothingToUse) return undefined;
    throw error;
  }
  const pending = scope.peer.request(method, params, {
    ...('id' in step ? { id: step.id } : {}),
    ...(step.meta === undefined ? {} : { meta: step.meta as Json | null }),
    ...(step.progressToken === undefined ? {} : { progressToken: step.progressToken as boolean | string | number }),
    ...(step.headers ? { headers: step.headers as HeaderChanges } : {}),
    ...(typeof step.deviation === 'string' ? { deviation: step.deviation } : {}),
  });
  if (typeof step.as === 'string') {
    scope.pending.set(step.as, pending);
  }
  return step.wait === false ? undefined : pending.answer;
}

function sendOptions(step: Json): { headers?: HeaderChanges; deviation?: string } {
  return {
    ...(step.headers ? { headers: step.headers as HeaderChanges } : {}),
    ...(typeof step.deviation === 'string' ? { deviation: step.deviation } : {}),
  };
}

async function sendNotification(step: Json, scope: Scope): Promise<void> {
  const sent = scope.peer.notify(String(step.notify), step.params, sendOptions(step));
  await sent.exchange?.response;
}

async function sendAsIs(text: string, message: unknown, step: Json, scope: Scope): Promise<void> {
  const sent = scope.peer.sendRaw(text, { ...(message === undefined ? {} : { message }), ...sendOptions(step) });
  const id = typeof message === 'object' && message !== null && 'method' in message ? (message as Json).id : undefined;
  if (typeof id === 'string' || typeof id === 'number') await scope.peer.awaitId(id, sent);
  else await sent.exchange?.response;
}

function messageOf(one: Json, scope: Scope): Json {
  const method = String(one.request ?? one.notify);
  const params = scope.peer.paramsFor(one.params);
  const id = one.request === undefined ? {} : { id: one.id ?? scope.peer.nextId() };
  return { jsonrpc: '2.0', ...id, method, ...(params === undefined ? {} : { params }) };
}

async function sendBatch(step: Json, scope: Scope): Promise<void> {
  const messages = (step.batch as Json[]).map((one) => messageOf(one, scope));
  const sent = scope.peer.sendRaw(JSON.stringify(messages), { message: messages, ...sendOptions(step) });
  await Promise.all(messages.filter((one) => 'id' in one).map((one) => scope.peer.awaitId(one.id, sent)));
}

async function sendFramed(list: Json[], framing: 'joined' | 'split', scope: Scope): Promise<void> {
  const { peer } = scope;
  const messages = list.map((one) => messageOf(one, scope));
  if (peer.transport !== 'stdio') {
    for (const message of messages) await peer.awaitId(message.id, peer.sendRaw(JSON.stringify(message), { message }));
    return;
  }
  const seqs = peer.channel.sendFramed(messages.map((one) => JSON.stringify(one)), framing, messages);
  await Promise.all(messages.map((one, index) => peer.awaitId(one.id, { seq: seqs[index] ?? seqs.at(-1) ?? 0 })));
}

async function awaitLate(name: string, scope: Scope, around: StepSurroundings): Promise<void> {
  const pending = scope.pending.get(name);
  if (!pending) return;
  const gone = scope.peer.waiter.wait((event) => event.kind === 'exit', around.timing.lateMs);
  await Promise.race([pending.answer, gone]);
}

async function awaitProgress(name: string, scope: Scope, around: StepSurroundings): Promise<void> {
  const pending = scope.pending.get(name);
  if (!pending) return;
  // An event id on its reply stream shows as well that the work has begun, and is all that resuming needs.
  const isIdentified = (event: TraceEvent): boolean => event.exchange !== undefined && event.exchange === pending.exchange?.id && Boolean(event.sse?.id);
  const isProgress = (event: TraceEvent): boolean =>
    event.kind === 'message' && event.from === 'server' && ((event.message as Json | null)?.params as Json | undefined)?.progressToken === pending.token && pending.token !== undefined;
  await scope.peer.waiter.wait((event) => isProgress(event) || isIdentified(event), around.timing.answerMs, pending.answer);
}

async function awaitNotification(method: unknown, { peer }: Scope, around: StepSurroundings): Promise<void> {
  const fits = (event: TraceEvent): boolean => event.kind === 'message' && event.from === 'server' && (event.message as Json | null)?.method === method;
  await peer.waiter.wait(fits, around.timing.lateMs);
}

async function cancel(step: Json, scope: Scope): Promise<void> {
  const pending = scope.pending.get(String(step.cancel));
  if (!pending) return;
  const reason = typeof step.reason === 'string' ? { reason: step.reason } : {};
  const sent = scope.peer.notify('notifications/cancelled', { requestId: pending.id, ...reason });
  await sent.exchange?.response;
}

async function awaitExit(scope: Scope, around: StepSurroundings): Promise<void> {
  if (!scope.peer.alive) return;
  const ms = around.timing.exitMs;
  const exit = await scope.peer.waiter.wait((event) => event.kind === 'exit', ms);
  if (exit) return;
  around.sink({ session: scope.peer.session, from: 'harness', kind: 'timeout', what: 'stdin', waitedMs: ms, reason: 'the process did not end' });
}

async function getPrompt(step: Json, scope: Scope, around: StepSurroundings): Promise<void> {
  const listing = await around.listing(scope.peer);
  const chosen = choosePrompts(listing, step.getPrompt as Choice, Number(step.each ?? 1));
  const { nearMisses: most } = step;
  const misses = (given: Json): Json[] => promptNearMisses(listing.prompts.find(({ name }) => name === given.name), given).slice(0, Number(most));
  await useChosen('prompts/get', most === undefined ? chosen : chosen.flatMap(misses), step, scope, around);
}

async function callTool(step: Json, scope: Scope, around: StepSurroundings): Promise<void> {
  const listing = answeredTools(await around.listing(scope.peer), around);
  await useChosen('tools/call', callsOf(step, listing, around), step, scope, around, () => runAll((step.then ?? []) as Step[], scope, around));
}

/** The listing without the tools that did not answer in time: one that hangs is not called again. */
function answeredTools(listing: Listing, { unanswered }: StepSurroundings): Listing {
  return { ...listing, tools: listing.tools.filter(({ name }) => !unanswered.has(`tools/call ${String(name)}`)) };
}

/** Timeouts after which a step with `each` is left: the target is slow, and more of the same would take long. */
const mostTimeouts = 2;

/** @param then done after each request that was not left out */
async function useChosen(method: string, chosen: Json[], step: Json, scope: Scope, around: StepSurroundings, then?: () => Promise<void>): Promise<void> {
  let timeouts = 0;
  for (const params of chosen) {
    if (!scope.peer.alive || timeouts >= mostTimeouts) return;
    const key = `${method} ${String(params.name ?? params.uri)}`;
    // Once is enough to see that something is not answered.
    if (around.unanswered.has(key)) continue;
    const began = performance.now();
    const answer = await sendRequest(method, 'arguments' in step ? { ...params, arguments: step.arguments } : params, step, scope);
    if (answer?.kind !== 'timeout') {
      if (answer?.kind === 'response') noteDuration(method, String(params.name ?? params.uri), performance.now() - began, await around.listing(scope.peer), around);
      await then?.();
      continue;
    }
    around.unanswered.add(key);
    if (method === 'tools/call') around.skip({ what: `tool ${String(params.name)}`, why: 'it did not answer in time' });
    timeouts += 1;
  }
}
