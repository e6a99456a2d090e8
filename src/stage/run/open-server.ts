/** Opens the server of one start: over stdio, or over HTTP with the authorization that its situation has. */
import type { SituationGuard } from '../../core/model/rules/situation.ts';
import type { TransportKind } from '../../core/model/trace.ts';
import type { Host } from '../../server/session/host.ts';
import type { ClientTask, Places } from '../drive/task.ts';
import { openEndpoint, type EndpointPlace, type Reached } from './endpoint.ts';
import { openGuard, type Guard } from './guard.ts';
import { openPipes } from './pipes.ts';
import type { StartRecording } from './recording.ts';

/** The server of a start, and the words by which the client finds it. */
export interface Opened {
  reached: Reached;
  guard?: Guard;
  places: Places;
  /** Behind all words of a command line without placeholder. */
  last: string[];
  task: Pick<ClientTask, 'url' | 'command'>;
}

interface ToOpen {
  host: Host;
  transport: TransportKind;
  recorded: StartRecording;
  /** Over HTTP: the authorization of the start. */
  guard: SituationGuard | undefined;
  /** HTTP: a free port of the loopback address when absent. */
  place?: EndpointPlace;
  flooded: () => void;
}

/** @throws McpcError usage when the address cannot be listened on */
export async function openServer({ flooded, guard, host, place, recorded, transport }: ToOpen): Promise<Opened> {
  if (transport === 'stdio') {
    const pipes = await openPipes(host, recorded, flooded);
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
