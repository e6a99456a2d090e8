/** A run holds what its report tells of answers, never the answers themselves. */
import { expect, test } from 'vitest';
import { Workspace } from '../cli/harness.ts';
import { thorough } from '../support/run/options.ts';

test.runIf(thorough)(
  'cases that fail by answers of 7 MB do not keep them',
  async () => {
    const work = new Workspace();
    work.write(
      'server.mjs',
      `
import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const say = (result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
  if (method === 'initialize') say({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } });
  if (method === 'tools/call') say({ content: [{ type: 'text', text: 'y'.repeat(7_000_000) }] });
}).on('close', () => process.exit(0));
`,
    );
    const cases = Array.from({ length: 24 }, (_, index) => ({
      name: `case ${index}`,
      steps: [{ call: 'x', expect: { contains: ['nothing'] } }],
    }));
    work.write('suite.yaml', {
      version: 1,
      servers: { s: { command: 'node', args: ['server.mjs'] } },
      defaults: { server: 's', spec: '2025-11-25' },
      cases,
    });
    // Twice that would be held by a case that keeps a part of what came.
    const { code, stdout, stderr } = await work.run(['run', 'suite.yaml', '--jobs', '1', '--session', 'suite'], {
      env: { NODE_OPTIONS: '--max-old-space-size=120' },
    });
    expect(code, stderr).toBe(1);
    expect(stdout).toContain('24 failed');
  },
  60_000,
);
