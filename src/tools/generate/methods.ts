/** Generates generated/methods.json, the methods of every revision, from rules/messages/<revision>.json. */
import { readLayout } from '../../files/package/message-files.ts';
import { methodInfos } from '../../core/spec/messages/message-schema.ts';
import { revisions } from '../../core/spec/revisions.ts';
import type { Outputs } from './outputs.ts';

/** Where the table is written, relative to the root of the project. */
export const methodsPath = 'generated/methods.json';

/** The generator of the methods table; a line for each method. @throws McpcError (usage) for a faulty layout */
export async function generateMethods(root: string): Promise<Outputs> {
  const tables = await Promise.all(
    revisions.map(async (revision) => {
      const methods = methodInfos(await readLayout(revision, root));
      const lines = Object.entries(methods).map(
        ([method, info]) => `    ${JSON.stringify(method)}: ${JSON.stringify(info)}`,
      );
      return `  ${JSON.stringify(revision)}: {\n${lines.join(',\n')}\n  }`;
    }),
  );
  return { [methodsPath]: `{\n${tables.join(',\n')}\n}\n` };
}
