/** A checker that was held up itself (suspended, or starved by other processes) reads what came meanwhile before it calls a server late. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createWaiter } from '../../src/client/peer/channels/waiter.ts';
import type { TraceEvent } from '../../src/core/model/trace.ts';

const event: TraceEvent = { seq: 1, t: 0, session: 's1', from: 'server', kind: 'message' };
const deadlineMs = 100;

/** Nothing of this process runs meanwhile. */
function holdUp(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Two ends of a connection within this process. */
async function connected(): Promise<{ near: Socket; far: Socket }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const arrival = once(server, 'connection') as Promise<[Socket]>;
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(near, 'connect');
  const [far] = await arrival;
  onTestFinished(() => {
    for (const end of [near, far]) end.destroy();
    server.close();
  });
  return { near, far };
}

test('what came while the checker did not run is no missing answer', async () => {
  const { near, far } = await connected();
  const waiter = createWaiter();
  near.on('data', () => waiter.notify(event));
  const found = waiter.wait(() => true, deadlineMs);
  far.write('an answer');
  holdUp(5 * deadlineMs);
  expect(await found).toBe(event);
});

test('what does not come is missed, also by a checker that was held up', async () => {
  const waiter = createWaiter();
  const found = waiter.wait(() => true, deadlineMs);
  holdUp(5 * deadlineMs);
  expect(await found).toBe(undefined);
});
