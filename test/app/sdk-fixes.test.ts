/** Fixes in terms of SDKs: the table is sound, the SDK of a target is recognised, and every format shows the fix. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judgeTraceFile } from '../../src/check/judge.ts';
import { everything, readGeneratedPlan } from '../../src/check/plan.ts';
import { renderReport } from '../../src/report/parts/render.ts';
import { sdkOfCommand } from '../../src/check/target/find-sdk.ts';
import { sdkFixFor, sdkOfErrorMessage, sdkOfFooter } from '../../src/check/target/sdk-fixes.ts';
import { check, verdictOf } from '../e2e/run-check.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const servers = path.join(root, 'test/e2e/servers');
const read = (file: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Record<string, unknown>;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mcpc-sdk-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder with the package.json and the files of a server. */
function packageWith(name: string, manifest: Record<string, unknown>, files: Record<string, string>): string {
  const place = path.join(folder, name);
  mkdirSync(place, { recursive: true });
  writeFileSync(
    path.join(place, 'package.json'),
    JSON.stringify({ name, version: '1.0.0', type: 'module', ...manifest }),
  );
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(place, file), text);
  return place;
}

describe('rules/language/sdk-fixes.json', () => {
  const table = read('rules/language/sdk-fixes.json') as {
    sdks: Record<string, { imports?: string[]; errorMessages?: string[] }>;
    fixes: Record<string, Record<string, string>>;
  };

  test('has the shape of its schema', () => {
    const validate = new Ajv2020({ allErrors: true, strict: false }).compile(
      read('rules/language/sdk-fixes.schema.json'),
    );
    validate(table);
    expect(validate.errors ?? []).toEqual([]);
  });

  test('names rules and SDKs that exist, in order', () => {
    const rules = new Set(readGeneratedPlan().rules.map(({ id }) => id));
    expect(Object.keys(table.fixes).filter((rule) => !rules.has(rule))).toEqual([]);
    expect(
      Object.values(table.fixes)
        .flatMap((one) => Object.keys(one))
        .filter((id) => table.sdks[id] === undefined),
    ).toEqual([]);
    expect(Object.keys(table.fixes)).toEqual(Object.keys(table.fixes).sort());
  });

  test('has patterns that compile', () => {
    const patterns = Object.values(table.sdks).flatMap(({ imports = [], errorMessages = [] }) => [
      ...imports,
      ...errorMessages,
    ]);
    expect(patterns.length).toBeGreaterThan(0);
    for (const pattern of patterns) expect(() => new RegExp(pattern, 'm')).not.toThrow();
  });
});

describe('the SDK of a target', () => {
  test.each([
    {
      what: 'a script of a package that depends on it',
      dependencies: { '@modelcontextprotocol/sdk': '^1.0.0' },
      id: 'typescript-v1',
    },
    {
      what: 'the framework on top goes before the SDK below',
      dependencies: { '@modelcontextprotocol/sdk': '^1.0.0', fastmcp: '^4.0.0' },
      id: 'fastmcp-typescript',
    },
    { what: 'another library', dependencies: { express: '^5.0.0' }, id: undefined },
  ])('package.json: $what', ({ dependencies, id }) => {
    const place = packageWith(`package-${id ?? 'none'}`, { dependencies }, { 'server.js': '' });
    expect(sdkOfCommand(['node', 'server.js'], place)?.id).toBe(id);
    expect(sdkOfCommand([process.execPath, '--enable-source-maps', path.join(place, 'server.js')])?.id).toBe(id);
  });

  test('a program of an installed package is followed into it', () => {
    expect(sdkOfCommand([path.join(root, 'node_modules/.bin/mcp-server-everything')])).toEqual({
      id: 'typescript-v1',
      name: 'TypeScript SDK (@modelcontextprotocol/sdk)',
      by: 'package',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
  });

  test.each([
    { text: 'from mcp.server.fastmcp import FastMCP\n', id: 'python' },
    { text: '"""Docs."""\nimport os\nfrom fastmcp import FastMCP, Context\n', id: 'fastmcp-python' },
    { text: '# from mcp import x\nimport mcpserver\n', id: undefined },
  ])('imports of a Python script: $id', ({ text, id }) => {
    const place = packageWith(`python-${id ?? 'none'}`, {}, { 'server.py': text });
    expect(sdkOfCommand(['python3', 'server.py'], place)?.id).toBe(id);
  });

  test('how errors are worded', () => {
    expect(sdkOfErrorMessage('MCP error -32602: Prompt x not found')?.id).toBe('typescript-v1');
    expect(sdkOfErrorMessage('Prompt x not found')).toBeUndefined();
  });

  test('nothing is taken from a footer but known ids', () => {
    expect(sdkOfFooter({ id: 'python', name: '<b>x</b>', by: 'package' })).toMatchObject({
      id: 'python',
      name: 'Python SDK (mcp)',
    });
    for (const id of ['constructor', '__proto__', 'unheard-of', 7])
      expect(sdkOfFooter({ id, by: 'package' })).toBeUndefined();
    expect(sdkFixFor('constructor', sdkOfFooter({ id: 'python', by: 'package' }))).toBeUndefined();
  });
});

test('a failure explains itself in terms of the SDK, live, from the saved trace and in every format', {
  timeout: 120_000,
}, async () => {
  const place = packageWith('noisy', { dependencies: { '@modelcontextprotocol/sdk': '^1.0.0' } }, {});
  for (const file of ['odd-server.mjs', 'odd-behaviour.mjs'])
    copyFileSync(path.join(servers, file), path.join(place, file));
  const traceFile = path.join(folder, 'noisy.jsonl');
  const selection = { ...everything, only: ['stdio'] };
  const checked = await check({
    name: 'noisy',
    target: { kind: 'stdio', command: process.execPath, args: ['odd-server.mjs', 'banner'], cwd: place },
    traceFile,
    selection,
  });
  const verdict = verdictOf(checked, 'stdio/stdout-purity');
  expect(verdict).toMatchObject({
    status: 'fail',
    expected: expect.any(String),
    actual: expect.any(String),
    fix: expect.any(String),
    link: expect.stringContaining('/2025-11-25/basic/transports#stdio'),
  });
  expect(verdict.statement).not.toBe('');
  expect(verdict.evidence.length).toBeGreaterThan(0);
  expect(verdict.sdkFix).toContain('TypeScript SDK (@modelcontextprotocol/sdk): console.log() writes to stdout');
  expect(
    checked.report.parts[0]!.verdicts.filter(({ status, sdkFix }) => status !== 'fail' && sdkFix !== undefined),
  ).toEqual([]);
  expect(checked.report.target.sdk?.id).toBe('typescript-v1');

  const again = await judgeTraceFile(traceFile, { selection, toolVersion: '0' });
  expect(again.parts[0]!.verdicts.find(({ rule }) => rule === 'stdio/stdout-purity')?.sdkFix).toBe(verdict.sdkFix);

  for (const format of ['terminal', 'markdown', 'html', 'junit', 'sarif', 'github', 'json'] as const) {
    const shown = renderReport(checked.report, format).replaceAll(/\s+/g, ' ');
    expect(shown, format).toContain('belongs to StdioServerTransport');
  }
});
