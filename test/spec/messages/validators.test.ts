/** The interface around the shapes: loading, paths, limits, formats, and the methods table. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { maxFindings } from '../../../src/core/json-schema/explain-errors.ts';
import { loadValidators } from '../../../src/files/package/load-validators.ts';
import { isBase64, isUri, isUriTemplate } from '../../../src/core/spec/messages/message-formats.ts';
import { methodTables } from '../../../src/files/package/method-tables.ts';
import { packageRoot } from '../../../src/files/package/package-root.ts';
import { revisions } from '../../../src/core/spec/revisions.ts';
import { generateMethods, methodsPath } from '../../../src/tools/generate/methods.ts';
import { thorough } from '../../support/run/options.ts';

describe('loadValidators', () => {
  it('names the known revisions when asked for another', async () => {
    await expect(loadValidators('1999-01-01')).rejects.toMatchObject({
      stage: 'usage',
      message: expect.stringContaining('1999-01-01'),
      remedy: expect.stringContaining('2025-11-25'),
    });
  });

  it.each(revisions)('gives validators and methods of %s', async (revision) => {
    const validators = await loadValidators(revision);
    expect(validators.revision).toBe(revision);
    expect(validators.has('Tool')).toBe(true);
    expect(validators.has('Initialise')).toBe(false);
    expect(() => validators.validate('Initialise', {})).toThrow(RangeError);
    expect(validators.has('toString')).toBe(false);
    for (const info of Object.values(validators.methods)) {
      for (const name of [info.message, info.params, info.result, info.taskResult]) {
        if (name) expect(validators.has(name), name).toBe(true);
      }
    }
  });
});

describe('findings', () => {
  it('put the given place before their paths', async () => {
    const { validate } = await loadValidators('2025-11-25');
    expect(validate('Result', [], 'result')).toEqual([
      { path: 'result', message: 'is an array where an object must stand', kind: 'shape' },
    ]);
    expect(validate('ListToolsResult', { tools: [{ name: 'a', inputSchema: {} }] }, 'result')).toEqual([
      { path: 'result.tools[0].inputSchema.type', message: 'is missing', kind: 'shape' },
    ]);
    expect(
      validate('GetPromptRequestParams', { name: 'p', arguments: { '0': 1, 'a/b': 2, 'ä~': 3 } }, 'params').map(
        (finding) => finding.path,
      ),
    ).toEqual(['params.arguments["0"]', 'params.arguments["a/b"]', 'params.arguments["ä~"]']);
  });

  it('tell a wrong form from a wrong shape', async () => {
    const { validate } = await loadValidators('2025-06-18');
    expect(validate('ReadResourceResult', { contents: [{ uri: 'x', text: null, blob: 'QQ==' }] })).toEqual([
      { path: 'contents[0].uri', message: 'is "x", which is no URI', kind: 'format' },
    ]);
  });

  it('shorten what a target sent', async () => {
    const { validate } = await loadValidators('2025-06-18');
    const [finding] = validate('Role', 'x'.repeat(10_000));
    expect(finding?.message.length).toBeLessThan(150);
  });

  it('take inherited names for absent', async () => {
    const { validate } = await loadValidators('2025-06-18');
    expect(
      validate('Implementation', Object.create({ name: 'n', version: '1' })).map((finding) => finding.path),
    ).toEqual(['name', 'version']);
  });

  // With errors gathered by copying this would take hours, so it ends only when they are not.
  it.runIf(thorough)('are few, and found in time, for very many faults', async () => {
    const { validate } = await loadValidators('2025-11-25');
    expect(validate('ListToolsResult', { tools: Array.from({ length: 100_000 }, () => ({ name: 5 })) })).toHaveLength(
      maxFindings,
    );
    expect(
      validate('ReadResourceResult', { contents: Array.from({ length: 100_000 }, () => ({ uri: 'a:b' })) }),
    ).toHaveLength(maxFindings);
  });

  it('come for very long texts too', async () => {
    const { validate } = await loadValidators('2025-11-25');
    const long = 'A'.repeat(40_000_000);
    expect(validate('ImageContent', { type: 'image', data: long, mimeType: 'image/png' })).toEqual([]);
    expect(
      validate('ImageContent', { type: 'image', data: `${long.slice(4)}AAA!`, mimeType: 'image/png' }),
    ).toHaveLength(1);
    expect(validate('Resource', { name: 'r', uri: `data:,${long}` })).toEqual([]);
  });
});

describe('formats', () => {
  it.each([
    'file:///a',
    'urn:x',
    'test://',
    'data:image/png;base64,AA==',
    'a+b.c-d:%20',
    'http://[::1]:8080/x?y#z',
    'demo://ü',
  ])('%s is a URI', (text) => {
    expect(isUri(text)).toBe(true);
  });
  it.each([
    '',
    'a',
    '/a/b',
    '1a:b',
    ':b',
    'a b:c',
    'a:b c',
    'a:\n',
    'a:%',
    'a:%2',
    'a:%g0',
    'file:///C:\\x',
    'a:{b}',
    'a:"',
  ])('%j is no URI', (text) => {
    expect(isUri(text)).toBe(false);
  });
  it.each(['', 'x', 'a:{b}', '{+a*,b:3}{/c}{?d}', '{a}{b}'])('%j is a URI template', (text) => {
    expect(isUriTemplate(text)).toBe(true);
  });
  it.each(['{', '}', 'a{b', 'a}b', '{}', '{a{b}}', '{a}}'])('%j is no URI template', (text) => {
    expect(isUriTemplate(text)).toBe(false);
  });
  it.each(['', 'QQ==', 'QUI=', 'QUJD', 'QQ', '-_-_', 'QUJDRA=='])('%j is Base64', (text) => {
    expect(isBase64(text)).toBe(true);
  });
  it.each(['Q', 'QUJDR', 'Q=', 'QUJD=', 'QQ===', 'QU=D', 'data:,x', 'QU JD', 'QUJD\n', '=', '=='])(
    '%j is no Base64',
    (text) => {
      expect(isBase64(text)).toBe(false);
    },
  );
});

describe('the methods table', () => {
  it('is as generated', async () => {
    const { [methodsPath]: content } = await generateMethods(packageRoot());
    expect(await readFile(`${packageRoot()}/${methodsPath}`, 'utf8')).toBe(content);
  });

  it('tells the revisions apart', async () => {
    const tables = await methodTables();
    expect(Object.keys(tables)).toEqual([...revisions]);
    expect(tables['2024-11-05']['elicitation/create']).toBeUndefined();
    expect(tables['2025-06-18']['elicitation/create']).toMatchObject({
      from: 'server',
      kind: 'request',
      result: 'ElicitResult',
    });
    expect(tables['2026-07-28']['elicitation/create']).toMatchObject({ from: 'server', kind: 'input-request' });
    expect(tables['2025-11-25'].ping).toEqual({
      from: 'both',
      kind: 'request',
      message: 'PingRequest',
      params: 'RequestParams',
      paramsRequired: false,
      result: 'EmptyResult',
    });
    expect(tables['2025-11-25']['tools/call']).toMatchObject({ paramsRequired: true, taskResult: 'CreateTaskResult' });
    expect(tables['2026-07-28'].initialize).toBeUndefined();
  });
});
