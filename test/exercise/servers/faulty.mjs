/** A small server whose tools each have one fault, named after it, and `sound`, which has none. Words of the command line choose tools. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

const [folder = '', ...wanted] = process.argv.slice(2);
const notes = [];
const text = (one) => ({ content: [{ type: 'text', text: one }] });
const failed = (one) => ({ ...text(one), isError: true });
const rpc = (code, message) => ({ error: { code, message } });
const schema = {
  type: 'object',
  properties: { text: { type: 'string' }, count: { type: 'integer', minimum: 0 } },
  required: ['text'],
};
const checked = (act) => (given) =>
  typeof given.text === 'string' && (given.count === undefined || Number.isInteger(given.count))
    ? act(given)
    : failed('text has to be a string');
const reads = { readOnlyHint: true };

const tools = {
  get_sound: { act: checked(({ text: one }) => text(`Read ${one.length} characters.`)) },
  get_death: { act: checked(() => process.exit(7)) },
  get_late_death: { act: checked(() => (setTimeout(() => process.exit(9), 1), text('ok'))) },
  get_nothing: { act: checked(() => undefined) },
  get_malformed: { act: checked(() => ({ content: 'text' })) },
  get_internal: { act: checked(() => rpc(-32603, 'it broke')) },
  get_refused: { act: () => rpc(-32602, 'never') },
  get_trace: { act: checked(() => failed(`Error: no\n    at read (${import.meta.filename}:12:7)`)) },
  get_program: { act: checked(() => failed(`cannot load /srv/app/node_modules/pkg/index.js`)) },
  get_settings: { act: checked(() => text(JSON.stringify(process.env))) },
  get_mismatch: {
    output: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
    act: checked(() => ({ ...text('{}'), structuredContent: { id: 'seven' } })),
  },
  get_anything: { act: () => text('ok') },
  get_visits: { act: checked(({ text: one }) => (notes.push(one), text('ok'))) },
  get_report: { act: checked(() => (appendFileSync(join(folder, 'log.txt'), 'x'), text('ok'))) },
  put_once: {
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
    act: checked(({ text: one }) => (notes.push(one), text('ok'))),
  },
  put_same: {
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
    act: checked(({ text: one }) => ((notes[0] = one), text('ok'))),
  },
  delete_all: {
    annotations: { destructiveHint: true },
    act: () => (writeFileSync(join(folder, 'deleted'), 'yes'), text('gone')),
  },
};
const offered = Object.entries(tools).filter(([name]) => wanted.length === 0 || wanted.includes(name));

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const answer = (result) =>
      result !== undefined && say('error' in result ? { id, error: result.error } : { id, result });
    if (method === 'initialize')
      answer({
        protocolVersion: params.protocolVersion === '2026-07-28' ? '2025-11-25' : params.protocolVersion,
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: 'faulty', version: '1' },
      });
    else if (method === 'ping') answer({});
    else if (method === 'tools/list')
      answer({
        tools: offered.map(([name, { annotations = reads, output }]) => ({
          name,
          description: `Does ${name}.`,
          inputSchema: schema,
          annotations,
          ...(output ? { outputSchema: output } : {}),
        })),
      });
    else if (method === 'resources/list') answer({ resources: [{ uri: 'notes://all', name: 'notes' }] });
    else if (method === 'resources/templates/list') answer({ resourceTemplates: [] });
    else if (method === 'resources/read')
      answer({
        contents: [
          {
            uri: 'notes://all',
            text: `${notes.join('\n')}${folder === '' ? '' : readFileSync(join(folder, 'note.txt'), 'utf8')}`,
          },
        ],
      });
    else if (method === 'tools/call') answer(tools[params.name].act(params.arguments ?? {}));
    else answer(rpc(-32601, 'Method not found'));
  })
  .on('close', () => process.exit(0));
