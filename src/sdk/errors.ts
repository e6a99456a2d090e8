/** Errors of the SDK. Each has the frame that caused it, where one did. */
import type { Frame } from './protocol.ts';

/** Base class of all of them; also an error of the protocol without its own class, such as invalid params. */
export class CoprocessError extends Error {
  override name = 'CoprocessError';
  /** The response, or undefined where none came. */
  readonly frame: Frame | undefined;

  constructor(message: string, frame?: Frame, options?: ErrorOptions) {
    super(message, options);
    this.frame = frame;
  }

  /** Code of the error in the frame. */
  get code(): number | undefined {
    return (this.frame?.['error'] as { code?: number } | undefined)?.code;
  }

  /** Data of the error in the frame. */
  get data(): unknown {
    return (this.frame?.['error'] as { data?: unknown } | undefined)?.data;
  }
}

/** The binary speaks another version of the protocol; the message says which side to upgrade. */
export class VersionMismatch extends CoprocessError {
  override name = 'VersionMismatch';
}

/** The binary sent what the protocol does not have: an unknown property, a line that is no response. */
export class ContractDrift extends CoprocessError {
  override name = 'ContractDrift';
}

/** The server under test answered with an error, or not in time (-32000). */
export class UpstreamError extends CoprocessError {
  override name = 'UpstreamError';
}

/** The connection to the server under test is over (-32001); every further call fails in the same way. */
export class UpstreamGone extends CoprocessError {
  override name = 'UpstreamGone';
}

/** The coprocess could not be started, or ended before it answered. */
export class CoprocessDied extends CoprocessError {
  override name = 'CoprocessDied';
}

/** A request was not answered within the deadline of its caller. */
export class DeadlineExceeded extends CoprocessError {
  override name = 'DeadlineExceeded';
}
