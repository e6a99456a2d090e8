/** Which acts of a start the trace shows, and which requests passed: what the checklist of a served run follows. */
import { asObject } from '../../core/model/json.ts';
import type { ClientAct } from '../../core/model/rules/situation.ts';
import type { TraceEvent } from '../../core/model/trace.ts';
import type { PlannedStart } from '../scene/start-plan.ts';
import { sentenceOf } from './sentences.ts';

/** Progress of each start, by its name. */
export interface ActsSeen {
  see(event: TraceEvent): void;
  /** Requests of the client at the start. */
  requests(start: string): number;
  /** Requests of the client at all starts. */
  total(): number;
  /** Acts that were seen since it was last called, in words. */
  news(): string[];
  isDone(start: string, act: ClientAct): boolean;
  /** Methods that passed in either direction; elicitations as `elicitation/create form` and `elicitation/create url` as well. */
  readonly methods: ReadonlySet<string>;
}

const listMethods = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  templates: 'resources/templates/list',
} as const;

/** The start to whose connections a session belongs: `c2` of `c2-s1`, and of `c2r3-s1` in a third run. */
export function startOf(session: string): string {
  return session.split('-')[0]!.split('r')[0]!;
}

export function followActs(starts: readonly PlannedStart[]): ActsSeen {
  const known = new Map(starts.map((start) => [start.name, start.situation.drive ?? []]));
  const done = new Set<string>();
  const requests = new Map<string, number>();
  const methods = new Set<string>();
  let fresh: string[] = [];

  function mark(start: string, act: ClientAct): void {
    const key = keyOf(start, act);
    if (done.has(key)) return;
    done.add(key);
    fresh.push(`${start}: ${sentenceOf(act)}`);
  }

  function take(start: string, value: unknown, fromClient: boolean): void {
    const message = asObject(value);
    const { method } = message ?? {};
    if (message === undefined || typeof method !== 'string') return;
    noteMethod(methods, method, asObject(message.params));
    if (!fromClient) return;
    if ('id' in message) requests.set(start, (requests.get(start) ?? 0) + 1);
    for (const act of known.get(start) ?? []) if (shows(message, method, act)) mark(start, act);
  }

  return {
    see(event) {
      const start = startOf(event.session);
      if (event.kind === 'message') {
        for (const one of Array.isArray(event.message) ? event.message : [event.message])
          take(start, one, event.from === 'client');
      } else if (isEnd(event) && known.has(start)) mark(start, { act: 'end' });
    },
    requests: (start) => requests.get(start) ?? 0,
    total: () => [...requests.values()].reduce((sum, count) => sum + count, 0),
    news() {
      const words = fresh;
      fresh = [];
      return words;
    },
    isDone: (start, act) => done.has(keyOf(start, act)),
    methods,
  };
}

function keyOf(start: string, act: ClientAct): string {
  return `${start} ${JSON.stringify(act)}`;
}

function noteMethod(methods: Set<string>, method: string, params: Record<string, unknown> | undefined): void {
  // A client can invent methods without end.
  if (methods.size > 500) return;
  methods.add(method);
  if (method === 'elicitation/create') methods.add(`${method} ${params?.['mode'] === 'url' ? 'url' : 'form'}`);
}

function shows(message: Record<string, unknown>, method: string, { act, of, tool, name, uri }: ClientAct): boolean {
  const params = asObject(message['params']);
  switch (act) {
    case 'connect':
      return 'id' in message;
    case 'list':
      return method === listMethods[of ?? 'tools'];
    case 'call':
      return method === 'tools/call' && (tool === undefined || params?.['name'] === tool);
    case 'read':
      return method === 'resources/read' && (uri === undefined || params?.['uri'] === uri);
    case 'get':
      return method === 'prompts/get' && (name === undefined || params?.['name'] === name);
    case 'complete':
      return method === 'completion/complete';
    case 'subscribe':
      return method === 'resources/subscribe' || method === 'subscriptions/listen';
    case 'set-level':
      return method === 'logging/setLevel';
    case 'cancel':
      return method === 'notifications/cancelled';
    default:
      return false;
  }
}

/** The client ends the session, or the process. */
function isEnd({ kind, from, http, what }: TraceEvent): boolean {
  return (
    from === 'client' &&
    ((kind === 'http-request' && http?.method === 'DELETE') || (kind === 'closed' && what === 'stdin'))
  );
}
