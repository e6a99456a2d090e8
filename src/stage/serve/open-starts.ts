/** All starts of a served run at once, each at an address of its own. */
import type { TransportKind } from '../../core/model/trace.ts';
import type { Revision } from '../../server/protocol/revisions.ts';
import { openServer } from '../run/open-server.ts';
import type { Recording } from '../run/recording.ts';
import { stageScene } from '../scene/play.ts';
import type { PlannedStart } from '../scene/start-plan.ts';
import type { ServedStart } from './checklist.ts';
import type { ServeState } from './state-file.ts';

export interface StartsOptions {
  recording: Recording;
  transport: TransportKind;
  revisions: readonly Revision[];
  host: string;
  /** Port of the first start; 0 takes those of the state, or free ones. */
  port: number;
  /** Gets the port of each start. */
  state: ServeState;
}

export interface OpenStart extends ServedStart {
  /** True once more requests came than are recorded. */
  isFlooded(): boolean;
  close(): Promise<void>;
}

/** @throws McpcError usage when an address cannot be listened on; the starts that were opened are closed again */
export async function openStarts(planned: readonly PlannedStart[], options: StartsOptions): Promise<OpenStart[]> {
  const opened: OpenStart[] = [];
  try {
    for (const [index, start] of planned.entries()) opened.push(await openStart(start, index, options));
    return opened;
  } catch (error) {
    for (const one of opened) await one.close();
    throw error;
  }
}

async function openStart(
  start: PlannedStart,
  index: number,
  { recording, transport, revisions, host, port, state }: StartsOptions,
): Promise<OpenStart> {
  const scene = stageScene(start.situation, revisions);
  // Connections of a later run have names of their own.
  const recorded = recording.begin(`${start.name}${state.runs > 1 ? `r${state.runs}` : ''}`, scene.deviationOf);
  let isFull = false;
  const flooded = (): void => void (isFull = true);
  const isFlooded = (): boolean => isFull;
  const opened = await openServer({
    scene,
    transport,
    recorded,
    situation: start.situation,
    place: { host, port: port === 0 ? (state.ports[start.name] ?? 0) : port + index, secret: state.secret },
    flooded,
  });
  const close = once(async () => {
    await opened.close();
    await recorded.settled();
  });
  const { command = [], url } = opened.task;
  if (url === undefined) return { start, isFlooded, at: { command }, close };
  state.ports[start.name] = Number(new URL(url).port);
  return { start, isFlooded, at: { url }, close };
}

/** Closes once, however often it is asked to. */
function once(close: () => Promise<void>): () => Promise<void> {
  let closed: Promise<void> | undefined;
  return () => (closed ??= close());
}
