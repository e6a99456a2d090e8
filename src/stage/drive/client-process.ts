/**
 * One process of the client: started with its environment in a process group of its own, ended with all that it started.
 * What it prints is read and bounded; it must not know what the client is asked to do.
 */
import { startRecorded } from '../../client/transport/process/piped-child.ts';
import { groupAlive, signalGroup, unwatchGroup } from '../../client/transport/process/process-registry.ts';
import { within } from '../../client/transport/within.ts';
import type { EventInput } from '../../core/model/trace.ts';
import type { ClientEnd, RunningClient } from './driver.ts';

export interface ClientCommand {
  /** The command and its arguments, placeholders filled in. */
  words: readonly string[];
  cwd?: string | undefined;
  env: NodeJS.ProcessEnv;
}

/** Milliseconds that it has to end by itself after SIGTERM. */
const graceMs = 1_000;
const pollMs = 20;
/** Of what it prints, bytes that are looked at; the rest is read and let go. */
const mostPrinted = 1024 * 1024;
const tailLength = 20;
const longestLine = 500;

/**
 * @param print takes each line that it prints
 * @param onExit called when the process itself is gone; what it started may still be there
 * @throws McpcError target when the command cannot be started
 */
export async function startClient(
  { words: [command = '', ...args], cwd, env }: ClientCommand,
  record: (event: Omit<EventInput, 'session'>) => void,
  print: (line: string, stream: 'stdout' | 'stderr') => void,
  onExit: () => void,
): Promise<RunningClient> {
  const { child, pid } = await startRecorded({ command, args, env, ...(cwd === undefined ? {} : { cwd }) }, record);
  child.stdin.on('error', () => {});
  child.stdin.end();
  const tail: string[] = [];
  let printed = 0;
  const rest = { stdout: '', stderr: '' };
  const say = (line: string, stream: 'stdout' | 'stderr'): void => {
    const short = line.slice(0, longestLine);
    tail.push(short);
    if (tail.length > tailLength) tail.shift();
    print(short, stream);
  };
  const listen = (stream: 'stdout' | 'stderr') => (chunk: Buffer) => {
    printed += chunk.length;
    if (printed > mostPrinted) return;
    const lines = (rest[stream] + chunk.toString('utf8')).split('\n');
    rest[stream] = (lines.pop() ?? '').slice(0, longestLine);
    for (const line of lines) say(line, stream);
  };
  child.stdout.on('data', listen('stdout'));
  child.stderr.on('data', listen('stderr'));

  let why: string | undefined;
  const exited = new Promise<ClientEnd>((resolve) => {
    child.once('exit', (code, signal) => {
      onExit();
      void endGroup(pid).then(() => {
        for (const stream of ['stdout', 'stderr'] as const) if (rest[stream] !== '') say(rest[stream], stream);
        unwatchGroup(pid);
        child.stdout.destroy();
        child.stderr.destroy();
        resolve({ code, signal, ...(why === undefined ? {} : { ended: why }) });
      });
    });
  });
  return {
    exited,
    end(reason) {
      if (why !== undefined || child.exitCode !== null) return;
      why = reason;
      signalGroup(pid, 'SIGTERM');
      void within(exited, graceMs).then(() => signalGroup(pid, 'SIGKILL'));
    },
    tail: () => [...tail],
  };
}

/** Ends what the process started: it ends by itself, as what lost its pipes does, or else by a signal. */
async function endGroup(pid: number): Promise<void> {
  for (const signal of [undefined, 'SIGTERM', 'SIGKILL'] as const) {
    if (!groupAlive(pid)) return;
    if (signal !== undefined) signalGroup(pid, signal);
    const until = performance.now() + graceMs;
    while (groupAlive(pid) && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
