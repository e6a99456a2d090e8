import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { McpcError } from '../../src/core/model/errors.ts';
import type { EventInput, TraceEvent, TraceHeader } from '../../src/core/model/trace.ts';
import { eventKinds } from '../../src/core/model/trace.ts';
import { readTrace } from '../../src/files/traces/jsonl-reader.ts';
import type { TraceReading } from '../../src/files/traces/jsonl-reader.ts';
import { createJsonlWriter } from '../../src/files/traces/jsonl-writer.ts';
import { createRecorder } from '../../src/core/trace/recorder.ts';

let folder = '';
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpc-trace-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const fresh = (): string => join(folder, `trace-${(files += 1)}.jsonl`);
const header: TraceHeader = {
  format: 'mcpc-trace',
  version: 1,
  origin: 'live',
  transport: 'http',
  revision: '2025-06-18',
  house: { own: 1 },
};

const inputs: EventInput[] = [
  { session: 's1', from: 'harness', kind: 'spawn', detail: { command: 'node' } },
  {
    session: 's1',
    from: 'client',
    kind: 'http-request',
    exchange: 's1.x1',
    http: { method: 'POST', path: '/mcp', headers: { a: ['1', '2'], b: 'x' } },
  },
  {
    session: 's1',
    from: 'server',
    kind: 'message',
    exchange: 's1.x1',
    message: { id: 1, ünï: '\u2028\ud83d\ude00\n', ['__proto__']: 1 },
    sse: { id: '', event: 'message', retry: 1 },
  },
  { session: 's1', from: 'server', kind: 'unparsable', raw: 'not\tJSON', invalidUtf8: true },
  { session: 's1', from: 'harness', kind: 'exit', exit: { code: null, signal: 'SIGTERM' }, reason: 'x' },
];

async function write(
  path: string,
  end?: { complete: boolean; reason?: string },
  events = inputs,
): Promise<readonly TraceEvent[]> {
  const recorder = createRecorder({ keep: true });
  const writer = createJsonlWriter(path);
  recorder.writeTo(writer);
  for (const event of events.slice(0, 2)) recorder.sink(event);
  recorder.setHeader(header);
  for (const event of events.slice(2)) recorder.sink(event);
  if (end) recorder.finish(end);
  await writer.close();
  await writer.close();
  return recorder.events;
}

test('the header is in the file at once, and events when they are asked for, however busy the thread is', async () => {
  const path = fresh();
  const writer = createJsonlWriter(path);
  writer.header(header);
  const lines = (): number => readFileSync(path, 'utf8').split('\n').length - 1;
  expect(lines()).toBe(1);
  writer.event({ seq: 1, t: 0, ...inputs[0]! });
  expect(lines()).toBe(1);
  writer.flush();
  expect(lines()).toBe(2);
  await writer.close();
});

async function all(reading: TraceReading): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  for await (const event of reading.events) events.push(event);
  return events;
}

test('what was written is read again, plain and gzip, whole and byte by byte', async () => {
  const path = fresh();
  const events = await write(path, { complete: true });
  const bytes = readFileSync(path);
  const zipped = `${path}.gz`;
  writeFileSync(zipped, gzipSync(bytes));
  const drops = (data: Buffer): Readable => Readable.from(Array.from(data, (byte) => Buffer.from([byte])));
  for (const source of [path, zipped, drops(bytes), drops(gzipSync(bytes))]) {
    const reading = await readTrace(source);
    expect(reading.header).toEqual(header);
    expect(await all(reading)).toEqual(events);
    expect(reading.footer()).toEqual({ footer: true, events: events.length, complete: true });
  }
});

test('the file belongs to its owner alone, also when it was there before', async () => {
  const path = fresh();
  writeFileSync(path, 'old '.repeat(1000));
  chmodSync(path, 0o644);
  await write(path);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, 'utf8')).not.toContain('old');
});

test('events reach the file while the run goes on', async () => {
  const path = fresh();
  const writer = createJsonlWriter(path);
  writer.header(header);
  writer.event({ seq: 1, t: 0, session: 's1', from: 'harness', kind: 'spawn' });
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(2);
  await writer.close();
  const reading = await readTrace(path);
  expect(await all(reading)).toHaveLength(1);
  expect(reading.footer()).toBeUndefined();
});

