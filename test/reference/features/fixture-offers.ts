/** Resources, templates and prompts of the names that the official conformance suite uses; served only with --fixtures. */
import { pngBase64 } from './samples.ts';
import type { Prompt } from './prompts.ts';
import type { Resource, Template } from './resources.ts';

export const fixtureResources: readonly Resource[] = [
  {
    uri: 'test://static-text',
    name: 'static-text',
    title: 'Static text',
    description: 'A text that never changes.',
    mimeType: 'text/plain',
    read: () => ({ text: 'This is the content of the static text resource.' }),
  },
  {
    uri: 'test://static-binary',
    name: 'static-binary',
    title: 'Static image',
    description: 'An image that never changes.',
    mimeType: 'image/png',
    read: () => ({ blob: pngBase64 }),
  },
  {
    uri: 'test://watched-resource',
    name: 'watched-resource',
    title: 'Watched resource',
    description: 'A text to subscribe to.',
    mimeType: 'text/plain',
    read: () => ({ text: 'Watched resource content' }),
  },
];

export const fixtureTemplates: readonly Template[] = [
  {
    uriTemplate: 'test://template/{id}/data',
    name: 'template-data',
    title: 'Data by number',
    description: 'Data made for a number.',
    mimeType: 'application/json',
    pattern: /^test:\/\/template\/(\w{1,64})\/data$/,
    render: (id) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  },
];

function said(text: string) {
  return { role: 'user', content: { type: 'text', text } };
}

export const fixturePrompts: readonly Prompt[] = [
  {
    name: 'test_simple_prompt',
    title: 'Simple prompt',
    description: 'A prompt without arguments.',
    render: () => [said('This is a simple prompt for testing.')],
  },
  {
    name: 'test_prompt_with_arguments',
    title: 'Prompt with arguments',
    description: 'A prompt that repeats its arguments.',
    arguments: [
      { name: 'arg1', description: 'First argument.', required: true },
      { name: 'arg2', description: 'Second argument.', required: true },
    ],
    render: (given) => [said(`Prompt with arguments: arg1='${String(given.arg1)}', arg2='${String(given.arg2)}'`)],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    title: 'Prompt with a resource',
    description: 'A prompt with a resource inside of it.',
    arguments: [{ name: 'resourceUri', description: 'Address of the resource.', required: true }],
    render: (given) => [
      {
        role: 'user',
        content: {
          type: 'resource',
          resource: {
            uri: String(given.resourceUri),
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        },
      },
      said('Please process the embedded resource above.'),
    ],
  },
  {
    name: 'test_prompt_with_image',
    title: 'Prompt with an image',
    description: 'A prompt with an image inside of it.',
    render: () => [
      { role: 'user', content: { type: 'image', data: pngBase64, mimeType: 'image/png' } },
      said('Please analyze the image above.'),
    ],
  },
];
