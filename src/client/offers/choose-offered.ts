/**
 * Chooses prompts, resources and resources of templates, with the values of their arguments. Tools: choose-tools.ts.
 */
import { suggestedText } from '../../core/json-schema/sample-texts.ts';
import { asText, isObject } from '../../core/model/json.ts';
import type { PromptHint } from '../../core/model/rules/hints.ts';
import { filledWith, guessableTemplates, guessed, hintedResources } from './hinted.ts';
import type { Choice, Listing } from './survey.ts';

type Json = Record<string, unknown>;

/** A value for an argument of a prompt, known only by name. */
export function promptValue(name: string): string {
  return suggestedText(name) ?? '1';
}

/** Values that the server completed an argument of a prompt or a variable of a template with, by `completedKey`. */
export type Completed = Map<string, string>;

/** @param owner name of the prompt, or the template itself */
export function completedKey(owner: unknown, argument: unknown): string {
  return JSON.stringify([owner, argument]);
}

function nameOf(item: Json): string {
  return typeof item.name === 'string' ? item.name : '';
}

export function promptHint({ hints }: Listing, name: string): PromptHint | undefined {
  return hints !== undefined && Object.hasOwn(hints.prompts, name) ? hints.prompts[name] : undefined;
}

export function templatesOf({ templates }: Listing): string[] {
  return templates.map(({ uriTemplate }) => uriTemplate).filter((one) => typeof one === 'string');
}

/** Prompts, at most so many, each with a value for every argument that it requires. */
export function choosePrompts(listing: Listing, choice: Choice, most: number, completed?: Completed): Json[] {
  const withArguments = (prompt: Json): boolean => Array.isArray(prompt.arguments) && prompt.arguments.length > 0;
  const hintOf = (prompt: Json): PromptHint | undefined => promptHint(listing, nameOf(prompt));
  const valueFor = (prompt: Json, name: string): string =>
    completed?.get(completedKey(prompt.name, name)) ?? promptValue(name);
  const found = listing.prompts.filter(
    (prompt) =>
      nameOf(prompt) !== '' &&
      hintOf(prompt)?.call !== 'never' &&
      (choice === 'with-arguments' ? withArguments(prompt) : choice === 'no-arguments' ? !withArguments(prompt) : true),
  );
  return found.slice(0, most).map((prompt) => {
    const given = hintOf(prompt)?.arguments;
    if (given !== undefined) return { name: prompt.name, arguments: given };
    const required = (Array.isArray(prompt.arguments) ? prompt.arguments : [])
      .filter(isObject)
      .filter((one) => one.required === true);
    return {
      name: prompt.name,
      ...(required.length > 0
        ? {
            arguments: Object.fromEntries(
              required.map((one) => [asText(one.name), valueFor(prompt, asText(one.name))]),
            ),
          }
        : {}),
    };
  });
}

export function chooseResources(listing: Listing, most: number): Json[] {
  const listed = listing.resources.map(({ uri }) => uri).filter((uri) => typeof uri === 'string');
  return hintedResources(listing.hints, listed)
    .slice(0, most)
    .map((uri) => ({ uri }));
}

/**
 * Resources behind templates. Values that the server completed lead to one; by others the address may lead to none.
 * @param guess whether the latter are wanted as well
 */
export function templateResources(listing: Listing, most: number, completed: Completed, guess: boolean): Json[] {
  const templates = guessableTemplates(listing.hints, templatesOf(listing));
  const known =
    (template: string) =>
    (name: string): string | undefined =>
      completed.get(completedKey(template, name));
  const filled = templates.flatMap(
    (template) =>
      filledWith(template, known(template)) ??
      (guess ? (filledWith(template, (name) => known(template)(name) ?? guessed) ?? []) : []),
  );
  return filled
    .filter((uri) => listing.hints?.resources.never.includes(uri) !== true)
    .slice(0, most)
    .map((uri) => ({ uri }));
}
