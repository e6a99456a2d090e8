/**
 * A server on the official SDK of revision 2026-07-28 that uses what it offers: tools, prompts, resources and
 * templates, completion, rounds of input with sealed state, subscriptions, caching hints, parameter headers, progress
 * and logs. Arguments: `stdio` or the port of an HTTP endpoint at /mcp, then `modern-only` to refuse older revisions.
 */
import { createServer } from 'node:http';
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import {
  McpServer,
  ResourceTemplate,
  acceptedContent,
  completable,
  createMcpHandler,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const [where = 'stdio', eras] = process.argv.slice(2);
const options = eras === 'modern-only' ? { legacy: 'reject' } : {};

/** Shared by all instances that the SDK makes: one for each connection on stdio, one for each request over HTTP. */
const notes = new Map([['first', 'the first note']]);
let hasExtraTool = false;
let counter = 0;
/** How open subscriptions hear of a change; over HTTP the handler tells them, on stdio the instance that changes. */
let announce;

const text = (value) => ({ content: [{ type: 'text', text: value }] });
const codec = createRequestStateCodec({
  key: 'a key of thirty-two bytes or more, for tests only',
  bind: (context) => context.mcpReq.method,
});

function makeServer() {
  const server = new McpServer(
    { name: 'sdk-server', version: '1.0.0' },
    {
      capabilities: {
        logging: {},
        tools: { listChanged: true },
        prompts: {},
        resources: { listChanged: true, subscribe: true },
      },
      instructions: 'Keeps notes.',
      cacheHints: {
        'tools/list': { ttlMs: 1000, cacheScope: 'public' },
        'server/discover': { ttlMs: 60_000, cacheScope: 'public' },
      },
      requestState: { verify: codec.verify },
    },
  );
  const tell = announce ?? {
    toolsChanged: () => server.sendToolListChanged(),
    resourcesChanged: () => server.sendResourceListChanged(),
    resourceUpdated: (uri) => void server.server.sendResourceUpdated({ uri }),
  };
  addPlainTools(server);
  addAskingTools(server);
  addChangingTools(server, tell);
  addPrompts(server);
  addResources(server);
  return server;
}

function addPlainTools(server) {
  server.registerTool(
    'echo',
    {
      description: 'Gives back its message',
      inputSchema: z.object({ message: z.string() }),
      outputSchema: z.object({ message: z.string() }),
      annotations: { readOnlyHint: true },
    },
    ({ message }) => ({ ...text(message), structuredContent: { message } }),
  );
  server.registerTool(
    'fail',
    { description: 'Always fails', inputSchema: z.object({}), annotations: { readOnlyHint: true } },
    () => {
      throw new Error('this tool always fails');
    },
  );
  server.registerTool(
    'route',
    {
      description: 'Tells which way a request went',
      annotations: { readOnlyHint: true },
      inputSchema: fromJsonSchema({
        type: 'object',
        properties: {
          region: { type: 'string', 'x-mcp-header': 'Region' },
          priority: { type: 'integer', 'x-mcp-header': 'Priority' },
          urgent: { type: 'boolean', 'x-mcp-header': 'Urgent' },
          customer: { type: 'object', properties: { name: { type: 'string', 'x-mcp-header': 'Customer' } } },
        },
        required: ['region'],
      }),
    },
    (values) => text(JSON.stringify(values)),
  );
  server.registerTool(
    'count',
    {
      description: 'Counts slowly, with progress and log messages',
      inputSchema: z.object({ steps: z.int().min(1).max(20).default(5) }),
      annotations: { readOnlyHint: true },
    },
    async ({ steps }, context) => {
      const progressToken = context.mcpReq._meta?.progressToken;
      for (let step = 1; step <= steps && !context.mcpReq.signal.aborted; step++) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        await context.mcpReq.log('info', `step ${step}`);
        if (progressToken !== undefined)
          await context.mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress: step, total: steps },
          });
      }
      return text(`counted to ${steps}`);
    },
  );
}

const name = z.object({ name: z.string() });

