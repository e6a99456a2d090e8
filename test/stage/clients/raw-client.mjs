/**
 * A small client over Streamable HTTP without a library, correct but for the one fault that FAULT names, and free in what
 * VARIANT names, which breaks nothing. It lists all tools, calls add_numbers, lists again, and ends its session.
 */
const url = process.argv.at(-1);
const fault = process.env.FAULT ?? '';
const variant = new Set((process.env.VARIANT ?? '').split(',').filter(Boolean));
const bare = variant.has('bare');
const capabilities = bare
  ? {}
  : {
      roots: { listChanged: true },
      sampling: {},
      elicitation: { form: {}, ...(variant.has('url') ? { url: {} } : {}) },
    };
if (fault === 'undeclared-sampling') delete capabilities.sampling;
if (fault === 'undeclared-roots') delete capabilities.roots;
if (fault === 'undeclared-elicitation') delete capabilities.elicitation;
const asksFor = process.env.VERSION ?? '2025-11-25';
const known = variant.has('one-version') ? [asksFor] : ['2025-11-25', '2025-06-18', '2025-03-26'];
let session;
let version;
let nextId = 1;

function headers() {
  const named = fault === 'wrong-version-header' ? '2025-03-26' : version;
  return {
    'content-type': 'application/json',
    accept: fault === 'accept-json' ? 'application/json' : 'application/json, text/event-stream',
    ...(session === undefined || fault === 'no-session-id' ? {} : { 'mcp-session-id': session }),
    ...(named === undefined || fault === 'no-version-header' ? {} : { 'mcp-protocol-version': named }),
  };
}

/** Everything that the body holds, one message after another. */
async function* messagesOf(response, seen = {}) {
  if (!(response.headers.get('content-type') ?? '').startsWith('text/event-stream')) {
    const text = await response.text();
    if (text !== '') yield JSON.parse(text);
    return;
  }
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body) {
    rest += decoder.decode(chunk, { stream: true });
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const lines = rest.slice(0, end).split('\n');
      const named = lines.find((line) => line.startsWith('id:'));
      if (named !== undefined) seen.id = named.slice(3).trim();
      const delay = lines.find((line) => line.startsWith('retry:'));
      if (delay !== undefined) seen.retry = Number(delay.slice(6));
      const data = lines
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trim())
        .join('\n');
      rest = rest.slice(end + 2);
      if (data !== '') yield JSON.parse(data);
    }
  }
}

/** What is wrong with the frame of one request, the listing of tools. */
const frames = {
  'null-id': (message) => ({ ...message, id: null }),
  'object-id': (message) => ({ ...message, id: {} }),
  'no-jsonrpc': ({ jsonrpc: _jsonrpc, ...rest }) => rest,
  'array-params': (message) => ({ ...message, params: [] }),
  'number-cursor': (message) => ({ ...message, params: { cursor: 7 } }),
  'text-meta': (message) => ({ ...message, params: { _meta: 'none' } }),
  'reserved-meta': (message) => ({ ...message, params: { _meta: { 'io.modelcontextprotocol/mine': 1 } } }),
  batch: (message) => [message],
};

async function post(whole) {
  const message = whole.method === 'tools/list' && Object.hasOwn(frames, fault) ? frames[fault](whole) : whole;
  const response = await fetch(url, { method: 'POST', headers: headers(), body: JSON.stringify(message) });
  session = response.headers.get('mcp-session-id') ?? session;
  return response;
}

const answers = {
  ping: () => (fault === 'ping-text' ? { result: 'pong' } : { result: {} }),
  'roots/list': () =>
    bare || 'roots' in capabilities || fault === 'undeclared-roots'
      ? bare
        ? refused(fault === 'roots-code' ? -32000 : -32601)
        : {
            result: {
              roots:
                fault === 'roots-shape' ? ['file:///a'] : [{ uri: fault === 'roots-uri' ? '/home/a' : 'file:///a' }],
            },
          }
      : refused(-32601),
  'sampling/createMessage': ({ tools, messages }) =>
    bare
      ? refused(-32601)
      : messages.some(({ content }) => content?.type === 'text' && typeof content.text !== 'string') ||
          (tools !== undefined && fault !== 'sampling-tools')
        ? refused(-32602)
        : variant.has('declines')
          ? refused(-1)
          : {
              result: {
                role: 'assistant',
                ...(fault === 'sampling-shape' ? {} : { model: 'none' }),
                content: { type: 'text', text: 'blue' },
              },
            },
  'elicitation/create': ({ mode = 'form' }) => {
    if (bare) return refused(-32601);
    if (mode === 'url' && !capabilities.elicitation?.url && fault !== 'url-accepted') return refused(-32602);
    if (fault === 'no-mode-refused' && mode === 'form') return refused(-32602);
    if (variant.has('declines')) return { result: { action: 'decline' } };
    if (fault === 'elicit-action') return { result: { action: 'ok' } };
    if (mode === 'url') return { result: { action: 'accept', ...(fault === 'url-content' ? { content: {} } : {}) } };
    return { result: { action: 'accept', content: { team: fault === 'elicit-content' ? 7 : 'red' } } };
  },
};

