/** Reads a file of hints: YAML (or JSON, which is YAML), held against rules/language/hints.schema.json. Reaches no target. */
import { readFileSync } from 'node:fs';
import { parseSchemaFile } from '../../files/config/schema-file.ts';
import { usageError } from '../../core/model/errors.ts';
import type { Hints, PromptHint, ToolHint } from '../../core/model/rules/hints.ts';

const remedy = 'docs/hints.md describes the file; `mcpc hints init` writes one to start from.';
const largest = 1_000_000;

type FileTool = Omit<ToolHint, 'slow' | 'seenIn' | 'changesLists' | 'changesResource'> & {
  slow?: boolean | { 'seen-in': string };
  'changes-lists'?: ToolHint['changesLists'];
  'changes-resource'?: string;
};

interface HintsFile {
  tools?: Record<string, FileTool>;
  prompts?: Record<string, PromptHint>;
  resources?: { read?: string[]; never?: string[] };
  templates?: Record<string, Record<string, string>>;
  completions?: Hints['completions'];
  answers?: Hints['answers'];
}

/** @throws McpcError usage, naming file, line and place of everything that is wrong */
export function readHints(file: string): Hints {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(
      `Cannot read the hints ${file}: ${(error as Error).message}`,
      'Check the path given with --hints.',
      error,
    );
  }
  return parseHints(text, file);
}

/** @throws McpcError usage, as above */
export function parseHints(text: string, file: string): Hints {
  return hintsOf(parseSchemaFile<HintsFile>(text, { file, schema: 'hints.schema.json', remedy, largest }).value, file);
}

function hintsOf(
  { tools = {}, prompts = {}, resources = {}, templates = {}, completions = [], answers }: HintsFile,
  file: string,
): Hints {
  const toolHints = Object.entries(tools).map(
    ([name, { 'changes-lists': changesLists, 'changes-resource': changesResource, slow, ...hint }]): [
      string,
      ToolHint,
    ] => [
      name,
      {
        ...hint,
        ...slowness(slow),
        ...(changesLists === undefined ? {} : { changesLists }),
        ...(changesResource === undefined ? {} : { changesResource }),
      },
    ],
  );
  return {
    file,
    tools: Object.fromEntries(toolHints),
    prompts,
    resources: { read: resources.read ?? [], never: resources.never ?? [] },
    templates,
    completions,
    answers,
  };
}

/** A tool whose work shows somewhere is slow. */
function slowness(slow: FileTool['slow']): Pick<ToolHint, 'slow' | 'seenIn'> {
  if (typeof slow !== 'object') return slow === undefined ? {} : { slow };
  return { slow: true, seenIn: slow['seen-in'] };
}
