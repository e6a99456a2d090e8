/**
 * A server that shows some of what it does only for values that nobody can guess, and some only to clients that
 * declare tasks: a prompt and a template whose arguments it completes, switches and choices of a tool, a tool that is
 * listed for some clients. On stdio.
 */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ElicitResultSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

const server = new Server(
  { name: 'choosy', version: '1.0.0' },
  { capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} } },
);
const text = (value) => [{ type: 'text', text: value }];
const cities = { north: ['Tromsø', 'Oslo'], south: ['Palermo'] };

server.setRequestHandler(ListPromptsRequestSchema, () => ({
  prompts: [
    {
      name: 'travel',
      arguments: [
        { name: 'region', required: true },
        { name: 'city', required: true },
      ],
    },
  ],
}));
server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
  if (!cities[params.arguments?.region]?.includes(params.arguments.city)) throw new McpError(-32602, 'no such city');
  return { messages: [{ role: 'user', content: { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' } }] };
});
server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [] }));
server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
  resourceTemplates: [
    { name: 'photo', uriTemplate: 'photos://{city}/{number}' },
    { name: 'page', uriTemplate: 'pages://{title}' },
  ],
}));
server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
  if (uri !== 'photos://Oslo/1') throw new McpError(-32002, 'no such resource', { uri });
  return { contents: [{ uri, mimeType: 'image/png', blob: 'iVBORw0KGgo=' }] };
});
server.setRequestHandler(CompleteRequestSchema, ({ params: { ref, argument, context } }) => {
  const known = {
    region: Object.keys(cities),
    city: ref.type === 'ref/prompt' ? (cities[context?.arguments?.region] ?? []) : ['Oslo'],
    // Of numbers it knows only whether there is such a photo.
    number: argument.value === '1' ? ['1'] : [],
  };
  return { completion: { values: (known[argument.name] ?? []).filter((one) => one.startsWith(argument.value)) } };
});

const reads = { readOnlyHint: true };
const weather = {
  name: 'get-weather',
  annotations: reads,
  inputSchema: {
    type: 'object',
    properties: {
      unit: { type: 'string', enum: ['celsius', 'kelvin', 'delete'] },
      long: { type: 'boolean', default: false },
      force: { type: 'boolean' },
      place: { type: 'string' },
    },
    required: ['unit', 'place'],
  },
};
const askUser = { name: 'ask-user', annotations: reads, inputSchema: { type: 'object' } };

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: server.getClientCapabilities()?.tasks === undefined ? [weather] : [weather, askUser],
}));
server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: given } }, extra) => {
  if (name === weather.name)
    return {
      content:
        given?.long === true
          ? [{ type: 'resource', resource: { uri: 'photos://Oslo/1', mimeType: 'text/plain', text: 'sunny' } }]
          : text('sunny'),
    };
  if (name !== askUser.name || server.getClientCapabilities()?.tasks === undefined)
    throw new McpError(-32602, 'no such tool');
  await extra.sendRequest(
    {
      method: 'elicitation/create',
      params: { message: 'Which day?', requestedSchema: { type: 'object', properties: {} }, task: { ttl: 60_000 } },
    },
    ElicitResultSchema.or(ElicitResultSchema.partial().loose()),
  );
  return { content: text('asked') };
});

await server.connect(new StdioServerTransport());
