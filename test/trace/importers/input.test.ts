/** What captures may be wrapped in, how their format is found, and what is said of files that are broken. */
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { importCapture } from '../../../src/check/capture/import-capture.ts';
import { writeTogether, type OutputFile } from '../../../src/files/output/output.ts';
import { answer, call, envelope, imported, refusal, rows } from './harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'mcpc-input-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const lines = rows(call(1, 'wörld'), answer(1, { ok: 'ü' }));
const document = JSON.stringify(
  envelope('streamable-http', [{ request: call(1, 'wörld') }, { response: answer(1, { ok: 'ü' }) }]),
);
const big = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const mark = '\uFEFF';

const wrappings: [string, (text: string) => Buffer][] = [
  ['as it is', (text) => Buffer.from(text)],
  ['CRLF', (text) => Buffer.from(text.replaceAll('\n', '\r\n'))],
  ['a byte order mark', (text) => Buffer.from(mark + text)],
  ['UTF-16LE with a mark', (text) => Buffer.from(mark + text, 'utf16le')],
  ['UTF-16LE without one', (text) => Buffer.from(text, 'utf16le')],
  ['UTF-16BE with a mark', (text) => big(mark + text)],
  ['UTF-16BE without one', (text) => big(text)],
  ['gzip', (text) => gzipSync(text)],
  ['gzip in two members', (text) => Buffer.concat([gzipSync(text.slice(0, 50)), gzipSync(text.slice(50))])],
  ['gzip of UTF-16', (text) => gzipSync(Buffer.from(mark + text, 'utf16le'))],
];

describe('wrappings', () => {
  test.each(wrappings)('%s', async (_title, wrap) => {
    for (const text of [lines, document]) {
      const { calls } = await imported(wrap(text), undefined);
      expect(calls).toEqual([expect.objectContaining({ tool_name: 'wörld', result: { ok: 'ü' } })]);
    }
  });

  test('two files one behind the other, each with a mark', async () => {
    const { calls } = await imported(`${mark}${lines}\n${mark}${rows(call(2), answer(2))}\n`, 'jsonrpc');
    expect(calls).toHaveLength(2);
  });

  test('a line longer than a piece of the file', async () => {
    const text = 'x'.repeat(700_000);
    expect((await imported(rows(call(1, 'a', { text }), answer(1)), undefined)).calls[0]!.args.text).toHaveLength(
      700_000,
    );
  });
});

describe('broken files', () => {
  test.each<[string, Buffer | string, 'jsonrpc' | 'inspector' | 'streamable-http' | 'har' | undefined, RegExp]>([
    [
      'a document that was cut off',
      document.slice(0, -5),
      'streamable-http',
      /invalid streamable-http transcript: .*JSON/,
    ],
    ['a document that was cut off, of no named format', document.slice(0, -5), undefined, /invalid capture: /],
    ['gzip that was cut off', gzipSync(lines).subarray(0, -12), 'jsonrpc', /is gzip that was cut off/],
    [
      'damaged gzip',
      Buffer.concat([Buffer.from([0x1f, 0x8b, 9]), gzipSync(lines).subarray(3)]),
      'jsonrpc',
      /is damaged gzip/,
    ],
    ['two documents', document + document, 'streamable-http', /invalid streamable-http transcript/],
    ['other bytes', Buffer.from([0x80, 0x81, 0xff, 0xfe, 0x99]), 'jsonrpc', /is no text in UTF-8/],
    ['Latin-1', Buffer.from(lines, 'latin1'), 'jsonrpc', /is no text in UTF-8/],
    ['an empty document', '', 'inspector', /the file is empty/],
    ['an empty file of no named format', '', undefined, /the file is empty/],
    ['JSON of no format', '{\n"a": 1\n}', undefined, /the format of the capture is none that mcpc knows/],
    ['a pretty message', JSON.stringify(call(1), null, 2), undefined, /one JSON-RPC message over several lines/],
    ['no HAR', '{"log":{}}', 'har', /invalid HAR/],
  ])('%s', async (_title, input, format, text) => {
    expect(await refusal(input, format)).toMatch(text);
  });

  test('a file that is not there', async () => {
    expect(await refusal(lines, 'jsonrpc', { outTrace: join(folder, 'nowhere', 'out') })).toContain(
      'there is no folder',
    );
  });
});

describe('formats that nobody named', () => {
  test.each<[string, unknown, string]>([
    ['lines', lines, 'jsonrpc'],
    ['one line', JSON.stringify(call(1)), 'jsonrpc'],
    ['a list', [call(1)], 'inspector'],
    ['a list over several lines', JSON.stringify([call(1)], null, 2), 'inspector'],
    ['events', { events: [call(1)] }, 'inspector'],
    ['an envelope', document, 'streamable-http'],
    [
      'an envelope over several lines, its transport at the end',
      JSON.stringify({ entries: [], transport: 'http-sse' }, null, 1),
      'http-sse',
    ],
    ['a HAR', { log: { entries: [] } }, 'har'],
  ])('%s', async (_title, input, format) => {
    expect((await imported(input, undefined)).result.format).toBe(format);
  });
});

describe('files that belong together', () => {
  test('are all there, or none of them', async () => {
    const inner = mkdtempSync(join(folder, 'together-'));
    const put = (text: string) => (path: string) => writeFileSync(path, text);
    const to = (name: string): OutputFile => ({ path: join(inner, name), what: 'the text', replaces: 'anything' });
    writeFileSync(join(inner, 'a'), 'old');
    const fail = (): void => {
      throw new Error('disk full');
    };
    await expect(
      writeTogether([
        { ...to('a'), write: put('new') },
        { ...to('b'), write: fail },
      ]),
    ).rejects.toThrow('disk full');
    expect(readdirSync(inner)).toEqual(['a']);
    await writeTogether([
      { ...to('a'), write: put('new') },
      { ...to('b'), write: put('b') },
    ]);
    expect(readdirSync(inner)).toEqual(['a', 'b']);
    await expect(writeTogether([{ ...to('.'), write: put('x') }])).rejects.toThrow('it is a folder');
  });

  test('an output never replaces the capture, nor the other output', async () => {
    const file = join(folder, 'same');
    writeFileSync(file, lines);
    const options = { file, episodeId: 'e', strictIds: false, keepSecrets: false, now: 1 };
    await expect(importCapture({ ...options, outTrace: file })).rejects.toThrow('would overwrite the capture');
    await expect(
      importCapture({ ...options, outTrace: join(folder, 'x'), outWire: join(folder, 'x') }),
    ).rejects.toThrow('name the same file');
    expect(readFileSync(file, 'utf8')).toBe(lines);
  });
});
