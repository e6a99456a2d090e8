/**
 * The requirement catalogue: all revisions merged to one entry for each id, with look-ups. It works on
 * parsed data; it must not read files, nor know of rules.
 */
import type { Requirement, RequirementAt, RequirementFacts, Revision } from '../../model/rules/requirement.ts';
import { revisions } from '../revisions.ts';
import type { ParsedRequirement, ParsedSpec } from './parse-requirements.ts';
import { RequirementsError, type RequirementProblem } from './requirements-error.ts';

export interface Catalogue {
  /** Sorted by id. */
  readonly requirements: readonly Requirement[];
  readonly byId: ReadonlyMap<string, Requirement>;
}

interface Edition {
  revision: Revision;
  source: ParsedRequirement;
  file: string;
  extension?: string;
}

const factNames = ['role', 'statement', 'observe', 'transports', 'basis', 'reason', 'note'] as const;

/** Makes a catalogue of requirements that are known to be sound, with distinct ids. */
export function catalogueOf(requirements: readonly Requirement[]): Catalogue {
  const sorted = [...requirements].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  return { requirements: sorted, byId: new Map(sorted.map((requirement) => [requirement.id, requirement])) };
}

/**
 * Merges parsed files, one or more for a revision, to a catalogue.
 * @param options.house marks every requirement as the user's own
 * @throws RequirementsError when two files give the same id for the same revision
 */
export function buildCatalogue(specs: readonly ParsedSpec[], options: { house?: boolean } = {}): Catalogue {
  const problems: RequirementProblem[] = [];
  const editions = new Map<string, Edition[]>();
  for (const spec of specs) {
    for (const source of spec.requirements) {
      const known = editions.get(source.id) ?? [];
      for (const revision of spec.revisions) {
        const earlier = known.find((edition) => edition.revision === revision);
        if (earlier === undefined) known.push({ revision, source, file: spec.file, extension: spec.extension });
        else {
          problems.push({
            file: spec.file,
            line: source.line,
            message: `"${source.id}" already stands in ${earlier.file}:${earlier.source.line} for revision ${revision}`,
          });
        }
      }
      editions.set(source.id, known);
    }
  }
  if (problems.length > 0) throw new RequirementsError(problems);
  return catalogueOf([...editions.values()].map((list) => merge(list, options.house === true)));
}

/**
 * Adds a user's own requirements to the official ones.
 * @param specs the parsed house files
 * @throws RequirementsError when an area is one of the official areas (a later revision may claim any id
 *   in those), or two files give the same id for the same revision
 */
export function withHouseRequirements(official: Catalogue, specs: readonly ParsedSpec[]): Catalogue {
  const taken = new Set(official.requirements.filter(({ house }) => house !== true).map(({ area }) => area));
  const problems: RequirementProblem[] = [];
  for (const spec of specs) {
    for (const { id, area, line } of spec.requirements) {
      if (!taken.has(area)) continue;
      const message = `area "${area}" of "${id}" belongs to the official requirements; use a prefix of your own, as in house-${id}`;
      problems.push({ file: spec.file, line, message });
    }
  }
  if (problems.length > 0) throw new RequirementsError(problems);
  const house = buildCatalogue(specs, { house: true });
  return catalogueOf([...official.requirements, ...house.requirements]);
}

/**
 * The requirement as the revision has it, with the facts of that revision.
 * @returns null when the id is unknown or the revision does not have it
 */
export function requirementAt(catalogue: Catalogue, id: string, revision: Revision): RequirementAt | null {
  const requirement = catalogue.byId.get(id);
  return requirement === undefined ? null : readAt(requirement, revision);
}

/**
 * The requirements of a revision, sorted by id, without those of extensions.
 * @param extension takes those of that extension instead
 */
export function requirementsOf(catalogue: Catalogue, revision: Revision, extension?: string): RequirementAt[] {
  const found: RequirementAt[] = [];
  for (const requirement of catalogue.requirements) {
    const at = requirement.extension === extension ? readAt(requirement, revision) : null;
    if (at !== null) found.push(at);
  }
  return found;
}

/** The extensions that have requirements in a revision, sorted by identifier. */
export function extensionsOf({ requirements }: Catalogue, revision: Revision): string[] {
  const found = requirements.flatMap(({ extension, levels }) =>
    extension === undefined || levels[revision] === undefined ? [] : [extension],
  );
  return [...new Set(found)].sort();
}

/** True if a requirement binds the judged party: a server cannot break a requirement of the client alone. */
export function bindsParty({ role }: Pick<RequirementFacts, 'role'>, judged: 'server' | 'client'): boolean {
  if (role === 'both') return true;
  return judged === 'client'
    ? role === 'client' || role === 'host'
    : role === 'server' || role === 'authorization-server';
}

/** True if an ordinary or a probing conversation with a server can decide the requirement. */
export function isServerObservable({ observe }: Pick<RequirementFacts, 'observe'>): boolean {
  return observe.includes('server-active') || observe.includes('server-passive');
}

/** The same of a conversation with a client. */
export function isClientObservable({ observe }: Pick<RequirementFacts, 'observe'>): boolean {
  return observe.includes('client-active') || observe.includes('client-passive');
}

/** True if anything at all can decide the requirement. */
export function isObservable({ observe }: Pick<RequirementFacts, 'observe'>): boolean {
  return !observe.includes('none');
}

function readAt(requirement: Requirement, revision: Revision): RequirementAt | null {
  const level = requirement.levels[revision];
  if (level === undefined) return null;
  const { id, area, extension, role, statement, observe, transports, basis, reason, note } = requirement;
  const facts = { role, statement, observe, transports, basis, reason, note, ...requirement.variants?.[revision] };
  return {
    id,
    area,
    revision,
    level,
    ref: requirement.refs[revision] ?? '',
    extension,
    house: requirement.house === true,
    ...facts,
  };
}

/** The newest edition gives the facts; older ones are kept where they differ. */
function merge(list: readonly Edition[], house: boolean): Requirement {
  const ordered = revisions.flatMap((revision) => list.filter((edition) => edition.revision === revision));
  const newest = ordered.at(-1);
  if (newest === undefined) throw new RangeError('a requirement needs an edition');
  const { id, area, role, statement, observe, transports, basis, reason, note } = newest.source;
  const merged: Requirement = {
    id,
    area,
    role,
    statement,
    observe,
    transports,
    basis,
    reason,
    note,
    levels: {},
    refs: {},
  };
  for (const { revision, source } of ordered) {
    merged.levels[revision] = source.level;
    merged.refs[revision] = source.ref;
    const differing = factNames.filter((name) => JSON.stringify(source[name]) !== JSON.stringify(newest.source[name]));
    if (differing.length === 0) continue;
    const variant: Partial<RequirementFacts> = Object.fromEntries(differing.map((name) => [name, source[name]]));
    merged.variants = { ...merged.variants, [revision]: variant };
  }
  if (house) return { ...merged, house: true };
  return newest.extension === undefined ? merged : { ...merged, extension: newest.extension };
}
