/**
 * The reference server with the fixtures of the official conformance suite is as clean as without them: in one of
 * the settings in the slow runs; in all of them with --mode all.
 */
import pLimit from 'p-limit';
import { afterAll, expect, test } from 'vitest';
import { lineOf, settings } from '../support/accuracy.ts';
import { openReferenceLab } from '../support/reference-server.ts';
import { someOf } from '../support/run/some-of.ts';
import { thorough } from '../support/run/options.ts';
import { startReferenceServer } from '../../src/testkit/example-server/start.ts';

const lab = await openReferenceLab();
afterAll(() => lab.close());

/** The suite wants a job that breaks down with a protocol error, where a SHOULD asks for a result with isError. */
const wanted = /^fail tools\/errors-execution-failure: The tool protocol_error_job failed/;

const limit = pLimit(2);
const due = !thorough
  ? []
  : someOf(settings, settings.length, ({ transport, revision }) => `fixtures ${transport} ${revision}`);
const runs = due.map((setting) => ({
  ...setting,
  outcome: limit(() => lab.checkSound({ ...setting, fixtures: true })),
}));
for (const { outcome } of runs) outcome.catch(() => {});

test.each(runs)(
  'nothing fails on $transport at $revision',
  async ({ outcome }) => {
    const { report, gaveUp } = await outcome;
    expect(gaveUp).toBeUndefined();
    expect(report.incomplete).toBeNull();
    expect(
      report.parts[0]!.verdicts.filter(({ status }) => status === 'fail' || status === 'error')
        .map(lineOf)
        .filter((line) => !wanted.test(line)),
    ).toEqual([]);
  },
  600_000,
);

/** Lists the first page of everything over HTTP, as the suite does, which looks at no other. */
test('every fixture stands on the first page', async () => {
  const server = await startReferenceServer({ transport: 'http', fixtures: true });
  try {
    let session = '';
    const post = async (body: object): Promise<unknown> => {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session === '' ? {} : { 'mcp-session-id': session }),
      };
      const response = await fetch(server.url, {
        method: 'POST',
        headers,
        body: JSON.stringify({ jsonrpc: '2.0', ...body }),
      });
      session ||= response.headers.get('mcp-session-id') ?? '';
      const text = await response.text();
      return text === '' ? undefined : ((JSON.parse(text) as { result?: unknown }).result ?? text);
    };
    await post({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    });
    await post({ method: 'notifications/initialized' });
    const names = async (method: string, member: string, key: string): Promise<string[]> =>
      ((await post({ id: method, method })) as Record<string, Record<string, string>[]>)[member]!.map(
        (item) => item[key]!,
      );
    expect(
      (await names('tools/list', 'tools', 'name')).filter((name) => /^test_|^json_schema/.test(name)),
    ).toHaveLength(14);
    expect(await names('resources/list', 'resources', 'uri')).toEqual(
      expect.arrayContaining(['test://static-text', 'test://static-binary', 'test://watched-resource']),
    );
    expect(await names('resources/templates/list', 'resourceTemplates', 'uriTemplate')).toContain(
      'test://template/{id}/data',
    );
    expect((await names('prompts/list', 'prompts', 'name')).filter((name) => name.startsWith('test_'))).toHaveLength(4);
  } finally {
    await server.close();
  }
});
