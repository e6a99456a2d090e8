/** The names of capture formats, for commands. */
import {
  captureFormats,
  captureFormatOf as formatOf,
  type CaptureFormat,
} from '../../core/trace/importers/captured.ts';

export type { CaptureFormat };

export const knownFormats: readonly string[] = captureFormats;

/** @throws McpcError (usage) for a name that is no format */
export function captureFormatOf(name: string): CaptureFormat {
  return formatOf(name);
}
