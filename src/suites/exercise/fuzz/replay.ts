/** Reads the calls of a suite, so that a fuzz run makes them again. */
import { loadSuites } from '../../run/load.ts';
import { usageError } from '../../../core/model/errors.ts';
import { asText } from '../../../core/model/json.ts';

/** @throws McpcError usage for a file that is no suite, or calls no tool */
export async function callsIn(file: string): Promise<{ tool: string; given: unknown }[]> {
  const { cases } = await loadSuites([file], { recursive: false, strict: false, noCommands: true });
  const calls = cases
    .flatMap(({ steps }) => steps)
    .flatMap(({ act }) =>
      act.kind === 'request' && act.method === 'tools/call'
        ? [
            {
              tool: asText(act.params?.['name']),
              given: act.params?.['arguments'] ?? (act.params !== undefined && 'arguments' in act.params ? null : {}),
            },
          ]
        : [],
    );
  if (calls.length === 0)
    throw usageError(`${file} calls no tool.`, 'Name a suite that mcpc fuzz --output has written.');
  return calls;
}
