/**
 * The ban list of the project's language: words and shapes of sentences that a native-speaking engineer does not use.
 * It is counted over the texts of src (comments, literals, names), rules, templates and docs.
 */
import { globSync } from 'tinyglobby';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One text: a comment, a literal, a paragraph, or a name in code. */
interface Text {
  kind: 'comment' | 'literal' | 'prose' | 'name' | 'markup';
  text: string;
  line: number;
}

/** One banned word or shape of a sentence, with its place. */
export interface Finding {
  category: Category;
  file: string;
  line: number;
  excerpt: string;
}

/** Words of each category, and the words to write in their place. */
const words = {
  told: { find: /\b(?:told|tells?|telling)\b/gi, instead: 'report, return, log, indicate, say' },
  people: {
    find: /\b(?:nobody|somebody|everybody|whoever|whose ever|greets?|greeted|heard|hears)\b/gi,
    instead: 'no client, a server, the process; people-words are for people',
  },
  archaic: {
    find: /\b(?:bears?|bore|borne|befalls?|befell|begets?|begot|mend(?:s|ed|ing)?|anew|aside|beside|in vain|for ever|by turns|thereof|wherein|unto)\b/gi,
    instead: 'support, happen to, create, fix, again, next to, without success, forever, alternately',
  },
  stands: { find: /\bstands\b(?! (?:for|in for)\b)/gi, instead: 'is, appears' },
  'of which': {
    find: /\bof (?:which|whom|whose)\b|\b(?:those|ones|one) (?:that|which)\b/gi,
    instead: 'a noun, or a second sentence',
  },
  due: { find: /\b(?:is|are|was|were|falls?) due\b/gi, instead: 'expected, required' },
  'duty by negation': {
    find: /\b(?:(?:must|need) not know|(?:judges|decides|knows|weighs) nothing)\b/gi,
    instead: 'what it does',
  },
} as const;

/** Categories that need more than a word: how a text begins, how long a sentence is, how a name is made. */
const shapes = {
  'headless comment': 'a noun or a verb first: "Returns …", "The options of …", "True if …"',
  'long sentence': 'sentences of at most 30 words',
  'two semicolons': 'two sentences',
  name: 'a noun or a verb of the protocol or of engineering',
};

/** Categories of the ban list. */
export type Category = keyof typeof words | keyof typeof shapes;

/** Every category with the remedy that a failed test names. */
export const remedies: Record<Category, string> = {
  ...(Object.fromEntries(Object.entries(words).map(([name, { instead }]) => [name, instead])) as Record<
    keyof typeof words,
    string
  >),
  ...shapes,
};

const headless = /^(?:What|How|Told|Whether|Whoever|Who|The same,|The same\.)(?=[\s,.]|$)/;
const bannedInNames =
  /^(?:told|tell|tells|nobody|somebody|whoever|befall|befalls|anew|aside|beside|besides|mend|vain|greet|greets|patient|patience|patiently)$/;
const participles = /^(?:Told|Begun|Carried|Given|Said|Known|Beside|Taken|Made|Seen|Heard|Wanted|Held|Kept|Left)$/;
const mostWords = 30;

/** Members of rule files and of their shared tables whose values people read. */
const readMembers = new Set([
  'title',
  'message',
  'fix',
  'note',
  'notLive',
  'says',
  'onlyIf',
  'deviation',
  'why',
  'description',
]);

/** Findings of the ban list in the folder of a project. */
export function bannedWording(folder: string): Finding[] {
  const files = globSync(['src/**/*.ts', 'rules/**/*.{json,ts}', 'docs/*.md', 'templates/**/*.hbs', '*.md'], {
    cwd: folder,
    ignore: ['**/generated/**', 'CHANGELOG.md'],
  }).toSorted();
  return files.flatMap((file) => inFile(file, readFileSync(join(folder, file), 'utf8')));
}

/** Findings in the text of one file, whose name decides how it is read. */
export function inFile(file: string, content: string): Finding[] {
  return textsOf(file, content).flatMap((text) => inText(text).map((found) => ({ ...found, file })));
}

function textsOf(file: string, content: string): Text[] {
  if (file.endsWith('.ts')) return [...codeTexts(content)];
  if (file.endsWith('.json')) return [...jsonTexts(content)];
  const kind = file.endsWith('.hbs') ? 'markup' : 'prose';
  return [...proseTexts(content)].map((text) => ({ ...text, kind }));
}

