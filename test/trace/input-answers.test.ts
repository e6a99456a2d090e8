/** Answers to input requests and the states of their rounds in written traces: what is hidden, what stays, and what is said of it. */
import { expect, test } from 'vitest';
import { contentFaults } from '../../src/core/facts/client-requests/elicitation-facts.ts';
import { forgedState } from '../../src/core/model/made-up-tokens.ts';
import { isStandIn } from '../../src/core/trace/redaction/stand-ins.ts';
import { createRedactor, type Redactor } from '../../src/core/trace/redaction/redact.ts';

type Json = Record<string, unknown>;

/** The message as it is written, in each of the places where it may stand. */
function written(redactor: Redactor, message: unknown): unknown {
  const text = JSON.stringify(message);
  const event = redactor.event({
    seq: 1,
    t: 0,
    session: 's1',
    from: 'client',
    kind: 'message',
    message,
    raw: text,
    sse: { data: text },
    http: { body: text },
  });
  for (const other of [event.raw, event.sse?.data, event.http?.body]) expect(JSON.parse(other!)).toEqual(event.message);
  return event.message;
}

const retry = (inputResponses: Json, requestState?: unknown): Json => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'book', arguments: { city: 'Paris' }, inputResponses, requestState },
});
const answersOf = (message: unknown): Json => ((message as Json)['params'] as Json)['inputResponses'] as Json;

const given = {
  form: {
    action: 'accept',
    content: {
      action: 'secret one',
      name: 'Ada',
      age: 36,
      sure: true,
      tags: ['chess', 'red'],
      colour: 'green',
      none: '',
    },
  },
  model: {
    model: 'm-1',
    role: 'assistant',
    stopReason: 'endTurn',
    content: [
      { type: 'text', text: 'She likes chess' },
      { type: 'tool_use', id: 'use-1', name: 'look', input: { q: ['chess'] } },
      { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
    ],
  },
  single: { model: 'm-1', role: 'assistant', content: { type: 'text', text: 'alone' } },
  roots: { roots: [{ uri: 'file:///home/ada', name: 'Home of Ada' }, { uri: 'nowhere' }] },
  odd: { type: 'kept', said: 'this' },
};

test('of users: texts are digests, what the protocol chooses stays', () => {
  const redactor = createRedactor({ answers: 'all' });
  const question = {
    method: 'elicitation/create',
    params: { requestedSchema: { properties: { colour: { type: 'string', enum: ['green', 'blue'] } } } },
  };
  written(redactor, {
    jsonrpc: '2.0',
    id: 1,
    result: { resultType: 'input_required', inputRequests: { form: question } },
  });
  const message = written(redactor, retry(given));
  // A digest may spell a short word by chance.
  const shown = JSON.stringify(answersOf(message)).replaceAll(/redacted-[0-9a-f]{16}/g, 'redacted');
  for (const hidden of ['secret one', 'Ada', 'chess', 'red"', 'alone', 'ada', 'nowhere', 'this'])
    expect(shown).not.toContain(hidden);
  const digest: unknown = expect.stringMatching(/^redacted-[0-9a-f]{16}$/);
  expect(message).toEqual(
    retry({
      form: {
        action: 'accept',
        content: {
          action: digest,
          name: digest,
          age: 36,
          sure: true,
          tags: [digest, digest],
          colour: 'green',
          none: '',
        },
      },
      model: {
        model: 'm-1',
        role: 'assistant',
        stopReason: 'endTurn',
        content: [
          { type: 'text', text: digest },
          { type: 'tool_use', id: 'use-1', name: 'look', input: { q: [digest] } },
          { type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^[A-Za-z0-9]{11}=$/) },
        ],
      },
      single: { model: 'm-1', role: 'assistant', content: { type: 'text', text: digest } },
      roots: {
        roots: [{ uri: expect.stringMatching(/^file:\/\/\/redacted-[0-9a-f]{16}$/), name: digest }, { uri: digest }],
      },
      odd: { type: 'kept', said: digest },
    }),
  );
  const { tags } = (answersOf(message)['form'] as { content: { tags: string[] } }).content;
  const { input } = (answersOf(message)['model'] as { content: { input: Json }[] }).content[1]!;
  expect(input['q']).toEqual([tags[0]]);
  expect(tags[0]).not.toBe(tags[1]);
});

test('in a batch each message has its own', () => {
  const redactor = createRedactor({ answers: 'all' });
  const [first, second] = written(redactor, [
    retry({ a: { action: 'accept', content: { type: 'x' } } }),
    retry({ a: { model: 'm', role: 'user', content: { type: 'text', text: 'y' } } }, 'state'),
  ]) as Json[];
  expect(isStandIn(String((answersOf(first)['a'] as { content: Json }).content['type']))).toBe(true);
  expect((answersOf(second)['a'] as { content: Json }).content['type']).toBe('text');
  expect(isStandIn(String((second!['params'] as Json)['requestState']))).toBe(true);
});

test('of a check: those alone that the user gave', () => {
  const message = written(
    createRedactor({ answers: ['Ada'] }),
    retry({ form: { action: 'accept', content: { name: 'Ada', city: 'string' } } }),
  );
  const { content } = answersOf(message)['form'] as { content: Json };
  expect(isStandIn(String(content['name']))).toBe(true);
  expect(content['city']).toBe('string');
});

test('states are hidden in every run, stay comparable, and may be of any type', () => {
  const redactor = createRedactor();
  const stateOf = (state: unknown): unknown =>
    ((written(redactor, retry({}, state)) as Json)['params'] as Json)['requestState'];
  const result = written(redactor, {
    jsonrpc: '2.0',
    id: 1,
    result: { resultType: 'input_required', requestState: 'one' },
  }) as { result: Json };
  expect(result.result['requestState']).toBe(stateOf('one'));
  expect(new Set(Array.from({ length: 300 }, (_, at) => stateOf(`abc${at}`))).size).toBe(300);
  const digest = String(stateOf('one'));
  expect(isStandIn(digest)).toBe(true);
  // Redacting what is redacted changes nothing.
  expect(stateOf(digest)).toBe(digest);
  for (const other of [`${forgedState}state`, '', 7, null, { a: 1 }]) expect(stateOf(other)).toEqual(other);
  const elsewhere = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'x', arguments: { requestState: 'stays', inputResponses: { a: 'stays' } } },
  };
  expect(written(redactor, elsewhere)).toEqual(elsewhere);
});

test('--keep-secrets shows all of it', () => {
  const message = retry(given, 'one');
  expect(written(createRedactor({ answers: 'all', keepSecrets: true }), message)).toEqual(message);
});

test('what is hidden is not said to break the form; its type is still known', () => {
  const requestedSchema = {
    type: 'object',
    properties: {
      day: { type: 'string', format: 'date' },
      code: { type: 'string', pattern: '^a$', maxLength: 2 },
      count: { type: 'integer' },
      some: { type: 'array', items: { type: 'string', enum: ['a'] } },
    },
    required: ['code'],
  };
  const content = { day: '2026-07-28', code: 'a', count: 'four', some: ['b'] };
  const message = written(createRedactor({ answers: 'all' }), retry({ form: { action: 'accept', content } }));
  const hidden = (answersOf(message)['form'] as { content: Json }).content;
  expect(contentFaults({ requestedSchema }, hidden).map(({ field }) => field)).toEqual(['count']);
  expect(contentFaults({ requestedSchema }, content).map(({ field }) => field)).toEqual(['count', 'some']);
});
