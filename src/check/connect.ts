/** Connects to a target: opens connections, and detects its revision. */
import { withDefaults } from '../core/model/defaults.ts';
import { permissionOf } from '../client/offers/choose-tools.ts';
import { hintedAnswer } from '../client/offers/hinted.ts';
import { createPeerHub } from '../client/peer/open-peer.ts';
import type { Peer } from '../client/peer/peer.ts';
import { detect } from '../client/reach/detect.ts';
import type { Detected, DetectOptions } from '../client/reach/detected.ts';
import { createRequestRate, type RequestRate } from '../client/load/request-rate.ts';
import type { Target } from '../client/target/target.ts';
import { defaultBusyWaits, defaultTiming, type Timing } from '../client/target/timing.ts';
import type { Recorder } from '../core/trace/recorder.ts';
import type { CheckOptions } from './check-options.ts';
import type { SettingOptions } from './settings/types.ts';

/** Options to connect to a target. */
export type ConnectOptions = Pick<
  CheckOptions,
  | 'target'
  | 'fallback'
  | 'spec'
  | 'onlyIfSpoken'
  | 'timing'
  | 'transportLimits'
  | 'toolVersion'
  | 'clientName'
  | 'signal'
  | 'onProgress'
  | 'onWait'
  | 'busyWaits'
  | 'profile'
> &
  Partial<SettingOptions & Pick<CheckOptions, 'hints'>>;

/** The deadlines that were asked for, the usual ones for the rest. */
export function timingOf(options: Pick<CheckOptions, 'timing'>): Timing {
  return withDefaults(defaultTiming, options.timing);
}

export interface OpenSession {
  detected: Detected;
  open(how?: { trial: true }): Promise<Peer>;
  rate: RequestRate;
  closeAll(): Promise<void>;
}

/**
 * Reaches the target and finds out what it speaks.
 * @param onLikely as of `detect`
 * @throws McpcError target
 */
export async function connect(
  options: ConnectOptions,
  recorder: Recorder,
  onLikely?: DetectOptions['onLikely'],
): Promise<OpenSession> {
  options.onProgress?.({ stage: 'connecting', done: 0, total: 1 });
  const timing = timingOf(options);
  const hub = createPeerHub(recorder.sink, (listener) => recorder.subscribe(listener));
  const peers = new Set<Peer>();
  const permission = permissionOf(options);
  const openPeer = async (
    target: Target,
    era: 'stateful' | 'stateless',
    revision: string,
    { startMs, ...how }: { trial?: true; startMs?: number } = {},
  ): Promise<Peer> => {
    const peer = await hub.open({
      ...how,
      quick: options.profile === 'quick',
      rate,
      target,
      timing: startMs === undefined ? timing : { ...timing, startMs },
      era,
      revision,
      permission,
      hintedAnswer: (method, params, key) => hintedAnswer(options.hints, method, params, key),
      toolVersion: options.toolVersion,
      ...(options.clientName === undefined ? {} : { clientName: options.clientName }),
      ...(options.transportLimits === undefined ? {} : { limits: options.transportLimits }),
    });
    peers.add(peer);
    return peer;
  };
  const over = new AbortController();
  const rate = createRequestRate({
    perSecond: options.maxRate,
    busyWaits: withDefaults(defaultBusyWaits, options.busyWaits),
    ...(options.onWait ? { tell: options.onWait } : {}),
    signal: over.signal,
  });
  const onAbort = (): void => void closeAll();
  const closeAll = async (): Promise<void> => {
    // A combined signal lives as long as its listeners, and keeps everything of the check alive.
    options.signal?.removeEventListener('abort', onAbort);
    // Waiting for a turn ends.
    over.abort();
    await Promise.all([...peers].map((peer) => peer.close()));
  };
  // An interrupted check ends every connection, and waiting steps see it closed.
  options.signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const detected = await detect({
      target: options.target,
      spec: options.spec,
      fallback: options.fallback,
      onlyIfSpoken: options.onlyIfSpoken,
      onLikely,
      open: openPeer,
    });
    return { detected, open: (how) => openPeer(detected.target, detected.era, detected.revision, how), rate, closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}
