/**
 * A puppet on stdin and stdout: one message a line. It is independent of the script's content, which the player
 * handles.
 */
import type { Readable } from 'node:stream';
import { parseJson } from '../json.ts';
import { offersOf } from '../plain/offers.ts';
import { createPlayer, type Player, type Wire } from '../script/player.ts';
import type { Part } from '../script/reading.ts';
import type { Script } from '../script.ts';

/** Base of the puppet: a separate process, or pipes in memory. */
export interface StdioPuppetHost {
  input: Readable;
  /** Writes to stdout; what was written is out when this returns, since the puppet may end next. */
  write(bytes: Buffer): void;
  /** Closes stdout, and goes on. */
  closeOutput(): void;
  exit(code: number | null, signal: string | null): void;
  /** Continues after the end of stdin, until it is ended. */
  outlive(ignoresSigterm: boolean): void;
}

export interface StdioPuppetOptions {
  script: Script;
  part: Part;
  claim(section: number): boolean;
  host: StdioPuppetHost;
}

export function runStdioPuppet({ script, part, claim, host }: StdioPuppetOptions): void {
  const line = (bytes: Buffer): void => host.write(Buffer.concat([bytes, Buffer.from('\n')]));
  const wire: Wire = {
    message(bytes) {
      line(bytes);
      return true;
    },
    raw: (text) => line(Buffer.from(text)),
    target: () => undefined,
    close: host.closeOutput,
    exit: host.exit,
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
  host.input.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a)) {
      const text = rest.subarray(0, end).toString('utf8');
      rest = rest.subarray(end + 1);
      takeLine(text);
    }
  });
  host.input.once('end', () => endOfInput(player, host));
  player.begin();
}

function endOfInput(player: Player, host: StdioPuppetHost): void {
  player.take({ kind: 'stdin-end' });
  if (!player.outlivesStdin) host.exit(0, null);
  else host.outlive(player.outlivesStdin.ignoresSigterm);
}
