/** Opens the server of one start: over stdio, or over HTTP with the authorization that its situation has. */
import type { Situation } from '../../core/model/rules/situation.ts';
import type { TransportKind } from '../../core/model/trace.ts';
import { openCanaries } from '../beside/canary-listeners.ts';
import type { ClientTask, Places } from '../drive/task.ts';
import { openEndpoint, type EndpointPlace, type Reached } from './endpoint.ts';
import { openGuard, type Guard } from './guard.ts';
import { openPipes } from './pipes.ts';
import type { Scene } from '../scene/play.ts';
import type { StartRecording } from './recording.ts';

/** The server of a start, and the words by which the client finds it. */
export interface Opened {
  reached: Reached;
  guard?: Guard;
  places: Places;
  /** Behind all words of a command line without placeholder. */
  last: string[];
  task: Pick<ClientTask, 'url' | 'command'>;
  /** Ends everything that listens. */
  close(): Promise<void>;
}

interface ToOpen {
  scene: Scene;
  transport: TransportKind;
  recorded: StartRecording;
  /** Of it: over HTTP the authorization of the start, over stdio how the process is unusual. */
  situation: Pick<Situation, 'guard' | 'process'>;
  /** HTTP: a free port of the loopback address when absent. */
  place?: EndpointPlace;
  flooded: () => void;
}

/** @throws McpcError usage when the address cannot be listened on */
export async function openServer(options: ToOpen): Promise<Opened> {
  const { place, recorded, scene } = options;
  const opened = await openTransport(options);
  const { guard, reached, task } = opened;
  const canaries = scene.hasCanaries
    ? await openCanaries({
        endpoint: task.url === undefined ? undefined : new URL(task.url).origin,
        host: place?.host,
        record: recorded.beside,
        onRequest: () => reached.touch(),
      })
    : undefined;
  if (canaries !== undefined) scene.canariesAt(canaries.origins);
  return {
    ...opened,
    async close() {
      await reached.close();
      await guard?.close();
      await canaries?.close();
    },
  };
}

async function openTransport({
  flooded,
  situation: { guard, process },
  scene: { host },
  place,
  recorded,
  transport,
}: ToOpen): Promise<Omit<Opened, 'close'>> {
  if (transport === 'stdio') {
    const pipes = await openPipes(host, recorded, flooded, process);
    return {
      reached: pipes,
      places: { command: pipes.words.map(quoted).join(' '), config: pipes.config },
      last: pipes.words,
      task: { command: pipes.words },
    };
  }
  const endpoint = await openEndpoint(host, transport, recorded.tap, flooded, place);
  const opened = {
    reached: endpoint,
    places: { url: endpoint.url },
    last: [endpoint.url],
    task: { url: endpoint.url },
  };
  if (guard === undefined || transport !== 'http') return opened;
  const opening = await openGuard({
    situation: guard,
    resource: endpoint.url,
    record: recorded.beside,
    onExchange: endpoint.touch,
  });
  host.door = opening.door;
  return { ...opened, guard: opening };
}

/** A word as a shell takes it for one. */
function quoted(word: string): string {
  return word.includes(' ') ? `"${word}"` : word;
}
