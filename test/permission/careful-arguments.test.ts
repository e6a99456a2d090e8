/** Arguments that a schema leaves open are the harmless ones, and still fit it. */
import { describe, expect, test } from 'vitest';
import { carefulFirst, carefulSwitch, isAmount } from '../../src/core/permission/careful-arguments.ts';
import { argumentsFor, callsOf, type Consent } from '../../src/client/offers/choose-tools.ts';
import { withMoreTime } from '../../src/client/offers/told-time.ts';
import { nearMisses } from '../../src/core/json-schema/near-miss.ts';
import { wrongTypes } from '../../src/client/offers/wrong-arguments.ts';
import { noPermission } from '../../src/core/permission/decide.ts';

type Json = Record<string, unknown>;

const places = { folder: '/run-folder' };
const of = (properties: Json, required: string[] = Object.keys(properties)): Json =>
  argumentsFor({ inputSchema: { type: 'object', properties, required } }, places);
const bool = { type: 'boolean' };

describe('switches', () => {
  test.each([
    'dry_run',
    'dryRun',
    'dry-run',
    'dryrun',
    'simulate',
    'preview',
    'test_mode',
    'whatIf',
    'validateOnly',
    'draft',
    'no_overwrite',
    'skipDelete',
  ])('%s is true', (name) => expect(carefulSwitch(name)).toBe(true));
  test.each([
    'confirm',
    'confirmed',
    'force',
    'yes',
    'overwrite',
    'recursive',
    'permanent',
    'permanently',
    'deleteSource',
    'send_email',
    'autoApprove',
    'skip_confirmation',
    'no_dry_run',
    'noBackup',
    'forcePush',
    'allow_unsafe',
    'publish',
    'cascade',
  ])('%s is false', (name) => expect(carefulSwitch(name)).toBe(false));
  test.each(['verbose', 'includeArchived', 'ascending', 'pretty', 'enabled', 'names', ''])('%s tells nothing', (name) =>
    expect(carefulSwitch(name)).toBe(undefined),
  );

  test('required or not, they are sent', () => {
    expect(of({ dry_run: bool, confirm: bool, verbose: bool }, [])).toEqual({ dry_run: true, confirm: false });
    expect(of({ dry_run: bool, confirm: bool, id: { type: 'string' } })).toEqual({
      dry_run: true,
      confirm: false,
      id: 'text',
    });
  });

  test('they go before a default and an example', () => {
    expect(of({ dryRun: { ...bool, default: false }, force: { ...bool, default: true, examples: [true] } })).toEqual({
      dryRun: true,
      force: false,
    });
  });

  test('a schema that leaves nothing open is obeyed', () => {
    expect(of({ confirm: { const: true }, dry_run: { enum: [false] } })).toEqual({ confirm: true, dry_run: false });
  });

  test('as a text and within choices', () => {
    expect(of({ confirm: { type: 'string', enum: ['yes', 'no'] }, force: { type: 'string' } })).toEqual({
      confirm: 'no',
      force: 'no',
    });
    expect(of({ confirm: { type: 'string', minLength: 4 } })['confirm']).toHaveLength(4);
  });

  test('inside of objects and lists', () => {
    expect(
      of({ options: { type: 'object', properties: { recursive: bool, dry_run: bool }, required: ['recursive'] } }),
    ).toEqual({ options: { recursive: false, dry_run: true } });
  });
});

describe('choices', () => {
  test('what reads goes before what changes', () => {
    expect(carefulFirst('action', ['delete', 'update', 'list', 'frob', 'dry-run'])).toEqual([
      'dry-run',
      'list',
      'frob',
      'delete',
      'update',
    ]);
    expect(of({ action: { enum: ['create', 'delete', 'get'], default: 'delete' } })).toEqual({ action: 'get' });
    expect(of({ environment: { enum: ['production', 'staging'] } })).toEqual({ environment: 'staging' });
    expect(of({ unit: { enum: ['celsius', 'fahrenheit'] } })).toEqual({ unit: 'celsius' });
  });
});

