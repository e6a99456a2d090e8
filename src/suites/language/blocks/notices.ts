/** `assert_logging` and `assert_notifications`: what the server notifies while a tool runs. */
import type { Part } from '../part.ts';
import type { Step } from '../model.ts';
import {
  argumentsOf,
  argumentsSchema,
  assertDemands,
  expectSchema,
  mainStep,
  objectOf,
  setupSteps,
  textOf,
  toolCall,
} from './block.ts';
import type { Block } from './block.ts';

/** Notifications may come shortly behind the answer. */
const graceMs = 100;

export const loggingBlock: Block = {
  key: 'assert_logging',
  says: 'Sets the log level, calls a tool if one is named, and judges the log messages.',
  expects: 'log',
  schema: objectOf({
    set_level: textOf('Level to set; it need not exist.'),
    tool: textOf('Name of a tool to call then.'),
    args: argumentsSchema,
    expect: expectSchema('log'),
  }),
  read(part, file) {
    const level = part.at('set_level').text();
    const steps: Step[] = [];
    if (level !== undefined && level !== '') {
      const at = part.at('set_level');
      steps.push({
        id: at.path.join('.'),
        phase: 'main',
        title: `logging/setLevel ${level}`,
        act: {
          kind: 'request',
          method: 'logging/setLevel',
          params: { level },
          scope: 'none',
          view: 'json',
          failed: `logging/setLevel failed for ${JSON.stringify(level)}`,
        },
        capture: {},
        demands: [],
        place: at.place,
      });
    }
    const tool = part.at('tool').text() ?? '';
    return {
      ...(tool === '' ? {} : { about: tool }),
      steps: [...steps, ...setupSteps(file), ...callThenObserve(part, tool, 'log')],
    };
  },
};

export const notificationsBlock: Block = {
  key: 'assert_notifications',
  says: 'Calls a tool and judges all notifications, including those of the setup.',
  expects: 'notifications',
  schema: objectOf({ tool: textOf('Name of the tool.'), args: argumentsSchema, expect: expectSchema('notifications') }),
  read(part, file) {
    const tool = part.at('tool').text() ?? '';
    if (tool === '')
      return {
        steps: [
          mainStep(part, {
            title: 'assert_notifications',
            act: { kind: 'impossible', words: 'assert_notifications requires a tool name' },
          }),
        ],
      };
    return { about: tool, steps: [...setupSteps(file), ...callThenObserve(part, tool, 'notifications')] };
  },
};

function callThenObserve(part: Part, tool: string, set: 'log' | 'notifications'): Step[] {
  const call =
    tool === ''
      ? []
      : [
          mainStep(part, {
            id: `${String(part.path.at(-1))}.tool`,
            title: `tools/call ${tool}`,
            act: toolCall(tool, argumentsOf(part), `tool call ${tool} failed`),
          }),
        ];
  return [
    ...call,
    mainStep(part, {
      title: 'notifications',
      act: { kind: 'observe', graceMs, ...(set === 'log' ? { logs: true } : {}) },
      demands: assertDemands(part, set),
    }),
  ];
}
