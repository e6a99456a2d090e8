/**
 * Connection, names and shapes that both ends of a fleet queue share. BullMQ and ioredis are optional: they are loaded
 * here, and only when a queue is asked for.
 */
import type { Redis } from 'ioredis';
import { McpcError, usageError } from '../../core/model/errors.ts';
import type { FleetServer } from '../../core/model/reports/fleet.ts';
import type { CheckTask } from '../run/messages.ts';

export const queueName = 'mcpc-fleet';

/** A check as it lies in the queue. The entry is unresolved: variables are put in where it is run. */
export interface QueuedCheck {
  format: 1;
  /** Name of the run. */
  run: string;
  /** Digest of the rule set by which the run judges. */
  ruleSet: string;
  task: Omit<CheckTask, 'folder' | 'toolVersion' | 'open'> & { open?: { allowScripts?: boolean } };
}

/** Result of a worker; the files are in separate lists of chunks. */
export interface QueuedResult {
  server: FleetServer;
  files: SentFile[];
}

export interface SentFile {
  name: 'report.json' | 'trace.jsonl' | 'suite.json';
  /** Name of the list in Redis. */
  key: string;
  chunks: number;
}

export interface QueueLink {
  bullmq: typeof import('bullmq');
  redis: Redis;
  close(): Promise<void>;
}

/** Attempts at the first connection. */
const mostTries = 4;

/**
 * @throws McpcError usage when the packages are not installed, the address is none, or nothing answers there
 */
export async function openQueueLink(url: string): Promise<QueueLink> {
  const shown = shownUrl(url);
  const { bullmq, ioredis } = await loadPackages();
  let connected = false;
  const redis = new ioredis.Redis(url, {
    maxRetriesPerRequest: null,
    lazyConnect: true,
    // A known queue will come back; one that never existed is a mistake.
    retryStrategy: (times) => (connected || times < mostTries ? Math.min(times * 200, 5_000) : null),
  });
  let last: Error | undefined;
  redis.on('error', (error: Error) => (last = error));
  try {
    await redis.connect();
    await redis.ping();
    connected = true;
  } catch (error) {
    redis.disconnect();
    const why = (last ?? (error as Error)).message;
    throw usageError(
      `The queue ${shown} cannot be reached: ${why.replaceAll(url, shown)}`,
      'Check the address, and that a Redis server of version 5 or newer runs there.',
      error,
    );
  }
  return {
    bullmq,
    redis,
    async close() {
      await redis.quit().catch(() => redis.disconnect());
    },
  };
}

async function loadPackages(): Promise<{
  bullmq: typeof import('bullmq');
  ioredis: Pick<typeof import('ioredis'), 'Redis'>;
}> {
  try {
    const [bullmq, ioredis] = await Promise.all([import('bullmq'), import('ioredis')]);
    return { bullmq, ioredis };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND')
      throw new McpcError('internal', `The package of the queue cannot be loaded: ${(error as Error).message}`, {
        cause: error,
      });
    throw usageError(
      'A queue needs the packages bullmq and ioredis, which are not installed.',
      'Install them next to mcpc: npm install bullmq ioredis (with -g where mcpc is installed so).',
      error,
    );
  }
}

/** The address without its password. @throws McpcError usage when it is none of Redis */
function shownUrl(url: string): string {
  try {
    const parsed = new URL(url);
    if (parsed.protocol === 'redis:' || parsed.protocol === 'rediss:')
      return `${parsed.protocol}//${parsed.host}${parsed.pathname === '/' ? '' : parsed.pathname}`;
  } catch {
    // Reported below, without the address, which may contain a password.
  }
  throw usageError(
    '--queue takes the address of a Redis server.',
    'For example redis://127.0.0.1:6379, or rediss:// with TLS.',
  );
}

/** Name of a check in the queue: the same check of the same run is there once. */
export function jobIdOf(run: string, id: string, digest: string): string {
  return `${run}.${digest}.${id}`;
}