test('a trace that was cut off anywhere gives its whole events and no footer', async () => {
  const path = fresh();
  const events = await write(path, { complete: true });
  const bytes = readFileSync(path);
  const headerEnd = bytes.indexOf('\n') + 1;
  for (const zip of [false, true]) {
    for (let length = headerEnd; length < bytes.length - 1; length += zip ? 37 : 1) {
      const cut = fresh();
      if (zip) {
        const zipped = gzipSync(bytes, { level: 0 });
        writeFileSync(cut, zipped.subarray(0, zipped.length - (bytes.length - length) - 8));
      } else writeFileSync(cut, bytes.subarray(0, length));
      const reading = await readTrace(cut);
      const got = await all(reading);
      expect(got).toEqual(events.slice(0, got.length));
      expect(reading.footer()).toBeUndefined();
    }
  }
  truncateSync(path, bytes.length - 1);
  const whole = await readTrace(path);
  await all(whole);
  expect(whole.footer()?.complete).toBe(true);
});

test('numbers that JSON cannot write back are taken from the raw text', async () => {
  const path = fresh();
  const raw = '{"progress":1e999,"low":-0}';
  await write(path, { complete: true }, [
    { session: 's1', from: 'server', kind: 'message', message: JSON.parse(raw), raw },
  ]);
  const [event] = await all(await readTrace(path));
  expect(event?.message).toEqual({ progress: Number.POSITIVE_INFINITY, low: -0 });
});

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
const event = (seq: number, more: object = {}): string =>
  line({ seq, t: 0, session: 's1', from: 'server', kind: 'message', message: 1, ...more });

test.each([
  ['', ':1:', /empty/],
  ['hello\n', ':1:', /no JSON/],
  ['{"format":"har"}\n', ':1:', /no mcpc trace/],
  [line({ ...header, version: 2 }), ':1:', /version 2/],
  [line({ ...header, transport: 'carrier pigeon' }), ':1:', /"transport"/],
  [`${line(header)}${event(1)}\n{broken}\n${event(2)}`, ':4:', /no JSON/],
  [line(header) + event(2), ':2:', /event 2 is in the place of event 1/],
  [line(header) + event(1) + event(3), ':3:', /event 3/],
  [line(header) + event(1, { kind: 'dream' }), ':2:', /"kind"/],
  [line(header) + event(1, { from: 'me' }), ':2:', /"from"/],
  [line(header) + event(1, { session: undefined }), ':2:', /"session" is missing/],
  [line(header) + event(1, { http: 5 }), ':2:', /"http"/],
  [line(header) + event(1, { http: { headers: { a: 1 } } }), ':2:', /"http"/],
  [line(header) + event(1, { sse: { id: 1 } }), ':2:', /"sse"/],
  [`${line(header)}[]\n`, ':2:', /object/],
  [line(header) + event(1) + line({ footer: true, events: 7, complete: true }), ':3:', /counts 7/],
  [line(header) + event(1) + line({ footer: true, events: 1, complete: true }) + event(2), ':4:', /after the footer/],
  [line(header) + line({ footer: true, events: 0 }), ':2:', /"complete"/],
  [`${line(header)}${'x'.repeat(3000)}\n`, ':2:', /longer than 2000/],
])('a wrong file is told by name and line: %#', async (text, place, message) => {
  const path = fresh();
  writeFileSync(path, text);
  const failed = (async () => all(await readTrace(path, { maxLineLength: 2000 })))();
  await expect(failed).rejects.toBeInstanceOf(McpcError);
  await expect(failed).rejects.toMatchObject({ stage: 'usage', message: expect.stringContaining(path + place) });
  await expect(failed).rejects.toThrow(message);
});

