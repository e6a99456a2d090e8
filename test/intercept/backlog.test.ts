/** More is said than can be judged meanwhile: recording ends, and trace and report say so. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openRecordingThread } from '../../src/check/intercept-thread/outside.ts';
import { Workspace } from '../cli/harness.ts';
import { thorough } from '../support/run/options.ts';

const space = new Workspace();

test.runIf(thorough)(
  'what waits for the judge is bounded; what was recorded is judged',
  { timeout: 240_000 },
  async () => {
    const traceFile = space.path('trace.jsonl');
    const options = {
      target: { name: 'test' },
      selection: { only: ['lifecycle'], skip: [], houseRules: [], houseRequirements: [] },
      role: 'both' as const,
      secrets: [],
      keepSecrets: false,
      known: {},
      toolVersion: '0',
      live: false,
      traceFile,
    };
    const thread = await openRecordingThread(options, () => {});
    try {
      const say = (of: 'client' | 'server', message: object): void =>
        thread.tap({ tap: 'stdio', of, chunk: Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`) });
      thread.tap({ tap: 'begin', transport: 'stdio' });
      say('client', {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
      });
      say('server', {
        id: 1,
        result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } },
      });
      say('client', { method: 'notifications/initialized' });
      // The thread cannot tell that it has taken anything before this loop is over.
      const text = 'x'.repeat(1024 * 1024);
      for (let id = 2; id < 80; id += 1)
        say('server', { method: 'notifications/message', params: { level: 'info', data: text } });
      const concluded = await thread.conclude();
      if ('why' in concluded) throw new Error(concluded.why);
      expect(concluded.events).toBeGreaterThan(50);
      expect(concluded.events).toBeLessThan(75);
      expect(concluded.report?.incomplete).toMatch(
        /more was said than could be judged meanwhile; the last \d+ bytes were handed on, but not recorded/,
      );
      const [header, ...rest] = readFileSync(traceFile, 'utf8').trimEnd().split('\n');
      expect(header).toContain('mcpc-trace');
      expect(rest.at(-2)).toContain('"kind":"limit"');
      expect(rest.at(-1)).toContain('"complete":false');
    } finally {
      await thread.dispose();
    }
  },
);
