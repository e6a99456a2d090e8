/** A server on pipes in memory leaves the same events as the same server in a process. */
import type { Readable, Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { EventInput } from '../../src/core/model/trace.ts';
import {
  openStdioProcess,
  type StdioOptions,
  type StdioProcess,
} from '../../src/client/transport/process/stdio-process.ts';

/** Runs in both, so it may use nothing but what it is given. */
type Server = (
  stdin: Readable,
  stdout: Writable,
  stderr: Writable,
  exit: (code: number) => void,
  onSigterm: (act: () => void) => void,
) => void;

const echo: Server = (stdin, stdout, stderr, exit) => {
  let rest = '';
  stderr.write('ready\n');
  stdin.setEncoding('utf8');
  stdin.on('data', (text: string) => {
    rest += text;
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      const line = rest.slice(0, end);
      rest = rest.slice(end + 1);
      if (line === 'quit') {
        stdout.write('cut off');
        exit(3);
      } else stdout.write(`${line}\n`);
    }
  });
  stdin.on('end', () => exit(0));
};
/** Goes on when its stdin is closed. */
const stubborn: Server = (stdin, stdout) => {
  stdin.resume();
  stdout.write('{"up":true}\n');
  setInterval(() => {}, 1000).unref();
};
const obedient: Server = (stdin, stdout, _stderr, exit, onSigterm) => {
  stdin.resume();
  stdout.write('{"up":true}\n');
  onSigterm(() => exit(7));
};

function optionsFor(server: Server, where: string): Pick<StdioOptions, 'command' | 'args' | 'serve'> {
  const code = `setInterval(() => {}, 1000); (${server.toString()})(process.stdin, process.stdout, process.stderr, process.exit, (act) => process.on('SIGTERM', act))`;
  if (where === 'a process') return { command: process.execPath, args: ['-e', code] };
  return {
    command: 'server',
    serve({ stdin, stdout, stderr, exit }) {
      let act: (() => void) | undefined;
      server(stdin, stdout, stderr, exit, (given) => (act = given));
      return act;
    },
  };
}

/** What was recorded, apart from what names the command. */
async function recorded(
  server: Server,
  where: string,
  talk: (child: StdioProcess, seen: (count: number) => Promise<void>) => Promise<unknown>,
): Promise<unknown[]> {
  const events: Omit<EventInput, 'session'>[] = [];
  let told = (): void => {};
  const sink = ({ session: _session, ...event }: EventInput): number => {
    if (event.kind !== 'spawn') events.push(event);
    told();
    return events.length;
  };
  /** Waits until so many events are there. */
  const seen = (count: number): Promise<void> =>
    new Promise((resolve) => {
      told = () => events.length >= count && resolve();
      told();
    });
  const child = await openStdioProcess({ ...optionsFor(server, where), session: 's1', sink });
  await talk(child, seen);
  await child.close(2000, 100);
  return events;
}

const both = async (server: Server, talk: Parameters<typeof recorded>[2]): Promise<unknown[][]> => [
  await recorded(server, 'a process', talk),
  await recorded(server, 'memory', talk),
];

describe('a server on pipes in memory leaves the events of a process', () => {
  test('when it talks, and ends by itself in the middle of a line', async () => {
    const [process, memory] = await both(echo, async (child, seen) => {
      await seen(1);
      child.sendText('{"jsonrpc":"2.0","id":1,"method":"ping"}', { deviation: 'none' });
      await seen(3);
      child.sendText('no JSON, äöü');
      await seen(5);
      child.sendBytes(['{"a":', '1}\n{"b":2}\n'], { framing: 'split' });
      await seen(9);
      child.sendText('quit');
      await child.exited;
      expect(child.sendText('too late').seq).toBe(0);
    });
    expect(memory).toEqual(process);
    expect(memory).toHaveLength(13);
    expect(memory?.at(-1)).toMatchObject({ kind: 'exit', exit: { code: 3, signal: null }, reason: 'by itself' });
  });

  test('when its stdin is closed', async () => {
    const [process, memory] = await both(echo, async (child, seen) => {
      await seen(1);
      child.closeStdin();
      await child.exited;
    });
    expect(memory).toEqual(process);
    expect(memory?.at(-1)).toMatchObject({ kind: 'exit', exit: { code: 0, signal: null }, reason: 'by itself' });
  });

  test.each([
    ['does not end with its stdin', stubborn, { code: null, signal: 'SIGTERM' }],
    ['ends in its own way at SIGTERM', obedient, { code: 7, signal: null }],
  ] as const)('when it %s', async (_what, server, exit) => {
    const [process, memory] = await both(server, (_child, seen) => seen(1));
    expect(memory).toEqual(process);
    expect(memory?.at(-1)).toMatchObject({ from: 'harness', kind: 'exit', exit });
  });
});

test('what a server writes never arrives while it is being written to', async () => {
  const order: string[] = [];
  const child = await openStdioProcess({
    ...optionsFor(echo, 'memory'),
    session: 's1',
    sink: ({ kind, from }) => order.push(`${from} ${kind}`),
  });
  child.sendText('{"id":1}');
  order.push('sent');
  await child.close(100, 100);
  expect(order.indexOf('sent')).toBeLessThan(order.indexOf('server message'));
});
