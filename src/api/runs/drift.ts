/** `lock`: what a server offers, read live or from a recording. */
import type { WireChoice } from '../../check/capture/open-capture.ts';
import { lock as lockOf, type ServerLock } from '../../core/drift/lock.ts';
import type { Revision } from '../../core/model/rules/requirement.ts';
import { refuseOneObject, targetOf, type TargetOption } from '../target/target.ts';
import { packageVersion } from '../version.ts';
import { throwIfAborted } from './interrupted.ts';

/** A recorded conversation in place of a server: a trace, or a capture of another tool. */
export interface RecordedTarget {
  recording: string;
  /** Format of a capture, as `--from` of `mcpc judge`; found out when absent. */
  from?: WireChoice['format'];
}

export interface LockOptions {
  spec?: Revision | 'auto';
  /** Milliseconds until the first response, and until each later one. */
  startTimeoutMs?: number;
  timeoutMs?: number;
  /** Names of other clients under which the lists are asked for as well. */
  as?: readonly string[];
  /** Ends the reading, which then rejects. */
  signal?: AbortSignal;
  /** Called with each line that the server writes to stderr, without secrets. */
  onStderr?(line: string): void;
  /** Called with what a lock cannot hold: lists that differed within the run, and what a recording lacks. */
  onNotice?(line: string): void;
}

/**
 * Reads a server's lists to the last page of each, and calls no tool.
 * @throws McpcError of stage `usage` for invalid options or an unusable recording, `target` for a server that cannot be
 * reached or returns no lists, `interrupted` once the signal was given
 */
export async function lock(target: TargetOption | RecordedTarget, options: LockOptions = {}): Promise<ServerLock> {
  const { signal, onNotice, onStderr } = options;
  throwIfAborted(signal);
  if (isRecorded(target)) {
    const { readRecordedOffer } = await import('../../check/drift/read-recording.ts');
    const { offer, unsteady, lacks } = await readRecordedOffer(target.recording, { format: target.from });
    throwIfAborted(signal);
    for (const line of [...lacks, ...unsteady]) onNotice?.(line);
    return lockOf(offer);
  }
  refuseOneObject(target, 'A lock');
  const { hintsFile: _hints, notices = [], ...resolved } = await targetOf(target);
  for (const line of notices) onNotice?.(line);
  const { readOffer } = await import('../../check/drift/read-offer.ts');
  try {
    const { offer, unsteady } = await readOffer({
      ...resolved,
      spec: options.spec ?? 'auto',
      timing: {
        ...(options.startTimeoutMs === undefined ? {} : { startMs: options.startTimeoutMs }),
        ...(options.timeoutMs === undefined ? {} : { answerMs: options.timeoutMs }),
      },
      as: options.as,
      toolVersion: packageVersion(),
      ...(signal === undefined ? {} : { signal }),
      ...(onStderr === undefined ? {} : { onStderr: (line) => onStderr(line) }),
    });
    for (const line of unsteady) onNotice?.(line);
    return lockOf(offer);
  } finally {
    throwIfAborted(signal);
  }
}

function isRecorded(target: TargetOption | RecordedTarget): target is RecordedTarget {
  return typeof target === 'object' && 'recording' in target;
}
