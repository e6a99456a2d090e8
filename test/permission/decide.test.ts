/** Which tools may be called: annotations, names, descriptions, and what the user says, each against the others. */
import { describe, expect, test } from 'vitest';
import { decideTool, noPermission, type Permission } from '../../src/core/permission/decide.ts';
import { changeIn } from '../../src/core/permission/description.ts';

type Json = Record<string, unknown>;

const called = (tool: Json, permission: Partial<Permission> = {}): boolean =>
  decideTool(tool, { ...noPermission, ...permission }).call;
const why = (tool: Json, permission: Partial<Permission> = {}): string =>
  decideTool(tool, { ...noPermission, ...permission }).why;

describe('annotations', () => {
  test.each([
    ['readOnlyHint: true', { readOnlyHint: true }, true],
    [
      'readOnlyHint: true beside a destructiveHint, which then means nothing',
      { readOnlyHint: true, destructiveHint: true },
      true,
    ],
    ['readOnlyHint: false, which means destructive', { readOnlyHint: false }, false],
    ['readOnlyHint: false, and not destructive', { readOnlyHint: false, destructiveHint: false }, false],
    ['destructiveHint: true', { destructiveHint: true }, false],
    ['destructiveHint: false alone', { destructiveHint: false }, false],
    ['a text in place of a boolean', { readOnlyHint: 'true' }, false],
    ['none that tells: null stands for nothing', { readOnlyHint: null, destructiveHint: null, title: 'x' }, true],
    ['none at all', undefined, true],
    ['no object', 'readOnly', true],
  ])('%s', (_title, annotations, may) => expect(called({ name: 'get_note', annotations })).toBe(may));

  test('readOnlyHint: true beside a damaging name is not trusted', () => {
    const tool = { name: 'delete_all_records', annotations: { readOnlyHint: true } };
    expect(decideTool(tool, noPermission)).toEqual({
      call: false,
      why: 'its name says "delete", so that its readOnlyHint: true is not trusted',
      remedy: '--allow-tool delete_all_records, --allow-destructive, or "call: allowed" in a file of hints',
    });
  });

  test('readOnlyHint: true vouches for a name that tells nothing', () =>
    expect(called({ name: 'frobnicate', annotations: { readOnlyHint: true } })).toBe(true));
  test('a name that tells nothing is left out', () =>
    expect(why({ name: 'frobnicate' })).toContain('neither its name nor an annotation'));
  test('a tool without a name is left out', () => expect([called({}), called({ name: 3 })]).toEqual([false, false]));
});

describe('sums', () => {
  const numbers = { type: 'object', properties: { a: { type: 'number' }, b: { type: 'integer' } } };
  test.each([
    ['two numbers', 'add', numbers, true],
    ['a list of numbers', 'sum', { properties: { values: { type: 'array', items: { type: 'number' } } } }, true],
    ['a text', 'add', { properties: { a: { type: 'string' }, b: { type: 'number' } } }, false],
    [
      'an account and an amount',
      'add',
      { properties: { accountId: { type: 'integer' }, amount: { type: 'number' } } },
      false,
    ],
    ['nothing', 'add', undefined, false],
    ['two numbers, by a name that says more', 'add_credit', numbers, false],
  ])('of %s', (_title, name, inputSchema, may) =>
    expect(called({ name, inputSchema, description: 'Adds.' })).toBe(may),
  );
});

describe('descriptions of tools that are named as if they read', () => {
  test.each([
    'Gets the next job and deletes it from the queue.',
    'Fetches a page. Creates an account when there is none.',
    'Find a user and update the last login.',
    'Reads the inbox; messages are removed afterwards.',
    'Delete what was read.',
    'Returns the token. It will overwrite the old one.',
  ])('%s', (description) => {
    expect(changeIn(description), description).toBeDefined();
    expect(called({ name: 'get_thing', description })).toBe(false);
    expect(called({ name: 'get_thing', description, annotations: { readOnlyHint: true } })).toBe(true);
  });

  test.each([
    'Returns the issue with its comments, updates and commits.',
    'Reads a file. Does not modify anything.',
    'Lists deleted items, never removes them.',
    'Search pull requests, including merged ones. Use this before creating an issue.',
    'Read the complete contents of a file from the file system. Handles various encodings. Use it to examine a file.',
    'List files that would be searched by ripgrep without actually searching.',
    'Returns when the record was created and who updated it.',
    'Get a list of open orders, posts and changes of a user. Set limit to get fewer.',
    'Recursively search for files and directories matching a pattern.',
    "Given a 'requestId', return the next pending task (not done yet).",
  ])('%s', (description) =>
    expect([changeIn(description), called({ name: 'get_thing', description })]).toEqual([undefined, true]),
  );

  test('only the beginning of a long one is read, in time', () => {
    expect(called({ name: 'get_thing', description: `${'word '.repeat(400_000)} deletes` })).toBe(true);
  });
});

describe('what the user says', () => {
  const tool = { name: 'create_note', annotations: { readOnlyHint: false, destructiveHint: true } };
  test.each<[string, Partial<Permission>, boolean]>([
    ['nothing', {}, false],
    ['--allow-destructive', { allowDestructive: true }, true],
    ['--allow-tool with the name', { allowTools: ['create_note'] }, true],
    ['--allow-tool with a glob', { allowTools: ['x', 'create_*'] }, true],
    ['--allow-tool with another name', { allowTools: ['create', 'note'] }, false],
    [
      '--deny-tool goes before all else',
      {
        allowDestructive: true,
        allowTools: ['create_note'],
        denyTools: ['*_note'],
        hints: { create_note: { call: 'allowed' } },
      },
      false,
    ],
    ['hints: call: allowed', { hints: { create_note: { call: 'allowed' } } }, true],
    ['hints: arguments for its calls', { hints: { create_note: { arguments: {} } } }, true],
    ['hints: a trait alone is no consent to harm', { hints: { create_note: { slow: true } } }, false],
    ['hints: call: never', { allowDestructive: true, hints: { create_note: { call: 'never' } } }, false],
  ])('%s', (_title, permission, may) => expect(called(tool, permission)).toBe(may));

  test('hints: a trait is consent where nothing speaks of harm', () => {
    const slow = { hints: { frobnicate: { slow: true }, get_job: { slow: true } } };
    expect(called({ name: 'frobnicate' }, slow)).toBe(true);
    expect(called({ name: 'frobnicate', annotations: { destructiveHint: true } }, slow)).toBe(false);
    expect(called({ name: 'get_job', description: 'Deletes the job.' }, slow)).toBe(false);
  });

  test('a reading tool can be denied, and no remedy is told then', () => {
    const decision = decideTool({ name: 'get_note' }, { ...noPermission, denyTools: ['get_note'] });
    expect(decision).toEqual({ call: false, why: 'it is denied (--deny-tool)' });
  });

  test('a glob covers names with slashes and dots', () => {
    expect(called({ name: 'notes/delete.all' }, { allowTools: ['notes*'] })).toBe(true);
  });

  test('names are told as words of a command line', () => {
    expect(decideTool({ name: "it's; rm -rf /" }, noPermission).remedy).toContain(`--allow-tool 'it'\\''s; rm -rf /'`);
  });

  test('a name that is a member of every object is no hint', () =>
    expect(called({ name: 'constructor' }, { hints: {} })).toBe(false));
});
