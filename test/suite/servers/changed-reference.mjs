/**
 * The reference server with one change of its behaviour, by name: what a new version of a server might do without
 * breaking the protocol. Run as: node changed-reference.mjs PATH-OF-THE-REFERENCE-SERVER NAME
 */
import { pathToFileURL } from 'node:url';

const [program, name = ''] = process.argv.slice(2);
/** Answer of a tool, by its name. */
const tool = (wanted, change) => ({ method: 'tools/call', of: ({ params }) => params?.name === wanted, change });
const list = (method, member, change) => ({
  method,
  change: (result) => void (result[member] = change(result[member]) ?? result[member]),
});
const named = (all, wanted) => all.find((one) => one.name === wanted);
const firstText = ({ content }) => content.find(({ type }) => type === 'text');

const changes = {
  'text of a tool': tool('echo', (result) => void (firstText(result).text += '!')),
  'text in capitals': tool('echo', (result) => void (firstText(result).text = firstText(result).text.toUpperCase())),
  'text empty': tool('about', (result) => void (firstText(result).text = '')),
  'number of a sum': tool(
    'add',
    (result) =>
      void (firstText(result).text = firstText(result).text.replace(/-?\d+/, (number) => String(Number(number) + 1))),
  ),
  'number in structured content': tool('forecast', (result) => void changeNumber(result.structuredContent)),
  'member of structured content missing': tool(
    'forecast',
    (result) => void delete result.structuredContent[Object.keys(result.structuredContent)[0]],
  ),
  'member of structured content renamed': tool('forecast', ({ structuredContent: all }) => {
    const [first] = Object.keys(all);
    all[`${first}Now`] = all[first];
    delete all[first];
  }),
  'no structured content': tool('forecast', (result) => void delete result.structuredContent),
  'type in structured content': tool(
    'forecast',
    ({ structuredContent: all }) => void (all[Object.keys(all)[0]] = [all[Object.keys(all)[0]]]),
  ),
  'a tool fails': tool('about', (result) => void (result.isError = true)),
  'a failure is none': tool('fail', (result) => void delete result.isError),
  'an error in place of a result': { ...tool('echo'), error: { code: -32603, message: 'broken' } },
  'a result in place of an error': { ...tool('throw-error'), result: { content: [{ type: 'text', text: 'fine' }] } },
  'code of a refusal': {
    method: 'tools/call',
    of: ({ params }) => params?.name === 'add' && params.arguments?.a === undefined,
    recode: -32000,
  },
  'a refusal accepted': {
    method: 'tools/call',
    of: ({ params }) => params?.name === 'echo' && typeof params.arguments?.text !== 'string',
    result: { content: [{ type: 'text', text: 'whatever' }] },
  },
  'kind of content': tool('picture', (result) => void (result.content = [{ type: 'text', text: 'no picture' }])),
  'MIME type of content': tool(
    'picture',
    ({ content }) => void (content.find(({ type }) => type === 'image').mimeType = 'image/webp'),
  ),
  'content twice': tool('sound', (result) => void result.content.push(result.content[0])),
  'tool gone': list('tools/list', 'tools', (all) => all.filter((one) => one.name !== 'add')),
  'tool renamed': list('tools/list', 'tools', (all) => void (named(all, 'echo').name = 'repeat')),
  'tool added': list('tools/list', 'tools', (all) => [...all, { ...named(all, 'echo'), name: 'echo-again' }]),
  'order of tools': list('tools/list', 'tools', (all) => all.toReversed()),
  'argument renamed': list('tools/list', 'tools', (all) => {
    const { inputSchema: schema } = named(all, 'echo');
    schema.properties = { message: Object.values(schema.properties)[0] };
    schema.required = ['message'];
  }),
  'argument required': list('tools/list', 'tools', (all) => void (named(all, 'slow').inputSchema.required = ['ms'])),
  'type of an argument': list(
    'tools/list',
    'tools',
    (all) => void (named(all, 'add').inputSchema.properties.a.type = 'integer'),
  ),
  'annotation of a tool': list(
    'tools/list',
    'tools',
    (all) => void (named(all, 'echo').annotations = { readOnlyHint: false }),
  ),
  'output schema gone': list('tools/list', 'tools', (all) => void delete named(all, 'forecast').outputSchema),
  'prompt gone': list('prompts/list', 'prompts', (all) => all.slice(1)),
  'argument of a prompt gone': list(
    'prompts/list',
    'prompts',
    (all) => void delete all.find((one) => one.arguments?.length > 0).arguments,
  ),
  'text of a prompt': {
    method: 'prompts/get',
    change: ({ messages }) => void (messages.find(({ content }) => content.type === 'text').content.text += ' please'),
  },
  'role of a prompt': {
    method: 'prompts/get',
    change: ({ messages }) => void (messages[0].role = messages[0].role === 'user' ? 'assistant' : 'user'),
  },
  'resource gone': list('resources/list', 'resources', (all) => all.slice(1)),
  'name of a resource': list('resources/list', 'resources', (all) => void (all[0].name += ' (old)')),
  'text of a resource': {
    method: 'resources/read',
    change: ({ contents }) =>
      void (contents[0].text === undefined ? (contents[0].blob = 'AAAA') : (contents[0].text += '\nmore')),
  },
  'MIME type of a resource': {
    method: 'resources/read',
    change: ({ contents }) => void (contents[0].mimeType = 'application/x-other'),
  },
  'a resource cannot be read': { method: 'resources/read', error: { code: -32002, message: 'gone' } },
  'template changed': list(
    'resources/templates/list',
    'resourceTemplates',
    (all) => void (all[0].uriTemplate += '/{more}'),
  ),
  'values of a completion': {
    method: 'completion/complete',
    change: ({ completion }) => void (completion.values = completion.values.toReversed().concat('zebra')),
  },
  'no completion': {
    method: 'completion/complete',
    change: ({ completion }) => void Object.assign(completion, { values: [], total: 0 }),
  },
};

