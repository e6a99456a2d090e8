/** The process of a coprocess: lines in, lines out, and its end on every path. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';

export interface ChildOptions {
  words: readonly string[];
  cwd: string | undefined;
  env: NodeJS.ProcessEnv;
  onLine(line: string): void;
  onStderr(text: string): void;
  /** Called once, when it has ended or could not be started. */
  onEnd(why: string): void;
}

export interface Child {
  write(line: string): void;
  /**
   * Ends the input, which ends a coprocess; one that stays is killed. Resolves when it has ended.
   * @param how atOnce: whatever it is doing
   */
  close(how: { atOnce: boolean }): Promise<void>;
  /** True if the event loop must continue for it; otherwise it need not, from a moment later. */
  hold(on: boolean): void;
}

/** Milliseconds for a coprocess to end its server. */
const closeMs = 5_000;

/** Between two requests of a test a process does not end. */
const idleMs = 20;

const running = new Set<ChildProcessWithoutNullStreams>();
let hooked = false;

/** Starts it. */
export function startChild({ words, cwd, env, onLine, onStderr, onEnd }: ChildOptions): Child {
  const [program, ...args] = words;
  const child = spawn(program!, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
  running.add(child);
  hook();
  let ended = false;
  let reportEnded: () => void = () => {};
  const over = new Promise<void>((resolve) => (reportEnded = resolve));
  const end = (why: string): void => {
    if (ended) return;
    ended = true;
    running.delete(child);
    onEnd(why);
    reportEnded();
  };
  child.once('error', (error) => end(error.message));
  child.once('close', (code, signal) => end(signal === null ? `exit code ${code}` : signal));
  child.stdin.on('error', () => {});
  const decoder = new StringDecoder('utf8');
  let begun: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => {
    const [first = '', ...more] = decoder.write(chunk).split('\n');
    begun.push(first);
    for (const next of more) {
      const line = begun.join('');
      begun = [next];
      if (line.trim() !== '') onLine(line);
    }
  });
  child.stderr.on('data', (chunk: Buffer) => onStderr(chunk.toString('utf8')));
  let wanted = true;
  let held = true;
  let idle: NodeJS.Timeout | undefined;
  const refer = (on: boolean): void => {
    held = on;
    for (const one of [child, child.stdin, child.stdout, child.stderr]) {
      const handle = one as { ref?(): void; unref?(): void };
      if (on) handle.ref?.();
      else handle.unref?.();
    }
  };
  const letGo = (): void => {
    idle = undefined;
    if (!wanted && !ended) refer(false);
  };
  return {
    write: (line) => void child.stdin.write(`${line}\n`),
    hold(on) {
      wanted = on;
      if (on) {
        if (!held) refer(true);
      } else idle ??= setTimeout(letGo, idleMs);
    },
    async close({ atOnce }) {
      if (ended) return;
      child.stdin.end();
      if (atOnce) child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), closeMs);
      await over;
      clearTimeout(timer);
    },
  };
}

/** A process that ends takes its coprocesses with it; killing it ends their input, which does the same. */
function hook(): void {
  if (hooked) return;
  hooked = true;
  process.on('exit', () => {
    for (const child of running) child.kill('SIGTERM');
  });
}
