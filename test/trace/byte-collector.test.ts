import { expect, test } from 'vitest';
import { createByteCollector } from '../../src/core/trace/byte-collector.ts';

test('chunks of any size are joined in order, and copied', () => {
  const all = Buffer.from(Array.from({ length: 5000 }, (_, index) => index % 256));
  const collector = createByteCollector();
  const chunk = Buffer.alloc(1);
  for (const byte of all.subarray(0, 3000)) {
    chunk[0] = byte;
    collector.push(chunk);
  }
  collector.push(all.subarray(3000));
  expect(collector.length).toBe(5000);
  expect(collector.take()).toEqual(all);
  expect(collector.length).toBe(0);
  expect(collector.take()).toHaveLength(0);
});

test('a byte that is held does not hold the buffer that it came in', () => {
  const collector = createByteCollector();
  // 64 KiB each, as they come from the network.
  for (let n = 0; n < 2000; n += 1) collector.push(Buffer.alloc(65_536).subarray(0, 1));
  expect(collector.take().buffer.byteLength).toBeLessThanOrEqual(Buffer.poolSize);
  expect(collector.length).toBe(0);
});
