/**
 * Results of all feature definitions: the dictionary for checking rule files and writing FACTS.md, the needs of each
 * fact, doubtful values, and the owner of each fact.
 */
import { subjectKinds, type SubjectKind } from '../../model/rules/subject-kind.ts';
import * as list from './feature-list.ts';
import * as ofRules from './rule-features.ts';
import type { SessionState } from '../state/session-state.ts';
import type { Definitions, FactDefinition, Feature, Part } from '../core/plugin.ts';

export interface KindDescription {
  /** Description of a subject of the kind, and when it is complete. */
  description: string;
  facts: Record<string, string>;
}

/** `connection`: the facts of a connection, which conditions name `session.<fact>`. */
export type Scope = SubjectKind | 'connection';

interface Owned {
  feature: string;
  definition: FactDefinition<never>;
}

/** All features: those of several rules, then those of one rule each. */
export const features: readonly Feature[] = [...Object.values(list), ...Object.values(ofRules)];

const scopes: readonly Scope[] = [...subjectKinds, 'connection'];
const all = new Map<Scope, ReadonlyMap<string, Owned>>(scopes.map((scope) => [scope, ownedIn(scope)]));

/** @throws Error where two features define one fact */
function ownedIn(scope: Scope): Map<string, Owned> {
  const found = new Map<string, Owned>();
  // Those of the feature that makes such subjects come first.
  const maker = makerOf(scope === 'connection' ? 'session' : scope);
  const sorted = [...features.filter(({ name }) => name === maker), ...features.filter(({ name }) => name !== maker)];
  for (const { name: feature, facts = {} } of sorted) {
    for (const [name, definition] of Object.entries((facts[scope] ?? {}) as Definitions)) {
      const other = found.get(name)?.feature;
      if (other !== undefined)
        throw new Error(`the features ${other} and ${feature} both define the fact ${scope}.${name}`);
      found.set(name, { feature, definition });
    }
  }
  return found;
}

/** The facts of a kind by their bare names, with their definitions; those of a session subject are also those of its connection. */
export function factsOf(scope: Scope): ReadonlyMap<string, Owned> {
  return all.get(scope)!;
}

function sentences(scope: Scope): Record<string, string> {
  return Object.fromEntries([...factsOf(scope)].map(([name, { definition }]) => [name, definition.says]));
}

/** Names for `session.<fact>` in conditions, with descriptions. */
export const sessionFactTable: Readonly<Record<string, string>> = sentences('connection');

/** Facts of each kind for conditions and messages, in the order of the kinds. */
export const factTable = Object.fromEntries(
  subjectKinds.map((kind) => [
    kind,
    {
      description: descriptionOf(kind),
      facts: { ...(kind === 'session' ? sessionFactTable : {}), ...sentences(kind) },
    },
  ]),
) as Record<SubjectKind, KindDescription>;

function descriptionOf(kind: SubjectKind): string {
  const description = features.map(({ kinds }) => kinds?.[kind]).find((one) => one !== undefined);
  if (description === undefined) throw new Error(`no feature says what a ${kind} is`);
  return description;
}

/** Reads facts of a connection, by their bare names. */
export const sessionFactReaders: ReadonlyMap<string, (session: SessionState) => unknown> = new Map(
  [...factsOf('connection')].flatMap(([name, { definition }]) =>
    definition.read ? [[name, definition.read as (session: SessionState) => unknown]] : [],
  ),
);

/** All `session.*` facts as they are at this moment. */
export function sessionFacts(session: SessionState): Record<string, unknown> {
  return Object.fromEntries([...sessionFactReaders].map(([name, read]) => [name, read(session)]));
}

/** The parts of a conversation that a fact rests on; all of them when undefined. */
export function restsOf(scope: Scope, name: string): readonly Part[] | undefined {
  const own = factsOf(scope).get(name) ?? (scope === 'session' ? factsOf('connection').get(name) : undefined);
  return own?.definition.rests;
}

/**
 * True when a condition on a subject of the kind may name the fact (`subject.x`, `session.x`; of groups also
 * `subject.values.x`).
 *
 * @param collected names under which a group collects values
 */
export function isKnownFact(kind: SubjectKind, fact: string, collected: readonly string[] = []): boolean {
  const [scope, name, ...more] = fact.split('.');
  if (name === undefined) return false;
  if (kind === 'group' && scope === 'subject' && name === 'values')
    return more.length === 1 && collected.includes(more[0]!);
  if (more.length > 0) return false;
  if (scope === 'subject') return Object.hasOwn(factTable[kind].facts, name);
  return (
    scope === 'session' &&
    kind !== 'trace' &&
    kind !== 'authorization' &&
    kind !== 'grant' &&
    kind !== 'issuance' &&
    Object.hasOwn(sessionFactTable, name)
  );
}

/** Every name of a fact that a condition on subjects of the kind may use, but for values that a group collects. */
export function factNames(kind: SubjectKind): string[] {
  return [
    ...Object.keys(factTable[kind].facts).map((name) => `subject.${name}`),
    ...Object.keys(sessionFactTable).map((name) => `session.${name}`),
  ].filter((name) => isKnownFact(kind, name));
}

/** The feature that a fact of a condition is of. */
export function featureOf(kind: SubjectKind, fact: string): string | undefined {
  const [scope, name = ''] = fact.split('.');
  const own = scope === 'session' ? undefined : factsOf(kind).get(name);
  return (own ?? (scope === 'session' || kind === 'session' ? factsOf('connection').get(name) : undefined))?.feature;
}

/** The feature that makes subjects of the kind. */
export function makerOf(kind: SubjectKind): string | undefined {
  return features.find(({ kinds }) => kinds?.[kind] !== undefined)?.name;
}
