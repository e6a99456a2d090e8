/** Reads a file of hints: YAML (or JSON, which is YAML), held against rules/schema/hints.schema.json. Reaches no target. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { isNode, LineCounter, parseDocument } from 'yaml';
import type { Document } from 'yaml';
import { usageError } from '../model/errors.ts';
import type { Hints, PromptHint, ToolHint } from '../model/hints.ts';
import { suggestion } from '../probe/hinted.ts';
import { rulesFolder } from './project.ts';

const remedy = 'docs/hints.md describes the file; `mcpc rules hints` writes one to start from.';
const largest = 1_000_000;
const mostProblems = 8;

type FileTool = Omit<ToolHint, 'changesLists' | 'changesResource'> & { 'changes-lists'?: ToolHint['changesLists']; 'changes-resource'?: string };

interface HintsFile {
  tools?: Record<string, FileTool>;
  prompts?: Record<string, PromptHint>;
  resources?: { read?: string[]; never?: string[] };
  templates?: Record<string, Record<string, string>>;
  completions?: Hints['completions'];
}

/** @throws McpcError usage, naming file, line and place of everything that is wrong */
export function readHints(file: string): Hints {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(`Cannot read the hints ${file}: ${(error as Error).message}`, 'Check the path given with --hints.', error);
  }
  return parseHints(text, file);
}

/** @throws McpcError usage, as above */
export function parseHints(text: string, file: string): Hints {
  if (text.length > largest) throw usageError(`${file} is larger than hints can be.`, remedy);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const wrong = document.errors.map(({ message, pos }) => `${file}:${place(lines, pos[0])}: ${message}`);
  if (wrong.length > 0) throw usageError(wrong.slice(0, mostProblems).join('\n'), remedy);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 50 });
  } catch (error) {
    throw usageError(`${file}: ${(error as Error).message}`, remedy, error);
  }
  const problems = check(value ?? {}).map((error) => `${file}:${place(lines, offsetOf(document, error))}: ${told(error)}`);
  if (problems.length > 0) throw usageError([...new Set(problems)].slice(0, mostProblems).join('\n'), remedy);
  return hintsOf((value ?? {}) as HintsFile, file);
}

function hintsOf({ tools = {}, prompts = {}, resources = {}, templates = {}, completions = [] }: HintsFile, file: string): Hints {
  const toolHints = Object.entries(tools).map(([name, { 'changes-lists': changesLists, 'changes-resource': changesResource, ...hint }]): [string, ToolHint] => [
    name,
    { ...hint, ...(changesLists === undefined ? {} : { changesLists }), ...(changesResource === undefined ? {} : { changesResource }) },
  ]);
  return { file, tools: Object.fromEntries(toolHints), prompts, resources: { read: resources.read ?? [], never: resources.never ?? [] }, templates, completions };
}

function check(value: unknown): ErrorObject[] {
  const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true });
  const validate = ajv.compile(JSON.parse(readFileSync(path.join(rulesFolder(), 'schema', 'hints.schema.json'), 'utf8')) as object);
  if (validate(value)) return [];
  const errors = validate.errors ?? [];
  // Of a choice between two members only the choice itself is told.
  const choices = errors.filter(({ keyword }) => keyword === 'oneOf');
  return errors.filter((error) => !choices.some((choice) => error !== choice && error.instancePath === choice.instancePath && error.schemaPath.startsWith(`${choice.schemaPath}/`)));
}

function pathOf({ instancePath }: ErrorObject): string[] {
  return instancePath.split('/').slice(1).map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Where in the text the wrong part stands: the unknown member itself, else the value. */
function offsetOf(document: Document, error: ErrorObject): number {
  const at = pathOf(error);
  const extra = (error.params as { additionalProperty?: string }).additionalProperty;
  for (let length = at.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(at.slice(0, length), true);
    if (extra !== undefined && length === at.length && isNode(node) && 'items' in node) {
      const pair = (node.items as { key?: { value?: unknown; range?: [number, number, number] | null } }[]).find((one) => one.key?.value === extra);
      if (pair?.key?.range) return pair.key.range[0];
    }
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function place(lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `${Math.max(line, 1)}:${Math.max(col, 1)}`;
}

function told(error: ErrorObject): string {
  const at = pathOf(error).join('.');
  const params = error.params as { additionalProperty?: string; allowedValues?: unknown[]; allowedValue?: unknown };
  const where = at === '' ? '' : `${at}: `;
  if (params.additionalProperty !== undefined) {
    const known = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {});
    return `${where}unknown member "${params.additionalProperty}".${suggestion(params.additionalProperty, known)}${known.length > 0 ? ` Known are ${known.join(', ')}.` : ''}`;
  }
  if (params.allowedValues) return `${where}must be one of ${params.allowedValues.join(', ')}.`;
  if (error.keyword === 'const') return `${where}must be ${String(params.allowedValue)}.`;
  if (error.keyword === 'oneOf') return `${where}must name either a prompt or a template.`;
  return `${where}${error.message ?? 'is wrong'}.`;
}
