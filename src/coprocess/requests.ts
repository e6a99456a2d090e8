/** Requests to the server under test for each method of the protocol. */
import type { ListKind } from '../live/lists.ts';
import type { Frame } from './frames/frame.ts';

export type Asked =
  | { kind: 'handshake' }
  | { kind: 'list'; list: ListKind }
  | {
      kind: 'request';
      method: string;
      params: Record<string, unknown>;
      /** Subject of errors: the tool, resource or prompt. */
      about: { tool: string } | { uri: string } | { prompt: string };
    };

/** Undefined for methods that ask nothing of it. */
export function upstreamOf({ method, params }: Frame): Asked | undefined {
  switch (method) {
    case 'mcp.initialize':
      return { kind: 'handshake' };
    case 'mcp.listTools':
      return { kind: 'list', list: 'tools' };
    case 'mcp.listResources':
      return { kind: 'list', list: 'resources' };
    case 'mcp.call': {
      const tool = params['tool'] as string;
      return {
        kind: 'request',
        method: 'tools/call',
        params: { name: tool, arguments: params['arguments'] ?? {} },
        about: { tool },
      };
    }
    case 'mcp.readResource': {
      const uri = params['uri'] as string;
      return { kind: 'request', method: 'resources/read', params: { uri }, about: { uri } };
    }
    case 'mcp.callPrompt': {
      const prompt = params['prompt'] as string;
      const given = params['arguments'];
      return {
        kind: 'request',
        method: 'prompts/get',
        params: { name: prompt, ...(given === undefined ? {} : { arguments: given }) },
        about: { prompt },
      };
    }
    default:
      return undefined;
  }
}
