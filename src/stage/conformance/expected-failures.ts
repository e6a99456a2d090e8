/** The file of `--expected-failures`: YAML whose list `client` has scenarios, or `scenario:check`, that may fail. */
import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument, isMap, isSeq, isScalar } from 'yaml';
import { usageError } from '../../core/model/errors.ts';
import type { ScenarioResult } from './run-scenario.ts';
import type { Summary } from './results.ts';

export interface ExpectedFailure {
  scenario: string;
  /** The one check that may fail; all of the scenario when absent. */
  check?: string;
}

export interface Compared {
  unexpected: string[];
  /** Entries that did not fail in this run. */
  stale: string[];
  expected: string[];
}

const remedy = 'Each entry of `client` is a scenario, or scenario:check-id without a blank.';

/** @throws McpcError usage, with file and line, for what is no such file */
export function readExpectedFailures(file: string): ExpectedFailure[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(`Cannot read ${file}: ${(error as Error).message}`, 'Check --expected-failures.', error);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const wrong = (offset: number, what: string): Error =>
    usageError(`${file}:${Math.max(1, lines.linePos(offset).line)}: ${what}`, remedy);
  const [broken] = document.errors;
  if (broken !== undefined) throw wrong(broken.pos[0], broken.message);
  if (document.contents === null) return [];
  if (!isMap(document.contents)) throw wrong(0, 'the file has to be a mapping with the list client.');
  const list = document.get('client', true);
  if (list === undefined) return [];
  if (!isSeq(list)) throw wrong(0, 'client has to be a list.');
  const entries = list.items.map((item): ExpectedFailure => {
    const at = (item as { range?: [number] }).range?.[0] ?? 0;
    if (!isScalar(item) || typeof item.value !== 'string') throw wrong(at, 'an entry has to be a string.');
    const [scenario = '', ...rest] = item.value.split(':');
    const check = rest.join(':');
    if (scenario === '' || (rest.length > 0 && check === '')) throw wrong(at, `"${item.value}" names nothing.`);
    return rest.length === 0 ? { scenario } : { scenario, check };
  });
  const whole = new Set(entries.filter(({ check }) => check === undefined).map(({ scenario }) => scenario));
  const twice = entries.find(({ scenario, check }) => check !== undefined && whole.has(scenario));
  if (twice !== undefined)
    throw usageError(`${file}: ${entryText(twice)} is redundant, since all of ${twice.scenario} may fail.`, remedy);
  return entries;
}

function entryText({ scenario, check }: ExpectedFailure): string {
  return check === undefined ? scenario : `${scenario}:${check}`;
}

/** Entries of scenarios that were not played, or decided nothing, are left alone. */
export function compareFailures(
  results: readonly { result: ScenarioResult; summary: Summary }[],
  entries: readonly ExpectedFailure[],
): Compared {
  const compared: Compared = { unexpected: [], stale: [], expected: [] };
  for (const { result, summary } of results) {
    if (summary.outcome === 'skipped') continue;
    const { scenario } = result.scenario;
    const mine = entries.filter((entry) => entry.scenario === scenario);
    const bad = result.checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING').map(({ id }) => id);
    if (mine.some(({ check }) => check === undefined)) {
      (summary.outcome === 'failed' ? compared.expected : compared.stale).push(scenario);
      continue;
    }
    for (const entry of mine) (bad.includes(entry.check!) ? compared.expected : compared.stale).push(entryText(entry));
    const open = bad.filter((id) => !mine.some(({ check }) => check === id));
    for (const id of new Set(open)) compared.unexpected.push(`${scenario}:${id}`);
    if (bad.length === 0 && summary.outcome === 'failed') compared.unexpected.push(scenario);
  }
  return compared;
}
