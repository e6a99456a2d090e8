/** Opens the connection to a target. What speaks HTTP is loaded where a target wants it: it takes long. */
import { marksOf } from '../../../core/model/trace.ts';
import { openStdioProcess, type StdioProcess } from '../../transport/process/stdio-process.ts';
import type { StdioTarget } from '../../target/target.ts';
import type { Channel, ChannelOptions, SentMessage } from './channel.ts';

/** @throws McpcError (target) when the process cannot be started, or the event stream of HTTP+SSE does not open */
export async function openChannel(options: ChannelOptions): Promise<Channel> {
  const { target } = options;
  if (target.kind === 'stdio') return openStdio(options, target);
  const { openHttp, openLegacy } = await import('./http-channel.ts');
  return target.kind === 'http' ? openHttp(options, target) : openLegacy(options, target);
}

async function openStdio(
  { session, sink, timing, limits, trial, rate, onUnfinished }: ChannelOptions,
  target: StdioTarget,
): Promise<Channel> {
  const child: StdioProcess = await openStdioProcess({
    command: target.command,
    args: target.args,
    ...(target.cwd === undefined ? {} : { cwd: target.cwd }),
    ...(target.env === undefined ? {} : { env: target.env }),
    ...(target.serve === undefined ? {} : { serve: target.serve }),
    ...(target.container === true ? { container: true } : {}),
    session,
    sink,
    ...(limits ? { limits } : {}),
    ...(trial ? { trial } : {}),
    ...(onUnfinished ? { onUnfinished } : {}),
  });
  return {
    transport: 'stdio',
    readUnfinished: () => child.readUnfinished(),
    send({ text, message, ...marks }) {
      const write = (): number =>
        child.sendText(text, { ...(message === undefined ? {} : { message }), ...marksOf(marks) }).seq;
      const turn = rate?.turn();
      return turn === undefined ? { seq: write() } : sentLater(turn, write);
    },
    sendFramed(lines, framing, messages) {
      const whole = lines.map((line) => `${line}\n`).join('');
      const half = Math.floor(whole.length / 2);
      const chunks = framing === 'joined' ? [whole] : [whole.slice(0, half), whole.slice(half)];
      return child.sendBytes(chunks, { framing, ...(messages.length === 1 ? { message: messages[0] } : {}) }).seqs;
    },
    closeStdin: () => child.closeStdin(),
    exchange: () => undefined,
    // A rule decides if a server ends by itself, and waits for it; here it only has to end.
    close: () => child.close(timing.closeMs),
  };
}

function sentLater(turn: Promise<void>, write: () => number): SentMessage {
  let seq = 0;
  const begun = turn.then(() => void (seq = write()));
  return {
    get seq() {
      return seq;
    },
    begun,
  };
}
