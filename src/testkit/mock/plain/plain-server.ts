/**
 * The faultless little server behind a puppet: it answers all that the script leaves open, on one connection. JSON-RPC
 * in, JSON-RPC out, independent of transports and scripts.
 */
import { fitOf, isMisfit } from '../../../core/json-schema/schema-fit.ts';
import type { Era } from '../../../core/model/rules/requirement.ts';
import { tasksExtension } from '../../../core/model/tasks.ts';
import { extensionMethods } from '../../../files/package/method-tables.ts';
import { eraOf, isKnownRevision } from '../../../core/spec/revisions.ts';
import { isRecord, recordOf, type Json } from '../json.ts';
import type { Offers } from './offers.ts';
import { createExtensionTasks, declaresTasksExtension } from './extension-tasks.ts';
import { createPlainTasks } from './plain-tasks.ts';
import { asText } from '../../../core/model/json.ts';

/** An answer; `status` for an HTTP status other than 200. */
export interface PlainReply {
  message: unknown;
  status?: number;
  /** A message that goes ahead, on a reply that then stays open (a subscription). */
  stays?: boolean;
}

export interface PlainServerOptions {
  era: Era;
  revision: string;
  capabilities: Json;
  offers: Offers;
}

export interface PlainServer {
  /** Version that was negotiated, once it was. */
  readonly negotiated: string | undefined;
  /** The answer to a message or batch; undefined when none is expected. */
  answer(message: unknown): PlainReply | undefined;
  /** The answer to something that is no JSON. */
  unreadable(): PlainReply;
  /** Adds an answer of the script, so that later ones agree with it. */
  learn(request: Json, reply: Json): void;
  /** A tool as it was listed. */
  listed(tool: unknown): Json | undefined;
}

const code = {
  parse: -32700,
  invalid: -32600,
  method: -32601,
  params: -32602,
  capability: -32021,
  version: -32022,
  resource: -32002,
} as const;
const metaKey = (name: string): string => `io.modelcontextprotocol/${name}`;
const serverInfo = { name: 'example-server', version: '1.0.0' };

/** Methods that list, with the capability they need and the member that holds the entries. */
const lists: Record<string, { capability: string; member: keyof Offers }> = {
  'tools/list': { capability: 'tools', member: 'tools' },
  'prompts/list': { capability: 'prompts', member: 'prompts' },
  'resources/list': { capability: 'resources', member: 'resources' },
  'resources/templates/list': { capability: 'resources', member: 'resourceTemplates' },
};

class Refusal extends Error {
  readonly error: Json;
  readonly status: number | undefined;

  constructor(number: number, message: string, more: { data?: unknown; status?: number } = {}) {
    super(message);
    this.error = { code: number, message, ...(more.data === undefined ? {} : { data: more.data }) };
    this.status = more.status;
  }
}

