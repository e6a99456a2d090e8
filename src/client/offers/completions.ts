/** Values for the arguments of prompts and the variables of templates: what the server completes them with, else a guess. */
import { asObject, asText } from '../../core/model/json.ts';
import type { Answer, Peer } from '../peer/peer.ts';
import { choosePrompts, completedKey, promptHint, promptValue, templatesOf, type Completed } from './choose-offered.ts';
import { guessableTemplates, variablesOf } from './hinted.ts';
import type { Listing } from './survey.ts';

type Json = Record<string, unknown>;

/** Prompts or templates whose arguments are completed, and arguments of each. */
const mostCompleted = 6;
const mostArguments = 3;

/** Targets of completion: a prompt or a template, with the names of its arguments. */
interface Completable {
  owner: string;
  ref: Json;
  names: string[];
}

/**
 * Asks for values of the arguments that prompts require, or of the variables of templates, where the server declares
 * completions: they are better than what could be guessed. Where nothing completes the empty text, the guess is asked about.
 */
export async function completeValues(
  peer: Peer,
  listing: Listing,
  what: 'prompts' | 'templates',
  into: Completed,
): Promise<void> {
  if (peer.serverCapabilities?.completions === undefined) return;
  for (const { owner, ref, names } of what === 'prompts'
    ? completablePrompts(listing)
    : completableTemplates(listing)) {
    const chosen: [string, string][] = [];
    for (const name of names) {
      if (!peer.alive) return;
      // Arguments that are known already were sent from 2025-06-18 on.
      const context =
        chosen.length > 0 && (peer.negotiated ?? '') >= '2025-06-18'
          ? { context: { arguments: Object.fromEntries(chosen) } }
          : {};
      let value: string | undefined;
      for (const begun of ['', promptValue(name)])
        value ??= firstValue(
          await peer.request('completion/complete', { ref, argument: { name, value: begun }, ...context }).answer,
        );
      if (value === undefined) break;
      chosen.push([name, value]);
      into.set(completedKey(owner, name), value);
    }
  }
}

function completablePrompts(listing: Listing): Completable[] {
  return choosePrompts(listing, 'with-arguments', listing.prompts.length)
    .filter(
      ({ name, arguments: given }) => given !== undefined && promptHint(listing, asText(name))?.arguments === undefined,
    )
    .slice(0, mostCompleted)
    .map(({ name, arguments: given }) => ({
      owner: asText(name),
      ref: { type: 'ref/prompt', name },
      names: Object.keys(given as Json).slice(0, mostArguments),
    }));
}

function completableTemplates(listing: Listing): Completable[] {
  return guessableTemplates(listing.hints, templatesOf(listing))
    .map((template) => ({
      owner: template,
      ref: { type: 'ref/resource', uri: template },
      names: variablesOf(template),
    }))
    .filter(({ names }) => names.length > 0 && names.length <= mostArguments)
    .slice(0, mostCompleted);
}

/** The first text among the values of a completion. */
function firstValue(answer: Answer): string | undefined {
  const completion = answer.kind === 'response' ? asObject(asObject(answer.message.result)?.completion) : undefined;
  const [first] = Array.isArray(completion?.values) ? (completion.values as unknown[]) : [];
  return typeof first === 'string' && first !== '' && first.length <= longestValue ? first : undefined;
}

/** A value that is longer is no argument to try. */
const longestValue = 200;