describe('how long a tool works', () => {
  const tool = {
    name: 'work',
    annotations: { readOnlyHint: true },
    inputSchema: {
      type: 'object',
      properties: {
        duration: { type: 'number', default: 10 },
        seconds: { type: 'integer' },
        delayMs: { type: 'integer' },
        steps: { type: 'number' },
        timeout: { type: 'number' },
        timeoutMs: { type: 'number' },
      },
    },
  };
  const listing = { tools: [tool], prompts: [], resources: [], templates: [] };
  const consent: Consent = { permission: noPermission, places };
  const sent = (step: Json, more: Partial<Consent> = {}): unknown =>
    callsOf(step, listing, { ...consent, ...more })[0]?.['arguments'];
  const second = { duration: 1, seconds: 1, delayMs: 800, steps: 10, timeout: 1, timeoutMs: 800 };
  const others = [
    { callTool: 'any', wait: false },
    { callTool: 'any', task: {} },
    { callTool: 'any', rounds: 0 },
    { callTool: 'any', meta: {} },
  ];

  test('a fraction of a second where the call is waited for, and a second where it is not', () => {
    expect(sent({ callTool: 'any' })).toEqual({ ...second, duration: 0.2, delayMs: 200 });
    expect(sent({ callTool: 'any', progressToken: true })).toEqual({ ...second, duration: 0.2, delayMs: 200 });
    expect(sent({ callTool: 'any' }, { quick: true })).toEqual({ ...second, duration: 0.05, delayMs: 50 });
    for (const step of others) expect(sent(step)).toEqual(second);
    expect(argumentsFor(tool, places)).toEqual(second);
  });

  test('by what is known of the tool: less than a second where it works as it is told, no fraction where it does not', () => {
    const does = { brief: new Map([['work', true]]) };
    for (const step of others) expect(sent(step, does)).toEqual({ ...second, duration: 0.8 });
    const slow = { ...listing, tools: [{ ...tool, name: 'slow-work' }] };
    expect(callsOf({ callTool: 'slow' }, slow, consent)[0]?.['arguments']).toEqual(second);
    const doesNot = { brief: new Map([['work', false]]) };
    for (const step of [{ callTool: 'any' }, ...others]) expect(sent(step, doesNot)).toEqual(second);
  });

  test('within what the schema allows', () => {
    const brief = (duration: Json): unknown =>
      argumentsFor({ inputSchema: { type: 'object', properties: { duration }, required: ['duration'] } }, places, 200)[
        'duration'
      ];
    expect(brief({ type: 'number', minimum: 0.9 })).toBe(1);
    expect(brief({ type: 'number', multipleOf: 1 })).toBe(1);
    expect(brief({ type: 'number', maximum: 0.1 })).toBe(0.1);
    expect(brief({ type: 'number', minimum: 5 })).toBe(5);
    expect(brief({ type: 'number', enum: [3, 30] })).toBe(3);
    expect(
      of({
        waitSeconds: { type: 'integer', minimum: 2, maximum: 60 },
        sleep_millis: { type: 'integer', maximum: 500 },
        count: { type: 'integer', maximum: 2 },
      }),
    ).toEqual({ waitSeconds: 2, sleep_millis: 500, count: 2 });
  });

  test('more time where a fraction does not do', () => {
    expect(withMoreTime(tool.inputSchema, { ...second, duration: 0.2, delayMs: 200, note: 'x' }, 200)).toEqual({
      ...second,
      note: 'x',
    });
    expect(withMoreTime(tool.inputSchema, second, 200)).toBe(undefined);
    // What the user gave stays.
    expect(withMoreTime(tool.inputSchema, { duration: 7 }, 200)).toBe(undefined);
    expect(
      withMoreTime(
        { type: 'object', properties: { duration: { type: 'number', maximum: 0.2 } } },
        { duration: 0.2 },
        200,
      ),
    ).toBe(undefined);
    expect(withMoreTime(undefined, { duration: 0.2 }, 200)).toBe(undefined);
  });
});

