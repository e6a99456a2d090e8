/** A Redis server of its own for a test: on a free port of the loopback address, in memory only. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from './free-port.ts';

/** @throws Error that says what to install */
export function findRedis(): string {
  const found = spawnSync('redis-server', ['--version'], { encoding: 'utf8' });
  if (found.status !== 0)
    throw new Error('The tests of the queue need redis-server. On Debian: apt-get install redis-server.');
  return found.stdout.trim();
}

export interface RunningRedis {
  url: string;
  /** One command, answered by lines of text. */
  ask(...words: string[]): string[];
  close(): Promise<void>;
}

export async function startRedis(): Promise<RunningRedis> {
  findRedis();
  const folder = mkdtempSync(path.join(tmpdir(), 'mcpc-redis-'));
  const port = await freePort();
  const child = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'],
    { stdio: 'ignore' },
  );
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    ask: (...words) =>
      spawnSync('redis-cli', ['-p', String(port), ...words], { encoding: 'utf8' })
        .stdout.split('\n')
        .filter((line) => line !== ''),
    async close() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
