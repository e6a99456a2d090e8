/** Names of tools in flags that the target does not list: a slip of the pen allows nothing, and denies nothing. Pure. */
import type { JsonObject as Json } from '../model/json.ts';
import { usageError, type McpcError } from '../model/errors.ts';
import { isGlob } from './decide.ts';
import { suggestion } from '../model/suggestion.ts';

const mostListed = 12;

/**
 * @param tools as tools/list describes them
 * @returns the error to end with; undefined where each name is a tool. A glob is a policy that need not fit
 */
export function unlistedTool(
  tools: readonly Json[],
  { allowTools = [], denyTools = [] }: { allowTools?: readonly string[]; denyTools?: readonly string[] },
): McpcError | undefined {
  const known = tools.map(({ name }) => name).filter((name) => typeof name === 'string');
  for (const [flag, names] of [
    ['--allow-tool', allowTools],
    ['--deny-tool', denyTools],
  ] as const) {
    const stray = names.find((name) => !isGlob(name) && !known.includes(name));
    if (stray === undefined) continue;
    const near = suggestion(stray, known).trim();
    const shown = known.slice(0, mostListed).join(', ');
    const more = known.length > mostListed ? ` and ${known.length - mostListed} more` : '';
    return usageError(
      `${flag} ${stray}: the server lists no tool of that name.`,
      near !== '' ? near : known.length === 0 ? 'It lists no tools.' : `It lists ${shown}${more}.`,
    );
  }
  return undefined;
}
