/** A recording as the server: what each request gets, what is missing, faults, and broken files. */
import { describe, expect, test } from 'vitest';
import { McpcError } from '../../src/core/model/errors.ts';
import { parseFault } from '../../src/replay/faults.ts';
import { Workspace } from '../cli/harness.ts';
import { mutated, randomOf } from '../files/mutated-files.ts';
import { everything } from '../support/run/options.ts';
import { formatExamples } from '../trace/importers/format-examples.ts';
import { answer, call, conversed, hello, lines, type Json } from './support.ts';

const work = new Workspace();
const welcome = {
  jsonrpc: '2.0',
  id: 0,
  result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'paint', version: '7' } },
};
const opening = [
  { ...hello, id: 0, params: { ...hello.params, protocolVersion: '2025-06-18' } },
  welcome,
  { jsonrpc: '2.0', method: 'notifications/initialized' },
];
const file = work.write(
  'paint.jsonl',
  lines(
    ...opening,
    call(1, 'mix', { a: 'red' }, { progressToken: 'p1' }),
    { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'p1', progress: 1 } },
    answer(1, 'first'),
    call(2, 'mix', { a: 'red' }),
    answer(2, 'second'),
    call(3, 'print'),
    '{"jsonrpc":"2.0","id":3,"result":{"count":12345678901234567890}}',
    call(4, 'ask'),
    { jsonrpc: '2.0', id: 's1', method: 'roots/list' },
    { jsonrpc: '2.0', id: 's1', result: { roots: [] } },
    answer(4, 'asked'),
  ),
);
const texts = (got: readonly Json[]): unknown[] =>
  got.map(({ result, error, method }) => {
    const content = (result as { content?: { text: string }[] } | undefined)?.content;
    return content?.[0]?.text ?? (error as Json | undefined)?.['code'] ?? method ?? result;
  });

describe('matching', () => {
  test('the handshake is as recorded, whatever the client asks for; ids are those of the client', async () => {
    const { got, lacks } = await conversed(file, [hello, call('x', 'mix', { a: 'red' })]);
    expect(got[0]).toEqual({ ...welcome, id: 'h' });
    expect(got.at(-1)).toMatchObject({ id: 'x' });
    expect(lacks).toBeUndefined();
  });

  test('equal requests get their responses in turn, then the last one again; with strict an error', async () => {
    const asked = ['a', 'b', 'c'].map((id) => call(id, 'mix', { a: 'red' }));
    expect(texts((await conversed(file, asked)).got)).toEqual(['first', 'second', 'second']);
    const strict = await conversed(file, asked, { match: { by: 'params', strict: true, ignore: [] } });
    expect(texts(strict.got)).toEqual(['first', 'second', -32602]);
    expect(strict.report.missed).toEqual([
      { words: expect.stringContaining('less often than it is asked for'), times: 1 },
    ]);
  });

  test('a text that the recording hides fits any text, and nothing else may differ', async () => {
    const hidden = work.write(
      'hidden.jsonl',
      lines(
        ...opening,
        call(1, 'greet', { name: 'redacted-0123456789abcdef', at: 'file:///redacted-00000000000000aa/x', times: 2 }),
        answer(1, 'hello'),
      ),
    );
    const asked = [
      call('a', 'greet', { name: 'Ada', at: 'file:///home/x', times: 2 }),
      call('b', 'greet', { name: 'Ada', at: 'file:///home/x', times: 3 }),
      call('c', 'greet', { name: 7, at: 'file:///home/x', times: 2 }),
      call('d', 'greet', { name: 'Ada', at: 'file:///home/y', times: 2 }),
      call('e', 'greet', { name: 'Ada', at: 'file:///home/x', times: 2, more: 1 }),
    ];
    expect(texts((await conversed(hidden, asked)).got)).toEqual(['hello', -32602, -32602, -32602, -32602]);
  });

  test('progress has the token of the client; one that asked for none gets none', async () => {
    const [progress] = (await conversed(file, [call(9, 'mix', { a: 'red' }, { progressToken: 77 })])).got;
    expect(progress).toMatchObject({ method: 'notifications/progress', params: { progressToken: 77, progress: 1 } });
    expect((await conversed(file, [call(9, 'mix', { a: 'red' })])).got).toHaveLength(1);
  });

  test('digits are served as they were recorded', async () => {
    const { texts: written } = await conversed(file, [call(5, 'print')]);
    expect(written).toEqual(['{"jsonrpc":"2.0","id":5,"result":{"count":12345678901234567890}}']);
  });

  test('what was not recorded names the nearest request and what differs', async () => {
    const { got, report } = await conversed(file, [
      call(1, 'mix', { a: 'blue' }),
      { jsonrpc: '2.0', id: 2, method: 'tools/lst' },
    ]);
    expect(got.map(({ error }) => error)).toEqual([
      { code: -32602, message: expect.stringContaining('$.arguments.a (recorded "red", asked "blue")') },
      { code: -32601, message: expect.stringMatching(/has no tools\/lst; nearest is tools\/call$/) },
    ]);
    expect(report).toMatchObject({ requests: 2, served: 0 });
    expect(report.missed).toHaveLength(2);
  });

  test.each<[string, object, Json[], unknown[]]>([
    ['method', { by: 'method' }, [call(1, 'any'), call(2, 'other')], ['first', 'first']],
    ['ignored paths', { ignore: ['$.arguments.a'] }, [call(1, 'mix', { a: 'blue' })], ['first']],
    [
      'order',
      { by: 'order' },
      [call(1, 'any'), call(2, 'x'), { jsonrpc: '2.0', id: 3, method: 'tools/list' }],
      ['first', 'second', -32602],
    ],
  ])('by %s', async (_name, match, asked, wanted) => {
    const { got } = await conversed(file, asked, { match: { by: 'params', strict: false, ignore: [], ...match } });
    expect(texts(got)).toEqual(wanted);
  });

  test('a question of the server comes at its place, and waits for the answer', async () => {
    const { got, report } = await conversed(file, [call(8, 'ask')], {}, ({ id, method }) =>
      method === 'roots/list' ? { jsonrpc: '2.0', id, result: { roots: [] } } : undefined,
    );
    expect(texts(got)).toEqual(['roots/list', 'asked']);
    expect(report.otherAnswers).toEqual([]);
  });

  test('a plain server answers lists, a list of tools that was not recorded has none', async () => {
    const { got } = await conversed(file, [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }], { onMiss: 'plain' });
    expect(got[0]).toEqual({ jsonrpc: '2.0', id: 1, result: { tools: [] } });
  });
});

