/** What the ids, cursors and names of a script are in the live conversation, so that the puppet client can say them. */
import { addressesIn } from '../../../src/core/facts/addresses/named-in.ts';
import { canaryPath } from '../../../src/stage/scene/canaries.ts';
import { isRecord } from '../../../src/core/rules/examples/example-messages.ts';

type Json = Record<string, unknown>;

/** Members that a server makes up, and that a client has to give back. */
const madeUp = new Set(['nextCursor', 'taskId', 'requestState', 'elicitationId', 'progressToken']);
/** Where a client gives them back. */
const givenBack = new Set(['cursor', 'taskId', 'requestState', 'elicitationId', 'progressToken', 'lastEventId']);

export interface LiveValues {
  /** Takes what the server sent for what the script has it send. */
  learn(scripted: unknown, live: unknown): void;
  learnId(scripted: unknown, live: unknown): void;
  learnEvent(scripted: string | undefined, live: string | undefined): void;
  /** The message of the script with live values. */
  toLive(message: unknown): unknown;
  liveEvent(scripted: string): string;
  /** Takes the addresses that the server names. */
  meet(message: Json): void;
  /** Where an address of the script lies, by its path; undefined for one that lies at the endpoint, or nowhere. */
  canary(scripted: string | undefined): string | undefined;
}

export function createLiveValues(): LiveValues {
  const ids = new Map<string, unknown>();
  const values = new Map<string, string>();
  const questions = new Map<string, string>();
  const events = new Map<string, string>();
  const canaries = new Map<string, string>();

  function learn(scripted: unknown, live: unknown): void {
    if (!isRecord(scripted) || !isRecord(live)) return;
    for (const [name, value] of Object.entries(scripted)) {
      const other = live[name];
      if (madeUp.has(name) && typeof value === 'string' && typeof other === 'string') values.set(value, other);
      if (name === 'inputRequests' && isRecord(value) && isRecord(other)) learnQuestions(value, other);
      learn(value, other);
    }
  }

  function learnQuestions(scripted: Json, live: Json): void {
    const open = Object.entries(live);
    for (const [name, one] of Object.entries(scripted)) {
      const same = open.findIndex(([, other]) => isRecord(one) && isRecord(other) && other.method === one.method);
      if (same >= 0) questions.set(name, open.splice(same, 1)[0]![0]);
    }
  }

  function translated(value: unknown, within: string): unknown {
    if (Array.isArray(value)) return value.map((one) => translated(one, within));
    if (typeof value === 'string') return givenBack.has(within) ? (values.get(value) ?? value) : value;
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        within === 'inputResponses' ? (questions.get(name) ?? name) : name,
        translated(one, name),
      ]),
    );
  }

  return {
    learn,
    learnId: (scripted, live) => void ids.set(JSON.stringify(scripted), live),
    learnEvent: (scripted, live) => void (scripted && live && events.set(scripted, live)),
    toLive(message) {
      if (!isRecord(message)) return Array.isArray(message) ? message.map((one) => translated(one, '')) : message;
      const known = !('method' in message) && ids.has(JSON.stringify(message.id));
      const live = translated(message, '') as Json;
      return known ? { ...live, id: ids.get(JSON.stringify(message.id)) } : live;
    },
    liveEvent: (scripted) => events.get(scripted) ?? scripted,
    meet(message) {
      for (const { url } of addressesIn(message)) {
        if (!URL.canParse(url) || !new URL(url).pathname.startsWith(canaryPath)) continue;
        const { host, hostname, pathname } = new URL(url);
        canaries.set(pathname, `http://${host}`);
        if (hostname === 'localhost') canaries.set('elsewhere', `http://${host}`);
      }
    },
    canary(scripted = '') {
      const path = URL.canParse(scripted) ? new URL(scripted).pathname : '';
      const origin = canaries.get(path) ?? canaries.get('elsewhere');
      return path.startsWith(canaryPath) && origin !== undefined ? origin + path : undefined;
    },
  };
}
