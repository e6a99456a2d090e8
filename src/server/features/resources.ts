/** Resources, templates and subscriptions. */
import type { JsonObject } from '../protocol/json-rpc.ts';
import { errorCode, RpcError } from '../protocol/json-rpc.ts';
import type { RequestContext } from '../session/request-context.ts';
import { atLeast, statelessRevision } from '../protocol/revisions.ts';
import { fixtureResources, fixtureTemplates } from './fixtures/fixture-offers.ts';
import type { Resource, Template } from './kinds/offers.ts';
import { listPage } from './kinds/lists.ts';
import { pngBase64 } from './kinds/samples.ts';

const resources: readonly Resource[] = [
  {
    uri: 'demo://greeting',
    name: 'greeting',
    title: 'Greeting',
    description: 'A friendly text.',
    mimeType: 'text/plain',
    read: () => ({ text: 'Hello from the reference server.' }),
  },
  {
    uri: 'demo://counter',
    name: 'counter',
    title: 'Counter',
    description: 'A number that the tool touch-counter changes.',
    mimeType: 'text/plain',
    read: (world) => ({ text: String(world.counter) }),
  },
  {
    uri: 'file:///reference/handbook.txt',
    name: 'handbook',
    title: 'Handbook',
    description: 'A text with the address of a file; no file is read for it.',
    mimeType: 'text/plain',
    since: statelessRevision,
    read: () => ({ text: 'There is nothing to prepare.' }),
  },
  {
    uri: 'demo://logo',
    name: 'logo',
    title: 'Logo',
    description: 'A small image.',
    mimeType: 'image/png',
    read: () => ({ blob: pngBase64 }),
  },
  {
    uri: 'demo://notes/1',
    name: 'note-1',
    title: 'Note 1',
    description: 'The first note.',
    mimeType: 'text/plain',
    read: () => ({ text: 'Note 1' }),
  },
  {
    uri: 'demo://notes/2',
    name: 'note-2',
    title: 'Note 2',
    description: 'The second note.',
    mimeType: 'text/plain',
    read: () => ({ text: 'Note 2' }),
  },
];

/** Readable, but not listed: it changes all the time while the tool slow is at work, without notifications. */
const workResource: Resource = {
  uri: 'demo://work',
  name: 'work',
  title: 'Work',
  description: 'How far the tool slow has come.',
  mimeType: 'text/plain',
  read: (world) => ({ text: String(world.work) }),
};

const bonusResource: Resource = {
  uri: 'demo://bonus',
  name: 'bonus',
  title: 'Bonus',
  description: 'Listed only while the lists are extended by change-lists.',
  mimeType: 'text/plain',
  read: () => ({ text: 'bonus' }),
};

const templates: readonly Template[] = [
  {
    uriTemplate: 'demo://notes/{id}',
    name: 'note',
    title: 'Note',
    description: 'A note by its number.',
    pattern: /^demo:\/\/notes\/(\d{1,3})$/,
    render: (id) => `Note ${id}`,
  },
  {
    uriTemplate: 'demo://echo/{word}',
    name: 'echo',
    title: 'Echo',
    description: 'A word, as it was asked for.',
    pattern: /^demo:\/\/echo\/(\w{1,64})$/,
    render: (word) => word,
  },
  {
    uriTemplate: 'demo://square/{n}',
    name: 'square',
    title: 'Square',
    description: 'The square of a number.',
    pattern: /^demo:\/\/square\/(\d{1,6})$/,
    render: (n) => String(Number(n) ** 2),
  },
];

function available({ host, world, revision }: RequestContext): Resource[] {
  const here = resources.filter(({ since = revision }) => revision >= since);
  return [...(host.fixtures ? fixtureResources : []), ...here, ...(world.bonus ? [bonusResource] : [])];
}

function availableTemplates({ host }: RequestContext): Template[] {
  return [...(host.fixtures ? fixtureTemplates : []), ...templates];
}

function titled(context: RequestContext, title: string): JsonObject {
  return atLeast(context.revision, '2025-06-18') ? { title } : {};
}

export function listResources(params: JsonObject, context: RequestContext): JsonObject {
  const dated = atLeast(context.revision, '2025-06-18') ? { lastModified: '2026-01-31T12:00:00Z' } : {};
  const annotations = { audience: ['user', 'assistant'], priority: 0.5, ...dated };
  const items = available(context).map(({ uri, name, title, description, mimeType }) => ({
    uri,
    name,
    ...titled(context, title),
    description,
    mimeType,
    annotations,
  }));
  return listPage('resources', items, params, context);
}

export function listTemplates(params: JsonObject, context: RequestContext): JsonObject {
  const items = availableTemplates(context).map(
    ({ uriTemplate, name, title, description, mimeType = 'text/plain' }) => ({
      uriTemplate,
      name,
      ...titled(context, title),
      description,
      mimeType,
    }),
  );
  return listPage('resourceTemplates', items, params, context);
}

/** The contents behind a URI, or undefined if there are none. */
function contentsOf(uri: string, context: RequestContext): JsonObject | undefined {
  const resource = [...available(context), workResource].find((candidate) => candidate.uri === uri);
  if (resource !== undefined) return { uri, mimeType: resource.mimeType, ...resource.read(context.world) };
  for (const template of availableTemplates(context)) {
    const value = template.pattern.exec(uri)?.[1];
    if (value !== undefined) return { uri, mimeType: template.mimeType ?? 'text/plain', text: template.render(value) };
  }
  return undefined;
}

function requiredUri(params: JsonObject): string {
  if (typeof params.uri !== 'string')
    throw new RpcError(errorCode.invalidParams, 'The parameter uri is missing', { reason: 'params' });
  return params.uri;
}

function notFound(uri: string, context: RequestContext): RpcError {
  const code = context.era === 'stateful' ? errorCode.resourceNotFound : errorCode.invalidParams;
  return new RpcError(code, 'Resource not found', { data: { uri }, reason: 'unknown-resource' });
}

/** @throws RpcError -32602 without a URI; -32002 (stateless era: -32602) for an unknown one */
export function readResource(params: JsonObject, context: RequestContext): JsonObject {
  if (!context.host.keeps('check-required-params') && params.uri === undefined) return { contents: [] };
  const uri = requiredUri(params);
  const contents = contentsOf(uri, context);
  if (contents === undefined) throw notFound(uri, context);
  return { contents: [contents] };
}

export function subscribe(params: JsonObject, context: RequestContext): JsonObject {
  const uri = requiredUri(params);
  if (contentsOf(uri, context) === undefined) throw notFound(uri, context);
  context.session.subscriptions.add(uri);
  return {};
}

export function unsubscribe(params: JsonObject, context: RequestContext): JsonObject {
  context.session.subscriptions.delete(requiredUri(params));
  return {};
}
