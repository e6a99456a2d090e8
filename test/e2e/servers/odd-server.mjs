/**
 * A small stdio server, written out by hand so that each byte is under control. It keeps to the specification
 * except for the one habit that its command line names; the habits under `legal` break nothing.
 *
 *   node odd-server.mjs <habit>
 */
import { createInterface } from 'node:readline';

const habit = process.argv[2] ?? 'none';
const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const pageSize = 50;

const text = (value) => ({ content: [{ type: 'text', text: value }] });
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

class ProtocolError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** Ids of running requests; a cancelled one is taken out and then not answered. */
const running = new Set();
const asked = new Map();
let askedCount = 0;

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

/** A request to the client; resolves with its response. */
function ask(method) {
  const id = `s${(askedCount += 1)}`;
  return new Promise((resolve) => {
    asked.set(id, resolve);
    send({ id, method });
  });
}

const plain = { type: 'object', properties: {}, additionalProperties: false };
const tools = [
  { name: 'echo', description: 'Says what it is told.', inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] }, annotations: { readOnlyHint: true } },
  { name: 'count', description: 'Counts slowly and reports progress.', inputSchema: plain, annotations: { readOnlyHint: true } },
];
if (habit === 'hanging-tool') tools.unshift({ name: 'get-echo', description: 'Never answers.', inputSchema: plain, annotations: { readOnlyHint: true } });
if (habit === 'many-tools') for (let n = 0; n < 600; n += 1) tools.push({ name: `extra-${n}`, description: `Tool ${n}.`, inputSchema: plain, annotations: { readOnlyHint: true } });

async function callTool({ name, arguments: given, _meta }, id) {
  if (!tools.some((tool) => tool.name === name)) throw new ProtocolError(-32602, `There is no tool ${name}.`);
  if (name === 'echo') {
    if (typeof given?.word !== 'string') return { ...text('The argument "word" has to be a string.'), isError: true };
    if (habit === 'pings-in-reply') await ask('ping');
    if (habit === 'large-reply') return text(`${given.word} ${'0123456789abcdef'.repeat(131_072)}`);
    return text(given.word);
  }
  if (name === 'get-echo') return new Promise(() => {});
  if (name === 'count') {
    const token = _meta?.progressToken;
    const steps = habit === 'backwards-progress' ? [2, 3, 1] : [1, 2, 3];
    for (const progress of steps) {
      if (!running.has(id)) return undefined;
      if (token !== undefined) send({ method: 'notifications/progress', params: { progressToken: token, progress, total: 3 } });
      await sleep(15);
    }
    return text('three');
  }
  return text(name);
}

function listTools(cursor) {
  const page = /^page-(\d+)$/.exec(cursor ?? 'page-0');
  if (habit === 'endless-pages' && page) return { tools, nextCursor: `page-${Number(page[1]) + 1}` };
  const start = cursor === undefined ? 0 : Number(/^after-(\d+)$/.exec(cursor)?.[1] ?? NaN);
  if (!Number.isInteger(start) || start > tools.length) throw new ProtocolError(-32602, 'That cursor was not given out here.');
  const end = start + pageSize;
  return { tools: tools.slice(start, end), ...(end < tools.length ? { nextCursor: `after-${end}` } : {}) };
}

async function answer(method, params, id) {
  switch (method) {
    case 'initialize': {
      const wanted = params?.protocolVersion;
      const known = versions.includes(wanted) || habit === 'echoes-any-version';
      return { protocolVersion: known ? wanted : versions.at(-1), capabilities: { tools: {} }, serverInfo: { name: 'odd-server', version: '1.0.0' } };
    }
    case 'ping':
      return {};
    case 'tools/list':
      return listTools(params?.cursor);
    case 'tools/call':
      return callTool(params ?? {}, id);
    default:
      throw new ProtocolError(-32601, `There is no method ${method}.`);
  }
}

async function receive(message) {
  const { id, method, params } = message;
  if (typeof method !== 'string') {
    asked.get(id)?.(message);
    asked.delete(id);
    return;
  }
  if (id === undefined) {
    if (method === 'notifications/cancelled') running.delete(params?.requestId);
    if (habit === 'answers-notifications') send({ id: null, result: { noted: method } });
    return;
  }
  running.add(id);
  try {
    const result = await answer(method, params, id);
    if (running.has(id)) send({ id, result });
  } catch (error) {
    send({ id, error: { code: error.code ?? -32603, message: error.message } });
  } finally {
    running.delete(id);
  }
}

function take(line) {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    send({ id: null, error: { code: -32700, message: 'That is no JSON.' } });
    return;
  }
  for (const one of Array.isArray(message) ? message : [message]) void receive(one);
}

if (habit === 'banner') process.stdout.write('*** odd-server 1.0 is ready ***\n');
if (habit === 'slow-start') await sleep(3000);
createInterface({ input: process.stdin, terminal: false })
  .on('line', take)
  .on('close', () => {
    // What still runs is given up with the process.
    if (habit === 'ignores-end-of-input') setInterval(() => {}, 1000);
    else process.exit(0);
  });
