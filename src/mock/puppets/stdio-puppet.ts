/**
 * A puppet on stdin and stdout: one message a line. It must not know what the script holds; the player does.
 */
import { closeSync, writeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { parseJson } from '../json.ts';
import { offersOf } from '../plain/offers.ts';
import { createPlayer, type Player, type Wire } from '../script/player.ts';
import type { Part } from '../script/reading.ts';
import type { Script } from '../script/script.ts';

export interface StdioPuppetOptions {
  script: Script;
  part: Part;
  claim(section: number): boolean;
  input: Readable;
  /** File descriptor of stdout: what is written has to be out before the process may end. */
  output: number;
}

/** Longest life of a puppet that outlives its stdin, should nobody end it. */
const mostMs = 30_000;

export function runStdioPuppet({ script, part, claim, input, output }: StdioPuppetOptions): void {
  let open = true;

  function write(bytes: Buffer): void {
    if (!open) return;
    for (let rest = bytes; rest.length > 0; ) {
      try {
        rest = rest.subarray(writeSync(output, rest));
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'EAGAIN') continue;
        open = false;
        return;
      }
    }
  }

  const line = (bytes: Buffer): void => write(Buffer.concat([bytes, Buffer.from('\n')]));
  const wire: Wire = {
    message(bytes) {
      line(bytes);
      return true;
    },
    raw: (text) => line(Buffer.from(text)),
    target: () => undefined,
    close() {
      open = false;
      closeSync(output);
    },
    exit(code, signal) {
      if (signal === null) process.exit(code ?? 0);
      process.kill(process.pid, signal as NodeJS.Signals);
    },
  };
  const player = createPlayer({ script, offers: offersOf(script), part, claim, wire, connection: {} });

  function takeLine(text: string): void {
    if (text.trim() === '') return;
    const message = parseJson(text);
    const taken = player.take(message === undefined ? { kind: 'raw', text } : { kind: 'message', message });
    if (!taken.scripted) {
      const reply = message === undefined ? player.plain.unreadable() : player.plain.answer(message);
      if (reply) line(Buffer.from(JSON.stringify(reply.message)));
    }
    player.settled();
  }

  let rest = Buffer.alloc(0);
  input.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a)) {
      const text = rest.subarray(0, end).toString('utf8');
      rest = rest.subarray(end + 1);
      takeLine(text);
    }
  });
  input.once('end', () => endOfInput(player));
  player.begin();
}

function endOfInput(player: Player): void {
  player.take({ kind: 'stdin-end' });
  if (!player.outlivesStdin) process.exit(0);
  if (player.outlivesStdin.ignoresSigterm) process.on('SIGTERM', () => {});
  setTimeout(() => process.exit(0), mostMs);
}
