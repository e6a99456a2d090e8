/** stdio as the reference client speaks it: it starts its server, and ends it by closing stdin. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { pause, textOf, type Channel } from './http.ts';
import type { Seams } from './seams.ts';

/** How long a server is given to end behind the end of stdin, and behind SIGTERM, milliseconds. */
const patienceMs = 3_000;
/** How long a client that minds stderr looks for something there before it writes. */
const noiseMs = 150;

export function openStdio({
  command: [command = '', ...args],
  seams,
  take,
}: {
  command: readonly string[];
  seams: Seams;
  take: (message: unknown) => void;
}): Channel {
  const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let isNoisy = false;
  let isClosing = false;
  server.stderr.on('data', () => (isNoisy = true));
  const exited = new Promise<void>((resolve) => {
    server.once('exit', () => resolve());
    server.once('error', () => resolve());
  });
  server.stdin.on('error', () => {});
  createInterface({ input: server.stdout }).on('line', (line) => {
    try {
      take(JSON.parse(line));
    } catch {
      // Not a message.
    }
  });
  const isOver = (ms: number): Promise<boolean> =>
    Promise.race([
      exited.then(() => true),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(false), ms).unref()),
    ]);
  return {
    async send(sending, about) {
      const { raw } = sending;
      if (!seams.keeps('overlook-stderr')) {
        await pause(noiseMs);
        if (isNoisy) throw new Error('the server wrote to stderr');
      }
      const text = Buffer.from(textOf(sending), raw?.encoding ?? 'utf8');
      server.stdin.write(Buffer.concat([text, Buffer.from(raw?.end ?? '\n')]));
      if (about.posted !== 'request') return 'done';
      // An answer comes first, unless the server ends.
      await exited;
      if (isClosing) return 'done';
      if (!seams.keeps('restart-servers')) throw new Error('the server has ended');
      return 'lost';
    },
    async close() {
      isClosing = true;
      if (!seams.keeps('close-stdin-first')) {
        server.kill('SIGKILL');
        await exited;
        // So that the run sees it before it hears that the client is gone.
        await pause(400);
      }
      server.stdin.end();
      if (await isOver(patienceMs)) return;
      if (seams.keeps('terminate-first')) {
        server.kill('SIGTERM');
        if (await isOver(patienceMs)) return;
      }
      if (!seams.keeps('kill-at-last')) return;
      server.kill('SIGKILL');
      await exited;
    },
  };
}
