/** Content of a question, and whether the client offers it. Reads one question, without memory or judgement. */
import { isObject, type JsonObject } from '../../model/json.ts';
import type { Facts } from '../core/plugin.ts';
import { elicitationFacts } from './elicitation-facts.ts';
import { samplingFacts } from './sampling-facts.ts';

/** The facts of a question by its method and params. @param declared client capabilities in force when it was asked */
export function factsOf(method: unknown, params: JsonObject | undefined, declared: JsonObject): Facts {
  const base = { method, params, declared };
  if (method === 'sampling/createMessage') return { ...base, ...samplingFacts(params) };
  if (method !== 'elicitation/create') return base;
  const facts = elicitationFacts(params);
  return { ...base, ...facts, modeOffered: isOffered(facts.mode, declared.elicitation) };
}

/**
 * True if the client declared the mode; an empty object declares forms (2025-11-25: client/elicitation, capabilities).
 */
function isOffered(mode: unknown, declared: unknown): boolean | undefined {
  if (!isObject(declared)) return undefined;
  const named = 'form' in declared || 'url' in declared;
  return mode === 'form' ? 'form' in declared || !named : mode === 'url' ? 'url' in declared : undefined;
}
