/** Notes what a conversation gave occasion to: which capabilities the server declared, and what it sent unasked. */
import { asObject } from '../../../core/model/json.ts';
import type { Said } from './said.ts';
import { createListLog, type FailedList } from './failed-lists.ts';
import { createRefusalLog, type Refusal } from './refusals.ts';
import { OpenRequests } from './open-requests.ts';

export interface Occasions {
  /** Capabilities that the server declared on any connection, with those below them: `resources`, `resources.subscribe`. */
  declared: ReadonlySet<string>;
  /** Events of the first handshake: its request and its result; empty when none was seen. */
  handshake: readonly number[];
  /** Methods of requests that the server sent. */
  asked: ReadonlySet<string>;
  /** Methods of notifications that it sent. */
  told: ReadonlySet<string>;
  /** Some list of what is offered had a further page. */
  paged: boolean;
  /** Some template of resources was listed. */
  templates: boolean;
  /** Listed prompts that were never got, and listed resources that were never read: no result came. */
  left: { prompts: boolean; resources: boolean };
  /** It was listed, and every list of it was empty. */
  listsNone: ReadonlySet<ListedKind>;
  /** Lists that it declares and never gave. */
  failedLists: readonly FailedList[];
  /** Methods that got errors only, each with their codes. */
  refused: ReadonlyMap<string, Refusal>;
  /** Requests that were answered with a result after the handshake. */
  served: number;
}

export type ListedKind = (typeof listedKinds)[number];
const listedKinds = ['tools', 'prompts', 'resources'] as const;

export interface OccasionLog {
  see(one: Said): void;
  result(): Occasions;
}

/** Names that are kept; a hostile server may send any number. */
const mostNames = 1000;
const longestName = 2000;

export function createOccasionLog(): OccasionLog {
  const declared = new Set<string>();
  const asked = new Set<string>();
  let request: number | undefined;
  let handshake: readonly number[] = [];
  const reported = new Set<string>();
  let paged = false;
  let templates = false;
  const uses = createUses();
  const listed = new Map<ListedKind, boolean>();
  const lists = createListLog();
  const refusals = createRefusalLog();
  let served = 0;

  function note(into: Set<string>, name: string): void {
    if (into.size < mostNames) into.add(name);
  }

  function see(one: Said): void {
    lists.see(one);
    refusals.see(one);
    const { from, seq, message, method, result } = one;
    if (from === 'client') {
      if (method === 'initialize' || method === 'server/discover') request ??= seq;
      uses.sent(one);
      return;
    }
    if (from !== 'server') return;
    if (typeof method === 'string') {
      note(message.id === undefined ? reported : asked, method);
      return;
    }
    uses.answered(one);
    if (result === undefined) return;
    if ('nextCursor' in result && !('tasks' in result)) paged = true;
    if (isFilled(result.resourceTemplates)) templates = true;
    for (const kind of listedKinds)
      if (Array.isArray(result[kind])) listed.set(kind, listed.get(kind) === true || isFilled(result[kind]));
    const capabilities = asObject(result.capabilities);
    if (capabilities === undefined || !('protocolVersion' in result || 'supportedVersions' in result)) {
      served += 1;
      return;
    }
    if (handshake.length === 0) handshake = request === undefined ? [seq] : [request, seq];
    for (const [name, inner] of Object.entries(capabilities)) {
      note(declared, name);
      for (const [part, is] of Object.entries(asObject(inner) ?? {}))
        if (is !== false) note(declared, `${name}.${part}`);
    }
  }

  return {
    see,
    result: () => ({
      declared,
      handshake,
      asked,
      told: reported,
      paged,
      templates,
      left: uses.left(),
      listsNone: new Set([...listed].flatMap(([kind, some]) => (some ? [] : [kind]))),
      failedLists: lists.result(declared),
      refused: refusals.result(),
      served,
    }),
  };
}

function isFilled(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}

interface Uses {
  sent(one: Said): void;
  answered(one: Said): void;
  /** True if something listed was never used with a result, as far as known. */
  left(): { prompts: boolean; resources: boolean };
}

/** Listed and used items of one kind. */
interface Used {
  /** Member that names one, in the list and in the request. */
  key: 'name' | 'uri';
  listed: Set<unknown>;
  used: Set<unknown>;
  /** There are more than are remembered. */
  more: boolean;
}

/** Follows which of the listed prompts and resources were used with a result. */
function createUses(): Uses {
  const prompts: Used = { key: 'name', listed: new Set(), used: new Set(), more: false };
  const resources: Used = { key: 'uri', listed: new Set(), used: new Set(), more: false };
  const open = new OpenRequests<{ of: Used; name: unknown }>(mostNames);
  const left = ({ more, listed, used }: Used): boolean => more || [...listed].some((one) => !used.has(one));
  return {
    sent({ session, method, message }) {
      const of = method === 'prompts/get' ? prompts : method === 'resources/read' ? resources : undefined;
      if (of !== undefined) open.add(session, message.id, { of, name: asObject(message.params)?.[of.key] });
    },
    answered({ session, message, result }) {
      const asked = open.take(session, message.id);
      if (
        asked !== undefined &&
        result !== undefined &&
        result.resultType !== 'input_required' &&
        asked.of.used.size < mostNames
      )
        asked.of.used.add(asked.name);
      if (result === undefined) return;
      list(prompts, result.prompts);
      list(resources, result.resources);
    },
    left: () => ({ prompts: left(prompts), resources: left(resources) }),
  };
}

function list(into: Used, entries: unknown): void {
  for (const entry of Array.isArray(entries) ? (entries as unknown[]) : []) {
    const name = asObject(entry)?.[into.key];
    if (into.more || into.listed.size >= mostNames || typeof name !== 'string' || name.length > longestName)
      return void (into.more = true);
    into.listed.add(name);
  }
}