if (program === undefined) process.stdout.write(`${JSON.stringify(Object.keys(changes))}\n`);
else await changed(changes[name]);

function changeNumber(value) {
  for (const [key, one] of Object.entries(value)) {
    if (typeof one === 'number') return (value[key] = one + 1);
    if (typeof one === 'object' && one !== null && changeNumber(one) !== undefined) return one;
  }
  return undefined;
}

async function changed(wanted) {
  const asked = new Map();
  const write = process.stdout.write.bind(process.stdout);
  const emit = process.stdin.emit.bind(process.stdin);
  let unread = '';
  process.stdin.emit = (event, ...args) => {
    if (event === 'data') {
      const lines = (unread + String(args[0])).split('\n');
      unread = lines.pop();
      for (const line of lines) {
        const message = JSON.parse(line);
        if (message.id !== undefined && message.method !== undefined) asked.set(message.id, message);
      }
    }
    return emit(event, ...args);
  };
  process.stdout.write = (text, ...rest) =>
    write(
      String(text)
        .split('\n')
        .map((line) => (line === '' ? line : answerOf(line)))
        .join('\n'),
      ...rest,
    );

  function answerOf(line) {
    const message = JSON.parse(line);
    const request = message.method === undefined ? asked.get(message.id) : undefined;
    if (wanted === undefined || request?.method !== wanted.method || wanted.of?.(request) === false) return line;
    const { jsonrpc, id } = message;
    if (wanted.error !== undefined) return JSON.stringify({ jsonrpc, id, error: wanted.error });
    if (wanted.result !== undefined) return JSON.stringify({ jsonrpc, id, result: wanted.result });
    if (wanted.recode !== undefined)
      return JSON.stringify(
        'error' in message
          ? { ...message, error: { ...message.error, code: wanted.recode } }
          : { jsonrpc, id, error: { code: wanted.recode, message: 'refused' } },
      );
    if (message.result !== undefined) wanted.change(message.result);
    return JSON.stringify(message);
  }

  process.argv.splice(1, 3, program, 'stdio');
  await import(pathToFileURL(program).href);
}
