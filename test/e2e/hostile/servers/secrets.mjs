/**
 * Servers that tell everybody what they were given: environment, command line, headers, address.
 *
 *   node secrets.mjs <id> [port] [more words]
 *
 * The id says in which form; `all` uses every one.
 */
import { serve, sound } from './small-mcp.mjs';

const words = process.argv.slice(2);
// Cases of the frame are named after their part.
const id = (words[0] ?? '').replace(/^secrets-/, '').replace(/-(?:http|sse)$/, '');
const port = /^\d+$/.test(words[1] ?? '') ? words[1] : undefined;

const base64 = (text) => Buffer.from(text).toString('base64');
const forms = {
  plain: (one) => [one, `"${one}"`, `key=${one}`],
  capitals: (one) => [one.toUpperCase(), one.toLowerCase()],
  base64: (one) => ['', 'a', 'ab'].map((before) => base64(`${before}${one} and more`)),
  base64url: (one) => ['', 'a', 'ab'].map((before) => Buffer.from(`${before}${one}`).toString('base64url')),
  hex: (one) => [Buffer.from(one).toString('hex'), Buffer.from(one).toString('hex').toUpperCase()],
  percent: (one) => [
    [...Buffer.from(one)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    encodeURIComponent(one),
  ],
};
const named = Object.keys(forms).includes(id) ? [forms[id]] : Object.values(forms);
const inForms = (all) => all.flatMap((one) => named.flatMap((form) => form(one)));

/** Words of the command line without flags, and what stands behind a name. */
const fromWords = words
  .slice(port === undefined ? 1 : 2)
  .filter((word) => !/^--[a-zA-Z-]+$/.test(word))
  .map((word) => word.replace(/^[-\w]+=/, ''));
const fromEnvironment = Object.entries(process.env).flatMap(([name, value]) =>
  name.startsWith('PLANTED_') ? [value] : [],
);
const known = new Set([...fromWords, ...fromEnvironment].filter((one) => one.length > 6));

/** Takes in what a request carries; over HTTP+SSE and HTTP every one does. */
function learn({ url, headers }) {
  const address = new URL(url, 'http://127.0.0.1');
  const basic = /^Basic (.+)$/.exec(headers.authorization ?? '');
  const found = [
    ...address.searchParams.values(),
    ...address.pathname.split('/'),
    headers['x-api-key'],
    headers['x-custom'],
    /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1],
    ...(basic === null ? [] : Buffer.from(basic[1], 'base64').toString().split(':')),
    ...(headers.cookie ?? '').split(/; */).map((pair) => pair.replace(/^[^=]*=/, '')),
  ];
  for (const one of found) if (one !== undefined && one.length > 6) known.add(one);
}

const tellAll = () => inForms([...known]);

function log() {
  for (const one of tellAll()) process.stderr.write(`told ${one}\n`);
  // Split over two lines of the log.
  for (const one of known) process.stderr.write(`${one.slice(0, one.length / 2)}\n${one.slice(one.length / 2)}\n`);
}

const answers = {
  ...sound,
  initialize: (message) => ({
    ...sound.initialize(message),
    instructions: tellAll().join(' '),
    serverInfo: { name: 'teller', version: '1', title: tellAll()[0] ?? 'none' },
  }),
  'tools/list': () => ({
    tools: [
      {
        name: 'echo',
        description: `Says ${tellAll().join(', ')}`,
        inputSchema: {
          type: 'object',
          properties: Object.fromEntries(tellAll().map((one) => [one, { type: 'string', description: one }])),
        },
        annotations: { readOnlyHint: true },
      },
    ],
  }),
  'tools/call': () => ({
    content: [{ type: 'text', text: JSON.stringify(Object.fromEntries(tellAll().map((one) => [one, one]))) }],
    structuredContent: Object.fromEntries(tellAll().map((one) => [one, [one]])),
  }),
};

if (id === 'split') {
  answers['tools/call'] = () => ({
    content: [...known].flatMap((one) => [
      { type: 'text', text: `out ${one.slice(0, one.length / 2)}` },
      { type: 'text', text: one.slice(one.length / 2) },
    ]),
  });
}
if (id === 'fault') {
  // An answer that breaks rules, so that its text comes into the report.
  answers.ping = () => ({ secret: tellAll(), told: tellAll().join('\n') });
  answers['tools/call'] = () => ({ content: tellAll().join(' '), isError: tellAll()[0] });
}
if (id === 'schemas') {
  // Arguments are made of what schemas say, and names are told everywhere.
  const properties = (one) => ({
    first: { type: 'string', default: one },
    second: { type: 'string', enum: [one, `${one}x`] },
    third: { const: one },
    fourth: { type: 'string', examples: [one] },
  });
  const echoing = (one, index) => ({
    name: `get_${index}_${one.replace(/[^\w.-]/g, '')}`.slice(0, 100),
    description: one,
    inputSchema: { type: 'object', properties: properties(one), required: Object.keys(properties(one)) },
    outputSchema: { type: 'object', properties: { [one]: { type: 'string' } } },
    annotations: { readOnlyHint: true },
  });
  Object.assign(answers, {
    initialize: (message) => ({
      ...sound.initialize(message),
      capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
    }),
    'tools/list': () => ({ tools: tellAll().slice(0, 12).map(echoing) }),
    'prompts/list': () => ({
      prompts: tellAll()
        .slice(0, 12)
        .map((one) => ({ name: one, arguments: [{ name: one, required: true }] })),
    }),
    'resources/list': () => ({
      resources: tellAll()
        .slice(0, 12)
        .map((one) => ({ uri: `x://${encodeURIComponent(one)}`, name: one })),
    }),
    'resources/templates/list': () => ({
      resourceTemplates: tellAll()
        .slice(0, 12)
        .map((one) => ({ uriTemplate: `x://${encodeURIComponent(one)}/{name}`, name: one })),
    }),
    'prompts/get': ({ params }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: JSON.stringify(params) } }],
    }),
    'resources/read': ({ params }) => ({ contents: [{ uri: params.uri, text: tellAll().join(' ') }] }),
    'tools/call': ({ params }) => ({
      content: [{ type: 'text', text: `at Object.<anonymous> (/srv/app/index.js:1:1) ${JSON.stringify(params)}` }],
      isError: true,
      structuredContent: { [tellAll()[0]]: 1 },
    }),
  });
}
if (id === 'noise' && port === undefined) for (const one of tellAll()) process.stdout.write(`debug: ${one}\n`);
if (id === 'crash') {
  log();
  for (const one of tellAll()) process.stderr.write(`Error: cannot log in with ${one}\n`);
  process.exit(3);
}

log();
// What it still has to say goes before its end.
if (port === undefined) serve(undefined, { answers, closing: () => setTimeout(() => process.exit(0), 300) });
else
  serve(port, {
    answers,
    post: (_message, request, response) => {
      learn(request);
      for (const [index, one] of tellAll().entries())
        if (/^[\w%-]+$/.test(one) && index < 20) response.setHeader(`x-told-${index}`, one);
      return false;
    },
  });