function refused(code) {
  return { error: { code, message: 'Not offered' } };
}

async function answer({ id, method, params }) {
  const own = Object.hasOwn(answers, method)
    ? answers[method](params ?? {})
    : refused(fault === 'unknown-code' ? -32000 : -32601);
  if (fault === 'error-without-message') delete own.error?.message;
  if (fault === 'error-text-code' && own.error) own.error.code = `${own.error.code}`;
  const body = fault === 'unknown-result' && method.startsWith('mcpc/') ? { result: {} } : own;
  await post({ jsonrpc: '2.0', id: fault === 'answer-id' ? `${id}x` : id, ...body });
}

async function request(method, params) {
  const id = variant.has('string-ids') ? `id-${nextId}` : fault === 'same-id' ? 1 : nextId;
  nextId += 1;
  const response = await post({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
  if (response.status === 404) {
    await response.text();
    throw Object.assign(new Error('the session is over'), { over: true });
  }
  let found;
  const seen = {};
  const take = async (reply) => {
    for await (const message of messagesOf(reply, seen)) {
      if ('method' in message && 'id' in message) await answer(message);
      else if (message.id === id) found = message;
    }
  };
  await take(response);
  if (found === undefined && seen.id !== undefined && fault !== 'no-resume') {
    await new Promise((resolve) => setTimeout(resolve, seen.retry ?? 0));
    await take(await fetch(url, { headers: { ...headers(), accept: 'text/event-stream', 'last-event-id': seen.id } }));
  }
  return found ?? { error: { message: 'no answer' } };
}

async function connect() {
  session = undefined;
  version = undefined;
  if (fault === 'request-first') await request('tools/list').catch(() => {});
  const { result } = await request('initialize', {
    protocolVersion: asksFor,
    capabilities,
    clientInfo: { name: 'raw', ...(fault === 'no-name' ? {} : { version: '1' }) },
  });
  if (result === undefined) process.exit(1);
  if (!known.includes(result.protocolVersion) && fault !== 'any-version') {
    console.error(`cannot speak ${result.protocolVersion}`);
    process.exit(1);
  }
  version = result.protocolVersion;
  if (fault !== 'no-initialized') await (await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).text();
  const inform = async (method, params) => (await post({ jsonrpc: '2.0', method, params })).text();
  if (fault === 'cancel-unknown') await inform('notifications/cancelled', { requestId: 4711 });
  if (fault === 'cancel-without-id') await inform('notifications/cancelled', { reason: 'enough' });
  if (fault === 'progress-unknown') await inform('notifications/progress', { progressToken: 'nothing', progress: 1 });
  if (fault === 'unknown-level') await request('logging/setLevel', { level: 'loud' });
  if (fault === 'half-completion') await request('completion/complete', { ref: { type: 'ref/prompt', name: 'greet' } });
  if (fault === 'no-uri') await request('resources/read', {});
  return result;
}

async function listTools() {
  let cursor;
  let page = 0;
  do {
    const { result } = await request('tools/list', cursor === undefined ? undefined : { cursor });
    cursor = fault === 'made-up-cursor' && page === 0 ? 'page-2' : result?.nextCursor;
    page += 1;
  } while (cursor !== undefined && page < 20);
}

const { capabilities: offered } = await connect();
const work = async () => {
  if (offered.tools || fault === 'undeclared-tools') {
    if (!variant.has('lists-nothing')) await listTools();
    const call = () =>
      request('tools/call', {
        ...(fault === 'call-without-name' ? {} : { name: 'add_numbers' }),
        arguments: fault === 'list-of-arguments' ? [5, 3] : { a: 5, b: 3 },
        ...(fault === 'task-call' ? { task: {} } : {}),
      });
    await (variant.has('parallel') ? Promise.all([call(), call(), call()]) : call());
    if (!variant.has('lists-nothing')) await listTools();
  }
};
try {
  await work();
} catch (error) {
  if (!error.over) throw error;
  if (fault === 'session-after-404') for (const again of [1, 2]) await request('tools/list').catch(() => again);
  else if (!variant.has('gives-up')) {
    await connect();
    await work();
  } else process.exit(1);
}
if (session !== undefined && !variant.has('no-delete'))
  await (await fetch(url, { method: 'DELETE', headers: headers() })).text();
