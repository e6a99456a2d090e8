/** Writes cases of a starter suite as YAML in the form of mcpc, with comments that say what was guessed. Pure. */
import { Document, isMap, isScalar, isSeq } from 'yaml';
import type { Node } from 'yaml';
import { commentText } from '../listed-text.ts';

type Json = Record<string, unknown>;

export interface StarterCase {
  name: string;
  step: Json;
  members: Json;
  comments: readonly string[];
  /** JSON paths that snapshots leave out. */
  volatile?: readonly string[];
  skip?: string;
}

export interface SuiteHead {
  /** For the reader, a line each. */
  comments: readonly string[];
  /** Member `servers` of the file. */
  server: Json;
}

/** Where an editor finds the schema of suites beside a project that has mcpc installed. */
const schemaLine = ' yaml-language-server: $schema=./node_modules/mcpc/rules/language/suite.schema.json';

/** Longest comment and name. */
const most = 160;

/** @returns the text of a suite file that `mcpc run` takes */
export function suiteText({ comments, server }: SuiteHead, cases: readonly StarterCase[]): string {
  const document = new Document(
    {
      version: 1,
      servers: { server },
      cases: cases.map(({ name, step, members, volatile, skip }) => ({ name: commentText(name, most), ...(skip === undefined ? {} : { skip: commentText(skip, most) }), ...(volatile === undefined || volatile.length === 0 ? {} : { volatile }), steps: [{ ...step, ...members }] })),
    },
    { aliasDuplicateObjects: false },
  );
  document.commentBefore = [schemaLine, ...comments.map((line) => ` ${commentText(line, most)}`)].join('\n');
  const list = document.get('cases');
  if (isSeq(list)) {
    for (const [index, node] of list.items.entries()) {
      const told = cases[index]!.comments;
      if (told.length > 0) (node as Node).commentBefore = told.map((line) => ` ${commentText(line, most)}`).join('\n');
      (node as Node).spaceBefore = index > 0;
    }
  }
  if (isMap(document.contents)) for (const { key } of document.contents.items.slice(1)) if (isScalar(key)) key.spaceBefore = true;
  return document.toString({ lineWidth: 0 });
}
