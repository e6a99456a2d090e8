/**
 * A process that outlives mcpc for a moment: it ends the process groups that mcpc started when mcpc is gone, in
 * whatever way (SIGKILL, out of memory, a crash). It is a shell that waits for the end of a pipe whose other end only
 * mcpc holds, so it costs neither time nor memory. POSIX only. It must not end anything while mcpc lives.
 */
import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { runFolderPrefixes } from './run-folders.ts';

export interface Watchdog {
  /** A group began; `pid` is its leader. */
  add(pid: number): void;
  /** It has ended, or was ended. */
  remove(pid: number): void;
  /** A container began, which its engine (a program in PATH) removes by its name. */
  addContainer(engine: string, name: string): void;
  removeContainer(name: string): void;
  /** A file that is to go with mcpc was begun; its absolute path, which nothing else will ever have. */
  addFile(path: string): void;
}

/**
 * Reads lines "+PID", "-PID", "=FILE", "@ENGINE NAME" and "~NAME". At the end of its input it sends SIGTERM to the
 * remaining groups and to all processes with the mark ($1), and SIGKILL to the survivors a second later. It removes the
 * temporary folders whose paths begin with $2 or $3, and the files. The signals that end a terminal's processes are
 * ignored, since what they mean is for mcpc to say.
 */
const script = `
trap '' HUP INT QUIT TERM PIPE
mark=$1 own=$2 parts=$3
groups=
files=
containers=
while IFS= read -r line; do
  case $line in =*) files="$files\${line#=}
"; continue;;
  @*) containers="$containers\${line#@}
"; continue;;
  "~"*) containers=$(printf '%s' "$containers" | grep -v " \${line#?}$"; printf x); containers=\${containers%x}; continue;;
  esac
  pid=\${line#?}
  case $pid in ''|*[!0-9]*) continue;; esac
  case $line in
    +*) groups="$groups $pid";;
    -*) kept=; for one in $groups; do [ "$one" = "$pid" ] || kept="$kept $one"; done; groups=$kept;;
  esac
done
if printf 'a\\000b\\n' | grep -qaF b 2>/dev/null; then quick=1; else quick=; fi
environs() {
  if [ -n "$quick" ]; then grep -lsaF "$mark" /proc/[0-9]*/environ 2>/dev/null; return; fi
  for file in /proc/[0-9]*/environ; do
    if tr '\\000' '\\n' 2>/dev/null <"$file" | grep -qF "$mark"; then echo "$file"; fi
  done
}
marked() {
  [ -r /proc/self/environ ] || return 0
  for file in $(environs); do pid=\${file#/proc/}; echo "\${pid%/environ}"; done
}
end() {
  for one in $groups; do kill -s "$1" -- "-$one"; done
  for one in $(marked); do kill -s "$1" "$one"; done
}
left() {
  for one in $groups; do if kill -s 0 -- "-$one"; then return 0; fi; done
  [ -n "$(marked)" ]
}
exec 2>/dev/null
printf '%s' "$files" | while IFS= read -r one; do rm -f -- "$one"; done
trap 'rm -rf -- "\${own:?}"* "\${parts:?}"*' EXIT
printf '%s' "$containers" | while read -r engine name; do "$engine" rm -f "$name" >/dev/null </dev/null & done
end TERM
for turn in 1 2 3 4 5 6 7 8 9 10; do
  left || exit 0
  sleep 0.1 || sleep 1
done
for turn in 1 2 3; do
  end KILL
  sleep 0.1 || sleep 1
  left || exit 0
done
`;

/** @param mark what the environment of all that mcpc starts holds */
export function startWatchdog(mark: string): Watchdog {
  if (process.platform === 'win32')
    return { add: () => {}, remove: () => {}, addContainer: () => {}, removeContainer: () => {}, addFile: () => {} };
  const child = spawn('/bin/sh', ['-c', script, 'mcpc-watchdog', mark, ...runFolderPrefixes(mark)], {
    cwd: '/',
    // A session of its own: Ctrl-C in a terminal does not reach it.
    detached: true,
    // Without the mark, also that of an mcpc around this one.
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', ...engineEnv() },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // A system without a shell has no watchdog; mcpc ends what it started by itself wherever it can.
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.unref();
  (child.stdin as Socket).unref();
  const report = (line: string): void => void (child.stdin.writable && child.stdin.write(`${line}\n`));
  return {
    add: (pid) => report(`+${pid}`),
    remove: (pid) => report(`-${pid}`),
    addContainer: (engine, name) => report(`@${engine} ${name}`),
    removeContainer: (name) => report(`~${name}`),
    addFile: (path) => void (path.includes('\n') || report(`=${path}`)),
  };
}

/** Environment for reaching container engines as from here. */
function engineEnv(): Record<string, string> {
  const names = ['HOME', 'DOCKER_HOST', 'DOCKER_CONTEXT', 'DOCKER_CONFIG', 'CONTAINER_HOST', 'XDG_RUNTIME_DIR'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
