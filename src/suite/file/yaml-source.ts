/**
 * Reads YAML into plain values and remembers where each of them stands. Aliases are followed within bounds; keys
 * are text; what a scalar means is told by scalars.ts. It must not know what the values are for.
 */
import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseAllDocuments } from 'yaml';
import type { Document, Node, Pair, YAMLMap } from 'yaml';
import { readPlainScalar } from './scalars.ts';

export interface Place {
  /** Both from 1. */
  line: number;
  column: number;
}

export interface Problem extends Place {
  text: string;
  severity: 'error' | 'warning';
}

export type Path = readonly (string | number)[];

export interface YamlDocument {
  value: unknown;
  /** Where a member's name stands, or an item; of what encloses it, when it has none. */
  placeOf(path: Path): Place;
  /** How a scalar was written; undefined for what was in quotes, and for lists and mappings. */
  sourceOf(path: Path): string | undefined;
}

export interface YamlFile {
  documents: YamlDocument[];
  problems: Problem[];
}

const mostNodes = 200_000;
const deepest = 100;

class TooMuch extends Error {}

/** The documents of a text; what is broken is among the problems. */
export function readYaml(text: string): YamlFile {
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, schema: 'failsafe', logLevel: 'silent' });
  const documents = Array.isArray(parsed) ? (parsed as Document.Parsed[]) : [];
  // What follows the first error of a document is often a consequence of it.
  const problems: Problem[] = documents.flatMap((one) => one.errors.slice(0, 1).map(({ message, pos }) => ({ ...placeAt(lines, pos[0]), text: message.split('\n')[0]!, severity: 'error' as const })));
  if (problems.length > 0) return { documents: [], problems };
  return { documents: documents.map((one) => readDocument(one, lines, problems)), problems };
}

function placeAt(lines: LineCounter, offset: number): Place {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

function readDocument(document: Document, lines: LineCounter, problems: Problem[]): YamlDocument {
  const offsets = new Map<string, number>();
  const sources = new Map<string, string>();
  let nodes = 0;

  function read(node: unknown, path: (string | number)[]): unknown {
    nodes += 1;
    if (nodes > mostNodes) throw new TooMuch(`there are more than ${mostNodes} values in it, aliases counted as often as they are used`);
    if (path.length > deepest) throw new TooMuch(`it nests deeper than ${deepest} levels`);
    if (isAlias(node)) return read(node.resolve(document), path);
    const key = keyOf(path);
    const range = (node as Node | null)?.range;
    if (range && !offsets.has(key)) offsets.set(key, range[0]);
    if (isScalar(node)) return scalar(node, key, range?.[0] ?? 0);
    if (isSeq(node)) return node.items.map((item, index) => read(item, [...path, index]));
    return isMap(node) ? mapping(node, path) : null;
  }

  function scalar(node: { value: unknown; type?: unknown; tag?: string | undefined; source?: string | undefined }, key: string, offset: number): unknown {
    const text = typeof node.value === 'string' ? node.value : String(node.value ?? '');
    if (node.tag?.endsWith(':str') === true || (node.type !== 'PLAIN' && node.type !== undefined)) return text;
    const { value, warning } = readPlainScalar(text);
    if (typeof value !== 'string') sources.set(key, text);
    if (warning !== undefined) problems.push({ ...placeAt(lines, offset), text: warning, severity: 'warning' });
    return value;
  }

  function mapping(node: YAMLMap, path: (string | number)[]): Record<string, unknown> {
    const own = new Map<string, unknown>();
    const merged = new Map<string, unknown>();
    for (const pair of node.items as Pair<unknown, unknown>[]) {
      if (!isPair(pair)) continue;
      const name = nameOf(pair.key);
      if (isMergeKey(pair.key)) {
        const value = read(pair.value, [...path, name]);
        // Of several, the first goes before those behind it (YAML 1.1: merge).
        for (const one of [value].flat()) for (const [member, inner] of Object.entries(isRecord(one) ? one : {})) if (!merged.has(member)) merged.set(member, inner);
        continue;
      }
      const start = (isScalar(pair.key) || isAlias(pair.key)) && pair.key.range ? pair.key.range[0] : undefined;
      if (start !== undefined) offsets.set(keyOf([...path, name]), start);
      own.set(name, read(pair.value, [...path, name]));
    }
    // fromEntries also makes a member named "__proto__" an ordinary one.
    return Object.fromEntries([...[...merged].filter(([name]) => !own.has(name)), ...own]);
  }

  function nameOf(node: unknown): string {
    const target = isAlias(node) ? node.resolve(document) : node;
    return isScalar(target) ? String(target.value ?? '') : String(target);
  }

  let value: unknown = null;
  try {
    value = read(document.contents, []);
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    problems.push({ ...placeAt(lines, document.contents?.range?.[0] ?? 0), text: `${error.message}; such a file is not read`, severity: 'error' });
  }
  const start = document.contents?.range?.[0] ?? 0;
  return {
    value,
    sourceOf: (path) => sources.get(keyOf(path)),
    placeOf(path) {
      for (let length = path.length; length >= 0; length -= 1) {
        const offset = offsets.get(keyOf(path.slice(0, length)));
        if (offset !== undefined) return placeAt(lines, offset);
      }
      return placeAt(lines, start);
    },
  };
}

function isMergeKey(node: unknown): boolean {
  return isScalar(node) && node.value === '<<' && (node.type === 'PLAIN' || node.type === undefined);
}

function keyOf(path: Path): string {
  return path.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