test('files that cannot be opened are errors of usage', async () => {
  await expect(readTrace(join(folder, 'missing.jsonl'))).rejects.toMatchObject({
    stage: 'usage',
    message: expect.stringContaining('missing.jsonl'),
  });
  await expect(readTrace(folder)).rejects.toMatchObject({ stage: 'usage' });
  writeFileSync(join(folder, 'file'), '');
  expect(() => createJsonlWriter(join(folder, 'file', 'place.jsonl'))).toThrow(McpcError);
});

test.runIf(process.platform === 'linux')('a full disk does not disturb the run, and is told at the end', async () => {
  const writer = createJsonlWriter('/dev/full');
  writer.header(header);
  for (let seq = 1; seq < 5000; seq += 1)
    writer.event({ seq, t: 0, session: 's1', from: 'server', kind: 'stderr', raw: 'x'.repeat(50) });
  await expect(writer.close()).rejects.toMatchObject({ stage: 'usage', message: expect.stringContaining('ENOSPC') });
});

test('events are read again from their places, whatever stands between them', async () => {
  const lines = Array.from(
    { length: 3000 },
    (_, index) =>
      `${index % 7 === 0 ? '\n  \r\n' : ''}${event(index + 1, { message: { at: index, text: 'ünï 😀 '.repeat(index % 40) } })}`,
  );
  const text = line(header) + lines.join('') + line({ footer: true, events: 3000, complete: true });
  const plain = fresh();
  writeFileSync(plain, text);
  const zipped = `${plain}.gz`;
  writeFileSync(zipped, gzipSync(text));
  for (const path of [plain, zipped]) {
    const reading = await readTrace(path);
    const events = await all(reading);
    for (const seqs of [
      [],
      [1],
      [3000],
      [0, 1, 2, 1500, 1501, 2999, 4000],
      Array.from({ length: 60 }, (_, index) => 3000 - index * 50),
    ]) {
      expect(await reading.again(new Set(seqs))).toEqual(events.filter(({ seq }) => seqs.includes(seq)));
    }
  }
  const reading = await readTrace(plain);
  await all(reading);
  writeFileSync(plain, text.replace(event(1400, { message: { at: 1399, text: 'ünï 😀 '.repeat(1399 % 40) } }), ''));
  await expect(reading.again(new Set([2000]))).rejects.toMatchObject({
    stage: 'usage',
    message: expect.stringContaining('read before'),
  });
});

test('a long trace is read as a stream: the first event is there before the last is written', async () => {
  const source = new Readable({ read() {} });
  source.push(line(header) + event(1));
  const reading = await readTrace(source);
  const events = reading.events[Symbol.asyncIterator]();
  expect((await events.next()).value).toMatchObject({ seq: 1 });
  source.push(event(2));
  expect((await events.next()).value).toMatchObject({ seq: 2 });
  source.push(null);
  expect((await events.next()).done).toBe(true);
});

test('reading may stop early', async () => {
  const path = fresh();
  await write(path, { complete: true });
  const reading = await readTrace(path);
  for await (const one of reading.events) {
    expect(one.seq).toBe(1);
    break;
  }
  reading.close();
});

test('the JSON Schema takes what is written and refuses what the reader refuses', async () => {
  const schema = JSON.parse(
    readFileSync(new URL('../../rules/language/trace.schema.json', import.meta.url), 'utf8'),
  ) as { definitions: { event: { properties: { kind: { enum: string[] } } } } };
  const valid = new Ajv({ allowUnionTypes: true }).compile(schema);
  expect(schema.definitions.event.properties.kind.enum).toEqual([...eventKinds]);
  const path = fresh();
  await write(path, { complete: false, reason: 'r' });
  for (const text of readFileSync(path, 'utf8').trimEnd().split('\n')) expect(valid(JSON.parse(text)), text).toBe(true);
  for (const more of [{ kind: 'dream' }, { from: 'me' }, { http: { headers: { a: 1 } } }, { seq: 0 }])
    expect(valid(JSON.parse(event(1, more)))).toBe(false);
});

test('folders on the way to a trace are made, as for a report', async () => {
  const file = join(folder, 'reports/today/run.trace.jsonl');
  const writer = createJsonlWriter(file);
  writer.header(header);
  await writer.close();
  expect(readFileSync(file, 'utf8')).toContain('"mcpc-trace"');
});
