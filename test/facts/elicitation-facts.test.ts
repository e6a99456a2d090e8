/** What forms and addresses of elicitations are taken for. */
import { describe, expect, test } from 'vitest';
import { contentFaults, elicitationFacts } from '../../src/core/facts/client-requests/elicitation-facts.ts';

type Json = Record<string, unknown>;

interface Asked {
  fields: { name: string; unfit?: string; secret?: true }[];
  wording: { links: string[] };
  url: { credentials: string[] };
}

const form = (properties: Json, message = 'Please tell.'): Asked =>
  elicitationFacts({ message, requestedSchema: { type: 'object', properties } }) as unknown as Asked;
const secrets = (properties: Json): string[] =>
  form(properties).fields.flatMap(({ name, secret }) => (secret ? [name] : []));
const unfit = (field: unknown): string[] => form({ field }).fields.flatMap((one) => one.unfit ?? []);
const page = (url: unknown): Asked =>
  elicitationFacts({ mode: 'url', message: 'Please look.', url }) as unknown as Asked;

describe('fields for secrets', () => {
  test.each([
    'password',
    'Password',
    'newPassword',
    'user_password',
    'passphrase',
    'apiKey',
    'API_KEY',
    'openai-api-key',
    'access_token',
    'clientSecret',
    'private key',
    'cardNumber',
    'credit_card',
    'cvv',
    'ssn',
  ])('%s is one', (name) => expect(secrets({ [name]: { type: 'string' } })).toEqual([name]));

  test.each([
    'passwordPolicy',
    'key',
    'token_count',
    'secretary',
    'keyboard',
    'maxTokens',
    'session',
    'compass',
    'card',
    'email',
    'username',
    'accessLevel',
  ])('%s is none', (name) => expect(secrets({ [name]: { type: 'string' } })).toEqual([]));

  test('are free texts, told by their title as well', () => {
    expect(
      secrets({
        a: { type: 'string', title: 'Your password' },
        password: { type: 'boolean' },
        apiKey: { type: 'string', enum: ['first', 'second'] },
      }),
    ).toEqual(['a']);
  });
});

describe('fields that no form can show', () => {
  test.each<[string, unknown]>([
    ['an object', { type: 'object', properties: {} }],
    ['an object without its type', { properties: { a: { type: 'string' } } }],
    ['a reference', { $ref: '#/$defs/a' }],
    ['a list of objects', { type: 'array', items: { type: 'object' } }],
    ['a list of references', { type: 'array', items: { $ref: '#/$defs/a' } }],
    ['a list of anything', { type: 'array' }],
    ['no schema', 'text'],
  ])('%s', (_what, field) => expect(unfit(field)).toHaveLength(1));

  test.each<[string, unknown]>([
    ['a text', { type: 'string', pattern: '^a' }],
    ['a number', { type: 'number' }],
    ['a choice', { type: 'string', oneOf: [{ const: 'a', title: 'A' }] }],
    ['several choices', { type: 'array', items: { type: 'string', enum: ['a'] } }],
    ['several choices with titles', { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } }],
  ])('are not %s', (_what, field) => expect(unfit(field)).toEqual([]));
});

test('links lead somewhere', () => {
  const facts = form(
    {
      site: {
        type: 'string',
        title: 'See https://example.org/a',
        description: 'or (https://mcpc.dev/b), or http://localhost:80/c',
      },
    },
    'Look at http://docs.mcpc.dev.',
  );
  expect(facts.wording.links).toEqual(['http://docs.mcpc.dev.', 'https://mcpc.dev/b']);
});

describe('addresses', () => {
  test.each<[string, string, string]>([
    ['https://mcpc.dev/a', 'https', 'public'],
    ['http://127.0.0.1:80/', 'http', 'loopback'],
    ['http://[::1]:80/', 'http', 'loopback'],
    ['http://localhost/', 'http', 'loopback'],
    ['http://192.168.1.7/', 'http', 'private'],
    ['http://172.20.0.1/', 'http', 'private'],
    ['http://172.40.0.1/', 'http', 'public'],
    ['http://wiki/', 'http', 'private'],
    ['http://build.local/', 'http', 'private'],
    ['mcpc-app://connect', 'mcpc-app', 'none'],
  ])('%s', (url, scheme, place) => expect(page(url)).toMatchObject({ url: { parses: true, scheme, place } }));

  test.each(['/connect', 'mcpc.dev/connect', '', 'http://'])('"%s" is none', (url) =>
    expect(page(url)).toEqual({ mode: 'url', url: { parses: false } }),
  );

  test('show what lets their holder in', () => {
    expect(page('https://a:b@mcpc.dev/?state=1&Access_Token=2#id_token=3').url.credentials).toEqual([
      'a password before the host',
      'Access_Token',
      'id_token',
    ]);
    expect(page('https://mcpc.dev/?state=1&code_challenge=2&token_type=3').url.credentials).toEqual([]);
  });
});

test('content is held against its form', () => {
  const params = {
    requestedSchema: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'string', enum: ['x'] } },
      required: ['a', 'c'],
    },
  };
  expect(contentFaults(params, { a: 1, b: 'x' })).toEqual([]);
  expect(contentFaults(params, { a: '1', b: 'y', d: 1 }).map(({ field }) => field)).toEqual(['a', 'b']);
  expect(contentFaults(params, undefined)).toMatchObject([{ field: 'a', why: 'is missing' }]);
});