describe('amounts', () => {
  test('nothing, or as little as the schema allows', () => {
    expect(
      of({
        amount: { type: 'number' },
        price: { type: 'number', minimum: 5, default: 100 },
        quantity: { type: 'integer', exclusiveMinimum: 0 },
        fee: { type: 'number', minimum: -10 },
      }),
    ).toEqual({ amount: 0, price: 5, quantity: 1, fee: 0 });
    expect(of({ amount: { type: 'integer', minimum: 3, multipleOf: 5 } })).toEqual({ amount: 5 });
  });
  test('other numbers stay as they were', () => {
    expect(of({ page: { type: 'integer' }, max_tokens: { type: 'integer', minimum: 10 } })).toEqual({
      page: 1,
      max_tokens: 10,
    });
    expect(isAmount('amountUsd') && isAmount('total_price') && !isAmount('page_size') && !isAmount('discounted')).toBe(
      true,
    );
  });
});

describe('paths and addresses', () => {
  test('paths lie in the folder of the run, whatever the schema suggests', () => {
    expect(
      of({
        path: { type: 'string', default: '/etc/passwd' },
        directory: { type: 'string', examples: ['/'] },
        output_file: { type: 'string' },
        folder: { type: 'string' },
      }),
    ).toEqual({
      path: '/run-folder/example.txt',
      directory: '/run-folder',
      output_file: '/run-folder/example.txt',
      folder: '/run-folder',
    });
    expect(of({ paths: { type: 'array', items: { type: 'string' }, minItems: 1 } })).toEqual({
      paths: ['/run-folder/example.txt'],
    });
  });
  test('addresses reach nobody', () => {
    expect(
      of({
        url: { type: 'string', default: 'https://prod.acme.dev/wipe' },
        email: { type: 'string', format: 'email', examples: ['boss@acme.dev'] },
        host: { type: 'string' },
        webhook: { type: 'string', format: 'uri' },
        recipients: { type: 'array', items: { type: 'string' }, minItems: 1 },
        phone: { type: 'string' },
      }),
    ).toEqual({
      url: 'https://example.com/',
      email: 'someone@example.com',
      host: 'example.com',
      webhook: 'https://example.com/',
      recipients: ['someone@example.com'],
      phone: '+12025550100',
    });
  });
  test('a pattern that allows none of them is obeyed', () => {
    expect(String(of({ url: { type: 'string', pattern: '^repo-[a-z]+$' } })['url'])).toMatch(/^repo-[a-z]+$/);
  });
  test('a value that must not be empty is not', () => {
    expect(of({ text: { type: 'string', minLength: 1 }, message: { type: 'string' } })).toEqual({
      text: 'text',
      message: 'text',
    });
  });
});

describe('calls that are wrong on purpose', () => {
  const schema = {
    type: 'object',
    properties: {
      dry_run: bool,
      confirm: bool,
      amount: { type: 'integer', minimum: 0, maximum: 10 },
      count: { type: 'integer', minimum: 1 },
    },
    required: ['dry_run', 'confirm', 'amount', 'count'],
  };

  test('leave switches as they are, and amounts within their bounds', () => {
    const misses = nearMisses(schema, 50).map(({ value }) => value as Json);
    expect(misses.length).toBeGreaterThan(3);
    for (const miss of misses) {
      expect(miss).toMatchObject({ dry_run: true, confirm: false });
      if (typeof miss['amount'] === 'number') expect(miss['amount']).toBe(0);
    }
  });

  test('give no text for a switch', () => {
    expect(wrongTypes(schema, { dry_run: true, confirm: false, amount: 0, count: 1 })).toMatchObject({
      dry_run: true,
      confirm: false,
      count: expect.any(String),
    });
  });
});

test('a tool that may not be called is not called wrongly either', () => {
  const tools = [
    {
      name: 'delete_note',
      annotations: { readOnlyHint: true },
      inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
    },
  ];
  const listing = { tools, prompts: [], resources: [], templates: [] };
  for (const step of [
    { callTool: 'any' },
    { callTool: 'any', swapCase: true },
    { callTool: 'with-typed-arguments', wrongTypes: true },
    { callTool: 'with-arguments', nearMisses: 3 },
  ]) {
    expect(callsOf(step, listing, { permission: noPermission, places })).toEqual([]);
    expect(
      callsOf(step, listing, { permission: { ...noPermission, allowTools: ['delete_note'] }, places }).length,
    ).toBeGreaterThan(0);
  }
});
