/** The row of one setting. */
import type { SettingFlags } from './flags.ts';
import type { Kind } from './kinds.ts';

/** One setting. */
export interface Row {
  kind: Kind<unknown, unknown>;
  /** Sentence for editors, in the schema; that of the definition it refers to when absent. */
  says?: string;
  /** Sentence for generated/FLEET.md; links are those of docs/fleet.md. */
  docs: string;
  /** The servers that it has a meaning for; all when absent. A fleet file refuses it for others. */
  servers?: 'started' | 'addressed' | 'packages';
  /** Schema for a single server, where it differs from that of defaults and includes. */
  ofOneServer?: object;
  /** Its property in the file, where that is not the name of the row at the top. */
  file?: { in: 'timeouts'; name: string };
  /** Its property in an entry, where that is not the name of the row at the top; false for none. */
  entry?: { in?: 'timeouts' | 'network'; name?: string } | false;
  /** Value of entries without one. */
  usual?: unknown;
  /** A layer that has this other setting drops the value of the layers before. */
  droppedBy?: string;
  /** Values to redact. */
  secrets?(value: never): string[];
  /** `fleet list --json` prints it, as it is or in this form. */
  list?: true | ((value: never) => unknown);
  /** A check takes it as it is, as the option of the same name. */
  option?: true;
  /** The flag that sets it, and the commands that have it. */
  flags?: SettingFlags;
  /** Commands with the flag that get it from a project file. */
  line?: 'all' | 'all but suites' | 'check';
}
