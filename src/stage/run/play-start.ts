/** One start of the client: its scene is opened, the client started, awaited within bounds, and all is ended again. */
import type { EventInput, TransportKind } from '../../core/model/trace.ts';
import type { Revision } from '../../server/core/protocol/revisions.ts';
import { stageScene } from '../scene/play.ts';
import type { PlannedStart } from '../scene/start-plan.ts';
import { startClient, type ClientEnd } from './client-process.ts';
import { openEndpoint } from './endpoint.ts';
import { scenarioOf, taskEnvironment, withUrl } from './environment.ts';
import type { Recording } from './recording.ts';

export interface StartOptions {
  words: readonly string[];
  cwd?: string | undefined;
  env: NodeJS.ProcessEnv;
  transport: Exclude<TransportKind, 'stdio'>;
  revisions: readonly Revision[];
  /** A revision that is pinned. */
  pinned?: string | undefined;
  /** Longest time of the start. */
  startMs: number;
  signal: AbortSignal;
  print: (line: string) => void;
}

export interface Played {
  /** Requests that came. */
  requests: number;
  end: ClientEnd;
  /** The last lines that the client printed. */
  tail: string[];
}

/** A client that neither ends nor says anything for so long has done what it does. */
const quietMs = 4_000;
const pollMs = 100;

/** @throws McpcError target when the command cannot be started */
export async function playStart(start: PlannedStart, recording: Recording, options: StartOptions): Promise<Played> {
  const { words, cwd, env, transport, signal } = options;
  const scene = stageScene(start.situation, options.revisions);
  const recorded = recording.begin(start.name, scene.deviationOf);
  let flooded = false;
  const endpoint = await openEndpoint(scene.host, transport, recorded.tap, () => (flooded = true));
  const note = (event: Omit<EventInput, 'session'>): void => recorded.note(event);
  try {
    const client = await startClient(
      {
        words: withUrl(words, endpoint.url),
        cwd,
        env: {
          ...env,
          ...taskEnvironment(
            {
              version: 1,
              start: start.name,
              transport,
              url: endpoint.url,
              ...(options.pinned === undefined ? {} : { protocolVersion: options.pinned }),
              acts: start.situation.drive ?? [],
            },
            scenarioOf(start),
          ),
        },
      },
      note,
      options.print,
    );
    const began = performance.now();
    const watch = setInterval(() => {
      const passed = performance.now() - began;
      if (flooded) client.end('it sent more requests than are looked at');
      else if (passed > options.startMs) client.end(`it did not end within ${options.startMs} ms`);
      else if (endpoint.requests() > 0 && endpoint.quietMs() > quietMs) client.end('nothing came of it any more');
    }, pollMs);
    const stop = (): void => client.end('interrupted');
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const end = await client.exited;
    clearInterval(watch);
    signal.removeEventListener('abort', stop);
    note({
      from: 'client',
      kind: 'exit',
      exit: { code: end.code, signal: end.signal },
      reason: end.ended ?? 'by itself',
    });
    return { requests: endpoint.requests(), end, tail: client.tail() };
  } finally {
    await endpoint.close();
    await recorded.settled();
  }
}
