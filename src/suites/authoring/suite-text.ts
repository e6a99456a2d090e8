/** Writes a suite in the form of mcpc as YAML, so that it reads back as the same values, with comments. Pure. */
import { Document, isMap, isScalar, isSeq, visit } from 'yaml';
import type { Node, Scalar } from 'yaml';
import { readPlainScalar } from '../language/scalars.ts';
import { commentText } from '../../check/authoring/listed-text.ts';

type Json = Record<string, unknown>;

export interface WrittenCase {
  /** Members of the case. */
  value: Json;
  /** Notes for the reader, a line each. */
  comments: readonly string[];
}

export interface WrittenSuite {
  /** For the reader, a line each. */
  comments: readonly string[];
  /** Members of the file in addition to `version` and `cases`. */
  members: Json;
  cases: readonly WrittenCase[];
}

/** Path of the suite schema for editors in a project that has mcpc installed. */
const schemaLine = ' yaml-language-server: $schema=./node_modules/mcpc/rules/language/suite.schema.json';

/** Longest comment. */
export const mostComment = 160;

/** @returns the text of a suite file that `mcpc run` takes */
export function suiteFileText({ comments, members, cases }: WrittenSuite): string {
  const document = new Document(
    { version: 1, ...members, cases: cases.map(({ value }) => value) },
    { aliasDuplicateObjects: false },
  );
  quoteTexts(document);
  document.commentBefore = [schemaLine, ...comments.map((line) => ` ${commentText(line, mostComment)}`)].join('\n');
  const list = document.get('cases');
  if (isSeq(list)) {
    for (const [index, node] of list.items.entries()) {
      const reported = cases[index]!.comments;
      if (reported.length > 0)
        (node as Node).commentBefore = reported.map((line) => ` ${commentText(line, mostComment)}`).join('\n');
      (node as Node).spaceBefore = index > 0;
    }
  }
  if (isMap(document.contents))
    for (const { key } of document.contents.items.slice(1)) if (isScalar(key)) key.spaceBefore = true;
  return document.toString({ lineWidth: 0 });
}

/** One YAML document, with comments before it. */
export function documentText(value: Json, comments: readonly string[]): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  quoteTexts(document);
  document.commentBefore = comments.map((line) => ` ${commentText(line, mostComment)}`).join('\n');
  return document.toString({ lineWidth: 0 });
}

/** Suites read some texts as numbers that YAML 1.2 reads as texts, such as 1_000; and `<<` merges. */
function quoteTexts(document: Document): void {
  visit(document, {
    Scalar(_key, node: Scalar) {
      if (
        typeof node.value === 'string' &&
        (node.value === '<<' || typeof readPlainScalar(node.value).value !== 'string')
      )
        node.type = 'QUOTE_DOUBLE';
    },
  });
}
