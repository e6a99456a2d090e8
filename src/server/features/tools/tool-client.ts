/** Tools that need something from the client: a model's answer, a user's answer, its roots. */
import { atLeast, statelessRevision } from '../../protocol/revisions.ts';
import { asking, askingForm, failure, isUseless, uselessSample, whileAsking } from '../kinds/ask-client.ts';
import type { Tool } from '../kinds/tool.ts';
import { text } from '../kinds/tool.ts';

const priorities = { hints: [{ name: 'small' }], costPriority: 0.3, speedPriority: 0.8, intelligencePriority: 0.2 };

export const clientTools: readonly Tool[] = [
  {
    name: 'ask-model',
    title: 'Ask the model',
    description: 'Asks the model of the client for a short answer (sampling).',
    properties: { question: { type: 'string', description: 'What to ask; a colour by default.' } },
    readOnly: true,
    taskSupport: 'optional',
    run(given, context) {
      const question = typeof given.question === 'string' ? given.question : 'Name a colour.';
      const messages = [{ role: 'user', content: { type: 'text', text: question } }];
      const params = {
        messages,
        maxTokens: 50,
        modelPreferences: priorities,
        systemPrompt: 'Answer in one word.',
        temperature: 0.5,
      };
      return asking(
        context,
        'sampling/createMessage',
        params,
        (answer) => `The model said: ${JSON.stringify(answer.content)}`,
      );
    },
  },
  {
    name: 'ask-user',
    title: 'Ask the user',
    description: 'Asks the user for a team name (elicitation).',
    readOnly: true,
    taskSupport: 'optional',
    run: (_given, context) =>
      askingForm(context, 'Which team are you in?', {
        type: 'object',
        properties: { team: { type: 'string', title: 'Team', description: 'Name of your team.' } },
        required: ['team'],
      }),
  },
  {
    name: 'ask-profile',
    title: 'Ask for a profile',
    description: 'Asks the user to fill in a form with fields of every kind (elicitation).',
    readOnly: true,
    since: '2025-06-18',
    run: (_given, context) =>
      askingForm(context, 'Please tell something about yourself.', {
        type: 'object',
        properties: { ...profile, ...(atLeast(context.revision, '2025-11-25') ? choices : {}) },
        required: ['name', 'mail', 'size'],
      }),
  },
  {
    name: 'list-roots',
    title: 'List roots',
    description: 'Asks the client for its roots and returns them.',
    readOnly: true,
    run: (_given, context) =>
      asking(context, 'roots/list', undefined, (answer) => `The roots are: ${JSON.stringify(answer.roots)}`),
  },
  {
    name: 'ask-together',
    title: 'Ask for several things',
    description: 'Asks the user, the model and the client at once, in one result.',
    readOnly: true,
    since: statelessRevision,
    run: (_given, context) =>
      whileAsking(async () => {
        const { team, colour, roots } = await context.askTogether({
          team: {
            method: 'elicitation/create',
            params: { message: 'Which team are you in?', requestedSchema: teamForm },
          },
          colour: {
            method: 'sampling/createMessage',
            params: { messages: [{ role: 'user', content: { type: 'text', text: 'Name a colour.' } }], maxTokens: 50 },
          },
          roots: { method: 'roots/list' },
        });
        if (isUseless(colour!, context)) return failure(uselessSample);
        return text(`The answers are: ${JSON.stringify([team!.action, colour!.content, roots!.roots])}`);
      }),
  },
  {
    name: 'ask-in-rounds',
    title: 'Ask three times',
    description: 'Asks the user three times, one answer after another.',
    readOnly: true,
    since: statelessRevision,
    run: (_given, context) =>
      whileAsking(async () => {
        const answers: unknown[] = [];
        for (const round of ['first', 'second', 'third']) {
          const { action } = await context.ask(round, 'elicitation/create', {
            message: `The ${round} team?`,
            requestedSchema: teamForm,
          });
          if (action !== 'accept') return text(`The user chose ${String(action)} in the ${round} round.`);
          answers.push(round);
        }
        return text(`There were ${answers.length} answers.`);
      }),
  },
];

const teamForm = { type: 'object', properties: { team: { type: 'string', title: 'Team' } }, required: ['team'] };

const profile = {
  name: { type: 'string', title: 'Name', description: 'What to call you.', minLength: 1, maxLength: 80 },
  mail: { type: 'string', format: 'email', title: 'E-mail' },
  site: { type: 'string', format: 'uri', title: 'Home page' },
  born: { type: 'string', format: 'date', title: 'Date of birth' },
  seen: { type: 'string', format: 'date-time', title: 'Last visit' },
  age: { type: 'integer', title: 'Age', minimum: 0, maximum: 150 },
  height: { type: 'number', title: 'Height in metres', minimum: 0.3, maximum: 3 },
  news: { type: 'boolean', title: 'Send news', default: false },
  size: { type: 'string', title: 'Size', enum: ['s', 'm', 'l'], enumNames: ['small', 'medium', 'large'] },
};

/** Choices with titles, and of several, came with 2025-11-25. */
const choices = {
  colour: {
    type: 'string',
    title: 'Colour',
    oneOf: [
      { const: '#f00', title: 'Red' },
      { const: '#00f', title: 'Blue' },
    ],
    default: '#00f',
  },
  days: {
    type: 'array',
    title: 'Days',
    minItems: 1,
    maxItems: 2,
    items: { type: 'string', enum: ['mon', 'tue', 'wed'] },
  },
};
