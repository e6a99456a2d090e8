/** Actions or declarations of a client that a rule about it needs to be decided by `mcpc client`. */
import type { ClientAct, Situation } from '../../../core/model/rules/situation.ts';
import type { CompiledRule } from '../../../core/model/rules/rule.ts';
import type { Remedy } from './remedies.ts';

/** Declarations of the client that the rule needs, or excludes, in words that complete "applies only if". */
export function declaringOf({ situation }: CompiledRule): string | undefined {
  const { needs = [], unless = [] } = situation ?? {};
  const parts = [
    ...(needs.length > 0 ? [`the client declares ${needs.join(' and ')}`] : []),
    ...(unless.length > 0 ? [`${needs.length > 0 ? 'and' : 'the client declares'} no ${unless.join(' or ')}`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(' ');
}

/** True if the server does something special in the situation, and needs a start of its own for it. */
export function hasOwnStart({
  needs: _needs,
  unless: _unless,
  drive: _drive,
  asks: _asks,
  ...special
}: Situation): boolean {
  return Object.keys(special).length > 0;
}

/** The reason for which a start with authorization is left out, or showed nothing. */
export const withoutLogin = 'the client did not try to log in';

/** The act that was missing. */
export function missingAct({ situation }: CompiledRule): Remedy {
  const acts = (situation?.drive ?? []).map(wordsOf);
  return {
    why: acts.length === 0 ? 'the client did nothing of the kind' : `the client did not ${acts.join(', and then ')}`,
    how: 'have the client do more of what the starts ask for (docs/clients.md)',
  };
}

const lists = { tools: 'tools', prompts: 'prompts', resources: 'resources', templates: 'resource templates' } as const;

function wordsOf({ act, of = 'tools', tool, name, uri, level }: ClientAct): string {
  switch (act) {
    case 'connect':
      return 'connect';
    case 'list':
      return `list the ${lists[of]}, all pages of them`;
    case 'call':
      return tool === undefined ? 'call each tool that it lists' : `call the tool ${tool}`;
    case 'read':
      return `read the resource ${uri ?? 'that is listed'}`;
    case 'get':
      return `get the prompt ${name ?? 'that is listed'}`;
    case 'complete':
      return 'ask for a completion';
    case 'subscribe':
      return `subscribe to ${uri ?? 'a resource'}`;
    case 'set-level':
      return `set the log level to ${level ?? 'any'}`;
    case 'cancel':
      return 'cancel the call';
    case 'end':
      return 'go away';
  }
}
