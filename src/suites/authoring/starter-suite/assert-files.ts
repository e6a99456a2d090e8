/**
 * Starter cases in the form of mcp-assert: a file for each tool, with the valid call of it, and with expectations that
 * mcp-assert knows. Names of tools never become paths as they are. Pure.
 */
import { commentText } from '../../../check/authoring/listed-text.ts';
import { documentText, mostComment } from '../suite-text.ts';
import type { StarterCase } from './write.ts';
import { asText } from '../../../core/model/json.ts';

type Json = Record<string, unknown>;

/** Expectations of mcp-assert for those of starter cases. */
const known: ReadonlySet<string> = new Set([
  'not_error',
  'is_error',
  'not_empty',
  'equals',
  'contains',
  'matches_regex',
  'json_path',
]);

export interface AssertFile {
  /** Without folder. */
  name: string;
  text: string;
}

/** @param cases those of tools, the first of each tool being its valid call */
export function assertFiles(server: Json, comments: readonly string[], cases: readonly StarterCase[]): AssertFile[] {
  const seen = new Set<string>();
  const names = new Set<string>();
  return cases.flatMap(({ name, step, members, comments: reported, skip }) => {
    const tool = asText(step['call'] ?? '');
    if (tool === '' || seen.has(tool)) return [];
    seen.add(tool);
    const expect = Object.fromEntries(
      Object.entries((members['expect'] ?? {}) as Json).filter(([member]) => known.has(member)),
    );
    const refused = 'expect_error' in members;
    const notes = [
      ...reported,
      ...(refused ? ['mcp-assert cannot expect an error of JSON-RPC; the case is skipped.'] : []),
      ...(skip === undefined ? [] : [skip]),
    ];
    const value = {
      name: commentText(name, mostComment),
      server,
      assert: { tool, args: step['with'] ?? {}, ...(Object.keys(expect).length === 0 ? {} : { expect }) },
      ...(refused || skip !== undefined ? { skip: true } : {}),
    };
    return [{ name: `${fileName(tool, names)}.yaml`, text: documentText(value, [...comments, ...notes]) }];
  });
}

/** Letters, digits, dashes and underscores alone; another one for each tool. */
function fileName(tool: string, taken: Set<string>): string {
  const plain =
    tool
      .replace(/[^A-Za-z0-9_-]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 80) || 'tool';
  let found = plain;
  for (let turn = 2; taken.has(found.toLowerCase()); turn += 1) found = `${plain}-${turn}`;
  taken.add(found.toLowerCase());
  return found;
}
