/** Tools for the tasks extension of 2026-07-28: one that runs as a task only, one that asks meanwhile, one that fails. */
import { pause } from '../core/request-context.ts';
import type { Tool } from './tool.ts';
import { text } from './tool.ts';

const since = '2026-07-28';

export const longTools: readonly Tool[] = [
  {
    name: 'night-shift',
    title: 'Night shift',
    description: 'Works for a while. It runs as a task only, so that the client has to declare that it knows tasks.',
    readOnly: true,
    since,
    longRunning: 'always',
    async run(_given, context) {
      await pause(120, context.signal);
      return text('The night is over.');
    },
  },
  {
    name: 'plan-trip',
    title: 'Plan a trip',
    description: 'Asks where to go before it goes on; as a task it asks while it runs.',
    readOnly: true,
    since,
    longRunning: 'where-declared',
    async run(_given, context) {
      const answer = await context.ask('destination', 'elicitation/create', {
        mode: 'form',
        message: 'Where do you want to go?',
        requestedSchema: { type: 'object', properties: { place: { type: 'string', description: 'A town' } }, required: ['place'] },
      });
      return text(answer.action === 'accept' ? 'The trip is planned.' : 'There is no trip.');
    },
  },
  {
    name: 'missed-deadline',
    title: 'Miss a deadline',
    description: 'Fails as tools do: the result says so.',
    readOnly: true,
    since,
    longRunning: 'where-declared',
    async run(_given, context) {
      await pause(10, context.signal);
      return { ...text('The deadline was missed.'), isError: true };
    },
  },
];
