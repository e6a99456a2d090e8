/** Tools for the tasks extension of 2026-07-28: a task-only one, one that asks meanwhile, one that fails. */
import { pause, type Questions } from '../../session/request-context.ts';
import type { Tool } from '../kinds/tool.ts';
import { text } from '../kinds/tool.ts';

const since = '2026-07-28';

/** A question of one field. */
function inForm(message: string, field: string, description: string): Questions[string] {
  return {
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message,
      requestedSchema: { type: 'object', properties: { [field]: { type: 'string', description } }, required: [field] },
    },
  };
}

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
    description: 'Asks where to go and when, and then where to stay; as a task it asks while it runs.',
    readOnly: true,
    since,
    longRunning: 'where-declared',
    async run(_given, context) {
      const first = await context.askTogether({
        destination: inForm('Where do you want to go?', 'place', 'A town'),
        season: inForm('At what time of the year?', 'season', 'Spring, summer, autumn or winter'),
      });
      const { lodging } = await context.askTogether({
        lodging: inForm('Where do you want to stay?', 'house', 'A hotel or a hut'),
      });
      return text(
        [...Object.values(first), lodging].every((answer) => answer?.action === 'accept')
          ? 'The trip is planned.'
          : 'There is no trip.',
      );
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
