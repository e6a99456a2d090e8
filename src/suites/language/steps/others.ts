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
    says: 'Begins these steps without waiting for each other; goes on when all are over.',
    value: { type: 'array', items: { $ref: '#/$defs/step' } },
    read: (value, _step, context) => ({ act: { kind: 'parallel', steps: context.steps(value) }, title: 'parallel' }),
  },
  {
    key: 'await',
    says: 'Waits until a notification of this method has come since the case began; with `none: true` fails if one came.',
    value: textOf('The method, as notifications/resources/updated.'),
    members: { none: { type: 'boolean', description: 'None may have come.' } },
    read(value, step) {
      const method = value.text() ?? '';
      return { act: { kind: 'await-notice', method, wanted: step.at('none').value !== true }, title: method };
    },
  },
  {
    key: 'notifications',
    says: 'Looks at all notifications since the case began, waiting for more at most this long.',
    value: { type: ['string', 'boolean'], description: 'As 200ms; true for 100ms.' },
    expects: 'notifications',
    read: (value, _step, { problems }) => ({
      act: { kind: 'observe', graceMs: value.value === true ? defaultGraceMs : (timeoutOf(value, problems) ?? 0) },
      title: 'notifications',
    }),
  },
  {
    key: 'logs',
    says: 'Looks at the log messages since the case began, waiting for more at most this long.',
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
    says: 'Calls a tool with the arguments `with` and takes the call back `after` a while (100ms); the server has to live on, and not to answer any more.',
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
    says: 'Looks at what the handshake gave: its result is the answer.',
    value: { type: ['boolean', 'object'], description: 'true.' },
    expects: 'answer',
    read: () => ({ act: { kind: 'handshake' }, title: 'handshake' }),
  },
  {
    key: 'check',
    says: 'Checks the server against the specification, as `mcpc check` does: fails when it is not compliant, or has a lower grade than `min_grade`. `level`, `only` and `skip` choose rules.',
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
    says: 'Runs a program of your own, for seeding and cleaning: a list of words, no shell. Its output is the text; another exit code than 0 fails the step.',
    value: { type: 'array', items: anyText, minItems: 1 },
    expects: 'answer',
    read(value) {
      const words = value.items().map((word) => word.text() ?? '');
      return { act: { kind: 'run', words }, title: `run ${words[0] ?? ''}` };
    },
  },
];
