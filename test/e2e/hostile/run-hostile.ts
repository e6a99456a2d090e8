/** Runs the built command line against one hostile server, and tells what it cost and what it left behind. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { connect } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HostileCase } from './case.ts';
import { freePort } from '../../support/free-port.ts';
import { processesWith, waitUntilGone } from './processes.ts';

const cli = fileURLToPath(new URL('../../../bin/mcpc.js', import.meta.url));
const meter = new URL('meter.mjs', import.meta.url).href;

export interface HostileRun {
  readonly exit: number | null;
  /** Stdout and stderr of mcpc. */
  readonly text: string;
  /** What the files that the case keeps hold now. */
  readonly kept: Readonly<Record<string, string>>;
  /** Peak resident memory of mcpc's own process. */
  readonly peakMb: number;
  /** Command lines of processes that were there five seconds after mcpc had ended (they are ended then), and names of its temporary files. */
  readonly orphans: readonly string[];
}

/** No check of a hostile server may take longer; mcpc is killed then, and its exit code is null. */
const mostMs = 240_000;
/** What mcpc has to end what it started. */
const orphanGraceMs = 5_000;

export async function runHostile(hostile: HostileCase): Promise<HostileRun> {
  const folder = mkdtempSync(path.join(tmpdir(), 'mcpc-hostile-'));
  const mark = randomUUID();
  try {
    const peakFile = path.join(folder, 'peak');
    const proxy = hostile.as === 'proxy' ? await startProxy(hostile, folder) : undefined;
    const { exit, text } = await runBehind(proxy, () =>
      runCli({ ...hostile, env: { ...hostile.env, ...proxy?.env } }, folder, mark, peakFile),
    );
    const orphans = await waitUntilGone(() => processesWith(mark, folder), orphanGraceMs);
    for (const { pid } of orphans) process.kill(pid, 'SIGKILL');
    const files = readdirSync(path.join(folder, 'tmp')).filter((name) => name.startsWith('mcpc-'));
    const kept = Object.fromEntries(
      Object.keys(hostile.keeps ?? {}).map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]),
    );
    return {
      exit,
      text,
      kept,
      peakMb: existsSync(peakFile) ? Number(readFileSync(peakFile, 'utf8')) : Infinity,
      orphans: [...orphans.map(({ command }) => command), ...files],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runBehind<T>(proxy: { stop(): Promise<void> } | undefined, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } finally {
    await proxy?.stop();
  }
}

/** Starts the script as a proxy, for mcpc and nobody else. */
async function startProxy(
  { id, behaves = id, script }: HostileCase,
  folder: string,
): Promise<{ env: Record<string, string>; stop(): Promise<void> }> {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL(`servers/${script}`, import.meta.url)), behaves, String(port)],
    { cwd: folder, stdio: 'ignore' },
  );
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  for (let listens = false; !listens; ) {
    if (child.exitCode !== null) throw new Error(`the proxy ${behaves} ended with code ${child.exitCode}`);
    listens = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () =>
        setTimeout(() => resolve(false), 25),
      );
      socket.once('connect', () => socket.destroy());
    });
  }
  const url = `http://127.0.0.1:${port}`;
  return {
    env: { HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: '', http_proxy: '', https_proxy: '', no_proxy: '' },
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The words behind `mcpc check`. */
function targetWords({ id, transport, script, url, as, behaves = id }: HostileCase, mark: string): string[] {
  if (as === 'proxy') return ['--transport', 'http', '--url', url!];
  const file = fileURLToPath(new URL(`servers/${script}`, import.meta.url));
  if (transport === 'stdio') return ['--', process.execPath, file, behaves, mark];
  const serve = ['--serve', `${process.execPath} ${file} ${behaves} {{port}} ${mark}`];
  return transport === 'http'
    ? [...serve, '--url', url ?? 'http://127.0.0.1:{{port}}/mcp']
    : ['--transport', 'sse', ...serve, '--url', 'http://127.0.0.1:{{port}}/sse'];
}

function runCli(
  hostile: HostileCase,
  folder: string,
  mark: string,
  peakFile: string,
): Promise<{ exit: number | null; text: string }> {
  const temporary = path.join(folder, 'tmp');
  mkdirSync(temporary);
  const words = ['--import', meter, cli, 'check', ...(hostile.flags ?? []), ...targetWords(hostile, mark)];
  const child = spawn(process.execPath, words, {
    cwd: folder,
    env: { ...process.env, TMPDIR: temporary, ...hostile.env, MCPC_TEST_PEAK: peakFile, MCPC_TEST_MARK: mark },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: mostMs,
    killSignal: 'SIGKILL',
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      // A report that floods the terminal is a fault of its own; the start shows it.
      if (text.length < 20_000_000) text += chunk;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exit) => resolve({ exit, text }));
  });
}
