/** `trajectory`: tool calls that were recorded elsewhere are judged; no server is started. */
import { trajectoryTypes } from '../../../check/trajectory/trajectory.ts';
import { argumentsOf, mainStep, objectOf, textOf } from './block.ts';
import type { Block } from './block.ts';

export const trajectoryBlock: Block = {
  key: 'trajectory',
  says: 'Judges the tool calls of `trace`, `audit_log` or `recording`: their order, presence, absence, number and arguments. Starts no server.',
  schema: {
    type: 'array',
    items: objectOf({
      type: textOf(`One of ${trajectoryTypes.join(', ')}.`),
      tools: { type: 'array', items: { type: ['string', 'number', 'boolean'] } },
      tool: textOf('Name of the tool, for args_contain and at_most.'),
      args: { type: 'object', description: 'Arguments that a call has to have, for args_contain.' },
      count: { type: 'integer', minimum: 0, description: 'How often at most, for at_most.' },
      occurrence: { type: 'integer', minimum: 1, description: 'Which call of the tool; any when absent.' },
    }),
  },
  read(part, file) {
    const log = file.has('audit_log') ? file.at('audit_log').text() : undefined;
    const recording = file.has('recording') ? file.at('recording').text() : undefined;
    const calls = file
      .at('trace')
      .items()
      .map((item) => ({ tool: item.at('tool').text() ?? '', args: argumentsOf(item) }));
    const assertions = part.items().map((item) => ({
      type: item.at('type').text() ?? '',
      tools: item
        .at('tools')
        .items()
        .map((tool) => tool.text() ?? ''),
      tool: item.at('tool').text() ?? '',
      args: (item.at('args').value ?? {}) as Record<string, unknown>,
      ...(item.has('count') ? { count: item.at('count').value } : {}),
      ...(item.has('occurrence') ? { occurrence: item.at('occurrence').value } : {}),
    }));
    return {
      steps: [
        mainStep(part, {
          title: 'trajectory',
          act: {
            kind: 'calls',
            calls: log === undefined && recording === undefined ? calls : undefined,
            log: recording === undefined ? log : undefined,
            recording,
            assertions,
            places: part.items().map(({ place }) => place),
          },
        }),
      ],
    };
  },
};
