/**
 * Servers of the stateless era (2026-07-28) that are sound but for one thing.
 *
 *   node stateless.mjs <id> [port]
 */
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const [id] = process.argv.slice(2);
const port = Number(process.argv[3]);
const revision = '2026-07-28';
const key = (name) => `io.modelcontextprotocol/${name}`;
const announcement = 'notifications/tools/list_changed';
const form = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const tool = (name) => ({
  name,
  description: 'Gives back its text.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  annotations: { readOnlyHint: true },
});

/** Subscriptions that are open: how to tell each of a change, by its id. */
const open = new Map();
const tools = [tool('echo')];

const cached = { ttlMs: 0, cacheScope: 'private' };
const _meta = { [key('serverInfo')]: { name: 'stateless', version: '1' } };
const complete = (result) => ({ resultType: 'complete', ...result, _meta });
const text = (value) => complete({ content: [{ type: 'text', text: String(value) }] });
const refused = (code, message, data) => ({ error: { code, message, ...(data === undefined ? {} : { data }) } });
const question = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'What is your name?', requestedSchema: form },
};
const asked = (state) => ({
  resultType: 'input_required',
  inputRequests: { name: question },
  requestState: state,
  _meta,
});
const asks = ({ _meta: meta }) => meta[key('clientCapabilities')].elicitation !== undefined;
const needsForms = refused(-32021, 'Elicitation is needed', { requiredCapabilities: { elicitation: {} } });

const told = (id) => ({ jsonrpc: '2.0', method: announcement, params: { _meta: { [key('subscriptionId')]: id } } });
const announce = () => open.forEach((say, id) => say(told(id)));

/** What tools/call gives; a promise where it takes time. */
const calls = {
  'asks-for-ever': (params) => (asks(params) ? asked(`round ${Math.random()}`) : needsForms),
  'heavy-state': (params) =>
    params.inputResponses ? text('thank you') : asks(params) ? asked('s'.repeat(2_000_000)) : needsForms,
  'slow-after-input': async (params) => {
    if (!params.inputResponses) return asks(params) ? asked('waits') : needsForms;
    await new Promise((resolve) => setTimeout(resolve, 20_000));
    return text('thank you');
  },
  'tools-with-every-call': () => {
    tools.push(tool(`echo-${tools.length}`));
    announce();
    return text('one more');
  },
};

