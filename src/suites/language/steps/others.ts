/** Steps that are no single request: several at once, waiting, a call taken back, the handshake, commands. */
import { objectOf, textOf } from '../blocks/block.ts';
import type { CheckServer } from '../model.ts';
import { timeoutOf } from '../duration-part.ts';
import { anyText, mappingAt, valuesRequest, withSchema } from './step-kind.ts';
import type { StepKind } from './step-kind.ts';

const defaultGraceMs = 100;

export const otherSteps: readonly StepKind[] = [
  {
    key: 'parallel',
    says: 'Starts these steps at the same time and waits for all.',
    value: { type: 'array', items: { $ref: '#/$defs/step' } },
    read: (value, _step, context) => ({ act: { kind: 'parallel', steps: context.steps(value) }, title: 'parallel' }),
  },
  {
    key: 'await',
    says: 'Waits for a notification of this method since the case began; with `none: true` fails if one arrives.',
    value: textOf('The method, as notifications/resources/updated.'),
    members: { none: { type: 'boolean', description: 'None may have come.' } },
    read(value, step) {
      const method = value.text() ?? '';
      return { act: { kind: 'await-notice', method, wanted: step.at('none').value !== true }, title: method };
    },
  },
  {
    key: 'notifications',
    says: 'Judges all notifications since the case began, and waits at most this long for more.',
    value: { type: ['string', 'boolean'], description: 'As 200ms; true for 100ms.' },
    expects: 'notifications',
    read: (value, _step, { problems }) => ({
      act: { kind: 'observe', graceMs: value.value === true ? defaultGraceMs : (timeoutOf(value, problems) ?? 0) },
      title: 'notifications',
    }),
  },
  {
    key: 'logs',
    says: 'Judges the log messages since the case began, and waits at most this long for more.',
    value: { type: ['string', 'boolean'], description: 'As 200ms; true for 100ms.' },
    expects: 'log',
    read: (value, _step, { problems }) => ({
      act: {
        kind: 'observe',
        logs: true,
        graceMs: value.value === true ? defaultGraceMs : (timeoutOf(value, problems) ?? 0),
      },
      title: 'log messages',
    }),
  },
  {
    key: 'cancel',
    says: 'Calls a tool with the arguments `with` and cancels the call `after` a time (100ms). The server must stay alive and send no answer.',
    value: textOf('Name of the tool.'),
    members: { with: withSchema, after: anyText },
    read(value, step, { problems }) {
      const tool = value.text() ?? '';
      const request = valuesRequest('tools/call', { name: tool, arguments: mappingAt(step, 'with') }, 'tool', tool);
      return {
        act: { kind: 'cancel', request, afterMs: timeoutOf(step.at('after'), problems) ?? 100 },
        title: `cancel ${tool}`,
        about: tool,
      };
    },
  },
  {
    key: 'initialize',
    says: 'Judges the result of the handshake.',
    value: { type: ['boolean', 'object'], description: 'true.' },
    expects: 'answer',
    read: () => ({ act: { kind: 'handshake' }, title: 'handshake' }),
  },
  {
    key: 'check',
    says: 'Runs `mcpc check`: fails if the server is not compliant, or its grade is below `min_grade`. `level`, `only` and `skip` choose rules.',
    value: {
      anyOf: [
        { const: true },
        objectOf({
          level: { type: 'string', enum: ['must', 'should', 'may'] },
          min_grade: { type: 'string', enum: ['A', 'B', 'C', 'D', 'F'] },
          only: { type: 'array', items: { type: 'string' } },
          skip: { type: 'array', items: { type: 'string' } },
        }),
      ],
    },
    expects: 'answer',
    read(value) {
      const texts = (name: string): string[] =>
        value
          .at(name)
          .items()
          .map((item) => item.text() ?? '');
      const [level, minGrade] = [value.at('level').text() as CheckServer['level'], value.at('min_grade').text()];
      return {
        act: {
          kind: 'check',
          only: texts('only'),
          skip: texts('skip'),
          level,
          minGrade,
        },
        title: 'check',
      };
    },
  },
  {
    key: 'run',
    says: 'Runs your own program (a list of words, no shell), to prepare or clean up. Its output is the text; an exit code other than 0 fails the step.',
    value: { type: 'array', items: anyText, minItems: 1 },
    expects: 'answer',
    read(value) {
      const words = value.items().map((word) => word.text() ?? '');
      return { act: { kind: 'run', words }, title: `run ${words[0] ?? ''}` };
    },
  },
];
