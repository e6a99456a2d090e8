/** The error of aborted work for its caller. */
import { McpcError } from '../../core/model/errors.ts';

/** @throws McpcError interrupted, with the reason of the signal as its cause, once the signal was given */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new McpcError('interrupted', 'Interrupted.', { cause: signal.reason });
}