export function createPlainServer({ era, revision, capabilities, offers }: PlainServerOptions): PlainServer {
  let declared = capabilities;
  let negotiated: string | undefined;
  /** Pages that were given before: a list stays what it was said to be. */
  const pages = new Map<string, Json>();
  const cursors = new Set<unknown>();
  /** Results of tools, prompts and resources that were given before: asked again, they come again. */
  const results = new Map<string, Json>();
  const tasks = createPlainTasks();
  const extensionTasks = createExtensionTasks();
  /** Tools as they were listed. */
  const entries = new Map(offers.tools.map((one) => [one.name, one]));
  const known = {
    tools: new Set(offers.tools.map((one) => one.name)),
    prompts: new Set(offers.prompts.map((one) => one.name)),
    resources: new Set(offers.resources.map((one) => one.uri)),
  };

  function answer(message: unknown): PlainReply | undefined {
    if (Array.isArray(message)) return answerBatch(message);
    if (!isRecord(message) || message.jsonrpc !== '2.0') return invalid(message);
    if (!('method' in message)) return 'result' in message !== 'error' in message ? undefined : invalid(message);
    if (typeof message.method !== 'string') return invalid(message);
    if (message.params !== undefined && !isRecord(message.params))
      return 'id' in message ? invalid(message) : undefined;
    if (!('id' in message)) return undefined;
    if (!isId(message.id)) return invalid(message);
    return answerRequest(message as Json & { method: string });
  }

  function answerBatch(messages: unknown[]): PlainReply | undefined {
    // Batches were part of one revision only; before and after it a server may refuse them.
    if (messages.length === 0 || era === 'stateless' || (negotiated ?? revision) !== '2025-03-26')
      return invalid(undefined);
    const replies = messages.flatMap((one) => answer(one) ?? []).map((one) => one.message);
    return replies.length > 0 ? { message: replies } : undefined;
  }

  function invalid(message: unknown): PlainReply {
    const id = isRecord(message) && isId(message.id) ? { id: message.id } : noId();
    return {
      message: { jsonrpc: '2.0', ...id, error: { code: code.invalid, message: 'Invalid request' } },
      status: 400,
    };
  }

  /** Before 2025-11-25 an error without a readable id has a null one; since then it has none. */
  function noId(): Json {
    return (negotiated ?? revision) >= '2025-11-25' ? {} : { id: null };
  }

  function answerRequest(request: Json & { method: string }): PlainReply {
    const head = { jsonrpc: '2.0', id: request.id };
    try {
      if (era === 'stateless') checkMeta(request);
      if (request.method === 'subscriptions/listen' && era === 'stateless') return acknowledged(request);
      return { message: { ...head, result: completed(serve(request), request.method) } };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return {
        message: { ...head, error: error.error },
        ...(error.status === undefined ? {} : { status: error.status }),
      };
    }
  }

  function acknowledged({ id, params }: Json): PlainReply {
    const wanted = recordOf(params).notifications;
    if (!isRecord(wanted)) throw new Refusal(code.params, 'The parameter notifications is missing');
    if (wanted.taskIds !== undefined) demandTasks(recordOf(params));
    const meta = { [metaKey('subscriptionId')]: id };
    return {
      message: {
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: {}, _meta: meta },
      },
      stays: true,
    };
  }

  function demandTasks(params: Json): void {
    if (declaresTasksExtension(params)) return;
    throw new Refusal(code.capability, 'The client has to declare the tasks extension', {
      data: { requiredCapabilities: { extensions: { [tasksExtension]: {} } } },
      status: 400,
    });
  }

  /** Requirements of the stateless era for each request (2026-07-28: basic, the _meta of requests). */
  function checkMeta({ method, params }: Json): void {
    const meta = recordOf(params)._meta;
    const version =
      recordOf(meta)[metaKey('protocolVersion')] ??
      (method === 'initialize' ? recordOf(params).protocolVersion : undefined);
    if (method !== 'initialize' && !isRecord(meta)) throw new Refusal(code.params, '_meta is missing', { status: 400 });
    if (typeof version !== 'string')
      throw new Refusal(code.params, 'The protocol version is missing in _meta', { status: 400 });
    if (version !== revision) {
      throw new Refusal(code.version, `Unsupported protocol version; supported: ${revision}`, {
        data: { supported: [revision], requested: version },
        status: 400,
      });
    }
    if (!isRecord(recordOf(meta)[metaKey('clientCapabilities')]))
      throw new Refusal(code.params, 'The client capabilities are missing in _meta', { status: 400 });
  }

  /** The result as the stateless era wants it. */
  function completed(result: Json, method: string): Json {
    if (era === 'stateful') return result;
    const caching =
      method === 'server/discover' || method in lists || method === 'resources/read'
        ? { ttlMs: 0, cacheScope: 'private' }
        : {};
    return {
      resultType: 'complete',
      ...caching,
      ...result,
      _meta: { [metaKey('serverInfo')]: serverInfo, ...recordOf(result._meta) },
    };
  }

  function serve({ method, params }: Json & { method: string }): Json {
    const given = recordOf(params);
    if (method === 'server/discover' && era === 'stateless')
      return { supportedVersions: [revision], capabilities: declared };
    if (method === 'initialize' && era === 'stateful') return initialize(given);
    if (method === 'ping' && era === 'stateful') return {};
    if (era === 'stateful' && negotiated === undefined)
      throw new Refusal(code.invalid, 'The session has not been initialized', { status: 400 });
    const list = lists[method];
    if (list && list.capability in declared) return page(method, list.member, given);
    if (method.startsWith('tasks/') && isRecord(declared.tasks)) {
      const operation = method.slice('tasks/'.length);
      if ((operation === 'list' || operation === 'cancel') && !(operation in declared.tasks))
        throw new Refusal(code.method, 'Method not found');
      const served = tasks.serve(method, given);
      if (served) return served;
      throw new Refusal(code.params, 'No such task, or it has ended');
    }
    if (extensionMethods.includes(method) && era === 'stateless' && tasksExtension in recordOf(declared.extensions)) {
      demandTasks(given);
      const served = extensionTasks.serve(method, given);
      if (served) return served;
      throw new Refusal(code.params, 'No such task');
    }
    if (method === 'tools/call' && declaresTaskCalls(declared)) {
      const support = recordOf(entries.get(given.name)?.execution).taskSupport ?? 'forbidden';
      if (support === (given.task === undefined ? 'required' : 'forbidden'))
        throw new Refusal(code.method, 'The tool does not run in this way');
      if (given.task !== undefined) return tasks.create(results.get(resultKey(method, given)) ?? call(given));
    }
    const again = given.task === undefined ? results.get(resultKey(method, given)) : undefined;
    if (again) return again;
    if (method === 'tools/call' && 'tools' in declared) return call(given);
    if (method === 'prompts/get' && 'prompts' in declared) return prompt(given);
    if (method === 'resources/read' && 'resources' in declared) return read(given);
    if (
      era === 'stateful' &&
      /^resources\/(un)?subscribe$/.test(method) &&
      recordOf(declared.resources).subscribe === true
    )
      return {};
    if (method === 'logging/setLevel' && era === 'stateful' && 'logging' in declared) return setLevel(given);
    if (method === 'completion/complete' && 'completions' in declared) return complete(given);
    throw new Refusal(code.method, 'Method not found', era === 'stateless' ? { status: 404 } : {});
  }

  function initialize(params: Json): Json {
    const { protocolVersion } = params;
    if (typeof protocolVersion !== 'string') throw new Refusal(code.params, 'protocolVersion is missing');
    negotiated = speaks(protocolVersion, revision) ? protocolVersion : revision;
    return { protocolVersion: negotiated, capabilities: declared, serverInfo };
  }

  function page(method: string, member: keyof Offers, { cursor }: Json): Json {
    const before = pages.get(pageKey(method, cursor));
    if (before) return before;
    if (cursor === undefined) return { [member]: offers[member] };
    // The script may have given out a cursor without saying where it leads: to an end.
    if (cursors.has(cursor)) return { [member]: [] };
    throw new Refusal(code.params, 'Unknown cursor');
  }

  function call({ name, arguments: given }: Json): Json {
    if (!known.tools.has(name)) throw new Refusal(code.params, `Unknown tool: ${asText(name)}`);
    const tool = offers.tools.find((one) => one.name === name);
    const fit = fitOf(tool?.inputSchema ?? {}, given ?? {});
    if (isMisfit(fit))
      return { content: [{ type: 'text', text: `The argument at ${fit.path} ${fit.what}.` }], isError: true };
    return { content: [{ type: 'text', text: asText(recordOf(given).text ?? 'done') }] };
  }

  function prompt({ name }: Json): Json {
    if (!known.prompts.has(name)) throw new Refusal(code.params, `Unknown prompt: ${asText(name)}`);
    return { messages: [{ role: 'user', content: { type: 'text', text: 'Good morning.' } }] };
  }

  function read({ uri }: Json): Json {
    if (known.resources.has(uri)) return { contents: [{ uri, mimeType: 'text/plain', text: 'A note.' }] };
    if (typeof uri !== 'string') throw new Refusal(code.params, 'The parameter uri is missing');
    const number = era === 'stateless' ? code.params : code.resource;
    throw new Refusal(number, 'Resource not found', { data: { uri } });
  }

  function setLevel({ level }: Json): Json {
    const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
    if (!levels.includes(asText(level))) throw new Refusal(code.params, 'Unknown log level');
    return {};
  }

  function complete({ ref, argument }: Json): Json {
    if (
      !isRecord(ref) ||
      !isRecord(argument) ||
      typeof argument.value !== 'string' ||
      !/^ref\/(prompt|resource)$/.test(asText(ref.type))
    )
      throw new Refusal(code.params, 'ref and argument are required');
    if (ref.type === 'ref/prompt' && !known.prompts.has(ref.name))
      throw new Refusal(code.params, `Unknown prompt: ${asText(ref.name)}`);
    return { completion: { values: [] } };
  }

  function learn(request: Json, reply: Json): void {
    const { method } = request;
    tasks.learn(request, reply);
    extensionTasks.learn(request, reply);
    if (!isRecord(reply.result)) return;
    const { result } = reply;
    if (method === 'initialize') {
      if (typeof result.protocolVersion === 'string') negotiated = result.protocolVersion;
      if (isRecord(result.capabilities)) declared = result.capabilities;
    }
    const isUse = method === 'tools/call' || method === 'prompts/get' || method === 'resources/read';
    if (isUse && recordOf(request.params).task === undefined && result.resultType !== 'task') {
      results.set(resultKey(method, recordOf(request.params)), result);
    }
    const list = typeof method === 'string' ? lists[method] : undefined;
    if (!list) return;
    pages.set(pageKey(method, recordOf(request.params).cursor), result);
    if ('nextCursor' in result) cursors.add(result.nextCursor);
    const shown = result[list.member] as unknown;
    if (!Array.isArray(shown) || list.member === 'resourceTemplates') return;
    for (const one of shown.filter(isRecord)) known[list.member].add(list.member === 'resources' ? one.uri : one.name);
    if (list.member === 'tools') for (const one of shown.filter(isRecord)) entries.set(one.name, one);
  }

  return {
    get negotiated() {
      return negotiated;
    },
    answer,
    unreadable: () => ({
      message: { jsonrpc: '2.0', ...noId(), error: { code: code.parse, message: 'Parse error' } },
      status: 400,
    }),
    learn,
    listed: (tool) => entries.get(tool),
  };
}

/** True if a server whose newest revision is `newest` can negotiate the version. */
export function speaks(version: string, newest: string): boolean {
  return isKnownRevision(version) && eraOf(version) === 'stateful' && version <= newest;
}

function declaresTaskCalls({ tasks }: Json): boolean {
  return isRecord(recordOf(recordOf(recordOf(tasks).requests).tools).call);
}

function resultKey(method: unknown, { name, uri, arguments: given }: Json): string {
  return JSON.stringify([method, name, uri, given]);
}

function pageKey(method: unknown, cursor: unknown): string {
  return JSON.stringify([method, cursor ?? null]);
}

function isId(id: unknown): boolean {
  return typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id));
}
