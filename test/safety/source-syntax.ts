/** What the sources say, found by parsing them: the tests of this folder hold rules of the code to it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import ts from 'typescript';

export const root = join(fileURLToPath(import.meta.url), '../../..');

/** Calls `visit` with every node of every source file, and the path of the file below the root. */
export function eachNode(visit: (node: ts.Node, file: string) => void): void {
  for (const file of globSync('src/**/*.ts', { cwd: root }).toSorted()) {
    const walk = (node: ts.Node): void => {
      visit(node, file);
      ts.forEachChild(node, walk);
    };
    walk(ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true));
  }
}

export { ts };
