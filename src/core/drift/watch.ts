/** Drift of a conversation that passes by: each definition that a server lists is compared with the lock at once. Pure. */
import { BoundedMap } from '../model/bounded.ts';
import { asObject, asText, isObject, type JsonObject } from '../model/json.ts';
import { compareLocks, type Change, type ChangeClass } from './compare-locks.ts';
import { lock, lockedLists, type Offer, type ServerLock } from './lock.ts';

export interface WatchOptions {
  before: ServerLock;
  /** Classes of changes for which calls of the tool are refused. */
  failsOn: readonly ChangeClass[];
  /** Called once with each change. */
  onChange: (change: Change) => void;
  /** Removes secrets, as they were removed from the lock. */
  clean: (value: JsonObject) => JsonObject;
}

export interface DriftWatch {
  /** Messages, or batches of them, as they pass. */
  fromClient(message: unknown): void;
  fromServer(message: unknown): void;
  /** The reason for which a request must not reach the server: it calls a tool that changed, or one without an entry in the lock. */
  against(message: unknown): string | undefined;
}

type ListName = keyof Pick<Offer, 'tools' | 'prompts' | 'resources' | 'templates'>;
type Entry = (typeof lockedLists)[number];

const members: Readonly<Record<string, ListName>> = {
  tools: 'tools',
  prompts: 'prompts',
  resources: 'resources',
  resourceTemplates: 'templates',
};
/** Readings of lists that are under way at a time; an older one is forgotten. */
const mostWalks = 1000;

export function createDriftWatch({ before, failsOn, onChange, clean }: WatchOptions): DriftWatch {
  const reported = new Set<string>();
  const refused = new Set<string>();
  /** Cursors that clients asked with, by the id of the request; null for a first page. */
  const asked = new Map<string, { method: string; cursor: string | null }>();
  /** Entries of the pages before a cursor. */
  const walks = new BoundedMap<string, JsonObject[]>(mostWalks, 'forget-oldest');

  const report = (changes: readonly Change[]): void => {
    for (const change of changes) {
      const key = JSON.stringify([change.what, change.name, change.at, change.says]);
      if (!reported.has(key)) onChange(change);
      reported.add(key);
    }
  };

  /** The changes of one list alone. */
  function changesOf(list: Entry, entries: readonly JsonObject[], known: ServerLock): Change[] {
    const now = lock({ ...emptyOffer, [list.from]: entries });
    return compareLocks(known, { ...known, [list.list]: now[list.list] });
  }

  function takeEntry(list: Entry, entry: JsonObject): void {
    const name = asText(entry[list.key]);
    const was = Object.hasOwn(before[list.list], name) ? before[list.list][name] : undefined;
    const only: ServerLock = { ...before, [list.list]: was === undefined ? {} : { [name]: was } };
    const changes = changesOf(list, [entry], only);
    report(changes);
    if (list.from !== 'tools') return;
    if (changes.some((change) => failsOn.includes(change.class))) refused.add(name);
    else refused.delete(name);
  }

  function takePage(list: Entry, page: readonly JsonObject[], result: JsonObject, cursor: string | null): void {
    for (const entry of page) takeEntry(list, entry);
    const earlier = cursor === null ? [] : walks.get(`${list.from} ${cursor}`);
    if (earlier === undefined) return;
    const entries = [...earlier, ...page];
    const next = result['nextCursor'];
    if (typeof next !== 'string') {
      // The whole list is known: what is missing is gone. New names were reported with their entries.
      report(changesOf(list, entries, before).filter(({ says }) => says.endsWith(' is gone')));
      return;
    }
    walks.set(`${list.from} ${next}`, entries);
  }

  function takeHandshake(result: JsonObject): void {
    const text = result['instructions'];
    const now = lock({
      ...emptyOffer,
      revision: typeof result['protocolVersion'] === 'string' ? result['protocolVersion'] : before.revision,
      serverInfo: asObject(result['serverInfo']) ?? before.serverInfo,
      capabilities: asObject(result['capabilities']) ?? before.capabilities,
      instructions: typeof text === 'string' ? text : undefined,
    });
    const { tools, prompts, resources, resourceTemplates } = before;
    report(compareLocks(before, { ...now, tools, prompts, resources, resourceTemplates }));
  }

  function takeResult(given: unknown, id: unknown): void {
    const request = asked.get(JSON.stringify(id));
    if (!isObject(given) || request === undefined) return;
    asked.delete(JSON.stringify(id));
    const result = clean(given);
    if (request.method === 'initialize' || request.method === 'server/discover') return takeHandshake(result);
    for (const [member, from] of Object.entries(members)) {
      const page = result[member];
      const list = lockedLists.find((one) => one.from === from)!;
      if (methods[request.method] === member && Array.isArray(page))
        takePage(list, (page as unknown[]).filter(isObject), result, request.cursor);
    }
  }

  return {
    fromClient(message) {
      for (const { id, method, params } of messagesIn(message)) {
        if (typeof method !== 'string' || id === undefined || !(method in methods)) continue;
        const cursor = asObject(params)?.['cursor'];
        asked.set(JSON.stringify(id), { method, cursor: typeof cursor === 'string' ? cursor : null });
      }
    },
    fromServer(message) {
      for (const { id, method, result } of messagesIn(message))
        if (method === undefined && id !== undefined) takeResult(result, id);
    },
    against(message) {
      for (const { method, params } of messagesIn(message)) {
        if (method !== 'tools/call') continue;
        const name = asText(asObject(params)?.['name']);
        if (refused.has(name)) return `the tool ${JSON.stringify(name)} is not what the lock holds`;
        if (!Object.hasOwn(before.tools, name)) return `the lock holds no tool ${JSON.stringify(name)}`;
      }
      return undefined;
    },
  };
}

/** Requests whose results are looked at, and the member of the result that has the list. */
const methods: Readonly<Record<string, string>> = {
  initialize: '',
  'server/discover': '',
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
};

const emptyOffer: Offer = {
  revision: '',
  serverInfo: undefined,
  capabilities: {},
  instructions: undefined,
  tools: [],
  prompts: [],
  resources: [],
  templates: [],
};

function messagesIn(message: unknown): JsonObject[] {
  return (Array.isArray(message) ? (message as unknown[]) : [message]).filter(isObject);
}
