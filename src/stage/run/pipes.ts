/**
 * The server of one start over stdio: what the client starts is a relay, which connects to a socket of the run. Each
 * connection is a process of the server as the trace has it: begun, spoken with on its pipes, ended in one way or another.
 */
import { writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { makeRunFolder, removeFolder } from '../../client/transport/process/run-folders.ts';
import { noise } from '../relay/noise.ts';
import { within } from '../../client/transport/within.ts';
import { packageRoot } from '../../files/package/package-root.ts';
import type { SituationProcess } from '../../core/model/rules/situation.ts';
import { createLingering, signalMs, type Lingering, type ProcessEnd } from '../beside/lingering.ts';
import type { Host } from '../../server/session/host.ts';
import { serveStdio } from '../../server/transports/stdio.ts';
import type { Reached } from './endpoint.ts';
import type { StartRecording } from './recording.ts';

export interface Pipes extends Reached {
  /** The command of the server. */
  words: string[];
  /** A file that names it as `mcpServers` of clients do. */
  config: string;
}

/** Processes of the server that one start of a client may have. */
const mostProcesses = 100;
/** How long processes of the server are given to end with the client. */
const endMs = 1_000;
/** Bytes that a client may send in one start. */
const mostBytes = 64 * 1024 * 1024;

/** How long the end of a relay is waited for, milliseconds: its two connections close in any order. */
const maxReportMs = 2_000;

/** Milliseconds that a client gets to end a lingering process. */
const lingeringMs = 15_000;

/** @param flooded told when the client started more, or sent more, than is looked at */
export async function openPipes(
  host: Host,
  recorded: StartRecording,
  flooded: () => void,
  { deviation, lingers, noisy }: SituationProcess = {},
): Promise<Pipes> {
  const folder = makeRunFolder();
  const address =
    process.platform === 'win32' ? `\\\\.\\pipe\\${path.basename(folder)}` : path.join(folder, 'server.sock');
  /** What each relay said beside its bytes, by its id. */
  const said = new Map<string, { words: string[]; told: Promise<void> }>();
  const sockets = new Set<Socket>();
  /** Those of processes that end by themselves. */
  const exiting = new Set<Socket>();
  const modes = [...(lingers === true && process.platform !== 'win32' ? ['lingers'] : []), ...(noisy ? ['noisy'] : [])];
  /** Processes that linger, by the ids of their relays. */
  const lingering = new Map<string, Lingering>();
  /** What is still being recorded of the ends of processes. */
  const ends = new Set<Promise<void>>();
  let isGone = false;
  let isEnded = false;
  let processes = 0;
  let bytes = 0;
  let requests = 0;
  let last = performance.now();

  function serve(socket: Socket, id: string, first: Buffer): void {
    processes += 1;
    if (processes > mostProcesses) {
      flooded();
      socket.destroy();
      return;
    }
    const session = `s${processes}`;
    const record = recorded.process(session);
    record.note({
      from: 'harness',
      kind: 'spawn',
      detail: { command: 'mcpc', args: modes },
      ...(deviation === undefined ? {} : { deviation }),
    });
    for (const line of noisy === true ? noise.trimEnd().split('\n') : [])
      record.note({ from: 'server', kind: 'stderr', raw: line });
    const input = new PassThrough();
    const take = (chunk: Buffer): void => {
      if (chunk.length === 0) return;
      last = performance.now();
      requests += 1;
      bytes += chunk.length;
      if (bytes > mostBytes) {
        flooded();
        socket.destroy();
        return;
      }
      record.client.push(chunk);
      input.write(chunk);
    };
    const output = new Writable({
      write(chunk: Buffer, _encoding, done) {
        // A process that has ended takes no leave of its client.
        if (exiting.has(socket)) return done();
        last = performance.now();
        record.server.push(chunk);
        if (socket.writable) socket.write(chunk, () => done());
        else done();
      },
    });
    let over: Promise<void> | undefined;
    let settle: () => void = () => {};
    ends.add(new Promise((resolve) => (settle = resolve)));
    const end = async (): Promise<void> => {
      // What the relay said of its end comes on another connection, which closes with its process.
      await within(said.get(id)?.told ?? Promise.resolve(), maxReportMs);
      const words = said.get(id)?.words ?? [];
      record.client.end();
      const closed = words.includes('end');
      const held = closed ? lingering.get(id)?.over() : undefined;
      if (closed && held === undefined) record.note({ from: 'client', kind: 'closed', what: 'stdin' });
      input.end();
      await served;
      record.server.end();
      record.note({ from: 'server', kind: 'closed', what: 'stdout' });
      const { from, code = 0, signal, reason } = held ?? endOf(words, exiting.has(socket));
      record.note({ from, kind: 'exit', exit: { code: signal === null ? code : null, signal }, reason });
      socket.end();
      settle();
    };
    if (modes.includes('lingers'))
      lingering.set(
        id,
        createLingering({
          note: record.note,
          onEnd: () => input.end(),
          release: () => socket.destroy(),
          isEnded: () => isEnded,
        }),
      );
    const served = serveStdio(host, { input, output, error: new PassThrough().resume() }).catch(() => {});
    socket.on('data', take);
    const onEnd = (): void => {
      over ??= end();
    };
    socket.once('end', onEnd);
    socket.once('close', onEnd);
    take(first);
  }

  /** The end of a process that does not linger. @param words what its relay said @param exits it ends by itself */
  function endOf(words: readonly string[], exits: boolean): ProcessEnd {
    if (exits) return { from: 'server', code: 1, signal: null, reason: isGone ? 'with the client' : 'by itself' };
    const signal = words.find((word) => word !== 'end') ?? (isGone || words.includes('end') ? null : 'SIGKILL');
    const reason = signal !== null ? 'by a signal of the client' : isGone ? 'with the client' : 'by itself';
    return { from: 'server', signal, reason };
  }

  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    let begin = Buffer.alloc(0);
    const read = (chunk: Buffer): void => {
      begin = Buffer.concat([begin, chunk]);
      const stop = begin.indexOf(0x0a);
      if (stop < 0) {
        if (begin.length > 1_000) socket.destroy();
        return;
      }
      socket.off('data', read);
      const [kind, id = ''] = begin.subarray(0, stop).toString('utf8').split(' ');
      const rest = begin.subarray(stop + 1);
      if (kind === 'data') serve(socket, id, rest);
      else listen(socket, id, rest);
    };
    socket.on('data', read);
  });

  function listen(socket: Socket, id: string, first: Buffer): void {
    const words: string[] = [];
    let report: () => void = () => {};
    said.set(id, { words, told: new Promise((resolve) => (report = resolve)) });
    const take = (chunk: Buffer): void => {
      for (const word of chunk.toString('utf8').split('\n')) {
        // When the client is gone its pipes close, and signals come from mcpc.
        if (word !== '') lingering.get(id)?.hears(word);
        if (word === '' || words.length >= 10 || isEnded || (isGone && word !== 'end')) continue;
        words.push(word);
      }
      if (words.length > 0) report();
    };
    take(first);
    socket.on('data', take);
    socket.once('end', () => socket.end());
    socket.once('close', report);
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, resolve);
  });
  host.exit = () => {
    for (const socket of sockets) {
      exiting.add(socket);
      socket.destroySoon();
    }
  };
  const words = [process.execPath, path.join(packageRoot(), 'dist', 'stage-relay.js'), address, ...modes];
  const config = path.join(folder, 'servers.json');
  writeFileSync(
    config,
    JSON.stringify({ mcpServers: { mcpc: { type: 'stdio', command: words[0], args: words.slice(1) } } }, null, 2),
  );
  return {
    words,
    config,
    requests: () => requests,
    quietMs: () =>
      [...lingering.values()].some((one) => (one.waitedMs() ?? lingeringMs) < lingeringMs)
        ? 0
        : performance.now() - last,
    touch: () => (last = performance.now()),
    clientGone(lives = false) {
      isGone = true;
      for (const one of lingering.values()) one.clientGone(lives);
    },
    clientEnded: () => (isGone = isEnded = true),
    async close() {
      const isLingering = [...lingering.values()].some((one) => one.waitedMs() !== undefined);
      await within(Promise.all(ends), isLingering ? 2 * signalMs : endMs);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await Promise.all([closed, within(Promise.all(ends), endMs)]);
      removeFolder(folder);
    },
  };
}
