/**
 * Shared state of all sessions of one server process: its behaviour, its revisions and the subscriptions of stateless
 * clients. It knows transports only by name.
 */
import type { Behaviour, Duty, HttpReply } from './behaviour.ts';
import type { GuardKind } from './guard.ts';
import type { JsonObject } from '../protocol/json-rpc.ts';
import type { Revision, StatefulRevision } from '../protocol/revisions.ts';
import { atLeast, isStateful, statelessRevision } from '../protocol/revisions.ts';
import { ExtensionTasks, tasksExtension } from './extension-task.ts';
import { World } from './world.ts';

export type TransportKind = 'stdio' | 'http' | 'sse';

/** An additional tool of the server, as listed in each revision. */
export interface AddedTool {
  definition: JsonObject;
  /** Where the revision has them, calls may run as tasks. */
  taskSupport?: 'optional' | undefined;
  run(
    given: JsonObject,
    context: { signal: AbortSignal; reportStatus?: ((message: string) => void) | undefined },
  ): JsonObject | Promise<JsonObject>;
}

/** A change that a stateless listener may have asked to hear of. */
export interface Change {
  method: string;
  /** The member of the subscription filter that asks for it. */
  filter: 'toolsListChanged' | 'promptsListChanged' | 'resourcesListChanged' | 'resourceSubscriptions' | 'taskIds';
  uri?: string;
  /** A task's id and notifications. */
  taskId?: string;
  params?: JsonObject;
}

/** The parts of a request over HTTP that access control looks at. */
export interface DoorRequest {
  verb: string;
  /** Names in lower case; of a header that comes several times the first value. */
  headers: Readonly<Record<string, string | undefined>>;
}

/** The access control that the owner of a server puts before its endpoint over HTTP, in place of a guard of its own. */
export interface Door {
  /** True where a request for the path is one for `endpoint`. */
  hasEndpoint(path: string): boolean;
  /** Answers for an endpoint of an authorization server outside that of MCP. @param path with its query */
  endpoint(request: DoorRequest & { path: string; body: string }): Promise<HttpReply>;
  /** A document outside the endpoint; undefined where none lies there. */
  document(verb: string, path: string): HttpReply | undefined;
  /**
   * The refusal of a request at the endpoint; undefined when it may pass.
   *
   * @param method of the message in it, where it can be read
   */
  refuse(request: DoorRequest, method: string | undefined): Promise<HttpReply | undefined>;
}

export class Host {
  readonly behaviour: Behaviour;
  readonly revisions: readonly Revision[];
  /** Protection of the server; undefined: it serves every client. */
  guard: GuardKind | undefined;
  /** Protection by an authorization server elsewhere. */
  door: Door | undefined;
  /** The world that stateless requests see. */
  readonly world = new World();
  /** Scratch pad for mutations that span sessions. */
  readonly scratch = new Map<string, unknown>();
  /** How a crash ends the process; tests replace it. */
  exit: (code: number) => void = (code) => process.exit(code);
  /** True to add the offers that the official conformance suite expects. */
  fixtures = false;
  /** Additional tools of the operator; they are listed first. */
  tools: readonly AddedTool[] = [];
  /** False where those are all tools. */
  ownTools = true;
  /** Tasks of the extension, which all connections share. */
  readonly extensionTasks = new ExtensionTasks(this);
  readonly listeners = new Set<(change: Change) => void>();
  readonly serverInfo = { name: 'mcpc-reference', version: '1.0.0' };

  constructor(behaviour: Behaviour, revisions: readonly Revision[]) {
    this.behaviour = behaviour;
    this.revisions = [...revisions].sort();
  }

  /** True unless the behaviour leaves this duty out. */
  keeps(duty: Duty): boolean {
    return !this.behaviour.neglects.has(duty);
  }

  get stateful(): StatefulRevision[] {
    return this.revisions.filter(isStateful);
  }

  get speaksStateless(): boolean {
    return this.revisions.includes(statelessRevision);
  }

  /** The capabilities declared under a revision. */
  capabilities(revision: Revision): JsonObject {
    const all: JsonObject = {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      logging: {},
    };
    if (atLeast(revision, '2025-03-26')) all.completions = {};
    if (revision === '2025-11-25') all.tasks = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
    if (revision === statelessRevision) all.extensions = { [tasksExtension]: {} };
    return this.behaviour.capabilities(all);
  }

  /** True if a feature is served at all; only variants remove features. */
  offers(capability: string): boolean {
    return capability in this.capabilities(statelessRevision);
  }
}
