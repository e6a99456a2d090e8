/**
 * A server that can be changed in one thing at a time: `node changing.mjs [change]`. Without a change it answers the
 * same each time, but for a clock and a counter. Calls go to the file that CALLS_FILE names.
 */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const change = process.argv[2] ?? '';
const is = (name) => change === name;
let count = 0;

const property = (type, more = {}) => ({ type, ...more });
const readOnly = { readOnlyHint: true };
const tools = [
  {
    name: 'greet',
    annotations: readOnly,
    inputSchema: {
      type: 'object',
      properties: { name: property('string'), loud: property('boolean') },
      required: ['name'],
    },
  },
  {
    name: 'get_weather',
    annotations: readOnly,
    inputSchema: {
      type: 'object',
      properties: {
        city: property('string', { enum: ['Oslo', 'Rome'] }),
        days: property('integer', { minimum: 1, maximum: 5 }),
      },
      required: ['city'],
    },
    outputSchema: {
      type: 'object',
      properties: { city: property('string'), degrees: property('number'), wind: property('string') },
      required: ['city', 'degrees', 'wind'],
    },
  },
  { name: 'get_time', annotations: readOnly, inputSchema: { type: 'object' } },
  { name: 'get_visits', annotations: readOnly, inputSchema: { type: 'object' } },
  { name: 'list_users', annotations: readOnly, inputSchema: { type: 'object' } },
  { name: 'find_missing', annotations: readOnly, inputSchema: { type: 'object' } },
  { name: 'get_icon', annotations: readOnly, inputSchema: { type: 'object' } },
  { name: 'get_env', annotations: readOnly, inputSchema: { type: 'object' } },
  { name: 'delete_user', inputSchema: { type: 'object', properties: { id: property('integer') }, required: ['id'] } },
];
const prompts = [{ name: 'review', arguments: [{ name: 'language', required: true }] }, { name: 'hello' }];
const resources = [
  { uri: 'note://1', name: 'one', mimeType: 'text/plain' },
  { uri: 'note://2', name: 'two' },
];
const templates = [{ uriTemplate: 'note://{id}', name: 'note' }];

const changes = {
  'tool gone': () => tools.splice(4, 1),
  'tool added': () => tools.push({ name: 'new_tool', inputSchema: { type: 'object' } }),
  'tool renamed': () => (tools[0].name = 'welcome'),
  'tools in another order': () => tools.reverse(),
  'argument renamed': () =>
    (tools[0].inputSchema = { type: 'object', properties: { who: property('string') }, required: ['who'] }),
  'argument of another type': () => (tools[0].inputSchema.properties.name = property('integer')),
  'argument required': () => tools[0].inputSchema.required.push('loud'),
  'argument no longer required': () => (tools[1].inputSchema.required = []),
  'bound moved': () => (tools[1].inputSchema.properties.days.maximum = 9),
  'enumeration changed': () => (tools[1].inputSchema.properties.city.enum = ['Oslo', 'Bonn']),
  'output schema changed': () => (tools[1].outputSchema.properties.degrees = property('string')),
  'prompt gone': () => prompts.pop(),
  'prompt argument renamed': () => (prompts[0].arguments[0].name = 'lang'),
  'resource gone': () => resources.pop(),
  'resource of another type': () => (resources[0].mimeType = 'text/html'),
  'template changed': () => (templates[0].uriTemplate = 'note://n/{id}'),
};
changes[change]?.();

const text = (one, more = {}) => ({ content: [{ type: 'text', text: one }], ...more });
const failed = (message) => ({ ...text(message), isError: true });
const error = (code, message) => ({ error: { code, message } });

