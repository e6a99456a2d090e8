/** Processes of a measurement: each is ended by its id, and what they print is read as it comes. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { ReadBuffer, serializeMessage, type Transport } from '@modelcontextprotocol/client';

export interface Program {
  command: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  cwd?: string;
}

export interface Started {
  /** Resolves with the match once stderr or stdout has one. @throws Error when the process ends before. */
  shows(pattern: RegExp): Promise<RegExpExecArray>;
  /** Ends the process and those that it started, and waits for its end. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** Longest wait for a process to end after a signal, in milliseconds. */
const mostWaitMs = 10_000;

function spawned({ command, args, env, cwd }: Program): ChildProcess {
  return spawn(command, args, {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: 'pipe',
    detached: true,
  });
}

/** Also ends what the process itself started. */
function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // It has ended by itself.
  }
}

export function start(program: Program): Started {
  const child = spawned(program);
  const ended = once(child, 'close').catch(() => undefined);
  let text = '';
  let heard: () => void = () => {};
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      heard();
    });
  return {
    async shows(pattern) {
      let over = false;
      void ended.then(() => {
        over = true;
        heard();
      });
      for (;;) {
        const found = pattern.exec(text);
        if (found !== null) return found;
        if (over) throw new Error(`${program.command} ${program.args.join(' ')} ended:\n${text.slice(-2000)}`);
        await new Promise<void>((next) => (heard = next));
      }
    },
    async end(signal = 'SIGINT') {
      if (child.pid !== undefined) child.kill(signal);
      const timer = setTimeout(() => killGroup(child, 'SIGKILL'), mostWaitMs);
      await ended;
      clearTimeout(timer);
      killGroup(child, 'SIGKILL');
    },
  };
}

/** The output of a program that ends by itself; both streams and the exit code. */
export async function output(program: Program): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawned(program);
  child.stdin!.end();
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]!.on('data', (chunk: Buffer) => void (texts[name] += chunk.toString()));
  const timer = setTimeout(() => killGroup(child, 'SIGKILL'), 120_000);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return { code, ...texts };
}

/** Messages on the pipes of a process. Unlike those of the SDKs it waits until the process has ended by itself. */
export function pipes(program: Program): Transport {
  const child = spawned(program);
  const ended = once(child, 'close').catch(() => undefined);
  const received = new ReadBuffer();
  child.stdin!.on('error', () => {});
  child.stderr!.resume();
  const transport: Transport = {
    start: () => Promise.resolve(),
    send: (message) =>
      new Promise((resolve, reject) =>
        child.stdin!.write(serializeMessage(message), (error) => (error ? reject(error) : resolve())),
      ),
    async close() {
      child.stdin!.end();
      const timer = setTimeout(() => killGroup(child, 'SIGKILL'), mostWaitMs);
      await ended;
      clearTimeout(timer);
      killGroup(child, 'SIGKILL');
    },
  };
  child.stdout!.on('data', (chunk: Buffer) => {
    received.append(chunk);
    for (;;) {
      try {
        const message = received.readMessage();
        if (message === null) break;
        transport.onmessage?.(message);
      } catch {
        // A line that is no message is that of a server that prints; the clients of the SDKs pass over it as well.
      }
    }
  });
  void ended.then(() => transport.onclose?.());
  return transport;
}
