#!/usr/bin/env node
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const notes: Record<string, string> = { groceries: 'milk, bread', work: 'write the report' };
const server = new McpServer({ name: 'notes', version: '1.0.0' });

server.registerTool(
  'read_note',
  {
    description: 'Reads a note',
    inputSchema: { name: z.enum(['groceries', 'work']) },
    annotations: { readOnlyHint: true },
  },
  ({ name }) => ({ content: [{ type: 'text', text: notes[name] ?? '' }] }),
);
server.registerTool(
  'clear_notes',
  { description: 'Deletes all notes', annotations: { destructiveHint: true } },
  () => ({ content: [{ type: 'text', text: 'gone' }] }),
);

await server.connect(new StdioServerTransport());
