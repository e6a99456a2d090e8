/** The requests of a recording as attempts of a suite: the step that sends each again, and how its answer is read. Pure. */
import { isObject, type JsonObject } from '../../../core/model/json.ts';
import type { Attempt } from '../starter-suite/attempts.ts';

export type Request = Pick<Attempt, 'step' | 'view'> & {
  /** Its subject, for the name of the case. */
  about: string;
};

/** The step of a request; undefined for what no step can say. */
export function requestOf(method: string, params: JsonObject): Request | undefined {
  const { name, uri } = params;
  const only = (...known: string[]): boolean => Object.keys(params).every((member) => known.includes(member));
  switch (method) {
    case 'tools/call':
      if (
        typeof name !== 'string' ||
        !only('name', 'arguments') ||
        !(params['arguments'] === undefined || isObject(params['arguments']))
      )
        return undefined;
      return { step: { call: name, ...given(params['arguments']) }, view: 'tool', about: name };
    case 'prompts/get':
      if (typeof name !== 'string' || !only('name', 'arguments') || !areTexts(params['arguments'])) return undefined;
      return { step: { get: name, ...given(params['arguments']) }, view: 'prompt', about: name };
    case 'resources/read':
      return typeof uri === 'string' && only('uri') ? { step: { read: uri }, view: 'resource', about: uri } : undefined;
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      return typeof uri === 'string' && only('uri')
        ? { step: { [method.slice('resources/'.length)]: uri }, view: 'json', about: uri }
        : undefined;
    case 'logging/setLevel':
      return typeof params['level'] === 'string' && only('level')
        ? { step: { set_level: params['level'] }, view: 'json', about: method }
        : undefined;
    case 'completion/complete':
      return completion(params);
    default:
      return undefined;
  }
}

function completion({ ref, argument, context, ...more }: JsonObject): Request | undefined {
  if (!isObject(ref) || !isObject(argument) || Object.keys(more).length > 0) return undefined;
  const owner = ref['type'] === 'ref/prompt' ? { prompt: ref['name'] } : { resource: ref['uri'] };
  const [about] = Object.values(owner);
  const given = isObject(context) ? context['arguments'] : undefined;
  if (
    typeof about !== 'string' ||
    typeof argument['name'] !== 'string' ||
    typeof argument['value'] !== 'string' ||
    !areTexts(given)
  )
    return undefined;
  return {
    step: {
      complete: {
        ...owner,
        argument: argument['name'],
        value: argument['value'],
        ...(given === undefined ? {} : { context: given }),
      },
    },
    view: 'json',
    about,
  };
}

function areTexts(value: unknown): boolean {
  return value === undefined || (isObject(value) && Object.values(value).every((one) => typeof one === 'string'));
}

function given(value: unknown): JsonObject {
  return isObject(value) && Object.keys(value).length > 0 ? { with: value } : {};
}
