/** The plan of a run: mcpc's compiled rules, a user's own, and which of them take part. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import picomatch from 'picomatch';
import { McpcError, usageError } from '../core/model/errors.ts';
import { suggestion } from '../core/model/suggestion.ts';
import type { CompiledRule, Plan } from '../core/model/rules/rule.ts';
import { generatedFile, rulesFolder } from '../files/package/package-root.ts';
import { readMaybePacked } from '../files/package/packed-files.ts';
import type { RuleSelection } from './check-options.ts';

export interface SelectedPlan {
  /** Digest of all rules of the set, selected or not, so that scores can be compared. */
  digest: string;
  /** Frozen set, where one was asked for. */
  set?: string;
  /** Rules in the set, without level MAY. */
  total: number;
  rules: CompiledRule[];
}

export const everything: RuleSelection = { only: [], skip: [], houseRules: [], houseRequirements: [] };

/** Read once: the checks of a fleet in one process share it. It is never modified. */
let generated: Plan | undefined;

/** The plan that `npm run generate` compiled. @throws McpcError internal for a damaged installation */
export function readGeneratedPlan(): Plan {
  const file = generatedFile('plan.json');
  try {
    return (generated ??= JSON.parse(readMaybePacked(file)) as Plan);
  } catch (error) {
    throw new McpcError('internal', `Cannot load the compiled rules ${file}.`, {
      remedy: 'Reinstall mcpc; in a checkout, run npm run generate.',
      cause: error,
    });
  }
}

/** @throws McpcError usage for an unknown set, a pattern that fits no rule, or broken house files */
export async function loadPlan(selection: RuleSelection): Promise<SelectedPlan> {
  const own = readGeneratedPlan();
  const set = selection.set === undefined ? undefined : readSet(selection.set);
  const base = set ? own.rules.filter((rule) => set.has(rule.id) || rule.feature === true) : own.rules;
  const house = selection.houseRules.length === 0 ? [] : await houseRules(selection);
  const clash = house.find((rule) => own.rules.some((one) => one.id === rule.id));
  if (clash)
    throw usageError(
      `The house rule ${clash.id} has the id of a rule of mcpc.`,
      'Put it in a folder with a name of your own.',
    );
  const rules = [...base, ...house];
  return {
    digest:
      house.length === 0 && !set
        ? own.digest
        : digest([own.digest, selection.set ?? '', ...house.map((rule) => JSON.stringify(rule))]),
    set: selection.set,
    total: rules.filter(({ feature }) => feature !== true).length,
    rules: select(rules, selection),
  };
}

/**
 * The same for who is about to start a target: what a user may have got wrong is looked at before, and all else is read
 * while the target starts.
 *
 * @throws McpcError usage as loadPlan does
 */
export async function loadPlanInParallel(selection: RuleSelection): Promise<{ plan: Promise<SelectedPlan> }> {
  const { only, skip, set, houseRules } = selection;
  const plan =
    only.length + skip.length + houseRules.length > 0 || set !== undefined
      ? Promise.resolve(await loadPlan(selection))
      : nextTurn().then(() => loadPlan(selection));
  // The waiting caller gets the error.
  plan.catch(() => {});
  return { plan };
}

/** The compiler of rules takes long to load, and few users have their own rules. */
async function houseRules(selection: RuleSelection): Promise<CompiledRule[]> {
  const { houseRules, houseRequirements, houseFacts, rulesCode } = selection;
  const { compileHouseRules, openCatalogue } = await import('./project.ts');
  return compileHouseRules(houseRules, openCatalogue(houseRequirements), houseFacts ?? [], rulesCode).rules;
}

function digest(parts: string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
}

const ranks = { must: 0, should: 1, may: 2 } as const;

function select(rules: CompiledRule[], { only, skip, level }: RuleSelection): CompiledRule[] {
  const fits = (patterns: string[]): ((rule: CompiledRule) => boolean) => {
    const matchers = patterns.map((pattern) => matcher(pattern));
    const names = [...new Set(rules.flatMap(({ area, id }) => [area, id]))];
    for (const [index, matches] of matchers.entries()) {
      if (!rules.some(matches))
        throw usageError(
          `No rule fits "${patterns[index]}".${suggestion(patterns[index]!, names)}`,
          'Name an area, a rule id or a glob over ids; `mcpc rules list` shows them.',
        );
    }
    return (rule) => matchers.some((matches) => matches(rule));
  };
  let chosen = rules;
  if (only.length > 0) chosen = chosen.filter(fits(only));
  if (skip.length > 0) {
    const skipped = fits(skip);
    chosen = chosen.filter((rule) => !skipped(rule));
  }
  if (level === undefined) return chosen;
  return chosen
    .map((rule) => ({ ...rule, at: placesUpTo(rule, level) }))
    .filter((rule) => Object.keys(rule.at).length > 0);
}

function placesUpTo(rule: CompiledRule, level: keyof typeof ranks): CompiledRule['at'] {
  const keep = (name: string): boolean =>
    ranks[name.split(' ')[0]!.toLowerCase() as keyof typeof ranks] <= ranks[level];
  return Object.fromEntries(Object.entries(rule.at).filter(([, place]) => keep(place.level)));
}

function matcher(pattern: string): (rule: CompiledRule) => boolean {
  if (/[*?[{]/.test(pattern)) {
    const matches = picomatch(pattern);
    return (rule) => matches(rule.id);
  }
  return pattern.includes('/')
    ? (rule) => rule.id === pattern
    : (rule) => rule.area === pattern || rule.requirements.includes(pattern);
}

/** Ids of a frozen requirement set. */
function readSet(name: string): Set<string> {
  const folder = path.join(rulesFolder(), 'sets');
  const file = path.join(folder, `${path.basename(name)}.json`);
  if (!existsSync(file)) {
    const known = existsSync(folder) ? readdirSync(folder).map((one) => one.replace(/\.json$/, '')) : [];
    throw usageError(
      `There is no frozen set "${name}".`,
      known.length > 0 ? `Known sets: ${known.join(', ')}.` : 'This version ships none.',
    );
  }
  return new Set((JSON.parse(readFileSync(file, 'utf8')) as { rules: string[] }).rules);
}
