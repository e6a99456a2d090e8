/** A server in a container: the process of its engine, with what removes the container when that does not end by itself. */
import { namedRun, releaseContainer, watchContainer } from './containers.ts';
import type { RunningServer } from './memory-server.ts';
import { startRecorded, type SpawnOptions } from './piped-child.ts';
import { groupAlive, signalGroup, unwatchGroup } from './process-registry.ts';

/**
 * @param options the command is an engine, `args` begin with `run`
 * @throws McpcError (target) when the engine cannot be started
 */
export async function startContainer(
  options: SpawnOptions,
  record: Parameters<typeof startRecorded>[1],
): Promise<RunningServer> {
  const { args, container } = namedRun(options.command, options.args ?? [], options.env ?? process.env);
  watchContainer(container);
  let forced = false;
  let released: Promise<void> | undefined;
  try {
    const { child, pid } = await startRecorded({ ...options, args }, record);
    child.once('exit', (_code, signal) => (forced ||= signal !== null));
    return {
      child,
      pid,
      group: {
        alive: () => groupAlive(pid),
        signal(signal) {
          forced = true;
          return signalGroup(pid, signal);
        },
        release() {
          unwatchGroup(pid);
          return (released ??= releaseContainer(container, forced));
        },
      },
    };
  } catch (error) {
    await releaseContainer(container, false);
    throw error;
  }
}
