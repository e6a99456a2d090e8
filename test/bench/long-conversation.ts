/** Writes the trace of one long, faultless conversation over stdio: what the benchmarks of judging read. */

type Json = Record<string, unknown>;

const revision = '2025-11-25';
const sentence = 'The quick brown fox jumps over the lazy dog while the band plays on. ';

/**
 * @param write takes text, some thousand lines at a time
 * @param messages how many messages the conversation has at least
 * @returns how many it has
 */
export function writeConversation(write: (text: string) => void, messages: number): number {
  let lines: string[] = [];
  let seq = 0;
  let count = 0;
  let id = 0;
  const put = (value: Json): void => {
    lines.push(JSON.stringify(value));
    if (lines.length < 5000) return;
    write(`${lines.join('\n')}\n`);
    lines = [];
  };
  const event = (from: 'client' | 'server', message: Json): void => {
    seq += 1;
    count += 1;
    put({ seq, t: seq / 10, session: 's1', from, kind: 'message', message: { jsonrpc: '2.0', ...message } });
  };
  const ask = (
    method: string,
    params: Json | undefined,
    result: Json,
    between: (token: number) => void = () => {},
  ): void => {
    id += 1;
    event('client', { id, method, ...(params ? { params } : {}) });
    between(id);
    event('server', { id, result });
  };
  const schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
  const tools = Array.from({ length: 20 }, (_, index) => ({
    name: `tool-${index}`,
    description: sentence,
    inputSchema: schema,
  }));

  put({ format: 'mcpc-trace', version: 1, origin: 'live', transport: 'stdio', revision, era: 'stateful' });
  ask(
    'initialize',
    { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'bench', version: '1.0.0' } },
    {
      protocolVersion: revision,
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: 'bench', version: '1.0.0' },
    },
  );
  event('client', { method: 'notifications/initialized' });
  for (let round = 0; count < messages; round += 1) {
    if (round % 1000 === 0) ask('tools/list', undefined, { tools });
    const text = sentence.repeat(1 + (round % 20));
    ask(
      'tools/call',
      { name: `tool-${round % 20}`, arguments: { text }, _meta: { progressToken: id + 1 } },
      { content: [{ type: 'text', text }] },
      (token) => {
        for (const progress of [1, 2])
          event('server', { method: 'notifications/progress', params: { progressToken: token, progress, total: 2 } });
      },
    );
    ask(
      'resources/read',
      { uri: `file:///notes/${round % 50}.txt` },
      { contents: [{ uri: `file:///notes/${round % 50}.txt`, mimeType: 'text/plain', text }] },
    );
    ask('ping', undefined, {});
  }
  put({ footer: true, events: seq, complete: true });
  write(`${lines.join('\n')}\n`);
  return count;
}
