/**
 * Knows every process group that mcpc started and has not seen end, and kills them when mcpc itself goes; the watchdog
 * does where mcpc cannot. It must not decide when a process should end in the normal course of things.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { runMark } from './run-mark.ts';
import { startWatchdog, type Watchdog } from './watchdog.ts';

const groups = new Set<number>();
let hooked = false;

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let reported: ((pid: number, alive: boolean) => void) | undefined;
let watchdog: Watchdog | undefined;

/**
 * For a process or a thread that works for another one: reports every group that begins and ends to that one, which
 * keeps the watchdog.
 */
export function onGroupChange(listener: (pid: number, alive: boolean) => void): void {
  reported = listener;
}

/** Starts the watchdog, unless it runs or is another one's. What is started first has it at once. */
export function keepWatchdog(): Watchdog | undefined {
  if (reported === undefined) watchdog ??= startWatchdog(runMark());
  return watchdog;
}

/** Puts a group under watch; `pid` is its leader. */
export function watchGroup(pid: number): void {
  hook();
  groups.add(pid);
  reported?.(pid, true);
  keepWatchdog()?.add(pid);
}

/** The group has ended, or was ended. */
export function unwatchGroup(pid: number): void {
  if (!groups.delete(pid)) return;
  reported?.(pid, false);
  watchdog?.remove(pid);
}

/** The groups that are watched now. */
export function watchedGroups(): readonly number[] {
  return [...groups];
}

/** Sends a signal to all processes of a group. False when there is none left. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  if (process.platform === 'win32') {
    return (
      spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).status === 0
    );
  }
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    // EPERM: something is left that changed its user. It counts as alive, though it cannot be ended.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** True while a process of the group runs. Ended processes that were not waited for do not count. */
export function groupAlive(pid: number): boolean {
  if (process.platform === 'win32') return false;
  try {
    process.kill(-pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  // In a container without a reaping init, orphans stay as zombies forever; signals still "reach" them.
  const members = groupMembers(pid);
  return members === null || members.length > 0;
}

/** Ids of the running processes of a group; null if the system does not report them (anything but Linux). */
export function groupMembers(pid: number): number[] | null {
  if (process.platform !== 'linux') return null;
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return null;
  }
  const members: number[] = [];
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      // The name in parentheses may hold blanks and parentheses itself; state, parent and group follow it.
      const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(group) === pid && state !== 'Z' && state !== 'X') members.push(Number(name));
    } catch {
      // It ended while we looked.
    }
  }
  return members;
}

/** Kills all watched groups at once, synchronously. */
export function killAllGroups(): void {
  for (const pid of groups) signalGroup(pid, 'SIGKILL');
  groups.clear();
}

function hook(): void {
  if (hooked) return;
  hooked = true;
  process.on('exit', killAllGroups);
  for (const signal of endingSignals) {
    const onSignal = (): void => {
      // Another listener ends in its own way, and the exit hook does the rest.
      if (process.listenerCount(signal) > 1) return;
      killAllGroups();
      process.off(signal, onSignal);
      process.kill(process.pid, signal);
    };
    // First in line: a `once` listener of another module must still be counted here.
    process.prependListener(signal, onSignal);
  }
}
