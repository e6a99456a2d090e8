/** Runs the built command line up to a moment, sends it a signal, and tells what is left of it. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../cli/harness.ts';
import { descendants, randomFrom } from '../../fleet/run-folder.ts';
import { everything } from '../../support/run/options.ts';
import { drawn } from '../../support/run/draw.ts';
import { processesWith, waitUntilGone, type FoundProcess } from '../hostile/processes.ts';

export const signals = ['SIGINT', 'SIGTERM', 'SIGKILL'] as const;
export type EndingSignal = (typeof signals)[number];

/** What mcpc and its watchdog have to end everything. */
const goneMs = 5_000;
/** An end by SIGINT or SIGTERM may take two seconds; a busy machine gets more before the test gives up. */
const mostEndMs = 60_000;

/** Moments of each signal: one, or twenty in the full run. */
const momentCount = everything ? 20 : 1;

/** Milliseconds after the start, all different, others for each name. */
export function momentsOf(name: string, longestMs: number): number[] {
  const random = randomFrom(drawn(name));
  const moments = new Set<number>();
  while (moments.size < momentCount) moments.add(Math.round(random() * longestMs));
  return [...moments];
}

export interface Killed {
  code: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
  /** Processes, and temporary files, that are still there five seconds after the end. */
  left: (FoundProcess | string)[];
}

export interface KillOptions {
  folder: string;
  afterMs: number;
  signal: EndingSignal;
  /** Written to stdin, which then stays open. */
  input?: string;
}

/** Starts `mcpc` with the words, and ends it at the moment. */
export async function killAt(
  words: readonly string[],
  { folder, afterMs, signal, input }: KillOptions,
): Promise<Killed> {
  const mark = randomUUID();
  const temporary = mkdtempSync(join(folder, 'tmp-'));
  const child = spawn(process.execPath, [join(root, 'bin/mcpc.js'), ...words], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', TMPDIR: temporary, MCPC_TEST_MARK: mark },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.on('error', () => {});
  if (input !== undefined) child.stdin.write(input);
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    // Not `close`: what is left behind may hold the pipes, and that is what is looked for.
    child.once('exit', (code, by) => resolve({ code, signal: by }));
  });
  await Promise.race([sleep(afterMs), ended]);
  const seen = new Set(descendants(child.pid!));
  child.kill(signal);
  const overdue = setTimeout(() => child.kill('SIGKILL'), mostEndMs);
  const end = await ended;
  clearTimeout(overdue);
  const find = (): FoundProcess[] => [
    ...processesWith(mark, folder),
    ...processesWith('mcpc-watchdog', folder).filter(({ pid }) => seen.has(pid)),
  ];
  const left = await waitUntilGone(find, goneMs);
  for (const { pid } of left) process.kill(pid, 'SIGKILL');
  const files = await waitUntilGone(() => readdirSync(temporary).filter((name) => name.startsWith('mcpc-')), goneMs);
  return { ...end, stderr, left: [...left, ...files] };
}

/** Fails unless each line of the trace is JSON, the last one excepted where the process was killed within it. */
export function readTraceLines(file: string): unknown[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}