describe('what a recording lacks is said in one line, and served all the same', () => {
  test('the handshake', async () => {
    const late = work.write('late.jsonl', lines(call(1, 'mix'), answer(1, 'green')));
    const { got, lacks } = await conversed(late, [hello, call(2, 'mix')]);
    expect(lacks).toBe('The recording lacks the handshake (a plain one is given).');
    expect(got[0]).toMatchObject({ result: { protocolVersion: '2025-11-25', capabilities: { tools: {} } } });
    expect(texts(got.slice(1))).toEqual(['green']);
  });

  test('a response', async () => {
    const cut = work.write('cut.jsonl', lines(...opening, call(1, 'mix')));
    const { got, lacks } = await conversed(cut, [call(5, 'mix')]);
    expect(lacks).toBe('The recording lacks the response to 1 request.');
    expect(got[0]).toMatchObject({
      error: { message: expect.stringContaining('the recording ends before the response') },
    });
  });
});

describe('faults', () => {
  const made = async (fault: string, seed = 1): Promise<string[]> => {
    const asked = Array.from({ length: 20 }, (_, index) => call(index, 'mix', { a: 'red' }));
    return (await conversed(file, asked, { faults: [parseFault(fault)], seed })).texts;
  };

  test('come at the rate that was asked for, the same for the same seed', async () => {
    const one = await made('error,rate=0.3');
    const count = one.filter((text) => text.includes('--fault')).length;
    expect(count).toBeGreaterThan(1);
    expect(count).toBeLessThan(13);
    expect(await made('error,rate=0.3')).toEqual(one);
    expect(await made('error,rate=0.3', 5)).not.toEqual(one);
  });

  test('of each kind', async () => {
    const one = async (fault: string): Promise<string[]> =>
      (await conversed(file, [call(1, 'mix', { a: 'red' })], { faults: [parseFault(fault)] })).texts;
    expect(JSON.parse((await one('empty'))[0]!)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    for (const kind of ['invalid', 'cut']) {
      const [text = ''] = await one(kind);
      expect(text).toContain('"id":1');
      expect(() => JSON.parse(text) as unknown).toThrow();
    }
    expect(await one('disconnect')).toEqual([]);
    expect((await one('status=503'))[0]).toContain('HTTP status 503');
    expect((await one('error,tool=print'))[0]).toContain('first');
  });

  test('tools change after some requests', async () => {
    const listed = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const two = {
      tools: [
        { name: 'a', inputSchema: {} },
        { name: 'b', inputSchema: {} },
      ],
    };
    const tools = work.write('tools.jsonl', lines(...opening, listed, { jsonrpc: '2.0', id: 1, result: two }));
    const { got } = await conversed(tools, [listed, { ...listed, id: 2 }], { faults: [parseFault('tools=1')] });
    expect(got.map(({ method, result }) => method ?? (result as typeof two).tools.map(({ name }) => name))).toEqual([
      ['a', 'b'],
      'notifications/tools/list_changed',
      ['b'],
    ]);
  });

  test.each(['slow', 'latency', 'latency=soon', 'error=1', 'status=200', 'error,rate=2', 'error,often=1'])(
    '%s is refused',
    (text) => {
      expect(() => parseFault(text)).toThrow(McpcError);
    },
  );
});

describe('any file', () => {
  test.each(formatExamples)('$format is served', async ({ format, name, text }) => {
    const recorded = work.write(`formats/${format}/${name}`, text);
    const { got } = await conversed(recorded, [hello, call('c', 'mix', { a: 1, b: 2 })]);
    expect(got[0]).toMatchObject({ id: 'h', result: { serverInfo: { name: 'paint' } } });
    expect(texts(got.slice(1))).toEqual(['green']);
  });

  test('broken ones are served to the end, or give one clear error', async () => {
    for (let seed = 1; seed <= (everything ? 400 : 40); seed += 1) {
      const random = randomOf(seed + 5_000_000);
      const one = formatExamples[random(formatExamples.length)]!;
      const other = formatExamples[random(formatExamples.length)]!;
      const broken = work.write(`broken/${seed}-${one.name}`, mutated(one.text, other.text, random));
      const asked = [hello, 'no json', call('c', 'mix'), { jsonrpc: '2.0', id: 9, method: 'tools/list' }, '[1]', '{}'];
      const outcome = await conversed(broken, asked).catch((error: unknown) => error);
      if (outcome instanceof McpcError) expect(outcome.message, String(seed)).toContain(`${seed}-${one.name}`);
      else expect(outcome, String(seed)).toMatchObject({ report: { requests: 3 } });
    }
  });
});
