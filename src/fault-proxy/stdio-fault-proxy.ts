/**
 * A server on stdio with a fault: what the client writes reaches the server as it is, and the fault befalls the lines
 * that the server writes. Lines that are no message pass.
 */
import type { Readable, Writable } from 'node:stream';
import { createFaultEngine } from '../faults/engine.ts';
import type { Sending } from '../faults/operators.ts';
import { rawText } from '../faults/raw-text.ts';
import type { Fault } from '../model/rules/mutation.ts';
import { createByteCollector } from '../trace/byte-collector.ts';
import { startRecorded, type SpawnOptions } from '../transport/process/piped-child.ts';
import { groupAlive, signalGroup, unwatchGroup } from '../transport/process/process-registry.ts';
import { createConversation, isMessage, parsed } from './conversation.ts';

export interface StdioFaultProxyOptions extends SpawnOptions {
  fault: Fault;
  /** What the client writes, what it reads, and where the server's stderr goes. */
  input: Readable;
  output: Writable;
  errors: Writable;
}

export interface StdioFaultProxy {
  /** Resolves when the server has ended and all it wrote was handed on. */
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  signal(signal: NodeJS.Signals): void;
}

/** @throws McpcError (target) when the command cannot be started */
export async function startStdioFaultProxy({ fault, input, output, errors, ...options }: StdioFaultProxyOptions): Promise<StdioFaultProxy> {
  const engine = createFaultEngine(fault);
  const conversation = createConversation();
  const held = new Set<Promise<void>>();
  const { child, pid } = await startRecorded(options, () => {});
  const write = (bytes: Buffer): void => void output.write(bytes);

  input.on('data', eachLine((line) => conversation.asked(parsed(line.toString()))));
  input.pipe(child.stdin);
  child.stdin.on('error', () => {});
  child.stderr.on('data', (chunk: Buffer) => void errors.write(chunk));
  output.on('error', () => child.stdin.end());

  const take = eachLine((line) => {
    const message = parsed(line.toString());
    if (!isMessage(message)) return write(line);
    for (const sending of conversation.answer(engine, message)) {
      if (sending.delayMs === undefined) write(lineOf(sending));
      else hold(sending, sending.delayMs);
    }
  });
  child.stdout.on('data', take);

  function hold(sending: Sending, delayMs: number): void {
    const due = new Promise<void>((resolve) => {
      setTimeout(() => {
        write(lineOf(sending));
        resolve();
      }, delayMs);
    });
    held.add(due);
    void due.then(() => held.delete(due));
  }

  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, signal) => {
      take(undefined);
      void Promise.all(held).then(() => {
        if (groupAlive(pid)) signalGroup(pid, 'SIGTERM');
        else unwatchGroup(pid);
        input.unpipe(child.stdin);
        input.pause();
        resolve({ code, signal });
      });
    });
  });
  return { exited, signal: (signal) => void signalGroup(pid, signal) };
}

function lineOf({ message, raw }: Sending): Buffer {
  const text = JSON.stringify(message);
  return raw === undefined ? Buffer.from(`${text}\n`) : Buffer.from(rawText(text, raw) + raw.end, raw.encoding);
}

const newline = 0x0a;

/** Cuts chunks into lines, each with its newline; undefined is the end, and what is left comes as it is. */
function eachLine(onLine: (line: Buffer) => void): (chunk: Buffer | undefined) => void {
  const rest = createByteCollector();
  return (chunk) => {
    if (chunk === undefined) {
      const last = rest.take();
      if (last.length > 0) onLine(last);
      return;
    }
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      rest.push(chunk.subarray(from, at + 1));
      from = at + 1;
      onLine(rest.take());
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  };
}
