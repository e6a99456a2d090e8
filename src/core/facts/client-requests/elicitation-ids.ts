/**
 * Remembers the ids of URL elicitations: where each was announced, for what, and whether it is complete. Ids are
 * the server's, so they are remembered across the connections of a trace, unless each has a process of its own.
 */
import { BoundedMap } from '../../model/bounded.ts';
import type { JsonObject } from '../../model/json.ts';
import type { SessionState } from '../state/session-state.ts';
import { asText } from '../../model/json.ts';

interface About {
  message: unknown;
  /** The address without its query, which may carry a fresh state each time. */
  place: string;
}

interface Announced {
  session: SessionState;
  /** Subject of the elicitation. */
  about: About;
  complete: boolean;
}

const kept = 20_000;

export interface ElicitationIds {
  /**
   * Adds an elicitation with an id.
   * @returns `first`; `again` for an open one; `other` when the id belongs to another one, or to a completed one;
   * undefined without an id, or if neither is clear
   */
  announce(params: JsonObject | undefined, session: SessionState, via: string): string | undefined;
  /**
   * Adds a notice of completion.
   * @returns where the elicitation was announced: `own`, `elsewhere` (on another connection, still open), `earlier` (on
   * an ended one) or `nowhere`
   */
  complete(id: unknown, session: SessionState): string;
}

export function createElicitationIds(): ElicitationIds {
  const known = new BoundedMap<string, Announced[]>(kept);

  return {
    announce(params, session, via) {
      const id = params?.elicitationId;
      if (params?.mode !== 'url' || typeof id !== 'string' || via === 'result') return undefined;
      const about = aboutOf(params);
      const before = known.get(id)?.filter((one) => one.session === session) ?? [];
      if (before.length === 0) {
        known.set(id, [...(known.get(id) ?? []), { session, about, complete: false }]);
        return 'first';
      }
      // A complete one may be named again by a call that was under way; a request begins a new one.
      if (via === 'request' && before.every((one) => one.complete)) return 'other';
      if (before.some((one) => one.about.message === about.message && one.about.place === about.place)) return 'again';
      return before.every((one) => one.about.message !== about.message && one.about.place !== about.place)
        ? 'other'
        : undefined;
    },

    complete(id, session) {
      const all = typeof id === 'string' ? (known.get(id) ?? []) : [];
      const own = all.filter((one) => one.session === session);
      for (const one of own) one.complete = true;
      if (own.length > 0) return 'own';
      if (all.length === 0 || session.transport === 'stdio') return 'nowhere';
      return all.some((one) => !one.session.ended && one.session.phase !== 'closing' && !one.session.lost)
        ? 'elsewhere'
        : 'earlier';
    },
  };
}

function aboutOf({ message, url }: JsonObject): About {
  if (typeof url !== 'string' || !URL.canParse(url)) return { message, place: asText(url) };
  const { origin, pathname } = new URL(url);
  return { message, place: origin + pathname };
}
