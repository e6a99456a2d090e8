/** The scheduler's limit of parallel checks: a number, or one that adapts to the machine. */
import os from 'node:os';
import { createJobController, type Strain } from './job-controller.ts';

export interface JobLimit {
  /** Checks at a time, as of now. */
  readonly now: number;
  /** Called when the limit may have risen. */
  onMore(listener: () => void): void;
}

export interface AutoJobs extends JobLimit {
  stop(): void;
}

/** Measurements of the workers; the system supplies the rest. */
export type WorkerStrain = Pick<Strain, 'lateMs' | 'heap'>;

const lookMs = 1_000;

/** A limit that never changes. */
export function fixedJobs(jobs: number): JobLimit {
  return { now: jobs, onMore: () => {} };
}

/**
 * Measures every second, until it is stopped.
 * @param workers how the workers fared since they were asked last
 * @param running how many checks run
 */
export function autoJobs({
  cores,
  workers,
  running,
}: {
  cores: number;
  workers: () => WorkerStrain;
  running: () => number;
}): AutoJobs {
  const controller = createJobController(cores);
  const cpu = openCpuMeter(() => os.cpus().map(({ times }) => times));
  let report: () => void = () => {};
  const timer = setInterval(() => {
    const strain: Strain = {
      cpu: cpu.since(),
      load: (os.loadavg()[0] ?? 0) / cores,
      freeMb: process.availableMemory() / 1_048_576,
      ...workers(),
    };
    if (controller.take(strain, running() >= controller.limit)) report();
  }, lookMs);
  timer.unref();
  return {
    get now() {
      return controller.limit;
    },
    onMore: (listener) => void (report = listener),
    stop: () => clearInterval(timer),
  };
}

type CpuTimes = os.CpuInfo['times'];

/** @param read times of each processor since it was switched on */
export function openCpuMeter(read: () => readonly CpuTimes[]): { since(): number } {
  const sum = (): { idle: number; all: number } => {
    const each = read();
    const idle = each.reduce((total, times) => total + times.idle, 0);
    return { idle, all: each.reduce((total, { user, nice, sys, irq }) => total + user + nice + sys + irq, idle) };
  };
  let before = sum();
  return {
    /** The share that was in use since it was asked last; 1 where the times stand still. */
    since() {
      const now = sum();
      const all = now.all - before.all;
      const idle = now.idle - before.idle;
      before = now;
      return all > 0 ? Math.min(1, Math.max(0, 1 - idle / all)) : 1;
    },
  };
}
