/** A configuration as a value, and where its parts stand: JSON with comments, YAML or TOML, by the name of the file. */
import { readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import { parse as parseToml, TomlError } from 'smol-toml';
import { isMap, isScalar, isNode, LineCounter, parseDocument } from 'yaml';
import { usageError } from '../../../core/model/errors.ts';
import { asText, isObject, type JsonObject as Json } from '../../../core/model/json.ts';

type Path = readonly (string | number)[];

export interface ConfigDocument {
  file: string;
  value: Json;
  /** Line of a property's name, or of an item, from 1. */
  lineOf(path: Path): number;
  /** Lines of a property that an object has more than once; none for a single one. */
  repeated(path: Path): { name: string; lines: number[] }[];
}

/** Largest file that is read, in bytes. */
const largest = 16 * 1024 * 1024;

const fixIt = 'Fix the file; in JSON comments and trailing commas are fine.';

/** @throws McpcError usage when it cannot be read, with the line where it is wrong, or when it is no object */
export function readConfigDocument(file: string): ConfigDocument {
  let text: string;
  try {
    if (statSync(file).size > largest)
      throw usageError(`${file} is larger than a configuration can be (${largest} bytes).`, 'Name another file.');
    text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw usageError(
      `Cannot read the configuration ${file}: ${(error as Error).message}`,
      'Check the path given with --config.',
      error,
    );
  }
  const extension = extname(file).toLowerCase();
  try {
    if (extension === '.toml') return tomlDocument(text, file);
    return extension === '.yaml' || extension === '.yml' ? yamlDocument(text, file) : jsonDocument(text, file);
  } catch (error) {
    // The parsers call themselves for nested values.
    if (error instanceof RangeError) throw usageError(`${file} nests too deeply to be a configuration.`, fixIt, error);
    throw error;
  }
}

function jsonDocument(text: string, file: string): ConfigDocument {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const lines = new LineCounter();
  let start = 0;
  do {
    lines.addNewLine(start);
    start = text.indexOf('\n', start) + 1;
  } while (start > 0);
  const [first] = errors;
  if (first) {
    const { line, col } = lines.linePos(first.offset);
    throw usageError(`${file}:${line}:${col}: not JSON (${printParseErrorCode(first.error)}).`, fixIt);
  }
  const value: unknown = tree && getNodeValue(tree);
  if (tree === undefined || !isObject(value)) throw usageError(`${file} is not a JSON object.`, shapes);
  const lineAt = (node: Node | undefined): number => lines.linePos(node?.offset ?? 0).line;
  return {
    file,
    value,
    lineOf(path) {
      const node = findNodeAtLocation(tree, [...path]);
      return lineAt(node?.parent?.type === 'property' ? node.parent : node);
    },
    repeated(path) {
      const places = new Map<string, number[]>();
      const holder = findNodeAtLocation(tree, [...path]);
      for (const pair of holder?.type === 'object' ? (holder.children ?? []) : []) {
        const name = String(pair.children?.[0]?.value);
        places.set(name, [...(places.get(name) ?? []), lineAt(pair)]);
      }
      return [...places].filter(([, all]) => all.length > 1).map(([name, all]) => ({ name, lines: all }));
    },
  };
}

function yamlDocument(text: string, file: string): ConfigDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [first] = document.errors;
  if (first) {
    const { line, col } = lines.linePos(first.pos[0]);
    throw usageError(`${file}:${Math.max(line, 1)}:${Math.max(col, 1)}: ${first.message}`, fixIt);
  }
  let value: unknown;
  try {
    // Aliases of aliases could grow without bound.
    value = document.toJS({ maxAliasCount: 50 });
  } catch (error) {
    throw usageError(`${file}: ${(error as Error).message}`, fixIt, error);
  }
  if (!isObject(value)) throw usageError(`${file} holds no mapping.`, shapes);
  return {
    file,
    value,
    lineOf(path) {
      const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
      const name = path.at(-1);
      const key = isMap(parent)
        ? parent.items.map((pair) => pair.key).find((one) => isScalar(one) && asText(one.value) === String(name))
        : undefined;
      const node = key ?? document.getIn(path, true);
      return isNode(node) && node.range ? lines.linePos(node.range[0]).line : 1;
    },
    repeated: () => [],
  };
}

function tomlDocument(text: string, file: string): ConfigDocument {
  let value: Json;
  try {
    value = parseToml(text) as Json;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [what = ''] = error.message.split('\n');
    throw usageError(`${file}:${error.line}:${error.column}: ${what}`, 'Fix the file.', error);
  }
  const rows = text.split('\n');
  return {
    file,
    value,
    // The parser keeps no places: the header of the table is looked for.
    lineOf(path) {
      const header = path.map(String).join('.');
      const found = rows.findIndex((row) => row.startsWith('[') && row.replace(/["'[\]\s]/g, '').startsWith(header));
      return found === -1 ? 1 : found + 1;
    },
    repeated: () => [],
  };
}

export const shapes =
  'Servers are under "mcpServers", "servers" (VS Code), or as generated/FLEET.md lists for each client.';
