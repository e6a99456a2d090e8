/** Files of other tools that mcpc does not run: names the tool, so that they do not look like failing tests. Pure. */
import { isObject, type JsonObject } from '../../../core/model/json.ts';
import { blocks } from '../blocks/table.ts';

export interface ForeignForm {
  /** Whose file it is, for a sentence: `a file of MCP Aegis`. */
  what: string;
  /** Remedy for it. */
  remedy: string;
}

type Items = readonly JsonObject[];

const converted = 'mcpc run takes suites of mcpc (version: 1), of mcp-assert, and files of lanes';
const rewrite = `${converted}; "mcpc generate" writes one from the server.`;
const notSuite = `${converted}. Leave the file out, or keep it in another folder.`;

/** The first that fits counts. */
const forms: readonly (ForeignForm & { fits(file: JsonObject, tests: Items): boolean })[] = [
  {
    what: 'a file of MCP Aegis',
    remedy: rewrite,
    fits: (_file, tests) => tests.some((one) => 'it' in one && isObject(one['request'])),
  },
  {
    what: 'a file of MCPSpec',
    remedy: rewrite,
    fits: (file, tests) => typeof file['server'] === 'string' && tests.some((one) => 'call' in one || 'with' in one),
  },
  {
    what: 'a file of mcp-probe',
    remedy: rewrite,
    fits: (_file, tests) => tests.some(({ call }) => typeof call === 'string' && call.includes('/')),
  },
  {
    what: 'a file of mcptest',
    remedy: rewrite,
    fits: (_file, tests) => tests.some((one) => 'tool' in one && ('input' in one || 'expect' in one)),
  },
  {
    what: 'a file of mcp-server-tester',
    remedy: rewrite,
    fits: ({ tools, evals }) =>
      (isObject(tools) && ('tests' in tools || 'expected_tool_list' in tools)) ||
      (isObject(evals) && 'models' in evals),
  },
  {
    what: 'a file of mcp-autotest',
    remedy: rewrite,
    fits: (file) => 'case' in file && isObject(file['in']),
  },
  {
    what: 'a list of evaluations (mcp-eval.yaml), which call a model',
    remedy: 'mcpc calls no model; run it with the tool that it was written for.',
    fits: (_file, tests) => tests.some((one) => Array.isArray(one['assertions']) || 'prompt' in one),
  },
  {
    what: 'a configuration of promptfoo',
    remedy: rewrite,
    fits: ({ providers, prompts }, tests) => Array.isArray(providers) && (Array.isArray(prompts) || tests.length > 0),
  },
  {
    what: 'a Compose file',
    remedy: notSuite,
    fits: ({ services }) => isObject(services),
  },
  {
    what: 'a workflow of GitHub',
    remedy: notSuite,
    fits: (file) => isObject(file['jobs']) && ('on' in file || 'true' in file),
  },
  {
    what: 'an object of Kubernetes',
    remedy: notSuite,
    fits: (file) => typeof file['apiVersion'] === 'string' && typeof file['kind'] === 'string',
  },
  {
    what: 'a fleet file of mcpc',
    remedy: 'mcpc fleet check runs it, with the suites that it names.',
    fits: (file) => file['version'] === 1 && !('cases' in file) && ('include' in file || 'policies' in file),
  },
];

/** True if a document is of another kind; undefined for a suite, and for a possible suite with a mistake. */
export function foreignForm(file: unknown): ForeignForm | undefined {
  if (!isObject(file)) return undefined;
  if (blocks.some(({ key }) => key in file)) return undefined;
  const tests = Array.isArray(file['tests']) ? file['tests'].filter(isObject) : [];
  return forms.find((form) => form.fits(file, tests));
}
