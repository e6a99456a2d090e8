/**
 * Reads YAML into plain values and keeps the place of each. Aliases are followed within limits; keys are text;
 * scalars.ts gives scalars their meaning. It is independent of the use of the values.
 */
import { isAlias, isMap, isNode, isPair, isScalar, isSeq, LineCounter, parseAllDocuments } from 'yaml';
import type { Alias, Document, Node, Pair, YAMLMap } from 'yaml';
import { readPlainScalar } from './scalars.ts';
import { asText } from '../../core/model/json.ts';

export interface Place {
  /** Both from 1. */
  line: number;
  column: number;
  /** Of a file that another one imports: its path. */
  file?: string;
}

export interface Problem extends Place {
  text: string;
  severity: 'error' | 'warning';
}

export type Path = readonly (string | number)[];

export interface YamlDocument {
  value: unknown;
  /** Place of a member's name, or of an item; of the enclosing value, when it has none. */
  placeOf(path: Path): Place;
  /** Spelling of a scalar; undefined for quoted ones, and for lists and mappings. */
  sourceOf(path: Path): string | undefined;
}

export interface YamlFile {
  documents: YamlDocument[];
  problems: Problem[];
}

const mostNodes = 200_000;
const deepest = 100;

class TooMuch extends Error {}

/**
 * The documents of a text; what is broken is among the problems.
 * @param file path that its places are to name
 */
export function readYaml(text: string, file?: string): YamlFile {
  const lines: Lines = { counter: new LineCounter(), file };
  const parsed = parseAllDocuments(text, {
    lineCounter: lines.counter,
    prettyErrors: false,
    schema: 'failsafe',
    logLevel: 'silent',
    uniqueKeys: false,
  });
  const documents = Array.isArray(parsed) ? (parsed as Document.Parsed[]) : [];
  // Text after the first error of a document often has errors caused by it.
  const problems: Problem[] = documents.flatMap((one) =>
    one.errors
      .slice(0, 1)
      .map(({ message, pos }) => ({ ...placeAt(lines, pos[0]), text: wordsOf(message), severity: 'error' as const })),
  );
  if (problems.length > 0) return { documents: [], problems };
  return { documents: documents.map((one) => readDocument(one, lines, problems)), problems };
}

/** The first line; for too deep nesting the parser uses the words of the engine. */
function wordsOf(message: string): string {
  return message.startsWith('Maximum call stack size exceeded')
    ? `it nests deeper than ${deepest} levels; such a file is not read`
    : message.split('\n')[0]!;
}

interface Lines {
  counter: LineCounter;
  file?: string;
}

function placeAt({ counter, file }: Lines, offset: number): Place {
  const { line, col } = counter.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1), file };
}

/** Place of a value, and of its content. */
interface Mark {
  offset?: number;
  /** Spelling of a plain scalar other than text. */
  source?: string;
  members?: Map<string, Mark>;
}

