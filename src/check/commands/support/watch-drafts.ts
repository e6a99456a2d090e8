/** Files that a command is still writing go when it is ended, even where it is too busy to remove them itself. */
import { onDraft } from '../../../files/output/draft.ts';
import { keepWatchdog } from '../../../client/transport/process/process-registry.ts';

export function watchDrafts(): void {
  onDraft((file) => keepWatchdog()?.addFile(file));
}
