/** Drift in the conversation of a client and a server: a line for each change. */
import { failingClasses } from '../../core/drift/failing-classes.ts';
import { createDriftWatch, type DriftWatch } from '../../core/drift/watch.ts';
import { withTexts, type JsonObject } from '../../core/model/json.ts';
import { createRedactor } from '../../core/trace/redaction/redact.ts';
import { lockedServer, readLock } from '../../files/locks/lock-file.ts';
import { changeLine } from '../../report/drift/drift-text.ts';

export interface LiveDrift {
  watch: DriftWatch;
  block: boolean;
  /** True once a change of a class that fails was seen. */
  failed(): boolean;
}

/** @throws McpcError usage for a lock that is not valid, or holds several servers and none of the name */
export function openLiveDrift(options: {
  path: string;
  lockName: string | undefined;
  failOn: string;
  block: boolean;
  talk: (line: string) => void;
}): LiveDrift {
  const { path, lockName, block, talk } = options;
  const failsOn = failingClasses(options.failOn, '--drift-fail-on');
  const { server } = lockedServer(readLock(path), path, lockName);
  // A lock is written without what looks like a secret.
  const redactor = createRedactor({});
  let isFailed = false;
  const watch = createDriftWatch({
    before: server,
    failsOn,
    onChange(change) {
      isFailed ||= failsOn.includes(change.class);
      talk(`[mcpc] drift: ${change.class}: ${changeLine(change)}`);
    },
    clean: (value) => withTexts(value, (text) => redactor.text(text)) as JsonObject,
  });
  return { watch, block, failed: () => isFailed };
}
