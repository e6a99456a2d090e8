/**
 * Containers that mcpc has started. Each has a unique name, by which it is removed: when its server did not end with
 * its input, when mcpc ends, and by the watchdog when mcpc is killed. It starts none itself.
 */
import { randomBytes } from 'node:crypto';
import { spawn, spawnSync } from 'node:child_process';
import { keepWatchdog } from './process-registry.ts';

export interface Container {
  /** Program that starts and removes it: docker, podman. */
  engine: string;
  name: string;
  /** Environment of the engine. */
  env: NodeJS.ProcessEnv;
}

const running = new Set<Container>();
let hooked = false;
/** Longest wait for the engine to remove a container. */
const removeMs = 10_000;

/** The arguments of `run` with the name of a container. */
export function namedRun(
  engine: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): { args: string[]; container: Container } {
  const name = `mcpc-${process.pid}-${randomBytes(6).toString('hex')}`;
  return { args: ['run', '--name', name, ...args.slice(1)], container: { engine, name, env } };
}

/** From now on it goes with mcpc. */
export function watchContainer(container: Container): void {
  if (!hooked)
    process.on('exit', () =>
      running.forEach(({ engine, name, env }) =>
        spawnSync(engine, ['rm', '-f', name], { env, stdio: 'ignore', timeout: removeMs }),
      ),
    );
  hooked = true;
  running.add(container);
  keepWatchdog()?.addContainer(container.engine, container.name);
}

/**
 * Its server has ended.
 * @param forced it did not end by itself, so that the container may be there still
 */
export async function releaseContainer(container: Container, forced: boolean): Promise<void> {
  if (forced) await removed(container);
  running.delete(container);
  keepWatchdog()?.removeContainer(container.name);
}

function removed({ engine, name, env }: Container): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(engine, ['rm', '-f', name], { env, stdio: 'ignore', timeout: removeMs, windowsHide: true });
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
}