/** What happens once a subscription is acknowledged; `end` breaks its stream off. */
const subscribed = {
  'floods-subscriptions': async (say, subscription) => {
    for (;;) {
      for (let n = 0; n < 500; n += 1) if (!say(told(subscription))) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  },
  'drops-subscriptions': (_say, _subscription, end) => setTimeout(() => end(), 50),
};

function discover() {
  return complete({ supportedVersions: [revision], capabilities: { tools: { listChanged: true } }, ...cached });
}

/** The result or error of a request that is no subscription. */
function answerTo({ method, params = {} }) {
  const meta = params._meta;
  if (method === 'initialize')
    return refused(-32022, 'Unsupported protocol version', {
      supported: [revision],
      requested: String(params.protocolVersion),
    });
  if (
    typeof meta !== 'object' ||
    meta === null ||
    typeof meta[key('protocolVersion')] !== 'string' ||
    typeof meta[key('clientCapabilities')] !== 'object'
  )
    return refused(-32602, 'Invalid _meta');
  if (meta[key('protocolVersion')] !== revision)
    return refused(-32022, 'Unsupported protocol version', {
      supported: [revision],
      requested: meta[key('protocolVersion')],
    });
  if (method === 'server/discover') return discover();
  if (method === 'tools/list')
    return params.cursor === undefined ? complete({ tools, ...cached }) : refused(-32602, 'Unknown cursor');
  if (method !== 'tools/call') return refused(-32601, 'Method not found');
  if (!tools.some(({ name }) => name === params.name)) return refused(-32602, 'Unknown tool');
  const given = params.arguments ?? {};
  if (typeof given !== 'object' || (given.text !== undefined && typeof given.text !== 'string'))
    return complete({ content: [{ type: 'text', text: 'text must be a string' }], isError: true });
  return calls[id] ? calls[id](params) : text(given.text);
}

const messageOf = (id, answer) => ({ jsonrpc: '2.0', id, ...(answer.error ? answer : { result: answer }) });

/** @param say sends a message on the stream; false once that is closed */
function listen({ id: subscription, params }, say, end) {
  if (id === 'never-acknowledges') return;
  const toolsListChanged = params.notifications?.toolsListChanged === true;
  say({
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: {
      notifications: toolsListChanged ? { toolsListChanged } : {},
      _meta: { [key('subscriptionId')]: subscription },
    },
  });
  if (toolsListChanged) {
    open.set(subscription, say);
    void subscribed[id]?.(say, subscription, end);
  }
}

const isListening = ({ method, params }) =>
  method === 'subscriptions/listen' && answerTo({ method: 'server/discover', params }).error === undefined;

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The error for what is no request; undefined for a sound one. */
function unsound(message) {
  if (message === undefined) return { jsonrpc: '2.0', error: { code: -32700, message: 'Parse error' } };
  const isRequest =
    typeof message?.method === 'string' &&
    (typeof message.id === 'string' || Number.isInteger(message.id)) &&
    (message.params === undefined || (typeof message.params === 'object' && !Array.isArray(message.params)));
  return isRequest
    ? undefined
    : {
        jsonrpc: '2.0',
        ...(typeof message?.id === 'string' || Number.isInteger(message?.id) ? { id: message.id } : {}),
        error: { code: -32600, message: 'Invalid request' },
      };
}

const isNotification = (message) => typeof message?.method === 'string' && !('id' in message);

function onStdio() {
  const closed = new Set();
  const say = (message) =>
    process.stdout.write(`${JSON.stringify(message)}\n`) || process.stdout.writableLength < 50_000_000;
  const lines = createInterface({ input: process.stdin });
  lines.on('line', async (line) => {
    const message = parsed(line);
    if (message?.method === 'notifications/cancelled') {
      closed.add(message.params?.requestId);
      open.delete(message.params?.requestId);
    }
    if (isNotification(message)) return;
    const wrong = unsound(message);
    if (wrong) return void say(wrong);
    if (isListening(message))
      return listen(
        message,
        (one) => (id === 'floods-subscriptions' || !closed.has(message.id)) && say(one),
        () => closed.add(message.id),
      );
    say(messageOf(message.id, await answerTo(message)));
  });
  lines.on('close', () => process.exit(0));
}

const statuses = { [-32601]: 404 };

async function onPost(request, response) {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  const message = parsed(body);
  if (isNotification(message)) return response.writeHead(202).end();
  const json = (status, value) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const wrong = unsound(message) ?? mismatch(message, request.headers);
  if (wrong) return json(400, wrong);
  if (!isListening(message)) {
    const answer = messageOf(message.id, await answerTo(message));
    return json(answer.error ? (statuses[answer.error.code] ?? 400) : 200, answer);
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
  response.flushHeaders();
  response.once('close', () => open.delete(message.id));
  listen(
    message,
    (one) =>
      !response.destroyed &&
      (response.write(`data: ${JSON.stringify(one)}\n\n`) || response.writableLength < 50_000_000),
    () => response.destroy(),
  );
}

/** A header value, which may be in Base64. */
function decoded(value = '') {
  const coded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  return coded === undefined ? value : Buffer.from(coded, 'base64').toString();
}

/** Headers that say something else than the body. */
function mismatch({ id, method, params }, headers) {
  const meta = params?._meta?.[key('protocolVersion')];
  const isWrong =
    headers['mcp-method'] !== method ||
    (meta !== undefined && headers['mcp-protocol-version'] !== meta) ||
    (method === 'tools/call' && decoded(headers['mcp-name']) !== params?.name);
  return isWrong && method !== 'initialize' ? messageOf(id, refused(-32020, 'Header mismatch')) : undefined;
}

if (!Number.isInteger(port)) onStdio();
else {
  createServer((request, response) => {
    if (request.headers.origin !== undefined && !request.headers.origin.includes('127.0.0.1'))
      return response.writeHead(403).end();
    if (request.method !== 'POST') return response.writeHead(405, { allow: 'POST' }).end();
    void onPost(request, response);
  }).listen(port, '127.0.0.1');
}
