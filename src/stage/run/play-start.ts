/** One start of the client: its scene is opened, the client started, awaited within bounds, and all is ended again. */
import type { TransportKind } from '../../core/model/trace.ts';
import type { Revision } from '../../server/protocol/revisions.ts';
import { stageScene } from '../scene/play.ts';
import type { PlannedStart } from '../scene/start-plan.ts';
import type { ClientDriver, ClientEnd } from '../drive/driver.ts';
import { type ClientTask, type OfficialTask, taskEnvironment } from '../drive/task.ts';
import { openServer } from './open-server.ts';
import type { Recording } from './recording.ts';

export interface StartOptions {
  driver: ClientDriver;
  /** The environment of the client, without the variables of the start. */
  env: NodeJS.ProcessEnv;
  transport: TransportKind;
  revisions: readonly Revision[];
  /** A revision that is pinned. */
  pinned?: string | undefined;
  /** Longest time of the start. */
  startMs: number;
  signal: AbortSignal;
  print: (line: string, stream?: 'stdout' | 'stderr') => void;
}

export interface Played {
  /** Requests that came. */
  requests: number;
  /** Of a guarded server: requests for its metadata, and to its authorization server. */
  authorization?: number;
  end: ClientEnd;
  /** The last lines that the client printed. */
  tail: string[];
}

/** A client that neither ends nor says anything for so long has done what it does. */
const quietMs = 4_000;
const pollMs = 100;
/** Longest time that a client has to close where its server does not end, milliseconds. */
const lingeringCloseMs = 12_000;

/** @throws McpcError target when the command cannot be started */
export async function playStart(start: PlannedStart, recording: Recording, options: StartOptions): Promise<Played> {
  const { driver, env, transport, signal } = options;
  const scene = stageScene(start.situation, options.revisions);
  const recorded = recording.begin(start.name, scene.deviationOf);
  let flooded = false;
  const server = await openServer({
    scene,
    transport,
    recorded,
    situation: start.situation,
    flooded: () => (flooded = true),
  });
  try {
    const task: ClientTask = {
      version: 1,
      start: start.name,
      transport,
      ...server.task,
      ...(options.pinned === undefined ? {} : { protocolVersion: options.pinned }),
      acts: (start.situation.drive ?? []).filter((act) => driver.lacks(act) === undefined),
    };
    const official = withContext(start.official ?? officialTask(start), server.guard?.context);
    const client = await driver.begin({
      task,
      official,
      places: server.places,
      last: server.last,
      env: { ...env, ...taskEnvironment(task, official) },
      nextCursor: scene.nextCursor,
      record: recorded.note,
      print: options.print,
      gone: (lives) => server.reached.clientGone?.(lives),
      closeMs: start.situation.process?.lingers === true ? lingeringCloseMs : undefined,
    });
    const end = (why: string): void => {
      server.reached.clientEnded?.();
      client.end(why);
    };
    const began = performance.now();
    const watch = setInterval(() => {
      const passed = performance.now() - began;
      if (flooded) end('it sent more requests than are looked at');
      else if (passed > options.startMs) end(`it did not end within ${options.startMs} ms`);
      else if (server.reached.requests() > 0 && server.reached.quietMs() > quietMs) end('nothing came of it any more');
    }, pollMs);
    const stop = (): void => end('interrupted');
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const ended = await client.exited;
    clearInterval(watch);
    signal.removeEventListener('abort', stop);
    recorded.note({
      from: 'client',
      kind: 'exit',
      exit: { code: ended.code, signal: ended.signal },
      reason: ended.ended ?? ended.left ?? 'by itself',
    });
    return {
      requests: server.reached.requests(),
      ...(server.guard === undefined ? {} : { authorization: server.guard.requests() }),
      end: ended,
      tail: client.tail(),
    };
  } finally {
    await server.close();
    await recorded.settled();
  }
}

/** The official scenario whose client does what the start asks for. */
function officialTask({ situation }: PlannedStart): OfficialTask {
  return { name: (situation.drive ?? []).some(({ act }) => act === 'call') ? 'tools_call' : 'initialize' };
}

/** What the client is given of its credentials, besides what the scenario gives it. */
function withContext({ name, context }: OfficialTask, credentials: Record<string, unknown> = {}): OfficialTask {
  const all = { ...context, ...credentials };
  return { name, ...(Object.keys(all).length === 0 ? {} : { context: all }) };
}
