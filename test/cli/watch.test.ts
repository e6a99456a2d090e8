/** `check --watch`: after a change what failed is asked first, and what changed is told before the whole check is through. */
import { expect, test } from 'vitest';
import { Workspace } from './harness.ts';
import { thorough } from '../support/run/options.ts';

const space = new Workspace();

/** A watcher that looks in intervals may have its first look late, so that it is shown the change until it saw it. */
async function change(text: string, until: () => boolean): Promise<void> {
  for (let times = 0; times < 100 && !until(); times += 1) {
    space.write('server.cjs', text);
    for (let wait = 0; wait < 50 && !until(); wait += 1) await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Has one tool; with a fault its schema is missing. */
const server = (fault: boolean): string => `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const say = (body) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...body }) + '\\n');
    const tool = { name: 'get_time'${fault ? '' : ", inputSchema: { type: 'object' }"} };
    if (method === 'initialize') say({ result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'watched', version: '1' } } });
    else if (method === 'tools/list') say({ result: { tools: [tool] } });
    else if (method === 'tools/call' && params.name === 'get_time') say({ result: { content: [{ type: 'text', text: 'noon' }] } });
    else if (method === 'ping') say({ result: {} });
    else say({ error: { code: method === 'tools/call' ? -32602 : -32601, message: 'no' } });
  });`;

test.runIf(thorough)('tells what passes and fails now as soon as it is known', { timeout: 240_000 }, async () => {
  space.write('server.cjs', server(true));
  const run = space.start([
    'check',
    '--watch',
    '--only',
    'tools',
    '--only',
    'ping',
    '--spec',
    '2025-11-25',
    '--',
    'node',
    'server.cjs',
  ]);
  await run.shows(/A quick look finds \d+ that fails?: .*tools\/.*The whole check follows\./);
  await run.shows('Watching .; Ctrl-C ends it.');
  const changes = (): number => run.text().split('server.cjs changed, checking again.').length - 1;
  await change(server(false), () => changes() > 0);
  await run.shows('Asking first for what failed: ');
  await run.shows(/Passes now: tools\//);
  await run.shows(/(?:Watching \.; Ctrl-C ends it\.[^]*){2}/);
  const before = changes();
  await change(server(true), () => changes() > before);
  await run.shows(/Fails now: tools\/\S+: ./);
  run.kill('SIGINT');
  const { code, stdout, stderr } = await run.ended;
  expect(code).toBe(130);
  // The report is that of the whole checks alone.
  expect(stdout.match(/NOT COMPLIANT/g)).toHaveLength(1);
  expect(stdout.match(/(?<!NOT )COMPLIANT/g)).toHaveLength(1);
  expect(stderr.indexOf('Passes now')).toBeGreaterThan(stderr.indexOf('Asking first'));
});
