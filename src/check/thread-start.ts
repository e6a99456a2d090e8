/** The way into every thread of mcpc: what is loaded behind this is compiled once for many starts. Built as dist/thread.js. */
import { workerData } from 'node:worker_threads';
import { keepCompiledCode } from '../files/output/compile-cache.ts';
import type { ThreadData } from './threads/host.ts';

keepCompiledCode();
void ((workerData as ThreadData).job === 'check'
  ? import('./check-thread/thread.ts')
  : import('./intercept-thread/thread.ts'));