function inText({ kind, text, line }: Text): Omit<Finding, 'file'>[] {
  const found: Omit<Finding, 'file'>[] = [];
  const add = (category: Category, excerpt: string): void => {
    found.push({ category, line, excerpt: excerpt.trim().slice(0, 120) });
  };
  if (kind === 'name') {
    if (text.split(/(?=[A-Z])|_/).some((part) => bannedInNames.test(part.toLowerCase()))) add('name', text);
    else if (participles.test(text)) add('name', text);
    return found;
  }
  if (kind === 'comment' && headless.test(text)) add('headless comment', text);
  for (const sentence of text.split(/(?<=[.!?][)"']?)\s+(?=[A-Z`"'(*[])|\n\n/)) {
    for (const [category, { find }] of Object.entries(words)) {
      for (const _match of sentence.matchAll(find)) add(category as Category, sentence);
    }
    if (kind === 'markup') continue;
    if (sentence.split(/\s+/).filter((word) => /\w/.test(word)).length > mostWords) add('long sentence', sentence);
    if (sentence.split(';').length > 2) add('two semicolons', sentence);
  }
  return found;
}

/** Comments, literals with several words, and declared names of a file of TypeScript. */
function* codeTexts(content: string): Generator<Text> {
  const lines = content.split('\n');
  let comment: Text | undefined;
  for (const [index, raw] of lines.entries()) {
    const line = raw.trim();
    const part = comment !== undefined && !line.startsWith('//') ? blockPart(line) : ownComment(line);
    if (part !== undefined) {
      if (comment === undefined) comment = { kind: 'comment', text: part, line: index + 1 };
      else comment.text += part === '' || part.startsWith('@') ? `\n\n${part}` : ` ${part}`;
      if (line.endsWith('*/')) {
        yield comment;
        comment = undefined;
      }
      continue;
    }
    if (comment !== undefined) yield comment;
    comment = undefined;
    yield* literals(line, index + 1);
    yield* names(line, index + 1);
  }
  if (comment !== undefined) yield comment;
}

/** Text of a line that is a comment by itself. */
function ownComment(line: string): string | undefined {
  if (line.startsWith('//')) return line.replace(/^\/+\s?/, '').trim();
  if (line.startsWith('/*'))
    return line
      .replace(/^\/\*+/, '')
      .replace(/\*+\/$/, '')
      .trim();
  return undefined;
}

/** Text of a further line of a comment. */
function blockPart(line: string): string | undefined {
  return line.startsWith('*') ? line.replace(/\*\/$/, '').replace(/^\*/, '').trim() : undefined;
}

function* literals(line: string, number: number): Generator<Text> {
  for (const [all] of line.matchAll(/'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`?|"(?:[^"\\]|\\.)*"/g)) {
    const text = all
      .slice(1)
      .replace(/['`"]$/, '')
      .replaceAll(/\$\{[^}]*\}/g, 'X');
    if (text.trim().includes(' ')) yield { kind: 'literal', text, line: number };
  }
}

/** Names that a line declares: functions, constants, types, members and parameters with a type. */
function* names(line: string, number: number): Generator<Text> {
  const code = line
    .replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`?/g, "''")
    .replace(/\s\/\/ .*$/, '');
  for (const [, declared] of code.matchAll(/\b(?:function\*?|const|let|class|interface|type|enum) ([A-Za-z_]\w*)/g)) {
    if (declared !== undefined) yield { kind: 'name', text: declared, line: number };
  }
  const member = /^(?:readonly |private |public |static |async )*([A-Za-z_]\w*)\??(?:\(.*\))?: [A-Za-z({[]/.exec(
    code,
  )?.[1];
  if (member !== undefined) yield { kind: 'name', text: member, line: number };
}

function* jsonTexts(content: string): Generator<Text> {
  for (const [index, line] of content.split('\n').entries()) {
    for (const [, member, value] of line.matchAll(/"([\w-]+)": "((?:[^"\\]|\\.)*)"/g)) {
      if (member !== undefined && value !== undefined && readMembers.has(member))
        yield { kind: 'prose', text: value.replaceAll(/\{\{[^}]*\}\}/g, 'X'), line: index + 1 };
    }
  }
}

/** Paragraphs, items of lists and cells of tables, without code. */
function* proseTexts(content: string): Generator<Text> {
  let fenced = false;
  let paragraph: Text | undefined;
  for (const [index, raw] of content.split('\n').entries()) {
    const line = raw.trim();
    if (line.startsWith('```')) fenced = !fenced;
    const begins = /^(?:[-*] |\d+\. |#|>|\||```|$)/.test(line) || fenced;
    if (begins && paragraph !== undefined) {
      yield paragraph;
      paragraph = undefined;
    }
    if (fenced || line.startsWith('```') || line === '') continue;
    const text = line
      .replaceAll(/`[^`]*`/g, 'X')
      .replaceAll(/\{\{[^}]*\}\}/g, 'X')
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(/\]\([^)]*\)/g, ']');
    if (line.startsWith('|')) {
      for (const cell of text.split('|'))
        if (cell.trim() !== '') yield { kind: 'prose', text: cell.trim(), line: index + 1 };
      continue;
    }
    if (paragraph === undefined)
      paragraph = { kind: 'prose', text: text.replace(/^(?:[-*]|\d+\.|#+|>) /, ''), line: index + 1 };
    else paragraph.text += ` ${text}`;
  }
  if (paragraph !== undefined) yield paragraph;
}
