/** Capabilities and answers of a server's client, in suites and in separate files. */
import { isObject } from '../../../core/model/json.ts';
import type { ClientFeatures, ElicitationAction } from '../model.ts';
import type { Part } from '../part.ts';

/** The features of a part that fits its schema; undefined where it declares nothing. */
export function readFeatures(part: Part): ClientFeatures | undefined {
  const features: ClientFeatures = {};
  if (part.has('roots'))
    features.roots = part
      .at('roots')
      .items()
      .map((root) => root.text() ?? '');
  if (part.has('sampling')) {
    const sampling = part.at('sampling');
    features.sampling = {
      text: sampling.at('text').text() ?? '',
      model: sampling.at('model').text() ?? 'mock',
      stopReason: sampling.at('stop_reason').text() ?? 'end_turn',
      ...(sampling.has('tools')
        ? {
            tools: sampling
              .at('tools')
              .items()
              .map((one) => ({
                name: one.at('name').text() ?? '',
                input: (one.at('input').value ?? {}) as Record<string, unknown>,
              })),
          }
        : {}),
    };
  }
  if (part.has('elicitation')) {
    const elicitation = part.at('elicitation');
    const actionOf = (of: Part): ElicitationAction => (of.at('action').text() ?? 'accept') as ElicitationAction;
    const action = actionOf(elicitation);
    const { action: _action, content, ...others } = elicitation.value as Record<string, unknown>;
    // No value of a form is a mapping, so that a field may be called url.
    const url = elicitation.at('url');
    const inUrl = isObject(url.value);
    if (inUrl) delete others['url'];
    const given = (content ?? others) as Record<string, unknown>;
    features.elicitation = {
      action,
      ...(action === 'accept' ? { content: given } : {}),
      ...(inUrl ? { url: actionOf(url) } : {}),
    };
  }
  return Object.keys(features).length === 0 ? undefined : features;
}
