/** The starter file for evaluations that `import --init` writes: gates over the tools that a capture calls. */
import { existsSync } from 'node:fs';
import { writeOutput } from '../../files/output/output.ts';

export const scaffoldName = 'mcp-eval.yaml';

/**
 * Writes the file into the working directory, unless there is one.
 *
 * @param tools names of tools, sorted
 * @returns false when a file of that name was there and stays
 */
export function writeScaffold(tools: readonly string[]): boolean {
  if (existsSync(scaffoldName)) return false;
  writeOutput({ path: scaffoldName, what: 'the evaluation file', replaces: 'nothing' }, scaffold(tools));
  return true;
}

/** Names are written as JSON strings, which YAML reads whatever a server called its tools. */
function scaffold(tools: readonly string[]): string {
  const head = [
    '# Written by mcpc import --init; adapt it.',
    'configVersion: 1',
    'suite: mcp-suite',
    'model: mcp-replay',
    'settings:',
    '  parallel: 1',
  ];
  if (tools.length === 0) return `${[...head, '# The capture calls no tool.', 'tests: []'].join('\n')}\n`;
  const test = (id: string, type: string, member: string, lines: string[]): string[] => [
    `  - id: ${id}`,
    '    input:',
    '      prompt: "<mcp:session>"',
    '    expected:',
    `      type: ${type}`,
    `      ${member}:`,
    ...lines,
  ];
  const schemas = tools.flatMap((tool) => [
    `        ${JSON.stringify(tool)}:`,
    '          type: object',
    '          additionalProperties: true',
    '          properties: {}',
  ]);
  const rules = tools.flatMap((tool) => ['        - type: require', `          tool: ${JSON.stringify(tool)}`]);
  return `${[...head, 'tests:', ...test('mcp-quality-gate', 'args_valid', 'schema', schemas), ...test('mcp-sequence-gate', 'sequence_valid', 'rules', rules)].join('\n')}\n`;
}
