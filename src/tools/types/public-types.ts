/** The types of the entries that programs import, each in one file that needs no other of ours. */
import { join } from 'node:path';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

/** Sources of the entries, by the name of their file. */
const entries = {
  api: 'src/api/index.ts',
  client: 'src/api/client.ts',
  jest: 'src/api/jest/index.ts',
  matchers: 'src/api/matchers/index.ts',
  sdk: 'src/sdk/index.ts',
  vitest: 'src/api/vitest/index.ts',
} as const;

/** `await using` and its symbol, which older settings of a project do not bring. */
const head = '/// <reference lib="esnext.disposable" />\n';

/** TypeScript adds to a module that it has read already, so that what adds to vitest has to import it. */
const imports: Readonly<Record<string, string>> = { vitest: "import 'vitest';\n" };

/** @returns text by file name, as `sdk.d.ts` */
export async function publicTypes(root: string): Promise<Record<string, string>> {
  const made: Record<string, string> = {};
  for (const [name, entry] of Object.entries(entries)) {
    const bundle = await rollup({
      input: join(root, entry),
      plugins: [dts({ tsconfig: join(root, 'tsconfig.json') })],
      external: (id) => id.startsWith('node:') || id === 'vitest',
    });
    const { output } = await bundle.generate({ format: 'es' });
    await bundle.close();
    made[`${name}.d.ts`] = `${head}${imports[name] ?? ''}${output[0].code}`;
  }
  return made;
}
