/** Steps that send one request: calls, reads, prompts, completions, subscriptions, anything else. */
import { objectOf, textOf } from '../blocks/block.ts';
import { anyText, mappingAt, valuesRequest, withSchema } from './step-kind.ts';
import type { StepKind } from './step-kind.ts';

const lists = {
  tools: ['tools/list', 'tools'],
  prompts: ['prompts/list', 'prompts'],
  resources: ['resources/list', 'resources'],
  templates: ['resources/templates/list', 'resourceTemplates'],
} as const;

export const requestSteps: readonly StepKind[] = [
  {
    key: 'call',
    says: 'Calls a tool with the arguments `with`.',
    value: textOf('Name of the tool.'),
    members: { with: withSchema },
    expects: 'answer',
    read(value, step) {
      const tool = value.text() ?? '';
      return {
        act: valuesRequest('tools/call', { name: tool, arguments: mappingAt(step, 'with') }, 'tool', tool),
        title: `tools/call ${tool}`,
        about: tool,
      };
    },
  },
  {
    key: 'list',
    says: 'Lists all pages of tools, prompts, resources or templates, or the page of a `cursor`.',
    value: { type: 'string', enum: Object.keys(lists) },
    members: { cursor: anyText },
    expects: 'answer',
    read(value, step) {
      const [method, member] = lists[value.text() as keyof typeof lists];
      const cursor = step.has('cursor') ? step.at('cursor').text() : undefined;
      const act = valuesRequest(method, cursor === undefined ? undefined : { cursor }, 'json');
      return { act: cursor === undefined ? { ...act, pages: member } : act, title: method };
    },
  },
  {
    key: 'read',
    says: 'Reads a resource.',
    value: textOf('Its URI.'),
    expects: 'answer',
    read(value) {
      const uri = value.text() ?? '';
      return {
        act: valuesRequest('resources/read', { uri }, 'resource', uri),
        title: `resources/read ${uri}`,
        about: uri,
      };
    },
  },
  {
    key: 'get',
    says: 'Gets a prompt with the arguments `with`, sent as text.',
    value: textOf('Name of the prompt.'),
    members: { with: { type: 'object', additionalProperties: anyText } },
    expects: 'answer',
    read(value, step) {
      const name = value.text() ?? '';
      const given = step
        .at('with')
        .members()
        .map(([key, member]) => [key, member.text() ?? '']);
      return {
        act: {
          ...valuesRequest(
            'prompts/get',
            { name, ...(step.has('with') ? { arguments: Object.fromEntries(given) } : {}) },
            'prompt',
            name,
          ),
          scope: 'text',
        },
        title: `prompts/get ${name}`,
        about: name,
      };
    },
  },
  {
    key: 'complete',
    says: 'Asks for completions of an `argument` of a `prompt` or `resource` (template), with the typed `value` and other arguments as `context`.',
    value: {
      ...objectOf(
        {
          prompt: anyText,
          resource: anyText,
          argument: anyText,
          value: anyText,
          context: { type: 'object', additionalProperties: anyText },
        },
        ['argument'],
      ),
      oneOf: [{ required: ['prompt'] }, { required: ['resource'] }],
    },
    expects: 'answer',
    read(value) {
      const text = (name: string): string => value.at(name).text() ?? '';
      const prompt = value.has('prompt');
      const about = text(prompt ? 'prompt' : 'resource');
      const context = value.has('context')
        ? {
            context: {
              arguments: Object.fromEntries(
                value
                  .at('context')
                  .members()
                  .map(([name, part]) => [name, part.text() ?? '']),
              ),
            },
          }
        : {};
      const params = {
        ref: prompt ? { type: 'ref/prompt', name: about } : { type: 'ref/resource', uri: about },
        argument: { name: text('argument'), value: text('value') },
        ...context,
      };
      return {
        act: {
          ...valuesRequest('completion/complete', params, 'json', about),
          scope: 'text',
          failed: `completion/complete failed for ${JSON.stringify(about)}, argument ${JSON.stringify(text('argument'))}`,
        },
        title: `completion/complete ${about}`,
        about,
      };
    },
  },
  ...(['subscribe', 'unsubscribe'] as const).map(
    (key): StepKind => ({
      key,
      says: key === 'subscribe' ? 'Subscribes to a resource.' : 'Ends a subscription.',
      value: textOf('URI of the resource.'),
      expects: 'answer',
      read(value) {
        const uri = value.text() ?? '';
        return {
          act: valuesRequest(`resources/${key}`, { uri }, 'json', uri),
          title: `resources/${key} ${uri}`,
          about: uri,
        };
      },
    }),
  ),
  {
    key: 'set_level',
    says: 'Sets the log level; in the stateless era each later request carries it.',
    value: textOf('The level; it need not exist.'),
    expects: 'answer',
    read(value) {
      const level = value.text() ?? '';
      return { act: valuesRequest('logging/setLevel', { level }, 'json', level), title: `logging/setLevel ${level}` };
    },
  },
  {
    key: 'ping',
    says: 'Sends a ping.',
    value: { type: ['boolean', 'object'], description: 'true.' },
    expects: 'answer',
    read: () => ({ act: valuesRequest('ping', undefined, 'json'), title: 'ping' }),
  },
  {
    key: 'request',
    says: 'Sends a request of any method, with unchanged `params`.',
    value: textOf('The method; it need not exist.'),
    members: { params: { type: 'object' } },
    expects: 'answer',
    read(value, step) {
      const method = value.text() ?? '';
      return {
        act: {
          ...valuesRequest(method, step.has('params') ? mappingAt(step, 'params') : undefined, 'json'),
          anyRevision: true,
        },
        title: method,
      };
    },
  },
];