function readDocument(document: Document, lines: Lines, problems: Problem[]): YamlDocument {
  const anchors = new Map<string, Node>();
  const meant = new Map<Node, Node | undefined>();
  let nodes = 0;

  function read(node: unknown, mark: Mark, depth: number): unknown {
    nodes += 1;
    if (nodes > mostNodes)
      throw new TooMuch(`there are more than ${mostNodes} values in it, aliases counted as often as they are used`);
    if (depth > deepest) throw new TooMuch(`it nests deeper than ${deepest} levels`);
    if (isAlias(node)) return read(resolved(node), mark, depth);
    const { range, anchor } = (node ?? {}) as { range?: Node['range']; anchor?: string };
    // A node that an alias leads to is met again; by then its anchor may be another's.
    if (anchor !== undefined && !meant.has(node as Node)) {
      anchors.set(anchor, node as Node);
      meant.set(node as Node, undefined);
    }
    if (range) mark.offset ??= range[0];
    if (isScalar(node)) return scalar(node, mark, range?.[0] ?? 0);
    if (isSeq(node)) return node.items.map((item, index) => read(item, memberOf(mark, String(index)), depth + 1));
    return isMap(node) ? mapping(node, mark, depth) : null;
  }

  /** The node that an alias stands for: the last one before it that has the anchor. */
  function resolved(alias: Alias): Node | undefined {
    let node = meant.get(alias);
    if (node === undefined) meant.set(alias, (node = anchors.get(alias.source)));
    return node;
  }

  function scalar(
    node: { value: unknown; type?: unknown; tag?: string | undefined; source?: string | undefined },
    mark: Mark,
    offset: number,
  ): unknown {
    const text = typeof node.value === 'string' ? node.value : asText(node.value ?? '');
    if (node.tag?.endsWith(':str') === true || (node.type !== 'PLAIN' && node.type !== undefined)) return text;
    const { value, warning } = readPlainScalar(text);
    if (typeof value !== 'string') mark.source = text;
    if (warning !== undefined) problems.push({ ...placeAt(lines, offset), text: warning, severity: 'warning' });
    return value;
  }

  function mapping(node: YAMLMap, mark: Mark, depth: number): Record<string, unknown> {
    const own: [string, unknown][] = [];
    const merged = new Map<string, unknown>();
    const names = new Set<string>();
    for (const pair of node.items as Pair<unknown, unknown>[]) {
      if (!isPair(pair)) continue;
      const name = nameOf(pair.key);
      const within = memberOf(mark, name);
      // The parser compares each key with all before it, which takes minutes for a file full of them.
      if (names.has(name) && isScalar(pair.key)) twice(pair.key);
      names.add(name);
      if (isMergeKey(pair.key)) {
        const value = read(pair.value, within, depth + 1);
        // Of several, the first goes before those behind it (YAML 1.1: merge).
        for (const one of [value].flat())
          for (const [member, inner] of Object.entries(isRecord(one) ? one : {}))
            if (!merged.has(member)) merged.set(member, inner);
        continue;
      }
      const start = (isScalar(pair.key) || isAlias(pair.key)) && pair.key.range ? pair.key.range[0] : undefined;
      if (start !== undefined) within.offset = start;
      own.push([name, read(pair.value, within, depth + 1)]);
    }
    // fromEntries also makes a member named "__proto__" an ordinary one.
    if (merged.size === 0) return Object.fromEntries(own);
    for (const [name] of own) merged.delete(name);
    return Object.fromEntries([...merged, ...own]);
  }

  function twice(key: unknown): void {
    problems.push({
      ...placeAt(lines, isNode(key) ? (key.range?.[0] ?? 0) : 0),
      text: 'Map keys must be unique',
      severity: 'error',
    });
  }

  function nameOf(node: unknown): string {
    const target = isAlias(node) ? resolved(node) : node;
    if (isNode(target) && target.anchor !== undefined && target === node) anchors.set(target.anchor, target);
    return isScalar(target) ? asText(target.value ?? '') : asText(target);
  }

  const root: Mark = {};
  const start = document.contents?.range?.[0] ?? 0;
  let value: unknown = null;
  try {
    value = read(document.contents, root, 0);
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    problems.push({ ...placeAt(lines, start), text: `${error.message}; such a file is not read`, severity: 'error' });
  }
  return {
    value,
    sourceOf(path) {
      let mark: Mark | undefined = root;
      for (const name of path) mark = mark?.members?.get(String(name));
      return mark?.source;
    },
    placeOf(path) {
      let mark: Mark | undefined = root;
      let offset = root.offset ?? start;
      for (const name of path) {
        mark = mark.members?.get(String(name));
        if (mark === undefined) break;
        offset = mark.offset ?? offset;
      }
      return placeAt(lines, offset);
    },
  };
}

function memberOf(mark: Mark, name: string): Mark {
  mark.members ??= new Map();
  let found = mark.members.get(name);
  if (found === undefined) mark.members.set(name, (found = {}));
  return found;
}

function isMergeKey(node: unknown): boolean {
  return isScalar(node) && node.value === '<<' && (node.type === 'PLAIN' || node.type === undefined);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
