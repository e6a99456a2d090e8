/** The words that redaction spares hold every member and method that any revision of the protocol knows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';
import { protocolWords } from '../../src/core/trace/redaction/protocol-words.ts';
import { root } from './source-syntax.ts';

/** Names of members in the notation of message shapes; names of types begin with a capital letter. */
function membersIn(shape: unknown): string[] {
  if (typeof shape !== 'object' || shape === null) return [];
  return Object.entries(shape).flatMap(([name, inner]) => [
    ...(/^[A-Z.]/.test(name) ? [] : [name.replace(/\?$/, '')]),
    ...membersIn(inner),
  ]);
}

test.each(globSync('rules/messages/*.json', { cwd: root }))('%s', (file) => {
  const { types, methods } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
    types: Record<string, unknown>;
    methods: Record<string, unknown>;
  };
  const names = [...Object.values(types).flatMap(membersIn), ...Object.keys(methods)].filter(
    (name) => name.length >= 4 && /^[\w$./-]+$/.test(name),
  );
  expect(names.length).toBeGreaterThan(50);
  expect([...new Set(names)].filter((name) => !protocolWords.has(name))).toEqual([]);
});
