/**
 * A client of the official contract on bare requests: the address comes last, MCP_CONFORMANCE_SCENARIO says what to do. FAULT
 * names the one thing that it does wrong. It ends with 1 for a scenario that it does not know.
 */
const address = process.argv.at(-1);
const fault = process.env.FAULT ?? '';
const scenario = process.env.MCP_CONFORMANCE_SCENARIO;
const version = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION;
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT);
const stateless = version === '2026-07-28';
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
let id = 0;
let session = {};

async function post(body, more = {}) {
  const reply = await fetch(address, {
    method: 'POST',
    headers: { ...headers, ...session, ...more },
    body: JSON.stringify(body),
  });
  const text = await reply.text();
  const given = reply.headers.get('mcp-session-id');
  if (given !== null) session = { 'mcp-session-id': given, 'mcp-protocol-version': version };
  const data = text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .at(-1)
    ?.slice(6);
  return text === '' ? {} : JSON.parse(data ?? text);
}

async function request(method, params = {}, more = {}) {
  id += 1;
  const name = params.name ?? params.uri;
  const own = stateless
    ? {
        'mcp-protocol-version': version,
        ...(fault === 'no-method-header' ? {} : { 'mcp-method': method }),
        ...(name === undefined ? {} : { 'mcp-name': name }),
      }
    : {};
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'scenario', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return post(
    { jsonrpc: '2.0', id, method, params: stateless && fault !== 'no-meta' ? { ...params, _meta: meta } : params },
    { ...own, ...more },
  );
}

const listed = async () => (await request('tools/list')).result.tools;
const call = (name, args = {}, rest = {}, more = {}) => request('tools/call', { name, arguments: args, ...rest }, more);

async function initialize() {
  await request('initialize', {
    protocolVersion: version,
    capabilities: {},
    clientInfo: fault === 'no-name' ? { version: '1' } : { name: 'scenario', version: '1' },
  });
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
}

function paramHeaders(tool, args) {
  const entries = Object.entries(tool.inputSchema.properties).flatMap(([key, { 'x-mcp-header': header }]) => {
    const value = args[key];
    if (header === undefined || value === undefined) return [];
    if (value === null) return fault === 'null-header' ? [[`mcp-param-${header}`, 'null']] : [];
    const text = String(value);
    const plain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) || text === '';
    if (!plain && fault === 'no-base64') return [];
    return [[`mcp-param-${header}`, plain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`]];
  });
  return Object.fromEntries(entries);
}

const scenarios = {
  initialize,
  async tools_call() {
    if (!stateless) await initialize();
    await listed();
    await call('add_numbers', fault === 'words' ? { a: '2', b: '3' } : { a: 2, b: 3 });
  },
  async 'request-metadata'() {
    const first = await request('tools/list');
    if (first.error !== undefined) await request('tools/list');
  },
  async 'http-standard-headers'() {
    await listed();
    await call('test_headers');
  },
  async 'http-custom-headers'() {
    const tools = await listed();
    for (const { name, arguments: args } of context.toolCalls)
      await call(
        name,
        args,
        {},
        paramHeaders(
          tools.find((tool) => tool.name === name),
          args,
        ),
      );
  },
  async 'http-invalid-tool-headers'() {
    await listed();
    await call('valid_tool', { region: 'north' }, {}, { 'mcp-param-region': 'north' });
    if (fault === 'calls-invalid') await call('invalid_space_in_name', { value: 'x' });
  },
  async 'json-schema-ref-no-deref'() {
    const [tool] = await listed();
    if (fault === 'fetches') await fetch(tool.inputSchema.properties.profile.$ref);
  },
  async 'json-schema-2020-12-preservation'() {
    if (!stateless) await initialize();
    const [{ inputSchema }] = await listed();
    const { $defs, ...rest } = inputSchema;
    await call('json_schema_echo', { schema: fault === 'strips-defs' ? rest : { ...rest, $defs } });
  },
  async 'sep-2322-client-request-state'() {
    await listed();
    const inputResponses = { confirm: { action: 'accept', content: { confirmed: true } } };
    for (const name of ['test_mrtr_echo_state', 'test_mrtr_no_state']) {
      const { result } = await call(name);
      if (name === 'test_mrtr_echo_state') await call('test_mrtr_unrelated');
      const state = fault === 'changes-state' ? { requestState: `${result.requestState} ` } : result;
      const echoed = state.requestState === undefined ? {} : { requestState: state.requestState };
      await call(name, {}, { inputResponses, ...echoed });
    }
    await call('test_mrtr_no_result_type');
  },
};

if (scenarios[scenario] === undefined) process.exit(1);
await scenarios[scenario]();
console.log(`did ${scenario}`);
if (fault === 'exit') process.exit(3);
