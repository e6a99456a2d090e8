/** The client scenarios of the official conformance suite: data of rules/conformance, by name and by suite. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../../core/model/errors.ts';
import type { Condition, Given } from '../../core/model/rules/rule.ts';
import type { Situation } from '../../core/model/rules/situation.ts';
import { suggestion } from '../../core/model/suggestion.ts';
import { rulesFolder } from '../../files/package/package-root.ts';

/** A rule of the scenario's own. */
export interface OwnRule {
  given: Given;
  when?: Condition;
  expect: Condition;
}

/** rules/language/conformance.schema.json describes each property. */
export interface ScenarioCheck {
  id: string;
  name?: string;
  description: string;
  rule?: string | string[];
  judge?: OwnRule;
  also?: OwnRule;
  measure?: 'reconnect-delay' | 'canary' | 'state-echo' | 'fresh-proofs' | 'resource-nonce';
  suiteOnly?: true;
  info?: true;
  trap?: true;
  fails?: 'FAILURE' | 'WARNING' | 'INFO';
  failsSince?: string;
  silent?: 'FAILURE' | 'WARNING' | 'INFO';
}

export interface Scenario {
  scenario: string;
  description: string;
  since?: string;
  until?: string;
  extension?: string;
  suites: string[];
  context?: Record<string, unknown>;
  clientMayFail?: true;
  waits?: string;
  situation?: Situation;
  checks: ScenarioCheck[];
}

/** A scenario as its file has it. */
interface ScenarioFile extends Scenario {
  /** Lists of checks that many scenarios have, from the folder shared. */
  with?: string[];
  /** Shared checks that fail where nothing decided them. */
  required?: string[];
}

export const suites = ['all', 'core', 'draft', 'auth', 'metadata', 'backcompat', 'extensions', 'sep-835'] as const;

/** All scenarios: those without authorization first, each group by name. */
export function readScenarios(): Scenario[] {
  const folder = path.join(rulesFolder(), 'conformance');
  return ['', 'auth'].flatMap((part) =>
    readdirSync(path.join(folder, part))
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => whole(readFile<ScenarioFile>(path.join(folder, part, name)), folder)),
  );
}

/** Its own checks, behind the shared ones. */
function whole({ required = [], with: lists = [], ...scenario }: ScenarioFile, folder: string): Scenario {
  const shared = lists.flatMap(
    (name) => readFile<{ checks: ScenarioCheck[] }>(path.join(folder, 'shared', `${name}.json`)).checks,
  );
  const checks = shared.map((check) =>
    required.includes(check.id) ? { ...check, silent: 'FAILURE' as const } : check,
  );
  return { ...scenario, checks: [...checks, ...scenario.checks] };
}

function readFile<Content>(file: string): Content {
  return JSON.parse(readFileSync(file, 'utf8')) as Content;
}

/** @throws McpcError usage for a name that no scenario has */
export function findScenario(name: string): Scenario {
  const all = readScenarios();
  const found = all.find(({ scenario }) => scenario === name);
  if (found !== undefined) return found;
  const names = all.map(({ scenario }) => scenario);
  throw usageError(
    `There is no client scenario "${name}".${suggestion(name, names)}`,
    '"mcpc client conformance list" shows them.',
  );
}

/**
 * The scenarios of a suite, of one revision where that is asked for.
 * @throws McpcError usage for an unknown suite
 */
export function scenariosOf(suite: string, revision: string | undefined): Scenario[] {
  if (!(suites as readonly string[]).includes(suite))
    throw usageError(
      `There is no suite "${suite}".${suggestion(suite, suites)}`,
      `The suites are ${suites.join(', ')}.`,
    );
  return readScenarios().filter(
    (one) => (suite === 'all' || one.suites.includes(suite)) && (revision === undefined || appliesAt(one, revision)),
  );
}

/** True if the scenario is for the revision; one of an extension is for none. */
export function appliesAt({ since, until }: Scenario, revision: string): boolean {
  return since !== undefined && since <= revision && (until === undefined || revision <= until);
}
