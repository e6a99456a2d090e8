/**
 * What the compliant server sends fits the official JSON Schema of each revision. Runs only where
 * those schemas are at hand beside the project; they are no part of it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/server/protocol/json-rpc.ts';
import { isObject } from '../../src/server/protocol/json-rpc.ts';
import { allRevisions, statelessRevision } from '../../src/server/protocol/revisions.ts';
import { startPeer } from './harness/peer.ts';
import { initializeParams, modern } from './harness/scenario.ts';

const folder = fileURLToPath(new URL('../../../shared/spec-schemas/', import.meta.url));

const requests: readonly [method: string, params: JsonObject, result: string][] = [
  ['tools/list', {}, 'ListToolsResult'],
  ['resources/list', {}, 'ListResourcesResult'],
  ['resources/templates/list', {}, 'ListResourceTemplatesResult'],
  ['prompts/list', {}, 'ListPromptsResult'],
  ['resources/read', { uri: 'demo://logo' }, 'ReadResourceResult'],
  ['prompts/get', { name: 'review' }, 'GetPromptResult'],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'name', value: 'a' } },
    'CompleteResult',
  ],
  ...['about', 'fail', 'picture', 'sound', 'attach', 'log', 'change-lists', 'slow'].map(
    (name) =>
      ['tools/call', { name, arguments: name === 'slow' ? { ms: 6 } : {} }, 'CallToolResult'] as [
        string,
        JsonObject,
        string,
      ],
  ),
  ['tools/call', { name: 'forecast', arguments: { place: 'Oslo' } }, 'CallToolResult'],
];

describe.skipIf(!existsSync(folder)).each(allRevisions)('the schema of %s', (revision) => {
  it('fits all that the server sends', async () => {
    const schema = JSON.parse(readFileSync(`${folder}${revision}.json`, 'utf8')) as JsonObject;
    const section = '$defs' in schema ? '$defs' : 'definitions';
    const ajv = section === '$defs' ? new Ajv2020({ strict: false }) : new Ajv({ strict: false });
    addFormats.default(ajv as Ajv);
    ajv.addSchema({ ...schema, $id: 'mcp' });
    const faults = (definition: string, value: unknown): unknown => {
      const validate = ajv.getSchema(`mcp#/${section}/${definition}`);
      if (validate === undefined) throw new Error(`no definition ${definition}`);
      return validate(value) === true ? undefined : { definition, value, errors: validate.errors };
    };
    const peer = await startPeer('stdio', {});
    const found: unknown[] = [];
    if (revision !== statelessRevision) {
      const { result } = await peer.call('init', 'initialize', initializeParams(revision, { roots: {}, sampling: {} }));
      found.push(faults('InitializeResult', result));
      await peer.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    } else {
      found.push(
        faults(
          'DiscoverResult',
          (await peer.call(0, 'server/discover', modern(0, 'server/discover').message.params)).result,
        ),
      );
    }
    for (const [index, [method, params, result]] of requests.entries()) {
      const id = index + 1;
      const meta = isObject(modern(id, method).message.params._meta) ? modern(id, method).message.params._meta : {};
      const sent =
        revision === statelessRevision
          ? {
              ...params,
              _meta: { ...(meta as JsonObject), progressToken: id, 'io.modelcontextprotocol/logLevel': 'info' },
            }
          : { ...params, _meta: { progressToken: id } };
      found.push(faults(result, (await peer.call(id, method, sent)).result));
    }
    await peer.close();
    for (const message of peer.messages as JsonObject[]) {
      if ('method' in message) found.push(faults('id' in message ? 'ServerRequest' : 'ServerNotification', message));
    }
    expect(found.filter((fault) => fault !== undefined)).toEqual([]);
  });
});
