/** Which revision is found of a server that answers initialize with an error, in place of a version that it supports. */
import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createPeerHub } from '../../src/client/peer/open-peer.ts';
import type { Peer } from '../../src/client/peer/peer.ts';
import { detect } from '../../src/client/reach/detect.ts';
import type { Detected } from '../../src/client/reach/detected.ts';
import type { Target } from '../../src/client/target/target.ts';
import { defaultTiming } from '../../src/client/target/timing.ts';
import { createRecorder } from '../../src/core/trace/recorder.ts';
import { listening } from '../support/small-mcp.ts';

const peers = new Set<Peer>();
afterEach(async () => {
  await Promise.all([...peers].map((peer) => peer.close()));
  peers.clear();
});

/** Versions that initialize asked for, in order. */
let asked: unknown[] = [];

async function detected(target: Target, spec: 'auto' | '2025-11-25' = 'auto'): Promise<Detected> {
  const recorder = createRecorder({ keep: true });
  const hub = createPeerHub(recorder.sink, (listener) => recorder.subscribe(listener));
  try {
    return await detect({
      target,
      spec,
      fallback: true,
      async open(wanted, era, revision, how = {}) {
        const peer = await hub.open({ ...how, target: wanted, era, revision, timing: defaultTiming, toolVersion: '0' });
        peers.add(peer);
        return peer;
      },
    });
  } finally {
    asked = recorder.events.flatMap(({ from, message }) => {
      const { method, params } = (message ?? {}) as { method?: string; params?: { protocolVersion?: string } };
      return from === 'client' && method === 'initialize' ? [params?.protocolVersion] : [];
    });
  }
}

interface Speaker {
  supported: string[];
  error: { code: number; message: string; data?: unknown };
}

function answerOf(
  { supported, error }: Speaker,
  message: { id?: unknown; method?: string; params?: { protocolVersion: string } },
): { error: Speaker['error'] } | { result: unknown } {
  if (message.method !== 'initialize') return { error: { code: -32601, message: 'Method not found' } };
  const { protocolVersion } = message.params!;
  return supported.includes(protocolVersion)
    ? { result: { protocolVersion, capabilities: {}, serverInfo: { name: 'choosy', version: '1' } } }
    : { error };
}

function onStdio(speaker: Speaker): Target {
  const code = `
    const answerOf = ${answerOf.toString()};
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const message = JSON.parse(line);
      if (message.id === undefined) return;
      process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answerOf(${JSON.stringify(speaker)}, message) }) + '\\n');
    });`;
  return { kind: 'stdio', command: process.execPath, args: ['-e', code] };
}

const unsupported = { code: -32602, message: 'Unsupported protocol version' };

test('those that the error names are asked for first, the newest of them before the others', async () => {
  const supported = ['2024-11-05', '2025-03-26'];
  const error = { ...unsupported, data: { supported, requested: '2025-11-25' } };
  expect(await detected(onStdio({ supported, error }))).toMatchObject({ revision: '2025-03-26', era: 'stateful' });
  expect(asked).toEqual(['2025-11-25', '2025-03-26']);
});

test('where it names none, older ones are asked for one after another', async () => {
  const speaker = { supported: ['2024-11-05'], error: unsupported };
  const found = await detected(onStdio(speaker));
  expect(found).toMatchObject({ revision: '2024-11-05', serverInfo: { name: 'choosy' } });
  expect(asked).toEqual(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']);
});

test('over HTTP an error without an id, under status 400, names them as well', async () => {
  const supported = ['2025-03-26'];
  const speaker = { supported, error: { ...unsupported, data: { supported } } };
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      const message = JSON.parse(text) as { id?: unknown };
      if (message.id === undefined) return response.writeHead(202).end();
      const answer = answerOf(speaker, message);
      const id = 'error' in answer ? null : message.id;
      response.writeHead('error' in answer ? 400 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
  });
  await listening(server, async (port) => {
    const target: Target = { kind: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: [] };
    expect(await detected(target)).toMatchObject({ revision: '2025-03-26', target: { kind: 'http' } });
    await Promise.all([...peers].map((peer) => peer.close()));
  });
  expect(asked.at(-1)).toBe('2025-03-26');
  expect(asked).not.toContain('2025-06-18');
});

test('a server that has no such method is asked for no older revision, and an error that names none is told', async () => {
  const none = { supported: [], error: { code: -32601, message: 'Method not found' } };
  await expect(detected(onStdio(none))).rejects.toThrow('answered initialize with an error');
  expect(asked).toEqual(['2025-11-25']);
});

test('held to a revision that it refuses, the remedy names one that it speaks', async () => {
  const supported = ['2025-03-26'];
  const speaker = { supported, error: { ...unsupported, data: { supported } } };
  await expect(detected(onStdio(speaker), '2025-11-25')).rejects.toMatchObject({
    remedy: expect.stringContaining('--spec 2025-03-26') as string,
  });
});