/** Tools that cannot finish without the client. */
function addAskingTools(server) {
  const asks = { readOnlyHint: true };
  const whatItIs = { message: 'What is your name?', requestedSchema: name };
  server.registerTool(
    'greet',
    {
      description: 'Asks for a name with a form (elicitation), and knows by sealed state that it did',
      inputSchema: z.object({}),
      annotations: asks,
    },
    async (_values, context) => {
      const given = inputResponse(context.mcpReq.inputResponses, 'name');
      const asked = context.mcpReq.requestState()?.by === 'greet';
      if (asked && given.kind === 'elicit' && given.action !== 'accept') return text('no name was given');
      const content = acceptedContent(context.mcpReq.inputResponses, 'name', name);
      if (asked && content !== undefined) return text(`Hello ${content.name}`);
      return inputRequired({
        inputRequests: { name: inputRequired.elicit(whatItIs) },
        requestState: await codec.mint({ by: 'greet' }, context),
      });
    },
  );
  server.registerTool(
    'quiz',
    {
      description: 'Asks three times with a form (elicitation), and keeps the answers in sealed state',
      inputSchema: z.object({}),
      annotations: asks,
    },
    async (_values, context) => {
      const state = context.mcpReq.requestState();
      const names = state?.by === 'quiz' ? state.names : [];
      const given = inputResponse(context.mcpReq.inputResponses, 'name');
      if (given.kind === 'elicit' && given.action !== 'accept') return text('the quiz ends');
      const content = acceptedContent(context.mcpReq.inputResponses, 'name', name);
      const all = content === undefined ? names : [...names, content.name];
      if (all.length === 3) return text(`the answers were ${all.join(', ')}`);
      return inputRequired({
        inputRequests: { name: inputRequired.elicit(whatItIs) },
        requestState: await codec.mint({ by: 'quiz', names: all }, context),
      });
    },
  );
  server.registerTool(
    'compose',
    {
      description: 'Has the model of the client write a summary (sampling)',
      inputSchema: z.object({}),
      annotations: asks,
    },
    (_values, context) => {
      const given = inputResponse(context.mcpReq.inputResponses, 'summary');
      if (given.kind === 'sampling') {
        const { content } = given.result;
        // The SDK hands over whatever the client sampled.
        if (
          [content].flat().every((block) => ['text', 'image', 'audio', 'tool_use', 'tool_result'].includes(block?.type))
        )
          return text(JSON.stringify(content));
        return { ...text('the summary is of no known type'), isError: true };
      }
      return inputRequired({
        inputRequests: {
          summary: inputRequired.createMessage({
            messages: [{ role: 'user', content: { type: 'text', text: 'Summarize all notes.' } }],
            maxTokens: 100,
          }),
        },
      });
    },
  );
  server.registerTool(
    'connect',
    { description: 'Sends the user to a page (elicitation by URL)', inputSchema: z.object({}), annotations: asks },
    (_values, context) => {
      const given = inputResponse(context.mcpReq.inputResponses, 'page');
      if (given.kind === 'elicit') return text(given.action === 'accept' ? 'connected' : 'not connected');
      return inputRequired({
        inputRequests: {
          page: inputRequired.elicitUrl({
            message: 'Please connect your account.',
            url: 'https://accounts.example/connect',
          }),
        },
      });
    },
  );
  server.registerTool(
    'folders',
    { description: 'Lists the roots of the client', inputSchema: z.object({}), annotations: asks },
    (_values, context) => {
      const given = inputResponse(context.mcpReq.inputResponses, 'roots');
      return given.kind === 'roots'
        ? text(JSON.stringify(given.roots))
        : inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
    },
  );
  server.registerTool(
    'wait',
    {
      description: 'Is finished at the second attempt, which it knows by its state',
      inputSchema: z.object({}),
      annotations: asks,
    },
    async (_values, context) =>
      context.mcpReq.requestState() === undefined
        ? inputRequired({ requestState: await codec.mint({ waited: true }, context) })
        : text('done'),
  );
}

