/** Prompts of the server for agents: fix a failure, write a suite. */
import { completable } from '@modelcontextprotocol/sdk/server/completable.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { GetPromptResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { quoteNotice } from './answer.ts';
import type { Context } from './context.ts';

const asked = (text: string): GetPromptResult => ({ messages: [{ role: 'user', content: { type: 'text', text } }] });

export function registerPrompts(server: McpServer, { access, runs }: Context): void {
  const names = (typed: string): string[] =>
    access
      .servers()
      .map(({ name }) => name)
      .filter((name) => name.startsWith(typed));
  const serverOf = completable(z.string().describe('Name of a configured server.'), names);

  server.registerPrompt(
    'fix_failure',
    {
      title: 'Fix a violation',
      description: 'Find the cause of a violated requirement in the code of the server, fix it, and check again.',
      argsSchema: {
        server: serverOf,
        run: completable(
          z.string().optional().describe('A run to start from; without it the server is checked first.'),
          (typed) => runs.ids().filter((id) => id.startsWith(typed ?? '')),
        ),
      },
    },
    ({ server: name, run }) =>
      asked(
        [
          run === undefined
            ? `Check the server "${name}" with check_server.`
            : `Take the run ${run} of the server "${name}".`,
          'Take its first violation. Read explain_verdict and show_exchange for it, and find the place in the code of this project that sends the wrong message.',
          'Fix the code, not the check. Then call check_server again with only set to that rule, and once more without it, so that nothing else got worse.',
          quoteNotice,
        ].join('\n'),
      ),
  );

  server.registerPrompt(
    'write_suite',
    {
      title: 'Write a suite',
      description: 'Write YAML cases for the tools of a server, and run them.',
      argsSchema: { server: serverOf },
    },
    ({ server: name }) =>
      asked(
        [
          `Write a suite for the server "${name}".`,
          'Begin with generate_cases. Read the resource mcpc://schema/suite for what cases can say. Keep the cases that test what users rely on; replace the ones marked TODO by calls with real arguments; add one case for each error that a caller should expect.',
          'Check the text with validate_suite, run it with run_suite, and correct each case that fails although the server is right.',
          quoteNotice,
        ].join('\n'),
      ),
  );
}
