/**
 * Tools of the names and kinds that the official conformance suite calls; served only with --fixtures. What they
 * do beyond that follows the negotiated revision, so that mcpc judges them as clean as the others.
 */
import type { JsonObject } from '../core/json-rpc.ts';
import type { RequestContext } from '../core/request-context.ts';
import { pause } from '../core/request-context.ts';
import { atLeast } from '../core/revisions.ts';
import { asking, askingForm } from './ask-client.ts';
import { pngBase64, wavBase64 } from './samples.ts';
import type { Tool } from './tool.ts';
import { text } from './tool.ts';

const beat = 50;

const png = { type: 'image', data: pngBase64, mimeType: 'image/png' };

const person: JsonObject = {
  type: 'object',
  properties: {
    username: { type: 'string', description: 'Your name.' },
    email: { type: 'string', description: 'Your address.' },
  },
  required: ['username', 'email'],
};

const allDefaults: Record<string, JsonObject> = {
  name: { type: 'string', description: 'Your name.', default: 'John Doe' },
  age: { type: 'integer', description: 'Your age.', default: 30 },
  score: { type: 'number', description: 'Your score.', default: 95.5 },
  status: { type: 'string', description: 'Your status.', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', description: 'Whether you are verified.', default: true },
};

/** Before 2025-11-25 only a yes or no could have a default. */
function withDefaults(context: RequestContext): JsonObject {
  if (atLeast(context.revision, '2025-11-25')) return { type: 'object', properties: allDefaults, required: [] };
  const entries = Object.entries(allDefaults).map(([name, { default: value, ...rest }]) => [
    name,
    rest.type === 'boolean' ? { ...rest, default: value } : rest,
  ]);
  return { type: 'object', properties: Object.fromEntries(entries) as JsonObject, required: [] };
}

const options = ['option1', 'option2', 'option3'];
const titled = ['value1', 'value2', 'value3'].map((value, index) => ({ const: value, title: `Title ${index + 1}` }));

/** The five ways to offer a choice, of which older revisions know the first two. */
function choices(context: RequestContext): JsonObject {
  const older = {
    untitledSingle: { type: 'string', description: 'One, by its value.', enum: options },
    legacyEnum: {
      type: 'string',
      description: 'One, with names beside the values.',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option 1', 'Option 2', 'Option 3'],
    },
  };
  const newer = {
    titledSingle: { type: 'string', description: 'One, by its title.', oneOf: titled },
    untitledMulti: {
      type: 'array',
      description: 'Several, by their values.',
      items: { type: 'string', enum: options },
    },
    titledMulti: { type: 'array', description: 'Several, by their titles.', items: { anyOf: titled } },
  };
  return {
    type: 'object',
    properties: { ...older, ...(atLeast(context.revision, '2025-11-25') ? newer : {}) },
    required: [],
  };
}

const completed = (answer: JsonObject): string =>
  `Elicitation completed: action=${String(answer.action)}, content=${JSON.stringify(answer.content ?? {})}`;

const newDialect: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

export const fixtureTools: readonly Tool[] = [
  {
    name: 'json_schema_2020_12_tool',
    title: 'Schema of 2020-12',
    description: 'Has an input schema with keywords of JSON Schema 2020-12.',
    inputSchema: newDialect,
    readOnly: true,
    run(given) {
      const known = new Set(['name', 'address', 'contactMethod', 'phone', 'email']);
      const needed = given.contactMethod === 'phone' ? 'phone' : 'email';
      const fits = Object.keys(given).every((name) => known.has(name)) && typeof given[needed] === 'string';
      return fits ? text(`Contact by ${needed}.`) : { ...text('The arguments do not fit the schema.'), isError: true };
    },
  },
  {
    name: 'test_simple_text',
    title: 'Simple text',
    description: 'Returns a text.',
    readOnly: true,
    run: () => text('This is a simple text response for testing.'),
  },
  {
    name: 'test_image_content',
    title: 'Image',
    description: 'Returns an image.',
    readOnly: true,
    run: () => ({ content: [png] }),
  },
  {
    name: 'test_audio_content',
    title: 'Audio',
    description: 'Returns a piece of audio, or a text where the revision has no audio content.',
    readOnly: true,
    run: (_given, context) =>
      atLeast(context.revision, '2025-03-26')
        ? { content: [{ type: 'audio', data: wavBase64, mimeType: 'audio/wav' }] }
        : text('This revision has no audio content.'),
  },
  {
    name: 'test_embedded_resource',
    title: 'Embedded resource',
    description: 'Returns a resource inside of the result.',
    readOnly: true,
    run: () => ({
      content: [
        {
          type: 'resource',
          resource: {
            uri: 'test://embedded-resource',
            mimeType: 'text/plain',
            text: 'This is an embedded resource content.',
          },
        },
      ],
    }),
  },
  {
    name: 'test_multiple_content_types',
    title: 'Several kinds of content',
    description: 'Returns a text, an image and a resource.',
    readOnly: true,
    run: () => ({
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        png,
        {
          type: 'resource',
          resource: {
            uri: 'test://mixed-content-resource',
            mimeType: 'application/json',
            text: JSON.stringify({ test: 'data', value: 123 }),
          },
        },
      ],
    }),
  },
  {
    name: 'test_tool_with_logging',
    title: 'Logging tool',
    description: 'Sends three log messages while it works.',
    readOnly: true,
    async run(_given, context) {
      context.log('info', 'Tool execution started');
      await pause(beat, context.signal);
      context.log('info', 'Tool processing data');
      await pause(beat, context.signal);
      context.log('info', 'Tool execution completed');
      return text('Tool with logging executed successfully');
    },
  },
  {
    name: 'test_error_handling',
    title: 'Error',
    description: 'Always fails, and says so in its result.',
    readOnly: true,
    run: () => ({ ...text('This tool intentionally returns an error for testing'), isError: true }),
  },
  {
    name: 'test_tool_with_progress',
    title: 'Progress tool',
    description: 'Reports progress three times.',
    readOnly: true,
    async run(_given, context) {
      for (const progress of [0, 50, 100]) {
        if (progress > 0) await pause(beat, context.signal);
        context.progress(
          progress,
          100,
          atLeast(context.revision, '2025-03-26') ? `Completed ${progress} of 100` : undefined,
        );
      }
      return text('Tool with progress executed successfully');
    },
  },
  {
    name: 'test_sampling',
    title: 'Sampling tool',
    description: 'Asks the model of the client.',
    properties: { prompt: { type: 'string', description: 'What to ask.' } },
    required: ['prompt'],
    readOnly: true,
    run(given, context) {
      const messages = [{ role: 'user', content: { type: 'text', text: String(given.prompt) } }];
      return asking(context, 'sampling/createMessage', { messages, maxTokens: 100 }, (answer) => {
        const content = answer.content as JsonObject | undefined;
        return `LLM response: ${typeof content?.text === 'string' ? content.text : JSON.stringify(content)}`;
      });
    },
  },
  {
    name: 'test_elicitation',
    title: 'Elicitation tool',
    description: 'Asks the user for name and address.',
    properties: { message: { type: 'string', description: 'What to ask.' } },
    required: ['message'],
    readOnly: true,
    run: (given, context) =>
      askingForm(
        context,
        String(given.message),
        person,
        ({ action, content }) => `User response: action: ${String(action)}, content: ${JSON.stringify(content ?? {})}`,
      ),
  },
  {
    name: 'test_elicitation_sep1034_defaults',
    title: 'Elicitation with defaults',
    description: 'Asks the user, with defaults.',
    readOnly: true,
    run: (_given, context) =>
      askingForm(context, 'Please look at these values, and change what is wrong.', withDefaults(context), completed),
  },
  {
    name: 'test_elicitation_sep1330_enums',
    title: 'Elicitation with choices',
    description: 'Asks the user to choose, in every way that the revision has.',
    readOnly: true,
    run: (_given, context) => askingForm(context, 'Please choose.', choices(context), completed),
  },
  {
    name: 'test_reconnection',
    title: 'Reconnection tool',
    description:
      'Drops the connection of its own reply where the revision permits it; the answer is there on resumption.',
    readOnly: true,
    async run(_given, context) {
      const dropped = context.dropConnection();
      if (dropped) await pause(beat, context.signal);
      return text(dropped ? 'Reconnection test completed' : 'Nothing had to be dropped');
    },
  },
];
