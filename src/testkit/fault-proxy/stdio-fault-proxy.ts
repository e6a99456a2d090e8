/**
 * A stdio server with a fault: the client's output reaches the server unchanged, and the fault changes the lines of the
 * server. Lines that are no message pass.
 */
import type { Readable, Writable } from 'node:stream';
import { createFaultEngine } from '../../core/faults/engine.ts';
import type { Sending } from '../../core/faults/operators.ts';
import { rawText } from '../../core/faults/raw-text.ts';
import type { Fault } from '../../core/model/rules/mutation.ts';
import { createLineSplitter, type Line } from '../../core/trace/line-splitter.ts';
import { startRecorded, type SpawnOptions } from '../../client/transport/process/piped-child.ts';
import { groupAlive, signalGroup, unwatchGroup } from '../../client/transport/process/process-registry.ts';
import { createConversation, isMessage, parsed } from './conversation.ts';

export interface StdioFaultProxyOptions extends SpawnOptions {
  fault: Fault;
  /** Output and input of the client, and the target of the server's stderr. */
  input: Readable;
  output: Writable;
  errors: Writable;
}

export interface StdioFaultProxy {
  /** Resolves when the server has ended and all it wrote was handed on. */
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  signal(signal: NodeJS.Signals): void;
}

const newline = Buffer.from('\n');

/** @throws McpcError (target) when the command cannot be started */
export async function startStdioFaultProxy({
  fault,
  input,
  output,
  errors,
  ...options
}: StdioFaultProxyOptions): Promise<StdioFaultProxy> {
  const engine = createFaultEngine(fault);
  const conversation = createConversation();
  const held = new Set<Promise<void>>();
  const { child, pid } = await startRecorded(options, () => {});
  const write = (bytes: Buffer): void => void output.write(bytes);

  const asked = createLineSplitter({ maxLineBytes: Infinity });
  const answered = createLineSplitter({ maxLineBytes: Infinity });

  input.on('data', (chunk: Buffer) => {
    for (const { bytes } of asked.push(chunk)) conversation.asked(parsed(bytes.toString()));
  });
  input.pipe(child.stdin);
  child.stdin.on('error', () => {});
  child.stderr.on('data', (chunk: Buffer) => void errors.write(chunk));
  output.on('error', () => child.stdin.end());

  function take({ bytes, end }: Line): void {
    const message = parsed(bytes.toString());
    if (!isMessage(message)) return write(end === 'newline' ? Buffer.concat([bytes, newline]) : bytes);
    for (const sending of conversation.answer(engine, message)) {
      if (sending.delayMs === undefined) write(lineOf(sending));
      else hold(sending, sending.delayMs);
    }
  }

  child.stdout.on('data', (chunk: Buffer) => {
    for (const line of answered.push(chunk)) take(line);
  });

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
      for (const line of answered.end()) take(line);
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
