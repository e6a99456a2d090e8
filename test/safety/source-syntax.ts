/** What the sources say, found by parsing them: the tests of this folder hold rules of the code to it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import ts from 'typescript';

export const root = join(fileURLToPath(import.meta.url), '../../..');

/**
 * Calls `visit` with every node of every source file, and the path of the file below the root. The mutations and variants
 * of the example server are wrong on purpose, and only our own clients meet them.
 */
export function eachNode(visit: (node: ts.Node, file: string) => void): void {
  for (const file of globSync('src/**/*.ts', { cwd: root, ignore: 'src/testkit/example-server/**' }).toSorted()) {
    for (const node of nodesOf(file, readFileSync(join(root, file), 'utf8'))) visit(node, file);
  }
}

/** Every node of a source text, outer ones first. */
export function* nodesOf(file: string, text: string): Generator<ts.Node> {
  const open: ts.Node[] = [ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node;
    const children: ts.Node[] = [];
    ts.forEachChild(node, (child) => void children.push(child));
    open.push(...children.toReversed());
  }
}

export { ts };
