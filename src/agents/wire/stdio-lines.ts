/**
 * Messages on stdin and stdout, one on each line. The transport of the SDK passes over input that is no JSON-RPC
 * message; here it is answered with an error, as the specification wants it.
 */
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { errorReply, replyToInvalid, type ErrorReply } from './invalid-request.ts';

export class StdioLines implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  private readonly input: Readable;
  private readonly output: Writable;

  constructor(input: Readable, output: Writable) {
    this.input = input;
    this.output = output;
  }

  async start(): Promise<void> {
    const lines = createInterface({ input: this.input, crlfDelay: Number.POSITIVE_INFINITY });
    lines.on('line', (line) => this.take(line));
    lines.once('close', () => this.onclose?.());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await new Promise<void>((done) => this.write(message, done));
  }

  async close(): Promise<void> {
    this.input.destroy();
    this.onclose?.();
  }

  private take(line: string): void {
    if (line.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return this.write(errorReply(null, -32700, 'Parse error: a line is one JSON value.'));
    }
    const refusal = replyToInvalid(value);
    if (refusal === undefined) this.onmessage?.(value as JSONRPCMessage);
    else if (refusal !== null) this.write(refusal);
  }

  private write(message: JSONRPCMessage | ErrorReply, done?: () => void): void {
    // A client that is gone reads nothing; that is no failure of the server.
    this.output.write(`${JSON.stringify(message)}\n`, () => done?.());
  }
}
