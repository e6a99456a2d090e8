/** Options of an import. Shapes only. */
import type { TransportKind } from '../../core/model/trace.ts';
import type { CaptureFormat } from '../../core/trace/importers/captured.ts';

export interface ImportOptions {
  file: string;
  /** Found out when absent. */
  format?: CaptureFormat | undefined;
  outTrace?: string | undefined;
  outWire?: string | undefined;
  episodeId: string;
  testId?: string | undefined;
  prompt?: string | undefined;
  transport?: TransportKind | undefined;
  revision?: string | undefined;
  strictIds: boolean;
  keepSecrets: boolean;
  /** Also over files that mcpc did not write. */
  overwrite?: boolean;
  /** Milliseconds since 1970, for captures without times. */
  now: number;
}