const extraTool = [
  'extra',
  { description: 'Comes and goes', inputSchema: z.object({}), annotations: { readOnlyHint: true } },
  () => text('extra'),
];

function addChangingTools(server, tell) {
  let extra = hasExtraTool ? server.registerTool(...extraTool) : undefined;
  const changes = { readOnlyHint: false, destructiveHint: false };
  server.registerTool(
    'toggle-extra',
    { description: 'Adds or removes a tool', inputSchema: z.object({}), annotations: changes },
    () => {
      hasExtraTool = !hasExtraTool;
      // An instance that lives on (stdio) announces its change by itself.
      if (announce === undefined && hasExtraTool) extra = server.registerTool(...extraTool);
      else if (announce === undefined) extra?.remove();
      else tell.toolsChanged();
      return text(hasExtraTool ? 'added' : 'removed');
    },
  );
  server.registerTool(
    'add-note',
    { description: 'Adds a note', inputSchema: z.object({ text: z.string() }), annotations: changes },
    ({ text: note }) => {
      const key = `note-${notes.size}`;
      notes.set(key, note);
      if (announce === undefined) addNote(server, key);
      else tell.resourcesChanged();
      return text(`added ${key}`);
    },
  );
  server.registerTool(
    'increment',
    { description: 'Counts up', inputSchema: z.object({}), annotations: changes },
    () => {
      counter += 1;
      tell.resourceUpdated('notes://counter');
      return text(String(counter));
    },
  );
}

function addPrompts(server) {
  server.registerPrompt(
    'letter',
    {
      description: 'A letter',
      argsSchema: z.object({
        to: completable(z.string(), (value) => ['Ada', 'Grace'].filter((one) => one.startsWith(value))),
      }),
    },
    ({ to }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Write to ${to}.` } }],
    }),
  );
  server.registerPrompt('interview', { description: 'Asks for a name first' }, (context) => {
    const content = acceptedContent(context.mcpReq.inputResponses, 'name', name);
    if (content === undefined && context.mcpReq.inputResponses?.name === undefined)
      return inputRequired({
        inputRequests: { name: inputRequired.elicit({ message: 'Who?', requestedSchema: name }) },
      });
    return { messages: [{ role: 'user', content: { type: 'text', text: `Ask ${content?.name ?? 'somebody'}.` } }] };
  });
}

const addNote = (server, key) =>
  server.registerResource(key, `notes://${key}`, { mimeType: 'text/plain' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: notes.get(key) }],
  }));

function addResources(server) {
  for (const key of notes.keys()) addNote(server, key);
  server.registerResource('counter', 'notes://counter', { mimeType: 'text/plain' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: String(counter) }],
  }));
  server.registerResource(
    'logo',
    'notes://logo',
    { mimeType: 'image/png', cacheHint: { ttlMs: 86_400_000, cacheScope: 'public' } },
    (uri) => ({
      contents: [{ uri: uri.href, mimeType: 'image/png', blob: 'iVBORw0KGgo=' }],
    }),
  );
  server.registerResource(
    'word',
    new ResourceTemplate('words://{word}', {
      list: undefined,
      complete: { word: (value) => ['alpha', 'beta'].filter((one) => one.startsWith(value)) },
    }),
    { mimeType: 'text/plain' },
    (uri, { word }) => ({
      contents: [{ uri: uri.href, mimeType: 'text/plain', text: String(word) }],
    }),
  );
}

if (where === 'stdio') {
  serveStdio(makeServer, options);
} else {
  const handler = createMcpHandler(makeServer, options);
  announce = handler.notify;
  const [validHost, validOrigin, serve] = [
    localhostHostValidation(),
    localhostOriginValidation(),
    toNodeHandler(handler),
  ];
  createServer((request, response) => {
    if (new URL(request.url, 'http://localhost').pathname !== '/mcp') response.writeHead(404).end();
    else if (validHost(request, response) && validOrigin(request, response)) void serve(request, response);
  }).listen(Number(where), '127.0.0.1');
}
