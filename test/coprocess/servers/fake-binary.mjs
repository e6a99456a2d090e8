/**
 * A binary that speaks the coprocess protocol of another version, or speaks it wrongly: the mode is in the variable
 * FAKE_MODE. It writes the process id of itself to FAKE_PID_FILE, where that is set.
 */
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const mode = process.env.FAKE_MODE;
if (process.env.FAKE_PID_FILE) writeFileSync(process.env.FAKE_PID_FILE, String(process.pid));

const own = mode === 'v1' ? 1 : mode === 'v3' ? 3 : 2;
const say = (text) => process.stdout.write(`${text}\n`);
const frame = (id, body) => say(JSON.stringify({ jsonrpc: '2.0', id, ...body }));

if (mode === 'no-start') process.exit(7);

const verdict = { success: true, data: null, text: 'sunny', error: null, duration_ms: 3 };
const results = {
  verdict,
  'verdict-failed': { ...verdict, success: false, error: { why: 'rain' } },
  'verdict-more': { ...verdict, mood: 'fair' },
  'verdict-less': { success: true },
  passthrough: { content: [{ type: 'text', text: 'sunny' }] },
  'passthrough-false': { content: [{ type: 'text', text: 'sunny' }], isError: false },
  'passthrough-true': { content: [{ type: 'text', text: 'rain' }], isError: true },
  structured: { structuredContent: { sky: 'blue' } },
  both: { ...verdict, content: [] },
  nothing: 'sunny',
};

function handshake(id, params) {
  if (own === 1) return frame(id, { error: { code: -32601, message: 'method not found' } });
  if (mode === 'reply-v3') return frame(id, { result: { protocol_version: 3, binary_version: '9.9.9' } });
  if (mode === 'reply-v1') return frame(id, { result: { protocol_version: 1, binary_version: '0.1.0' } });
  if (mode === 'handshake-more') return frame(id, { result: { protocol_version: 2, binary_version: '1.0.0', x: 1 } });
  if (params.protocol_version !== own)
    return frame(id, {
      error: {
        code: -32602,
        message: `coprocess protocol version mismatch: this mcptest binary speaks v${own}, the ${params.sdk} SDK sent v${params.protocol_version}. Upgrade the ${params.sdk} SDK (or pin the mcptest binary to the matching release).`,
      },
    });
  return frame(id, { result: { protocol_version: own, binary_version: '1.0.0' } });
}

function call(id) {
  switch (mode) {
    case 'envelope-more':
      return frame(id, { result: verdict, trace: 1 });
    case 'result-and-error':
      return frame(id, { result: verdict, error: { code: -32000, message: 'no' } });
    case 'neither':
      return frame(id, {});
    case 'other-id':
      return frame(String(id), { result: verdict });
    case 'error-more':
      return frame(id, { error: { code: -32000, message: 'no', more: 1 } });
    case 'banner':
      say('Welcome to the weather service');
      return frame(id, { result: verdict });
    case 'dies':
      process.stderr.write('out of weather\n');
      return process.exit(3);
    case 'slow':
      return setTimeout(() => frame(id, { result: verdict }), 300);
    case 'deaf':
      return undefined;
    case 'upstream-error':
      return frame(id, { error: { code: -32000, message: 'tool refused', data: { tool: 'get_weather' } } });
    case 'upstream-gone':
      return frame(id, { error: { code: -32001, message: 'upstream connection dropped' } });
    case 'internal':
      return frame(id, { error: { code: -32603, message: 'internal error' } });
    default:
      return frame(id, { result: results[mode] ?? verdict });
  }
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === 'coprocess/handshake') handshake(id, params);
    else if (method === 'mcp.call') call(id);
    else if (method === 'mcp.listTools') frame(id, { result: { tools: [{ name: process.argv.slice(2).join(' ') }] } });
    else frame(id, { result: {} });
  })
  .on('close', () => (mode === 'stays' ? setInterval(() => {}, 1000) : process.exit(0)));
