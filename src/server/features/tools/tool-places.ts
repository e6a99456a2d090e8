/** A tool whose parameters travel as HTTP headers too, so that a gateway can route by them (2026-07-28: streamable-http, custom headers). */
import { isObject } from '../../protocol/json-rpc.ts';
import { statelessRevision } from '../../protocol/revisions.ts';
import { failure } from '../kinds/ask-client.ts';
import type { Tool } from '../kinds/tool.ts';
import { text } from '../kinds/tool.ts';

export const placeTools: readonly Tool[] = [
  {
    name: 'find-places',
    title: 'Find places',
    description: 'Lists places in a region.',
    inputSchema: {
      type: 'object',
      properties: {
        region: { type: 'string', description: 'Where to look.', 'x-mcp-header': 'Region' },
        page: {
          type: 'integer',
          description: 'Which page of the places.',
          minimum: 1,
          maximum: 1000,
          'x-mcp-header': 'Page',
        },
        open: { type: 'boolean', description: 'Only places that are open now.', 'x-mcp-header': 'Open' },
        near: {
          type: 'object',
          description: 'A landmark.',
          properties: { landmark: { type: 'string', 'x-mcp-header': 'Landmark' } },
        },
      },
      required: ['region'],
    },
    readOnly: true,
    since: statelessRevision,
    run({ region, page = 1, open = false, near }) {
      const landmark = isObject(near) ? near.landmark : undefined;
      if (
        typeof region !== 'string' ||
        !Number.isInteger(page) ||
        typeof open !== 'boolean' ||
        (near !== undefined && !isObject(near))
      )
        return failure('An argument is of the wrong type.');
      if (landmark !== undefined && typeof landmark !== 'string') return failure('The landmark has to be a string.');
      if (Number(page) < 1 || Number(page) > 1000) return failure('There is no such page.');
      return text(
        `Page ${String(page)} of ${region}${landmark === undefined ? '' : ` near ${landmark}`}${open ? ', open now' : ''}: a market, a park.`,
      );
    },
  },
];
