/**
 * A worker process of a fleet run: does the checks that the main process hands it, several at a time. It ends
 * with its main process, and all servers that it started end with it. Built as dist/fleet-worker.js.
 */
import { constants, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { RuleSelection } from '../../check/check-options.ts';
import { loadPlan } from '../../check/plan.ts';
import { McpcError } from '../../core/model/errors.ts';
import type { FleetRule } from '../../core/model/reports/fleet.ts';
import { fleetRules } from '../../core/model/reports/verdict-codes.ts';
import { killAllGroups, onGroupChange } from '../../client/transport/process/process-registry.ts';
import { joinRun } from '../../client/transport/process/run-mark.ts';
import type { CheckTask, FromWorker, ToWorker } from './messages.ts';
import { runEntry } from './run-entry.ts';
import { asText } from '../../core/model/json.ts';

const running = new Map<number, AbortController>();
const aliveMs = 2_000;
/** Interval at which the delay of the event loop is measured. */
const delayMs = 20;

function report(message: FromWorker): void {
  if (process.connected) process.send?.(message, undefined, {}, () => {});
}

function leave(): never {
  killAllGroups();
  process.exit(0);
}

let known: { key: string; rules: FleetRule[] } | undefined;

/** The rules of a selection; those of the last one are kept, since a run has but one. */
async function rulesOf(selection: RuleSelection): Promise<FleetRule[]> {
  const key = JSON.stringify(selection);
  if (known?.key === key) return known.rules;
  const rules = fleetRules((await loadPlan(selection)).rules);
  known = { key, rules };
  return rules;
}

async function check(job: number, task: CheckTask): Promise<void> {
  const controller = new AbortController();
  running.set(job, controller);
  try {
    const { entry, open, ...options } = task;
    const { server } = await runEntry(entry, {
      ...options,
      ...(open === undefined ? {} : { open }),
      rules: await rulesOf(task.selection),
      onBegun: (checkMs) => report({ say: 'begun', job, checkMs }),
      env: process.env,
      signal: controller.signal,
    });
    report({ say: 'settled', job, server, rssMb: Math.round(process.memoryUsage.rss() / 1_048_576) });
  } catch (error) {
    if (controller.signal.aborted) report({ say: 'interrupted', job });
    else report({ say: 'failed', job, error: describe(error) });
  } finally {
    running.delete(job);
  }
}

function describe(error: unknown): (FromWorker & { say: 'failed' })['error'] {
  const { message, code } = (error instanceof Error ? error : new Error(asText(error))) as NodeJS.ErrnoException;
  const more =
    error instanceof McpcError && error.stage === 'usage' ? { stage: error.stage, remedy: error.remedy } : {};
  return { message, code, ...more };
}

process.on('message', (message: ToWorker) => {
  if (message.say === 'check') void check(message.job, message.task);
  else if (message.say === 'abort') running.get(message.job)?.abort();
  else leave();
});
// The main process is gone, however it went.
process.on('disconnect', leave);
process.on('SIGTERM', leave);
// Ctrl-C reaches every process of a terminal; what it means is for the main process to say.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
const [, , mark] = process.argv;
if (mark !== undefined) joinRun(mark);
onGroupChange((pid, alive) => report({ say: 'group', pid, alive }));
// It may have gone before anybody listened, while this process was starting.
if (!process.connected) leave();
const delays = monitorEventLoopDelay({ resolution: delayMs });
delays.enable();
/**
 * Bytes that checks really hold, after a garbage collection. What is in use at any other moment says little: garbage is
 * let lie until the heap is nearly full.
 */
let held = 0;
new PerformanceObserver((list) => {
  if (
    list
      .getEntries()
      .some((entry) => (entry as { detail?: { kind?: number } }).detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR)
  )
    held = getHeapStatistics().used_heap_size;
}).observe({ entryTypes: ['gc'] });
setInterval(() => {
  if (!process.connected) leave();
  const { mean } = delays;
  delays.reset();
  report({
    say: 'alive',
    lateMs: Number.isFinite(mean) ? Math.max(0, mean / 1e6 - delayMs) : 0,
    heap: held / getHeapStatistics().heap_size_limit,
  });
}, aliveMs);
