/** Errors on their way from one thread to another, which keeps neither their class nor their members. */
import { McpcError, type ErrorStage } from '../../core/model/errors.ts';
import { asText } from '../../core/model/json.ts';

export interface ThrownError {
  message: string;
  stack?: string;
  /** Of an McpcError. */
  stage?: ErrorStage;
  remedy?: string;
}

export function describeError(error: unknown): ThrownError {
  const { message, stack } = error instanceof Error ? error : new Error(asText(error));
  const own = error instanceof McpcError ? { stage: error.stage, remedy: error.remedy } : {};
  return { message, stack, ...own };
}

/** The error as it was thrown; its stack is the one of the other thread. */
export function errorOf({ message, stack, stage, remedy }: ThrownError): Error {
  const error =
    stage === undefined ? new Error(message) : new McpcError(stage, message, remedy === undefined ? {} : { remedy });
  if (stack !== undefined) error.stack = stack;
  return error;
}
