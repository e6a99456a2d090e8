/** `assert_resources`: resources are listed or read, and subscribed to. */
import type { SendRequest, Step } from '../model.ts';
import { assertDemands, expectSchema, mainStep, objectOf, setupSteps, textOf } from './block.ts';
import type { Block } from './block.ts';
import { listOf, listSchema } from './prompts.ts';
import { asText } from '../../../core/model/json.ts';

export const resourcesBlock: Block = {
  key: 'assert_resources',
  says: 'Does what is named: subscribe to a resource, list resources or read one (texts, and a mark for each blob), wait for an update, unsubscribe.',
  expects: 'answer',
  schema: objectOf({
    list: listSchema,
    read: textOf('URI of the resource to read.'),
    subscribe: textOf('URI of the resource to subscribe to, before anything else.'),
    unsubscribe: textOf('URI of the resource whose subscription is ended, after all else.'),
    expect: expectSchema('answer'),
    expect_notification: {
      type: 'boolean',
      description: 'true: an update of a resource has to come within the time of the case. false: none may have come.',
    },
  }),
  read(part, file) {
    const demands = assertDemands(part, 'answer');
    const uri = (name: string): string | undefined => (part.has(name) ? part.at(name).text() : undefined);
    const [subscribe, read, unsubscribe] = [uri('subscribe'), uri('read'), uri('unsubscribe')];
    if (!part.has('list') && read === undefined && subscribe === undefined) {
      return {
        steps: [
          mainStep(part, {
            title: 'assert_resources',
            act: { kind: 'impossible', words: "assert_resources requires 'list', 'read' or 'subscribe'" },
          }),
        ],
      };
    }
    const steps: Step[] = [...setupSteps(file)];
    if (subscribe !== undefined) steps.push(named('subscribe', subscription('resources/subscribe', subscribe)));
    if (part.has('list'))
      steps.push(
        mainStep(part, {
          title: 'resources/list',
          act: listOf(part.at('list'), 'resources/list', 'resources'),
          demands,
        }),
      );
    else if (read !== undefined) {
      const act: SendRequest = {
        kind: 'request',
        method: 'resources/read',
        params: { uri: read },
        scope: 'text',
        view: 'resource',
        failed: `resources/read failed for ${JSON.stringify(read)}`,
      };
      steps.push(mainStep(part, { title: `resources/read ${read}`, act, demands }));
    }
    const { value: wanted } = part.at('expect_notification');
    if (typeof wanted === 'boolean')
      steps.push({
        ...named('expect_notification', { kind: 'await-notice', method: 'notifications/resources/updated', wanted }),
        title: wanted ? 'an update of the resource' : 'no update of the resource',
      });
    if (unsubscribe !== undefined) steps.push(named('unsubscribe', subscription('resources/unsubscribe', unsubscribe)));
    const about = read ?? subscribe;
    return { steps, about };

    function named(name: string, act: Step['act']): Step {
      const { path, place } = part.at(name);
      return {
        id: path.join('.'),
        phase: 'main',
        title: act.kind === 'request' ? `${act.method} ${asText(act.params?.['uri'])}` : name,
        act,
        capture: {},
        demands: [],
        place,
      };
    }
  },
};

/** The reference fills in no placeholders here. */
function subscription(method: string, uri: string): SendRequest {
  return {
    kind: 'request',
    method,
    params: { uri },
    scope: 'none',
    view: 'json',
    failed: `${method} failed for ${JSON.stringify(uri)}`,
  };
}
