/** Files that look like configurations of servers and are none: what they are, and what to do with them. Pure. */
import { isObject, type JsonObject as Json } from '../../../core/model/json.ts';

export interface OtherFile {
  /** For a sentence: `it is …`. */
  what: string;
  remedy: string;
}

/** The first that fits counts. */
export const otherFiles: readonly (OtherFile & { tool: string; fits(value: Json): boolean })[] = [
  {
    tool: 'Smithery',
    what: 'a build description of Smithery, whose command is made by a function',
    remedy: 'Build the server, and name its command: mcpc check -- COMMAND.',
    fits: ({ startCommand, runtime }) => isObject(startCommand) || typeof runtime === 'string',
  },
  {
    tool: 'promptfoo',
    what: 'a configuration of promptfoo, which tests answers of models',
    remedy: 'Name the command of its provider "mcp": mcpc check -- COMMAND.',
    fits: ({ providers, prompts, tests }) =>
      Array.isArray(providers) && (Array.isArray(prompts) || Array.isArray(tests)),
  },
  {
    tool: 'Compose',
    what: 'a Compose file',
    remedy: 'Start its services, and name an address: mcpc check URL.',
    fits: ({ services }) => isObject(services),
  },
];

export function otherFile(value: Json): OtherFile | undefined {
  return otherFiles.find((one) => one.fits(value));
}
