/** Notes what a conversation gave occasion to: which capabilities the server declared, and what it sent unasked. */
import { asObject } from '../../model/json.ts';
import type { Said } from '../report/said.ts';

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
  /** Requests that were answered with a result after the handshake. */
  served: number;
}

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
  const told = new Set<string>();
  let paged = false;
  let templates = false;
  const uses = { prompts: createUses('prompts/get', 'name'), resources: createUses('resources/read', 'uri') };
  let served = 0;

  function note(into: Set<string>, name: string): void {
    if (into.size < mostNames) into.add(name);
  }

  function see(one: Said): void {
    const { from, seq, message, method, result } = one;
    if (from === 'client') {
      if (method === 'initialize' || method === 'server/discover') request ??= seq;
      uses.prompts.sent(one);
      uses.resources.sent(one);
      return;
    }
    if (from !== 'server') return;
    if (typeof method === 'string') {
      note(message.id === undefined ? told : asked, method);
      return;
    }
    if (result === undefined) return;
    if ('nextCursor' in result && !('tasks' in result)) paged = true;
    if (isFilled(result.resourceTemplates)) templates = true;
    uses.prompts.answered(one, result.prompts);
    uses.resources.answered(one, result.resources);
    const capabilities = asObject(result.capabilities);
    if (capabilities === undefined || !('protocolVersion' in result || 'supportedVersions' in result)) {
      served += 1;
      return;
    }
    if (handshake.length === 0) handshake = request === undefined ? [seq] : [request, seq];
    for (const [name, inner] of Object.entries(capabilities)) {
      note(declared, name);
      for (const [part, is] of Object.entries(asObject(inner) ?? {})) if (is !== false) note(declared, `${name}.${part}`);
    }
  }

  return {
    see,
    result: () => ({ declared, handshake, asked, told, paged, templates, left: { prompts: uses.prompts.left(), resources: uses.resources.left() }, served }),
  };
}

function isFilled(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}

interface Uses {
  sent(one: Said): void;
  /** @param list what a result lists, if it does */
  answered(one: Said, list: unknown): void;
  /** Whether something that is listed was never used with a result, for all that is known. */
  left(): boolean;
}

/** Follows which of the listed things were used with a result. @param key member that names one, in the list and in the request */
function createUses(method: string, key: string): Uses {
  const listed = new Set<unknown>();
  const used = new Set<unknown>();
  /** Requests that wait for their answer, by session and id. */
  const waiting = new Map<string, unknown>();
  let more = false;
  const idOf = ({ session, message }: Said): string => JSON.stringify([session, message.id]);
  return {
    sent(one: Said): void {
      if (one.method === method && waiting.size < mostNames) waiting.set(idOf(one), asObject(one.message.params)?.[key]);
    },
    answered(one: Said, list: unknown): void {
      const id = waiting.size > 0 ? idOf(one) : '';
      if (waiting.has(id) && used.size < mostNames && one.result?.resultType !== 'input_required') used.add(waiting.get(id));
      waiting.delete(id);
      for (const entry of Array.isArray(list) ? (list as unknown[]) : []) {
        const name = asObject(entry)?.[key];
        if (more || listed.size >= mostNames || typeof name !== 'string' || name.length > longestName) return void (more = true);
        listed.add(name);
      }
    },
    left: () => more || [...listed].some((one) => !used.has(one)),
  };
}
