/** Runs a program of the user's to its end: words, no shell, bounded in time and output. */
import { spawn } from 'node:child_process';
import { signalGroup, unwatchGroup, watchGroup } from '../../../client/transport/process/process-registry.ts';

const mostOutput = 1024 * 1024;

/** @returns what it wrote to stdout, or words that say why it failed */
export function runCommand(words: readonly string[], ms: number): Promise<{ text: string } | { words: string }> {
  const [program = '', ...args] = words;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let size = 0;
    let overdue = false;
    const take = (into: Buffer[]) => (chunk: Buffer) => {
      size += chunk.length;
      if (size <= mostOutput) into.push(chunk);
    };
    child.stdout.on('data', take(out));
    child.stderr.on('data', take(err));
    const { pid } = child;
    if (pid !== undefined) watchGroup(pid);
    const timer = setTimeout(() => {
      overdue = true;
      if (pid !== undefined) signalGroup(pid, 'SIGKILL');
    }, ms);
    const over = (result: { text: string } | { words: string }): void => {
      clearTimeout(timer);
      if (pid !== undefined) unwatchGroup(pid);
      resolve(result);
    };
    child.once('error', (error) => over({ words: `run ${program} failed: ${error.message}` }));
    child.once('close', (code, signal) => {
      const text = Buffer.concat(out).toString('utf8');
      if (overdue) over({ words: `run ${program} failed: timed out after ${Math.round(ms)} ms` });
      else if (code === 0) over({ text });
      else
        over({
          words: `run ${program} failed: ${signal ?? `exit code ${code}`}${err.length === 0 ? '' : `; stderr: ${Buffer.concat(err).toString('utf8').trim().slice(-500)}`}`,
        });
    });
  });
}