const calls = {
  greet({ name, loud }) {
    if (typeof name !== 'string' && !is('wrong type taken'))
      return is('refused with another code')
        ? error(-32600, 'wrong')
        : is('refused with a result')
          ? failed('wrong')
          : error(-32602, 'name is no text');
    if (is('text changed')) return text(`Hi, ${name}!`);
    if (is('error in place of a result')) return failed('no greeting');
    if (is('JSON-RPC error in place of a result')) return error(-32603, 'no greeting');
    if (is('one more block'))
      return { content: [...text(`Hello, ${name}`).content, { type: 'image', data: 'AAAA', mimeType: 'image/png' }] };
    if (is('empty')) return { content: [] };
    return text(`Hello, ${name}${loud === undefined || is('option ignored') ? '' : loud ? '!' : '.'}`);
  },
  get_weather({ city, days = 1 }) {
    if (!['Oslo', 'Rome'].includes(city) && !is('value outside of the list taken'))
      return error(-32602, 'no such city');
    if ((!Number.isInteger(days) || days < 1 || days > 5) && !is('value out of bounds taken'))
      return error(-32602, 'days');
    const structured = {
      city,
      degrees: is('number changed') ? 12 : 11,
      wind: 'calm',
      ...(is('member added') ? { rain: 0 } : {}),
    };
    if (is('member missing')) delete structured.wind;
    if (is('member of another type')) structured.degrees = '11';
    return text(JSON.stringify(structured), is('no structured content') ? {} : { structuredContent: structured });
  },
  get_time: () => text(is('clock broken') ? '' : `It is ${new Date().toISOString()} now`),
  get_visits: () =>
    text(
      JSON.stringify({
        [is('volatile member renamed') ? 'visitors' : 'visits']: is('volatile member of another type')
          ? 'many'
          : (count += 1),
        unit: is('stable member beside a volatile one') ? 'people' : 'visits',
      }),
    ),
  list_users: () =>
    text(
      JSON.stringify(
        is('list in another order')
          ? [
              { id: 2, name: 'Bo' },
              { id: 1, name: 'Al' },
            ]
          : is('entry gone')
            ? [{ id: 1, name: 'Al' }]
            : [
                { id: 1, name: 'Al' },
                { id: 2, name: 'Bo' },
              ],
      ),
    ),
  find_missing: () => (is('failure gone') ? text('found') : failed('nothing found')),
  get_icon: () => ({
    content: [{ type: 'image', data: 'AAAA', mimeType: is('image of another type') ? 'image/gif' : 'image/png' }],
  }),
  get_env: () => text(JSON.stringify(process.env)),
  delete_user: () => text('deleted'),
};

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
    serverInfo: { name: 'changing', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'prompts/list': () => ({ prompts }),
  'resources/list': () => ({ resources }),
  'resources/templates/list': () => ({ resourceTemplates: templates }),
  'tools/call': ({ name, arguments: given = {} }) => {
    if (process.env.CALLS_FILE) appendFileSync(process.env.CALLS_FILE, `${name}\n`);
    return tools.some((tool) => tool.name === name) && calls[name] ? calls[name](given) : error(-32602, 'Unknown tool');
  },
  'prompts/get': ({ name, arguments: given = {} }) =>
    name === 'review'
      ? {
          messages: [
            {
              role: 'user',
              content: {
                type: 'text',
                text: `${is('prompt text changed') ? 'Look at' : 'Review'} this ${given.language}`,
              },
            },
          ],
        }
      : { messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }] },
  'resources/read': ({ uri }) => ({
    contents: [{ uri, mimeType: 'text/plain', text: is('resource text changed') ? 'other' : `note ${uri.slice(-1)}` }],
  }),
  'completion/complete': ({ argument }) => ({
    completion: {
      values: argument.name === 'language' ? (is('completion changed') ? ['go'] : ['go', 'rust']) : ['1', '2'],
    },
  }),
};

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params = {} } = JSON.parse(line);
    if (id === undefined) return;
    const answer = methods[method]?.(params) ?? error(-32601, 'Method not found');
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: '2.0', id, ...('error' in answer ? answer : { result: answer }) })}\n`,
    );
  })
  .on('close', () => process.exit(0));
