/** Carries out one step: marks its begin in the trace, does it, and marks what kept it from being done. */
import type { CaseJudge } from '../../language/judge/judge-case.ts';
import { pathsOf } from '../../language/judge/judge-case.ts';
import type { CancelCall, SendRequest, Step } from '../../language/model.ts';
import { substitute, substituteText } from '../../language/judge/substitute.ts';
import type { TraceEvent } from '../../../core/model/trace.ts';
import { observeFile } from './observe-file.ts';
import { runCommand } from './run-command.ts';
import { sendRequest } from './send-request.ts';
import type { StepSetting } from './step-setting.ts';

/** Time to wait for something that should not come. */
const graceMs = 100;
const lateMs = 300;
/** Pauses between questions of `eventually`, growing. */
const shortestPause = 50;
const longestPause = 500;

type Came = { words: string } | { answer: { text?: string; result?: unknown } } | undefined;

/** Does the step and what belongs to it: files before and after, what must not change, a second call. */
export async function doStep(step: Step, setting: StepSetting, judge: CaseJudge): Promise<void> {
  const around = async (when: string): Promise<void> => {
    for (const [index, one] of (step.unchanged ?? []).entries())
      await once({ ...one, id: `${step.id}:${when}[${index}]` }, setting, judge);
  };
  await observe(step, 'before', setting, judge);
  await around('before');
  if (step.demands.some(({ expectation }) => expectation.name === 'output_schema'))
    await once({ ...step, id: `${step.id}:tools`, act: toolList }, setting, judge);
  await once(step, setting, judge);
  if (step.eventuallyMs !== undefined) await untilItHolds(step, step.eventuallyMs, setting, judge);
  if (step.unchanged !== undefined) await around('after');
  if (step.again) {
    await once({ ...step, id: `${step.id}:again` }, setting, judge);
    await around('again');
  }
  await observe(step, 'after', setting, judge);
}

const toolList: SendRequest = {
  kind: 'request',
  method: 'tools/list',
  params: undefined,
  scope: 'none',
  view: 'json',
  pages: 'tools',
  failed: 'tools/list failed',
};

async function once(step: Step, setting: StepSetting, judge: CaseJudge): Promise<void> {
  setting.mark({ mark: 'begin', step: step.id });
  const came = await act(step, setting, judge);
  if (came === undefined) return;
  setting.mark(
    'words' in came
      ? { mark: 'stopped', step: step.id, words: came.words }
      : { mark: 'done', step: step.id, answer: came.answer },
  );
}

async function untilItHolds(step: Step, ms: number, setting: StepSetting, judge: CaseJudge): Promise<void> {
  const until = performance.now() + ms;
  let pause = shortestPause;
  while (!judge.holds(step) && performance.now() < until && !setting.timedOut()) {
    await after(Math.min(pause, Math.max(1, until - performance.now())));
    pause = Math.min(longestPause, pause * 1.5);
    await once(step, setting, judge);
  }
}

async function observe(step: Step, when: 'before' | 'after', { sink }: StepSetting, judge: CaseJudge): Promise<void> {
  const log =
    step.act.kind === 'calls' && when === 'after' && step.act.log !== undefined
      ? [substituteText(step.act.log, 'text', judge.variables)]
      : [];
  for (const path of [...pathsOf(step, judge.variables), ...log])
    sink('file', { step: step.id, when, ...(await observeFile(path)) });
}

async function act(step: Step, setting: StepSetting, judge: CaseJudge): Promise<Came> {
  const { act: todo } = step;
  if (todo.kind === 'impossible') return undefined;
  if (todo.kind === 'calls')
    return todo.recording === undefined
      ? undefined
      : (await import('./recorded-calls.ts')).recordedCalls(substituteText(todo.recording, 'text', judge.variables));
  if (todo.kind === 'run') {
    const ran = await runCommand(substitute(todo.words, 'values', judge.variables), setting.remaining());
    return 'words' in ran ? ran : { answer: { text: ran.text } };
  }
  if (todo.kind === 'check') return setting.check(todo);
  const opened = setting.connection.opened;
  if (opened === undefined) return { words: `${step.title} failed: there is no connection` };
  switch (todo.kind) {
    case 'request':
      return sendRequest(step.id, todo, opened, judge.variables, setting);
    case 'parallel':
      await Promise.all(todo.steps.map((one) => doStep(one, setting, judge)));
      return undefined;
    case 'handshake':
      return { answer: { result: setting.connection.handshake ?? {} } };
    case 'cancel':
      return cancel(step, todo, setting, judge);
    case 'observe':
      if (todo.graceMs > 0 && !judge.enough(step))
        await opened.peer.waiter.wait(() => judge.enough(step), Math.min(todo.graceMs, setting.remaining()));
      return undefined;
    default: {
      const fits = ({ kind, from, message }: TraceEvent): boolean =>
        kind === 'message' && from === 'server' && (message as { method?: unknown } | null)?.method === todo.method;
      if (!judge.came(todo.method)) await opened.peer.waiter.wait(fits, todo.wanted ? setting.remaining() : graceMs);
      return undefined;
    }
  }
}

/** Cancels a call; reports what the server should not have done then. */
async function cancel(
  step: Step,
  { request, afterMs }: CancelCall,
  setting: StepSetting,
  judge: CaseJudge,
): Promise<Came> {
  const { peer } = setting.connection.opened!;
  const params = substitute(request.params, request.scope, judge.variables);
  const pending = peer.request(request.method, params, { deadlineMs: setting.remaining() });
  const early = await Promise.race([pending.answer, after(afterMs)]);
  if (early !== undefined)
    return {
      words: `cancel: ${step.title.replace(/^\S+ /, '')} was over within ${afterMs} ms, before it was taken back`,
    };
  peer.notify('notifications/cancelled', { requestId: pending.id, reason: 'taken back by the suite' });
  const late = await Promise.race([pending.answer, after(lateMs)]);
  if (late?.kind === 'response')
    return { words: `cancel: ${step.title.replace(/^\S+ /, '')} was answered although it was taken back` };
  if (setting.methods[setting.connection.opened!.revision]?.['ping'] === undefined) return undefined;
  const alive = await peer.request('ping', undefined, { deadlineMs: setting.remaining() }).answer;
  return alive.kind === 'response' && 'result' in alive.message
    ? undefined
    : { words: 'cancel: the server does not answer a ping after it' };
}

function after(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms));
}
