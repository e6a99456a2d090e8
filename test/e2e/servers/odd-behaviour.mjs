/**
 * What the odd servers do, whatever carries it: a handful of tools, and one habit. They keep to the specification
 * except for habits that are bad on purpose; written out by hand so that each byte is under control.
 */
const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const pageSize = 50;
/** Of the habit slow-replies, in milliseconds. */
const slowReply = 1500;

const text = (value) => ({ content: [{ type: 'text', text: value }] });
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

class ProtocolError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

const plain = { type: 'object', properties: {}, additionalProperties: false };
const readOnly = { readOnlyHint: true };

function toolsOf(habit) {
  const tools = [
    {
      name: 'echo',
      description: 'Says what it is told.',
      inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
      annotations: readOnly,
    },
    { name: 'count', description: 'Counts slowly and reports progress.', inputSchema: plain, annotations: readOnly },
  ];
  if (habit === 'hanging-tool')
    tools.unshift({ name: 'get-echo', description: 'Never answers.', inputSchema: plain, annotations: readOnly });
  if (habit === 'asks-in-reply')
    tools.unshift({
      name: 'ask-model',
      description: 'Asks the model of the client (sampling).',
      inputSchema: plain,
      annotations: readOnly,
    });
  if (habit === 'many-tools')
    for (let n = 0; n < 600; n += 1)
      tools.push({ name: `extra-${n}`, description: `Tool ${n}.`, inputSchema: plain, annotations: readOnly });
  return tools;
}

/**
 * One connection. `receive` takes a parsed message; what belongs to it goes out by `send`, the response last.
 * @param habit name of the habit; `none` has none
 */
export function connect(habit) {
  const tools = toolsOf(habit);
  /** Ids of running requests; a cancelled one is taken out and then not answered. */
  const running = new Set();
  const asked = new Map();
  let askedCount = 0;
  let declared = {};

  /** A request to the client; resolves with its response. */
  function ask(method, params, send) {
    const id = `s${(askedCount += 1)}`;
    return new Promise((resolve) => {
      asked.set(id, resolve);
      send({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
    });
  }

  async function callTool({ name, arguments: given, _meta }, id, send) {
    if (!tools.some((tool) => tool.name === name)) throw new ProtocolError(-32602, `There is no tool ${name}.`);
    if (name === 'echo') {
      if (typeof given?.word !== 'string') return { ...text('The argument "word" has to be a string.'), isError: true };
      if (habit === 'pings-in-reply') await ask('ping', undefined, send);
      if (habit === 'large-reply') return text(`${given.word} ${'0123456789abcdef'.repeat(131_072)}`);
      return text(given.word);
    }
    if (name === 'get-echo') return new Promise(() => {});
    if (name === 'ask-model') {
      if (!('sampling' in declared)) return { ...text('The client offers no model.'), isError: true };
      const messages = [{ role: 'user', content: { type: 'text', text: 'Name a colour.' } }];
      const { result } = await ask('sampling/createMessage', { messages, maxTokens: 20 }, send);
      if (result?.content?.type !== 'text') return { ...text('What the model said is no text.'), isError: true };
      return text(`The model said ${result.content.text}`);
    }
    if (name === 'count') {
      const token = _meta?.progressToken;
      const steps = habit === 'backwards-progress' ? [2, 3, 1] : [1, 2, 3];
      for (const progress of steps) {
        if (!running.has(id)) return undefined;
        if (token !== undefined)
          send({
            jsonrpc: '2.0',
            method: 'notifications/progress',
            params: { progressToken: token, progress, total: 3 },
          });
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
    if (!Number.isInteger(start) || start > tools.length)
      throw new ProtocolError(-32602, 'That cursor was not given out here.');
    const end = start + pageSize;
    return { tools: tools.slice(start, end), ...(end < tools.length ? { nextCursor: `after-${end}` } : {}) };
  }

  async function answer(method, params, id, send) {
    if (habit === 'slow-replies') await sleep(slowReply);
    switch (method) {
      case 'initialize': {
        const wanted = params?.protocolVersion;
        const known = versions.includes(wanted) || habit === 'echoes-any-version';
        declared = params?.capabilities ?? {};
        return {
          protocolVersion: known ? wanted : versions.at(-1),
          capabilities: { tools: {} },
          serverInfo: { name: 'odd-server', version: '1.0.0' },
        };
      }
      case 'ping':
        return {};
      case 'tools/list':
        return listTools(params?.cursor);
      case 'tools/call':
        return callTool(params ?? {}, id, send);
      default:
        throw new ProtocolError(-32601, `There is no method ${method}.`);
    }
  }

  return async function receive(message, send) {
    if (typeof message !== 'object' || message === null) {
      send({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'That is no message.' } });
      return;
    }
    const { id, method, params } = message;
    if (method !== undefined && (typeof method !== 'string' || message.jsonrpc !== '2.0')) {
      if (id !== undefined) send({ jsonrpc: '2.0', id, error: { code: -32600, message: 'That is no request.' } });
      return;
    }
    if (method === undefined) {
      asked.get(id)?.(message);
      asked.delete(id);
      return;
    }
    if (id === undefined) {
      if (method === 'notifications/cancelled') running.delete(params?.requestId);
      if (habit === 'answers-notifications') send({ jsonrpc: '2.0', id: null, result: { noted: method } });
      return;
    }
    running.add(id);
    try {
      const result = await answer(method, params, id, send);
      if (running.has(id)) send({ jsonrpc: '2.0', id, result });
    } catch (error) {
      send({ jsonrpc: '2.0', id, error: { code: error.code ?? -32603, message: error.message } });
    } finally {
      running.delete(id);
    }
  };
}

/** Milliseconds that a server takes before it does anything. */
export function startDelay(habit) {
  return habit === 'slow-start' || habit === 'slow-replies' ? 3000 : 0;
}
