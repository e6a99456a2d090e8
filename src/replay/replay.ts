/** The use case `replay`: a recording serves as the server. */
import type { Readable, Writable } from 'node:stream';
import { openTrace, type WireChoice } from '../check/capture/open-capture.ts';
import { ReplayConnection, type ReplayOptions } from './connection.ts';
import { ReplayCounts, type ReplayReport } from './counts.ts';
import { createFaults, type FaultRule } from './faults.ts';
import { lacksOf } from './lacks.ts';
import type { MatchOptions } from './match.ts';
import { readRecording, type Recording } from './recording.ts';

export interface ReplaySettings {
  match: MatchOptions;
  speed: number;
  onMiss: ReplayOptions['onMiss'];
  ask?: ReplayOptions['ask'];
  faults: readonly FaultRule[];
  seed: number;
}

export interface OpenedReplay {
  recording: Recording;
  /** What the recording lacks, in a line; undefined where it is whole. */
  lacks: string | undefined;
  overStdio(streams: { input: Readable; output: Writable }, signal: AbortSignal): Promise<void>;
  /** @returns the address of the endpoint, and how to end it */
  listen(
    transport: 'http' | 'sse',
    place: { host: string; port: number },
  ): Promise<{ url: string; close(): Promise<void> }>;
  report(): ReplayReport;
}

/** @throws McpcError (usage) for a file that cannot be read, or holds no message of a client */
export async function openReplay(file: string, choice: WireChoice, settings: ReplaySettings): Promise<OpenedReplay> {
  const trace = await openTrace(file, choice);
  const recording = await readRecording(trace.header, trace.events);
  const counts = new ReplayCounts();
  const faults = createFaults(settings.faults, settings.seed);
  const change = settings.faults.find(({ kind }) => kind === 'tools');
  const options: ReplayOptions = {
    match: settings.match,
    speed: settings.speed,
    onMiss: settings.onMiss,
    ask: settings.ask,
    faults,
    toolsChangeAfter: change?.value,
    counts,
  };
  let clients = 0;
  const connect = (push: (text: string) => void): ReplayConnection => {
    counts.client();
    clients += 1;
    return new ReplayConnection(recording, clients - 1, options, push);
  };
  return {
    recording,
    lacks: lacksOf(recording, trace.header, trace.notes()),
    async overStdio(streams, signal) {
      const { replayStdio } = await import('./wires/stdio.ts');
      await replayStdio({ ...streams, connect, signal });
    },
    async listen(transport, place) {
      const { replayHttp } = await import('./wires/http.ts');
      const { replaySse, ssePath } = await import('./wires/sse.ts');
      const listening =
        transport === 'sse'
          ? await replaySse({ ...place, connect })
          : await replayHttp(recording, { ...place, connect });
      return { url: `${listening.origin}${transport === 'sse' ? ssePath : '/mcp'}`, close: listening.close };
    },
    report: () => counts.report(file, faults.made),
  };
}
